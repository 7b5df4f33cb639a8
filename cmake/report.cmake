# The pages of `pkm report` and `pkm view`: web/ bundled by esbuild (node) and turned into C. The engine of
# the second comes from tools/wasm.sh, which `make build` runs before; without it the page is left out.
find_program(NODE_EXECUTABLE NAMES node nodejs REQUIRED)
set(PKM_WEB ${PROJECT_SOURCE_DIR}/web)
set(PKM_REPORT_FRAME ${PROJECT_BINARY_DIR}/report_frame.c)
file(GLOB_RECURSE PKM_WEB_SOURCES CONFIGURE_DEPENDS ${PKM_WEB}/src/* ${PROJECT_SOURCE_DIR}/robots/*.yaml ${PROJECT_SOURCE_DIR}/schema/*.json)
set(PKM_ENGINE_FILE ${PROJECT_SOURCE_DIR}/build/wasm/engine.wasm)
file(GLOB PKM_ENGINE CONFIGURE_DEPENDS ${PKM_ENGINE_FILE})
add_custom_command(OUTPUT ${PKM_REPORT_FRAME}
  COMMAND ${PROJECT_SOURCE_DIR}/tools/web.sh
  COMMAND ${NODE_EXECUTABLE} ${PKM_WEB}/build.mjs ${PKM_REPORT_FRAME} ${PKM_ENGINE_FILE}
  DEPENDS ${PKM_WEB_SOURCES} ${PKM_ENGINE} ${PKM_WEB}/page.html ${PKM_WEB}/view.html ${PKM_WEB}/build.mjs ${PKM_WEB}/package-lock.json
          ${PROJECT_SOURCE_DIR}/tools/web.sh
  COMMENT "Bundling the pages of pkm report and pkm view"
  VERBATIM)
target_sources(pkm_more_objects PRIVATE ${PKM_REPORT_FRAME})

# The page of `pkm report`: web/ bundled by esbuild (node) and turned into C.
find_program(NODE_EXECUTABLE NAMES node nodejs REQUIRED)
set(PKM_WEB ${PROJECT_SOURCE_DIR}/web)
set(PKM_REPORT_FRAME ${PROJECT_BINARY_DIR}/report_frame.c)
file(GLOB PKM_WEB_SOURCES CONFIGURE_DEPENDS ${PKM_WEB}/src/*)
add_custom_command(OUTPUT ${PKM_REPORT_FRAME}
  COMMAND ${PROJECT_SOURCE_DIR}/tools/web.sh
  COMMAND ${NODE_EXECUTABLE} ${PKM_WEB}/build.mjs ${PKM_REPORT_FRAME}
  DEPENDS ${PKM_WEB_SOURCES} ${PKM_WEB}/page.html ${PKM_WEB}/build.mjs ${PKM_WEB}/package-lock.json
          ${PROJECT_SOURCE_DIR}/tools/web.sh
  COMMENT "Bundling the page of pkm report"
  VERBATIM)
target_sources(pkm_cli_parts PRIVATE ${PKM_REPORT_FRAME})

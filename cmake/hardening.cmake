# The release build makes errors of memory harder to use: canaries on stacks, checked copies, local variables that
# begin as zero, addresses that nobody can guess and a table of calls that nobody can write. The test
# golden.hardening reads them from the program.
include(CheckCCompilerFlag)
include(CheckPIESupported)
check_pie_supported(LANGUAGES C)
set(PKM_HARDENING)
foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection
             -ftrivial-auto-var-init=zero)
  string(MAKE_C_IDENTIFIER "PKM_HAS${flag}" has)
  check_c_compiler_flag(${flag} ${has})
  if(${has})
    list(APPEND PKM_HARDENING ${flag})
  endif()
endforeach()
set(PKM_FORTIFY 2)
if(CMAKE_C_COMPILER_ID STREQUAL GNU AND CMAKE_C_COMPILER_VERSION VERSION_GREATER_EQUAL 12)
  set(PKM_FORTIFY 3)
endif()
list(APPEND PKM_HARDENING -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=${PKM_FORTIFY})
target_compile_options(pkm_options INTERFACE $<$<COMPILE_LANGUAGE:C>:${PKM_HARDENING}>)
target_link_options(pkm_options INTERFACE LINKER:-z,relro,-z,now,-z,noexecstack)

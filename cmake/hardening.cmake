# SPDX-License-Identifier: Apache-2.0
# Makes memory errors end the program instead of being exploitable, and keeps the build machine's paths out of the
# binary. tests/release/test_hardening.py checks the binary. Flags that a compiler or processor lacks are left out.
include(CheckCXXCompilerFlag)
include(CheckCXXSourceCompiles)
include(CheckLinkerFlag)

set(hardening -fstack-protector-strong -fstack-clash-protection -fcf-protection=full)
foreach(flag IN LISTS hardening)
  string(MAKE_C_IDENTIFIER "HEARTH_TAKES${flag}" taken)
  check_cxx_compiler_flag(${flag} ${taken})
  if(${taken})
    add_compile_options(${flag})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      add_link_options(${flag})  # with link-time optimisation, the linker's compiler generates the code
    endif()
  endif()
endforeach()
foreach(flag -pie -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
  string(MAKE_C_IDENTIFIER "HEARTH_LINKER_TAKES${flag}" taken)
  check_linker_flag(CXX ${flag} ${taken})
  if(${taken})
    add_link_options(${flag})
  endif()
endforeach()
add_compile_options(-fPIE -ffile-prefix-map=${CMAKE_SOURCE_DIR}/= -ffile-prefix-map=${CMAKE_BINARY_DIR}/=)
add_compile_definitions(_GLIBCXX_ASSERTIONS)

# Level 3 also checks sizes that are known only at run time.
set(CMAKE_REQUIRED_FLAGS "-O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3")
check_cxx_source_compiles("
  #include <cstring>
  #if __USE_FORTIFY_LEVEL < 3
  #error no level 3
  #endif
  int main() { return 0; }" HEARTH_FORTIFIES_WITH_3)
unset(CMAKE_REQUIRED_FLAGS)
if(HEARTH_FORTIFIES_WITH_3)
  add_compile_options(-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3)
else()
  add_compile_options(-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
endif()

# SPDX-License-Identifier: Apache-2.0
# Warnings are errors, with both compilers. Thread-safety annotations are clang's; g++ is told to ignore them.
set(HEARTH_SANITIZE "" CACHE STRING "Sanitizers to build with, for example address,undefined")
option(HEARTH_FUZZ "Build the fuzzers, with clang's libFuzzer" OFF)

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Without times in it, a precompiled header is the same each time, and ccache knows what is compiled with it.
  add_compile_options(-Wthread-safety -fpch-instantiate-templates "SHELL:-Xclang -fno-pch-timestamp")
  if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 19)
    message(FATAL_ERROR "Hearth needs clang 19 or newer, or g++ 12 or newer.")
  endif()
else()
  # stringop-overread: g++ 12 reports reads of 2^64 bytes in string_view::find that do not exist.
  # subobject-linkage: it takes a source that is compiled together with others for a header.
  add_compile_options(-Wno-attributes -Wno-stringop-overread -Wno-subobject-linkage -fpch-preprocess)
  if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12)
    message(FATAL_ERROR "Hearth needs g++ 12 or newer, or clang 19 or newer.")
  endif()
endif()

if(HEARTH_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(HEARTH_SANITIZE)
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
  add_compile_options(-fsanitize=${HEARTH_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -gline-tables-only)
  add_link_options(-fsanitize=${HEARTH_SANITIZE} -fuse-ld=lld)  # GNU ld takes minutes for all the programs
  if(NOT HEARTH_SANITIZE STREQUAL "thread")
    # Checks that cost a third of the time to compile and find little more: a null pointer ends the program anyway, with a stack; an
    # object that is too small for its type is found by the address sanitizer; and pointers are cast to bytes, which are aligned.
    add_compile_options(-fno-sanitize=null,object-size,alignment)
    # Without optimisation, code compiles in two fifths of the time, and the hub takes twice the time: only those modules of it are
    # optimised in which it spends its time. The fuzzers have all of it optimised.
    add_compile_options(-O1)
    set(HEARTH_COLD_OPTIONS -O0)
    set(HEARTH_HOT_MODULES base core http storage recorder template domains yaml)
  endif()
elseif(CMAKE_BUILD_TYPE STREQUAL "Release")
  # Link-time optimisation, with the C++ library included: a tenth less CPU time for each request.
  set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG -fno-plt")
  # The other modules run once in a while: they are small, since the program's text counts as memory, and compile sooner.
  set(HEARTH_COLD_OPTIONS -Os)
  set(HEARTH_HOT_MODULES api auth automation base configured core domains fleet http integrations/mqtt net recorder storage
      template template_entities)
  include(CheckIPOSupported)
  check_ipo_supported(LANGUAGES CXX)
  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
  add_link_options(-static-libstdc++ -static-libgcc)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_link_options(-Wno-stringop-overread)  # as above: g++ reports it when linking
  endif()
endif()
if(CMAKE_BUILD_TYPE MATCHES "^(Release|RelWithDebInfo|MinSizeRel)$" AND NOT HEARTH_SANITIZE)
  include(hardening)
endif()

# SPDX-License-Identifier: Apache-2.0
# Profile-guided optimisation with g++: built once to count what runs while bench/ trains it, and again with these counts, in a
# folder of the same path, because the counts are stored under the names of the objects, and checked by those of the sources.
# packaging/profile does the first, packaging/package the second.
set(HEARTH_PROFILE "" CACHE STRING "generate: count what runs; use: optimise by these counts")
set_property(CACHE HEARTH_PROFILE PROPERTY STRINGS "" generate use)
set(HEARTH_PROFILE_FOLDER ${CMAKE_BINARY_DIR}/profile CACHE PATH "Where the counts are")

if(HEARTH_PROFILE AND NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  message(FATAL_ERROR "HEARTH_PROFILE needs g++; the compiler is ${CMAKE_CXX_COMPILER_ID}.")
elseif(HEARTH_PROFILE STREQUAL "generate")
  set(profile -fprofile-generate=${HEARTH_PROFILE_FOLDER} -fprofile-update=atomic)
elseif(HEARTH_PROFILE STREQUAL "use")
  # Code that training did not run is optimised as usual: neither for size, nor with all its loops unrolled, by which it is a fifth
  # larger.
  set(profile -fprofile-use=${HEARTH_PROFILE_FOLDER} -fprofile-partial-training -fprofile-correction -Wno-missing-profile
    -fno-unroll-loops -fno-peel-loops -fno-tracer)
elseif(HEARTH_PROFILE)
  message(FATAL_ERROR "HEARTH_PROFILE is ${HEARTH_PROFILE}; expected generate or use.")
endif()
if(HEARTH_PROFILE)
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:${profile}>")
  add_link_options(${profile})
endif()

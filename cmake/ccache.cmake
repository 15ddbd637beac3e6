# SPDX-License-Identifier: Apache-2.0
# Compiles through ccache if it is installed, except with a profile, whose counts ccache does not consider. Precompiled
# headers need the sloppiness settings, and DEPEND: without it, ccache compares what the preprocessor leaves, and takes a
# precompiled header of before a comment changed. GCC then includes that header twice, because its text is another.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT HEARTH_PROFILE)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1
      ${CCACHE_PROGRAM})
endif()

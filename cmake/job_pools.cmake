# SPDX-License-Identifier: Apache-2.0
# A compiler uses up to 1.4 GiB, with half of the sources at a time up to 1 GiB: on a board with many cores and little
# memory fewer run at a time. With a profile the groups of sources are always the same, because the counts are theirs.
cmake_host_system_information(RESULT memory QUERY TOTAL_PHYSICAL_MEMORY)  # MiB
if(memory LESS 4096 AND NOT HEARTH_PROFILE)
  set(HEARTH_SMALL_MEMORY ON)
  math(EXPR compilers "${memory} / 1024")
else()
  math(EXPR compilers "${memory} / 1400")
endif()
if(compilers LESS 1)
  set(compilers 1)
endif()
set_property(GLOBAL APPEND PROPERTY JOB_POOLS compile=${compilers})
set(CMAKE_JOB_POOL_COMPILE compile)

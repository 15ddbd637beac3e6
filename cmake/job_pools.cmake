# SPDX-License-Identifier: Apache-2.0
# A compiler uses up to a GiB: on a board with many cores and little memory fewer run at a time.
cmake_host_system_information(RESULT memory QUERY TOTAL_PHYSICAL_MEMORY)  # MiB
math(EXPR compilers "${memory} / 1024")
if(compilers LESS 1)
  set(compilers 1)
endif()
set_property(GLOBAL APPEND PROPERTY JOB_POOLS compile=${compilers})
set(CMAKE_JOB_POOL_COMPILE compile)

// SPDX-License-Identifier: Apache-2.0
#include "base/memory_use.h"

#include <malloc.h>

namespace hearth::base {

void keep_memory_small() {
  constexpr int kArenas = 1;
  constexpr int kAlone = 256 * 1024;
  ::mallopt(M_ARENA_MAX, kArenas);
  ::mallopt(M_MMAP_THRESHOLD, kAlone);
  ::mallopt(M_TRIM_THRESHOLD, 2 * kAlone);
}

void return_memory() {
  ::malloc_trim(0);
}

}  // namespace hearth::base

// SPDX-License-Identifier: Apache-2.0
// For tests: allocations that fail when the test says so. Replaces operator new, so one source of a program includes
// it.
#pragma once

#include <cstdlib>
#include <new>

namespace hearth::base {

// Of this thread: how many allocations succeed before one fails; negative: all succeed.
inline thread_local long allocations_left = -1;
// Of this thread: none succeeds.
inline thread_local bool memory_is_short = false;

}  // namespace hearth::base

void* operator new(std::size_t size) {
  using namespace hearth::base;
  if (memory_is_short || (allocations_left >= 0 && allocations_left-- == 0)) throw std::bad_alloc();
  if (void* const place = std::malloc(size)) return place;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  try {
    return operator new(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* place) noexcept {
  std::free(place);
}
void operator delete(void* place, std::size_t) noexcept {
  std::free(place);
}

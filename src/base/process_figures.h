// SPDX-License-Identifier: Apache-2.0
// Memory, threads, files and CPU time of this process, as the kernel counts them. Any thread; reads files in /proc.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hearth::base {

struct ProcessFigures {
  std::uint64_t memory_resident = 0;  // bytes; 0 if the kernel does not say
  std::uint64_t memory_peak = 0;      // bytes, the peak
  std::uint64_t memory_virtual = 0;   // bytes of address space
  std::size_t threads = 0;
  std::size_t descriptors = 0;        // open ones
  std::uint64_t max_descriptors = 0;  // how many there may be
  double cpu_seconds = 0;
};

ProcessFigures process_figures();

}  // namespace hearth::base

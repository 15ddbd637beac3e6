// SPDX-License-Identifier: Apache-2.0
// Memory, threads and CPU time of this process, as the kernel counts them. Any thread; reads files in /proc.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hearth::base {

struct ProcessFigures {
  std::uint64_t memory_resident = 0;  // bytes; 0 if the kernel does not say
  std::uint64_t memory_peak = 0;      // bytes, the peak
  std::size_t threads = 0;
  double cpu_seconds = 0;
};

ProcessFigures process_figures();

}  // namespace hearth::base

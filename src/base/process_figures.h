// SPDX-License-Identifier: Apache-2.0
// What this process takes of the machine, as the kernel counts it. Any thread; reads files of /proc.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hearth::base {

struct ProcessFigures {
  std::uint64_t memory_resident = 0;  // bytes; 0 where the kernel does not say
  std::uint64_t memory_peak = 0;      // bytes, the most there was
  std::size_t threads = 0;
  double cpu_seconds = 0;
};

ProcessFigures process_figures();

}  // namespace hearth::base

// SPDX-License-Identifier: Apache-2.0
#include "base/process_figures.h"

#include <gtest/gtest.h>

#include <fstream>
#include <latch>
#include <thread>
#include <vector>

namespace hearth::base {
namespace {

TEST(ProcessFigures, CountsThreads) {
  const auto before = process_figures();
  std::latch done(1);
  std::jthread another([&] { done.wait(); });
  EXPECT_EQ(process_figures().threads, before.threads + 1);
  done.count_down();
}

TEST(ProcessFigures, CountsOpenFiles) {
  const auto before = process_figures();
  const std::ifstream another("/proc/self/status");
  EXPECT_EQ(process_figures().descriptors, before.descriptors + 1);
  EXPECT_GT(before.max_descriptors, before.descriptors);
}

TEST(ProcessFigures, SeesMemoryGrow) {
  constexpr std::size_t kSize = 64 << 20;
  const auto before = process_figures();
  const std::vector<char> taken(kSize, 1);
  const auto after = process_figures();
  EXPECT_GT(after.memory_resident, before.memory_resident + kSize / 2);
  EXPECT_GE(after.memory_peak, after.memory_resident);
}

TEST(ProcessFigures, CountsCpuTime) {
  const auto before = process_figures();
  while (process_figures().cpu_seconds <= before.cpu_seconds) {
  }
  EXPECT_GT(before.cpu_seconds, 0);
}

}  // namespace
}  // namespace hearth::base

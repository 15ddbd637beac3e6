// SPDX-License-Identifier: Apache-2.0
#include "base/thread_priority.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <thread>

namespace hearth::base {
namespace {

int niceness() {
  return ::getpriority(PRIO_PROCESS, static_cast<::id_t>(::gettid()));
}

TEST(ThreadPriority, IsThatOfOneThread) {
  const int before = niceness();
  int within = 0;
  std::thread([&] {
    give_way();
    within = niceness();
  }).join();
  EXPECT_GE(within, std::max(before, 10));
  EXPECT_EQ(niceness(), before);
}

}  // namespace
}  // namespace hearth::base

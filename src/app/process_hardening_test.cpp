// SPDX-License-Identifier: Apache-2.0
#include "app/process_hardening.h"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/write_budget.h"

namespace hearth::app {
namespace {

// In a process of its own, because there is no way back.
TEST(ProcessHardening, LeavesTheProcessWithoutMorePrivileges) {
  const ::pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const bool counts = written_bytes().has_value();
    harden_process();
    const bool privileged = ::prctl(PR_GET_NO_NEW_PRIVS, 0UL, 0UL, 0UL, 0UL) != 1;
    ::_exit(privileged ? 1 : written_bytes().has_value() == counts ? 0 : 2);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace hearth::app

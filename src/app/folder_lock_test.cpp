// SPDX-License-Identifier: Apache-2.0
#include "app/folder_lock.h"

#include <gtest/gtest.h>

#include <optional>

#include "storage/temporary_folder.h"

namespace hearth::app {
namespace {

TEST(FolderLock, IsHeldByOneProcess) {
  storage::TemporaryFolder folder;
  std::optional<FolderLock> first(FolderLock::lock(folder / "").value());
  const FolderLock moved(std::move(*first));
  first.reset();
  const auto second = FolderLock::lock(folder / "");
  ASSERT_FALSE(second);
  EXPECT_EQ(base::ErrorCode::conflict, second.error().code);
  EXPECT_EQ(
      "Another hub runs with " + (folder / "").string() + " already; end it, or name another folder with --config.",
      second.error().message);
}

TEST(FolderLock, IsFreeAgain) {
  storage::TemporaryFolder folder;
  {
    const auto first = FolderLock::lock(folder / "");
  }
  EXPECT_TRUE(FolderLock::lock(folder / ""));
}

}  // namespace
}  // namespace hearth::app

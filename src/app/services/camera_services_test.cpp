// SPDX-License-Identifier: Apache-2.0
#include "app/services/camera_services.h"

#include <gtest/gtest.h>

namespace hearth::app {
namespace {

TEST(SnapshotPath, IsWithinTheFolder) {
  for (const char* const good : {"door.jpg", "door/today.jpg", "a/b/c/d/e.svg", "Tür 1.png", "x..jpg"})
    EXPECT_EQ(snapshot_path(good).value(), good);
  for (const std::string& wrong :
       {std::string(), std::string("/config/www/x.jpg"), std::string("../x.jpg"), std::string("a/../../x"),
        std::string("./x"), std::string("a//../x"), std::string(".ssh/x"), std::string("a/.x"), std::string("a/"),
        std::string("a\nb"), std::string("a\\b"), std::string("a\0b", 3), std::string("a/b/c/d/e/f"),
        std::string(201, 'a')}) {
    const auto path = snapshot_path(wrong);
    ASSERT_FALSE(path) << wrong;
    EXPECT_EQ(path.error().code, base::ErrorCode::invalid) << wrong;
    EXPECT_TRUE(path.error().message.starts_with("filename: expected a file within the folder snapshots")) << wrong;
  }
}

}  // namespace
}  // namespace hearth::app

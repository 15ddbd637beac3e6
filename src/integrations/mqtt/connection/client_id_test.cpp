// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/connection/client_id.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace hearth::integrations::mqtt {
namespace {

class ClientIdTest : public testing::Test {
 protected:
  ClientIdTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "hearth-client-id-XXXXXX").string();
    folder = ::mkdtemp(pattern.data());
  }
  ~ClientIdTest() override { std::filesystem::remove_all(folder); }

  std::string folder;
  const std::string home = "eff44060-1b2a-742d-e551-bc4b5724549d";
};

TEST_F(ClientIdTest, StaysTheSameInAFolder) {
  const std::string id = own_client_id(folder, home);
  EXPECT_EQ(id.size(), 23);
  EXPECT_TRUE(id.starts_with("hearth-")) << id;
  EXPECT_EQ(own_client_id(folder, home), id);
}

TEST_F(ClientIdTest, IsAnotherInAnotherFolderOfTheSameHome) {
  const std::string id = own_client_id(folder, home);
  std::filesystem::remove(std::filesystem::path(folder) / ".mqtt_client_id");
  EXPECT_NE(own_client_id(folder, home), id);
}

TEST_F(ClientIdTest, ADamagedFileIsReplaced) {
  std::ofstream(std::filesystem::path(folder) / ".mqtt_client_id") << "hearth-\xff\xfe";
  const std::string id = own_client_id(folder, home);
  EXPECT_EQ(id.size(), 23);
  EXPECT_EQ(own_client_id(folder, home), id);
}

TEST_F(ClientIdTest, IsTheHomesIfNothingCanBeWritten) {
  EXPECT_EQ(own_client_id(folder + "/missing", home), "hearth-eff440601b2a742d");
}

}  // namespace
}  // namespace hearth::integrations::mqtt

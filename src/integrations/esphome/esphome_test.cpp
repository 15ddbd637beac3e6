// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/esphome.h"

#include <gtest/gtest.h>

#include "base/json/json_fields.h"

namespace hearth::integrations::esphome {
namespace {

net::MdnsInstance node(std::vector<std::pair<std::string, std::string>> texts) {
  return {
      .type = "_esphomelib._tcp", .name = "bedroom", .host = "bedroom.local", .port = 6053, .texts = std::move(texts)};
}

TEST(EsphomeDiscovery, ReadsWhatNodesAnnounce) {
  const auto found = Esphome::discovered(node({{"mac", "0123456789ab"}, {"friendly_name", "Bedroom lamp"}}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->unique_id, "01:23:45:67:89:ab");
  EXPECT_EQ(found->title, "Bedroom lamp");
  EXPECT_EQ(base::to_json(found->data), R"({"host":"bedroom.local","port":6053})");
  EXPECT_EQ(Esphome::discovered(node({{"mac", "0123456789AB"}}))->title, "bedroom");
}

TEST(EsphomeDiscovery, LeavesOutWhatIsNoNode) {
  EXPECT_FALSE(Esphome::discovered(node({})));
  for (const char* const mac : {"", "0123456789a", "0123456789abc", "0123456789ag", "../etc"})
    EXPECT_FALSE(Esphome::discovered(node({{"mac", mac}}))) << mac;
  net::MdnsInstance without_port = node({{"mac", "0123456789ab"}});
  without_port.port = 0;
  EXPECT_FALSE(Esphome::discovered(without_port));
}

}  // namespace
}  // namespace hearth::integrations::esphome

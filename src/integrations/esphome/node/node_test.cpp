// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/node/node.h"

#include <gtest/gtest.h>

#include "integrations/esphome/node/names.h"
#include "integrations/esphome/node/test_node.h"

namespace hearth::integrations::esphome {
namespace {

using std::chrono::hours;
using std::chrono::seconds;
using Lists = std::vector<std::pair<std::uint32_t, std::string>>;

std::string switch_of(std::string name, std::uint32_t key, std::uint32_t device_id = 0) {
  auto list = made_list<proto::ListSwitch>(std::move(name), key);
  list.set_device_id(device_id);
  return list.SerializeAsString();
}

void says_on(TestNode& node, std::uint32_t key, std::uint32_t device_id = 0) {
  proto::SwitchState state;
  state.set_key(key);
  state.set_state(true);
  state.set_device_id(device_id);
  node.says(26, state);
}

TEST(Names, OfNodesBecomeIds) {
  EXPECT_EQ(normal_mac("0123456789AB"), "01:23:45:67:89:ab");
  EXPECT_EQ(normal_mac("01:23:45:67:89:aB"), "01:23:45:67:89:ab");
  for (const std::string_view wrong : {"", "0123456789A", "0123456789ABC", "0123456789AG", "01-23-45-67-89-ab"})
    EXPECT_FALSE(normal_mac(wrong)) << wrong;
  EXPECT_EQ(object_id_of("My Switch-2 ÄÖ!"), "my_switch-2____");
  EXPECT_EQ(slug_of("my-node_My Switch! "), "my_node_my_switch");
  EXPECT_EQ(slug_of("Ä"), "");
  EXPECT_EQ(unique_id_of("01:23:45:67:89:ab", "switch", "relay", 0), "01:23:45:67:89:AB-switch-relay");
  EXPECT_EQ(unique_id_of("01:23:45:67:89:ab", "switch", "relay", 7), "01:23:45:67:89:AB-switch-relay@7");
}

TEST(Node, NamesItsEntitiesByItselfAndTheirNames) {
  TestNode node;
  auto nameless = made_list<proto::ListSwitch>("", 1);
  auto old = made_list<proto::ListSwitch>("Old", 2);
  old.set_object_id("an_old_one");
  old.set_entity_category(1);
  node.connect({{17, nameless.SerializeAsString()}, {17, old.SerializeAsString()}});
  EXPECT_EQ(node.home.attribute("switch.test_node", "friendly_name"), R"("Test Node")");
  EXPECT_EQ(node.home.attribute("switch.test_node_an_old_one", "friendly_name"), R"("Test Node Old")");
  const auto registry = node.home.hub.registry.snapshot();
  const auto* const known = registry->find_entity("esphome", "switch", "01:23:45:67:89:AB-switch-an_old_one");
  ASSERT_TRUE(known);
  EXPECT_EQ(known->entity_category, "config");
  EXPECT_TRUE(registry->find_entity("esphome", "switch", "01:23:45:67:89:AB-switch-test_node"));
}

TEST(Node, TellsEntitiesOfSubDevicesApartByTheirDevice) {
  TestNode node;
  auto& sub = *node.info.add_devices();
  sub.set_device_id(7);
  sub.set_name("Sub");
  node.connect({{17, switch_of("Relay", 1)}, {17, switch_of("Relay", 1, 7)}});
  says_on(node, 1, 7);
  EXPECT_EQ(node.home.value("switch.test_node_relay"), "unknown");
  EXPECT_EQ(node.home.value("switch.test_node_relay_2"), "on");
  node.home.begin("switch.turn_off", R"({"entity_id":"switch.test_node_relay_2"})");
  EXPECT_EQ(node.last_sent(),
            "33 0d01000000"
            "1807");
}

TEST(Node, KeepsTheFirstOfTwoEntitiesWithOneKeyOrName) {
  TestNode node;
  node.connect({{17, switch_of("One", 1)}, {17, switch_of("Two", 1)}, {17, switch_of("One", 3)}});
  EXPECT_EQ(node.node().entities().size(), 1u);
  says_on(node, 1);
  EXPECT_EQ(node.home.value("switch.test_node_one"), "on");
  says_on(node, 99);
  says_on(node, 1, 99);
  EXPECT_EQ(node.ended, "") << "states of unknown keys";
}

TEST(Node, LeavesEntitiesAloneThatItDescribesAsBefore) {
  TestNode node;
  node.connect({{17, switch_of("Relay", 1)}, {17, switch_of("Other", 2)}});
  says_on(node, 1);
  node.says(message::disconnect);
  node.home.advance(seconds(4));
  EXPECT_EQ(node.home.value("switch.test_node_relay"), "on") << "within the grace";
  node.connect({{17, switch_of("Relay", 1)}, {17, switch_of("Other", 5)}});
  node.home.advance(seconds(10));
  EXPECT_EQ(node.home.value("switch.test_node_relay"), "on");
  says_on(node, 5);
  EXPECT_EQ(node.home.value("switch.test_node_other"), "on") << "by its new key";
}

TEST(Node, IsUnavailableAfterTheGraceAndComesBack) {
  TestNode node;
  node.connect({{17, switch_of("Relay", 1)}});
  says_on(node, 1);
  node.session().lost("The connection is gone.");
  node.home.advance(seconds(5));
  EXPECT_EQ(node.home.value("switch.test_node_relay"), "unavailable");
  node.connect({{17, switch_of("Relay", 1)}});
  EXPECT_EQ(node.home.value("switch.test_node_relay"), "on");
}

TEST(Node, StaysAvailableForADayIfItSleeps) {
  TestNode node;
  node.info.set_has_deep_sleep(true);
  node.connect({{17, switch_of("Relay", 1)}});
  says_on(node, 1);
  node.says(message::disconnect);
  node.home.advance(hours(23), hours(1));
  EXPECT_EQ(node.home.value("switch.test_node_relay"), "on");
  node.home.advance(hours(1), hours(1));
  EXPECT_EQ(node.home.value("switch.test_node_relay"), "unavailable");
}

TEST(Node, ForgetsAfterAWeekWhatItDoesNotDescribeAnyMore) {
  TestNode node;
  node.connect({{17, switch_of("Relay", 1)}, {17, switch_of("Gone", 2)}});
  says_on(node, 2);
  const auto again = [&] {
    node.says(message::disconnect);
    node.connect({{17, switch_of("Relay", 1)}});
  };
  again();
  EXPECT_EQ(node.home.value("switch.test_node_gone"), "unavailable");
  ASSERT_EQ(node.node().entities().gone().size(), 1u);
  EXPECT_EQ(node.node().entities().gone()[0].unique_id, "01:23:45:67:89:AB-switch-gone");
  TestNode restarted;
  ASSERT_TRUE(restarted.node().restore(node.node().description()));
  node.home.advance(hours(7 * 24 - 1), hours(1));
  again();
  EXPECT_EQ(node.home.value("switch.test_node_gone"), "unavailable");
  node.home.advance(hours(1), hours(1));
  again();
  node.home.hub.bus.run_pending();
  EXPECT_EQ(node.home.value("switch.test_node_gone"), "");
  EXPECT_TRUE(node.node().entities().gone().empty());
}

TEST(Node, BringsBackWhatItDescribesAgain) {
  TestNode node;
  node.connect({{17, switch_of("Relay", 1)}});
  node.says(message::disconnect);
  node.connect();
  EXPECT_EQ(node.home.value("switch.test_node_relay"), "unavailable");
  node.says(message::disconnect);
  node.connect({{17, switch_of("Relay", 1)}});
  EXPECT_TRUE(node.node().entities().gone().empty());
  says_on(node, 1);
  EXPECT_EQ(node.home.value("switch.test_node_relay"), "on");
}

TEST(Node, IsRefusedIfItIsAnother) {
  TestNode node({.host = "192.168.1.40", .mac = "01:23:45:67:89:ab"});
  node.connect({{17, switch_of("Relay", 1)}});
  says_on(node, 1);
  node.says(message::disconnect);
  node.info.set_mac_address("FF:23:45:67:89:AB");
  node.greet();
  node.describe();
  EXPECT_EQ(
      node.ended,
      "192.168.1.40 is now another node: test-node with the address ff:23:45:67:89:ab; expected 01:23:45:67:89:ab.");
  node.info.set_mac_address("nothing");
  node.greet();
  node.describe();
  EXPECT_EQ(node.ended, "The node does not say its MAC address.");
}

TEST(Node, RefusesADescriptionThatCannotBeRead) {
  TestNode node;
  node.greet();
  node.describe();
  node.says_hex(17, "0a05");
  EXPECT_EQ(node.ended, "The node sends a message of type 17 that cannot be read.");
  node.connect({{17, switch_of("Relay", 1)}});
  node.says_hex(26, "0d01");
  EXPECT_EQ(node.ended, "The node sends a message of type 26 that cannot be read.");
}

TEST(Node, CutsNamesAndRepairsThem) {
  TestNode node;
  node.connect({{17, switch_of(std::string(200 * 1024, 'n'), 1)},
                {17, switch_of("K\xfc"
                               "che",
                               2)}});
  EXPECT_EQ(node.ended, "");
  EXPECT_EQ(node.node().entities().size(), 2u);
  EXPECT_EQ(node.home.value("switch.test_node_k_che"), "unknown");
}

TEST(Node, DoesNotRestoreWhatIsNoDescription) {
  for (const std::string_view kept : {R"({})", R"({"node":"zz"})", R"({"node":"0a"})", R"({"node":"","entities":7})"}) {
    TestNode node;
    EXPECT_FALSE(node.node().restore(base::parse_json(kept).value().as_object())) << kept;
  }
  TestNode node;
  node.connect({{17, switch_of("Relay", 1)}});
  json::object kept = node.node().description();
  kept["entities"].as_array().push_back({{"list", -1}, {"description", "0a"}});
  kept["entities"].as_array().push_back({{"list", 17}, {"description", "x"}});
  kept["entities"].as_array().push_back(nullptr);
  TestNode other;
  EXPECT_TRUE(other.node().restore(kept));
  EXPECT_EQ(other.home.value("switch.test_node_relay"), "unknown");
}

TEST(Node, LeavesTheHomeWithItsStates) {
  TestNode node;
  auto action = proto::ListAction();
  action.set_name("go");
  node.connect({{17, switch_of("Relay", 1)}, {message::list_action, action.SerializeAsString()}});
  says_on(node, 1);
  EXPECT_TRUE(node.home.hub.services.find("esphome", "test_node_go"));
  node.node().withdraw();
  EXPECT_EQ(node.home.value("switch.test_node_relay"), "on");
  EXPECT_EQ(node.home.domains.entities().find("switch.test_node_relay"), nullptr);
  EXPECT_FALSE(node.home.hub.services.find("esphome", "test_node_go"));
}

}  // namespace
}  // namespace hearth::integrations::esphome

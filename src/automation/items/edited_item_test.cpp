// SPDX-License-Identifier: Apache-2.0
#include "automation/items/edited_item.h"

#include <gtest/gtest.h>

#include "automation/config/json_node.h"
#include "automation/items/item_parser.h"

namespace hearth::automation {
namespace {

base::ConfigNode node(std::string_view text) {
  return node_of_json(base::parse_json(text).value(), "automation");
}

// The aliases in their order.
std::string aliases(const Sections& sections) {
  std::string all;
  for (const auto& automation : parse_configuration(sections).automations) all += automation->alias + " ";
  return all;
}

Sections two_files() {
  Sections sections;
  sections.automations = {node(R"([{"id": "1", "alias": "a", "triggers": [], "actions": []},
                                   {"id": "2", "alias": "b", "triggers": [], "actions": []}])"),
                          node(R"({"id": "3", "alias": "c", "triggers": [], "actions": []})")};
  return sections;
}

TEST(EditedItemTest, TakesThePlaceOfTheOneWithItsId) {
  Sections sections = two_files();
  ASSERT_TRUE(put_edited(sections, node(R"({"id": "1", "alias": "A", "triggers": [], "actions": []})")));
  ASSERT_TRUE(put_edited(sections, node(R"({"id": "3", "alias": "C", "triggers": [], "actions": []})")));
  EXPECT_EQ(aliases(sections), "A b C ");
}

TEST(EditedItemTest, ComesLastIfItIsNew) {
  Sections sections = two_files();
  ASSERT_TRUE(put_edited(sections, node(R"({"id": "4", "alias": "d", "triggers": [], "actions": []})")));
  EXPECT_EQ(aliases(sections), "a b c d ");
}

TEST(EditedItemTest, HasTheSecretsThatItHasMasked) {
  Sections sections;
  sections.automations = {node(R"([{"id": "1", "alias": "a", "trigger": [], "action": [
      {"service": "alarm_control_panel.alarm_arm_away", "data": {"code": "1234"}}]}])")};
  const auto edited = node(R"({"id": "1", "alias": "b", "triggers": [], "actions": [
      {"action": "alarm_control_panel.alarm_arm_away", "data": {"code": "********"}},
      {"action": "x.y", "data": {"code": "********"}}]})");
  ASSERT_TRUE(put_edited(sections, edited));
  const auto written = base::parse_json(parse_configuration(sections).automations.at(0)->written).value();
  EXPECT_EQ(base::to_json(written.at("actions")),
            R"([{"action":"alarm_control_panel.alarm_arm_away","data":{"code":"1234"}},)"
            R"({"action":"x.y","data":{"code":"********"}}])");
}

TEST(EditedItemTest, NeedsAnId) {
  Sections sections = two_files();
  EXPECT_FALSE(put_edited(sections, node(R"({"alias": "A", "triggers": [], "actions": []})")));
  EXPECT_FALSE(put_edited(sections, node(R"([])")));
  EXPECT_EQ(aliases(sections), "a b c ");
}

}  // namespace
}  // namespace hearth::automation

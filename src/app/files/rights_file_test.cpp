// SPDX-License-Identifier: Apache-2.0
#include "app/files/rights_file.h"

#include <gtest/gtest.h>

#include "core/rights/policy_json.h"

namespace hearth::app {
namespace {

std::string error(std::string_view text) {
  const auto read = read_rights(text, "f");
  return read ? "" : read.error().message;
}

TEST(RightsFile, NamesEntitiesByEachPart) {
  const auto policy = read_rights(R"(
read: {areas: [kitchen], domains: [Weather], labels: [shared], entities: [sensor.outdoor_temperature]}
control: {all: true, areas: kitchen}
)",
                                  "f");
  ASSERT_TRUE(policy) << policy.error().message;
  EXPECT_EQ(core::to_json(*policy),
            R"({"read":{"entities":["sensor.outdoor_temperature"],"domains":["weather"],"areas":["kitchen"],)"
            R"("labels":["shared"]},"control":{"all":true,"areas":["kitchen"]}})");
  EXPECT_EQ(rights_text(*policy),
            "read: {entities: [sensor.outdoor_temperature], domains: [weather], areas: [kitchen], labels: [shared]}\n"
            "control: {all: true, areas: [kitchen]}\n");
}

TEST(RightsFile, GivesNothingIfItIsEmpty) {
  EXPECT_EQ(read_rights("", "f").value(), core::Policy());
  EXPECT_EQ(read_rights("read:\n", "f").value(), core::Policy());
  EXPECT_EQ(rights_text({}), "read: {}\ncontrol: {}\n");
}

TEST(RightsFile, ReportsErrorsWithTheirLines) {
  EXPECT_EQ(error("read: {entities: [kitchen]}"), "f:1: read.entities[0]: expected an entity id, found \"kitchen\"");
  EXPECT_EQ(error("\nread: {domains: [a.b]}"), "f:2: read.domains[0]: expected a domain, such as light, found \"a.b\"");
  EXPECT_NE(error("control: {areas: ['']}").find("expected the id of an area"), std::string::npos);
  EXPECT_NE(error("write: {}").find("f:1: write: unknown"), std::string::npos);
  EXPECT_NE(error("read: {all: 7}").find("read.all: expected"), std::string::npos);
  std::string many = "read:\n  labels: [";
  for (int i = 0; i < 10'001; ++i) many += "a" + std::to_string(i) + ",";
  EXPECT_NE(error(many + "]").find("at most 10000"), std::string::npos);
}

}  // namespace
}  // namespace hearth::app

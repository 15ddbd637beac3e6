// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/blocks/blocks.h"

#include <gtest/gtest.h>

#include "automation/items/polled_platforms.h"
#include "automation/test_automations.h"

namespace hearth::building_blocks {
namespace {

TEST(Blocks, ReadThePlatformsThatOthersLeaveToThem) {
  for (const automation::PolledPlatform& platform : automation::kPolledPlatforms) {
    for (const std::string_view domain : platform.domains) {
      automation::Sections sections;
      const json::value item = json::object{{"platform", platform.name}};
      sections.platforms.emplace_back(std::string(domain), automation::test_node(item, std::string(domain)));
      EXPECT_FALSE(errors_of(parse_blocks(sections)).empty()) << domain << " " << platform.name;
    }
  }
}

}  // namespace
}  // namespace hearth::building_blocks

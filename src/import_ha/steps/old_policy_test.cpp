// SPDX-License-Identifier: Apache-2.0
#include "import_ha/steps/old_policy.h"

#include <gtest/gtest.h>

namespace hearth::import_ha {
namespace {

std::optional<core::Policy> read(std::string_view text) {
  return policy_of(base::parse_json(text).value());
}

TEST(OldPolicyTest, SaysTheSameHere) {
  const auto kitchen = read(R"({"entities":{"area_ids":{"kitchen":true},"domains":{"weather":{"read":true}}}})");
  ASSERT_TRUE(kitchen);
  EXPECT_EQ(kitchen->read.areas, core::Selection::Names{"kitchen"});
  EXPECT_EQ(kitchen->control.areas, core::Selection::Names{"kitchen"});
  EXPECT_EQ(kitchen->read.domains, core::Selection::Names{"weather"});
  EXPECT_TRUE(kitchen->control.domains.empty());
  const auto all = read(R"({"entities":true})");
  ASSERT_TRUE(all);
  EXPECT_TRUE(all->read.all && all->control.all);
  const auto lamp = read(R"({"entities":{"entity_ids":{"light.a":{"read":true,"control":true}},"all":{"read":true}}})");
  ASSERT_TRUE(lamp);
  EXPECT_TRUE(lamp->read.all && !lamp->control.all);
  EXPECT_EQ(lamp->control.entities, core::Selection::Names{"light.a"});
}

// The narrowest part decides there, and the widest here.
TEST(OldPolicyTest, WhatCannotBeSaidHereIsNoPolicy) {
  for (const std::string_view text : {
           R"({})",
           R"({"entities":{"device_ids":{"d":true}}})",
           R"({"entities":{"entity_ids":{"light.a":false},"all":true}})",
           R"({"entities":{"entity_ids":{"light.a":{"read":true}},"domains":{"light":true}}})",
           R"({"entities":{"domains":{"light":{"read":true}},"all":true}})",
           R"({"entities":{"domains":{"light":{"control":true}}}})",
           R"({"entities":{"domains":{"light":{"read":true,"edit":true}}}})",
           R"({"entities":true,"config_entries":true})",
           R"(true)",
       })
    EXPECT_FALSE(read(text)) << text;
}

}  // namespace
}  // namespace hearth::import_ha

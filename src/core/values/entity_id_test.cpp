// SPDX-License-Identifier: Apache-2.0
#include "core/values/entity_id.h"

#include <gtest/gtest.h>

namespace hearth::core {
namespace {

void expect_refused(const std::string& text) {
  const auto id = EntityId::parse(text);
  ASSERT_FALSE(id) << text;
  EXPECT_EQ(id.error().code, base::ErrorCode::invalid);
  EXPECT_EQ(id.error().message, "Invalid entity ID specified.");
}

TEST(EntityId, FallsIntoDomainAndObjectId) {
  const auto id = EntityId::parse("light.kitchen_2");
  ASSERT_TRUE(id);
  EXPECT_EQ(id->str(), "light.kitchen_2");
  EXPECT_EQ(id->domain(), "light");
  EXPECT_EQ(id->object_id(), "kitchen_2");
}

TEST(EntityId, IsLowerCasedFirst) {
  EXPECT_EQ(EntityId::parse("Light.KITCHEN")->str(), "light.kitchen");
}

TEST(EntityId, AcceptsLettersDigitsAndSingleUnderscoresWithin) {
  for (const char* text : {"a.b", "1.2", "light.3", "binary_sensor.a_b_c", "a1_b.c9_0"}) {
    EXPECT_TRUE(EntityId::parse(text)) << text;
  }
}

TEST(EntityId, HasOneDotAndSomethingOnEachSide) {
  for (const char* text : {"", ".", "light", "light.", ".kitchen", "light.kitchen.lamp", "light..kitchen"})
    expect_refused(text);
}

TEST(EntityId, HasNoUnderscoreAtAnEndOrTwice) {
  for (const char* text :
       {"_light.a", "light_.a", "li__ght.a", "light._a", "light.a_", "light.a__b", "_.a", "light._"}) {
    expect_refused(text);
  }
}

TEST(EntityId, HasNoOtherCharacters) {
  for (const char* text : {"light.kit chen", " light.a", "light.a ", "light.a-b", "light.a/b", "light.é", "light.ＡＢ",
                           "light.a\n", "light.a\"", "light,a"}) {
    expect_refused(text);
  }
  expect_refused(std::string("light.a\0b", 9));
}

TEST(EntityId, HasADomainOfAtMostSixtyFour) {
  EXPECT_TRUE(EntityId::parse(std::string(64, 'd') + ".a"));
  expect_refused(std::string(65, 'd') + ".a");
}

TEST(EntityId, HasAtMost255Characters) {
  EXPECT_TRUE(EntityId::parse("light." + std::string(249, 'a')));
  expect_refused("light." + std::string(250, 'a'));
}

TEST(EntityId, ComparesByItsText) {
  EXPECT_EQ(*EntityId::parse("light.a"), *EntityId::parse("LIGHT.A"));
  EXPECT_LT(*EntityId::parse("light.a"), *EntityId::parse("light.b"));
}

TEST(Slugify, MakesTheNearestSlugOfAName) {
  EXPECT_EQ(slugify("Front door"), "front_door");
  EXPECT_EQ(slugify("  Kitchen -- lamp (2) "), "kitchen_lamp_2");
  EXPECT_EQ(slugify("_a__b_"), "a_b");
  EXPECT_EQ(slugify("Küche"), "kuche");
  EXPECT_EQ(slugify("ÜBER Straße: Łódź, œuf, Æ×Ð"), "uber_strasse_lodz_oeuf_ae_d");
  EXPECT_EQ(slugify("ŉĿſİıĦŋ"), "nlsiihn");
  EXPECT_EQ(slugify("лампа 灯\xC3"), "");
  EXPECT_EQ(slugify("!?"), "");
  EXPECT_EQ(slugify(""), "");
  EXPECT_TRUE(is_slug(slugify("Front door!")));
}

}  // namespace
}  // namespace hearth::core

// SPDX-License-Identifier: Apache-2.0
#include "core/states/state.h"

#include <gtest/gtest.h>

namespace hearth::core {
namespace {

const EntityId kId = *EntityId::parse("light.kitchen");
constexpr base::Timestamp kChanged{std::chrono::sys_days(std::chrono::year(2026) / 11 / 21)};
constexpr State::Times kTimes{kChanged, kChanged + std::chrono::seconds(1)};
const Context kContext{"01ARZ3NDEKTSV4RRFFQ69G5FAV", {}, "someone"};

StatePtr make_state(std::string_view value, std::string_view attributes, const Context& context = kContext) {
  return State::create(kId, value, attributes, kTimes, context);
}

TEST(State, ContainsItsJson) {
  EXPECT_EQ(make_state("on", R"({"brightness":120})")->json(),
            R"({"entity_id":"light.kitchen","state":"on","attributes":{"brightness":120},)"
            R"("last_changed":"2026-11-21T00:00:00.000000+00:00","last_updated":"2026-11-21T00:00:01.000000+00:00",)"
            R"("context":{"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","parent_id":null,"user_id":"someone"}})");
}

TEST(State, HasAListFormWithExactlyTheFiveKeys) {
  const auto on = make_state("on", "{}");
  EXPECT_TRUE(on->json().starts_with(on->list_json_open()));
  const auto listed = base::parse_json(std::string(on->list_json_open()) + "}");
  ASSERT_TRUE(listed);
  std::string keys;
  for (const auto& [key, value] : listed->as_object()) keys += std::string(key) + " ";
  EXPECT_EQ(keys, "entity_id state attributes last_changed last_updated ");
}

TEST(State, HasParts) {
  const auto on = make_state("on", R"({"brightness":120})");
  EXPECT_EQ(on->entity_id(), "light.kitchen");
  EXPECT_EQ(on->domain(), "light");
  EXPECT_EQ(on->value(), "on");
  EXPECT_EQ(on->attributes_json(), R"({"brightness":120})");
  EXPECT_EQ(on->last_changed(), kTimes.last_changed);
  EXPECT_EQ(on->last_updated(), kTimes.last_updated);
}

TEST(State, EscapesItsValue) {
  const std::string value = "say \"hi\"\\\n\x01 é€\U0001F600";
  const auto said = make_state(value, "{}");
  EXPECT_EQ(said->value(), value);
  const auto parsed = base::parse_json(said->json());
  ASSERT_TRUE(parsed) << said->json();
  EXPECT_EQ(parsed->at("state").as_string(), value);
}

TEST(State, MayBeEmpty) {
  const auto empty = make_state("", "{}");
  EXPECT_EQ(empty->value(), "");
  EXPECT_TRUE(base::parse_json(empty->json())) << empty->json();
}

TEST(State, ReturnsItsContext) {
  for (const Context& context : {kContext, Context{"A", "P", "U"}, Context{"A", {}, {}}, Context{"A", "", "},{"}}) {
    EXPECT_EQ(make_state("on", "{}", context)->context(), context);
  }
}

TEST(State, KeepsTheOrderAndTheNumbersOfItsAttributes) {
  constexpr std::string_view attributes = R"({"z":1,"a":1.0,"m":{"y":1e30,"b":18446744073709551615}})";
  const auto on = make_state("on", attributes);
  EXPECT_EQ(on->attributes_json(), attributes);
  EXPECT_EQ(base::to_json(on->attributes()), attributes);
}

TEST(State, IsNotConfusedByTextThatLooksLikeItsKeys) {
  const auto odd = make_state(R"(","attributes":{},"context":{)", R"({"context":{"id":"x"},"state":"off"})");
  EXPECT_EQ(odd->value(), R"(","attributes":{},"context":{)");
  EXPECT_EQ(odd->attributes_json(), R"({"context":{"id":"x"},"state":"off"})");
  EXPECT_EQ(odd->context(), kContext);
}

TEST(State, MayBeLong) {
  const std::string attributes = R"({"text":")" + std::string(1'000'000, 'x') + "\"}";
  const auto on = make_state("on", attributes);
  EXPECT_EQ(on->attributes_json(), attributes);
  EXPECT_EQ(make_state("off", "{}")->attributes_json(), "{}");
}

}  // namespace
}  // namespace hearth::core

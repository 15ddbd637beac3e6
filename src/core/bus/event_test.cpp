// SPDX-License-Identifier: Apache-2.0
#include "core/bus/event.h"

#include <gtest/gtest.h>

namespace hearth::core {
namespace {

constexpr base::Timestamp kTime{std::chrono::sys_days(std::chrono::year(2026) / 11 / 21)};
const Context kContext{"A", {}, "someone"};

std::string text(const Event& event) {
  std::string out;
  write_json(out, event);
  return out;
}

std::string data(StatePtr old_state, StatePtr new_state) {
  std::string out;
  write_data_json(out, {"state_changed", StateChange{std::move(old_state), std::move(new_state)}, {}, {}, 0, {}});
  return out;
}

StatePtr state(std::string_view value) {
  return State::create(*EntityId::parse("light.a"), value, "{}", {kTime, kTime}, kContext);
}

TEST(Event, HasItsTypeAndDataFirstInTheEnvelope) {
  const Event event{"doorbell", R"({"button":1})", Origin::remote, kContext, 7, kTime};
  EXPECT_EQ(
      text(event),
      R"({"event_type":"doorbell","data":{"button":1},"origin":"REMOTE",)"
      R"("time_fired":"2026-11-21T00:00:00.000000+00:00","context":{"id":"A","parent_id":null,"user_id":"someone"}})");
}

TEST(Event, KnowsWhetherTheHubFiredIt) {
  EXPECT_NE(text({"a", "{}", Origin::local, kContext, 0, kTime}).find(R"("origin":"LOCAL")"), std::string::npos);
}

TEST(Event, EscapesItsType) {
  const auto parsed = base::parse_json(text({"a\"\\b", "{}", Origin::local, kContext, 0, kTime}));
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->at("event_type").as_string(), "a\"\\b");
}

TEST(Event, ShowsAChangeWithBothStatesInFull) {
  const auto off = state("off"), on = state("on");
  EXPECT_EQ(data(off, on), R"({"entity_id":"light.a","old_state":)" + std::string(off->json()) + R"(,"new_state":)" +
                               std::string(on->json()) + "}");
}

TEST(Event, ShowsNullIfTheEntityDidNotOrDoesNotExist) {
  const auto on = state("on");
  EXPECT_EQ(data(nullptr, on),
            R"({"entity_id":"light.a","old_state":null,"new_state":)" + std::string(on->json()) + "}");
  EXPECT_EQ(data(on, nullptr),
            R"({"entity_id":"light.a","old_state":)" + std::string(on->json()) + R"(,"new_state":null})");
}

TEST(Event, HasAStateChangeOnlyIfItIsOne) {
  EXPECT_FALSE((Event{"state_changed", "{}", Origin::remote, kContext, 0, kTime}.state_change()));
}

}  // namespace
}  // namespace hearth::core

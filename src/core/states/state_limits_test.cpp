// SPDX-License-Identifier: Apache-2.0
// Limits on states.
#include <gtest/gtest.h>

#include "core/states/state_machine.h"

namespace hearth::core {
namespace {

// A home with low limits.
struct FullHome : testing::Test {
  static Limits narrow() {
    Limits limits;
    limits.attributes_bytes = 1'000;
    limits.states_bytes = 3'000;
    limits.entities = 4;
    return limits;
  }
  static std::string attributes(std::size_t bytes) {
    std::string text = R"({"x":")" + std::string(bytes - 8, 'x') + R"("})";
    EXPECT_EQ(text.size(), bytes);
    return text;
  }
  base::Result<StateMachine::Written> set(std::string_view id, const std::string& attributes) {
    return states.set(*EntityId::parse(id), {"on", attributes, Context::create(clock.now())});
  }
  std::size_t counted() const {
    std::size_t bytes = 0;
    states.snapshot()->for_each([&](const State& state) { bytes += state.json().size(); });
    return bytes;
  }

  base::ManualClock clock;
  EventBus bus{clock};
  StateMachine states{bus, narrow()};
};

TEST_F(FullHome, RefusesAttributesThatAreTooLong) {
  EXPECT_TRUE(set("light.a", attributes(1'000)));
  const auto refused = set("light.a", attributes(1'001));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::ErrorCode::invalid);
  EXPECT_EQ(refused.error().message, "attributes: 1001 bytes of JSON, and 1000 bytes are the limit (attributes_size).");
  EXPECT_EQ(states.find("light.a")->attributes_json().size(), 1'000u);
}

TEST_F(FullHome, RefusesGrowthBeyondTheLimitOfAllStates) {
  EXPECT_TRUE(set("light.a", attributes(1'000)));
  EXPECT_TRUE(set("light.b", attributes(1'000)));
  const std::uint64_t before = states.snapshot()->sequence();
  const auto refused = set("light.c", attributes(1'000));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::ErrorCode::full);
  EXPECT_EQ(refused.error().message,
            "All states together would take more than 3000 bytes, which is the limit (states_size).");
  EXPECT_EQ(states.snapshot()->sequence(), before);
  EXPECT_FALSE(states.find("light.c"));
  EXPECT_TRUE(set("light.b", attributes(100)));
  EXPECT_TRUE(set("light.c", attributes(900)));
  EXPECT_EQ(states.bytes(), counted());
}

TEST_F(FullHome, RefusesOneEntityTooMany) {
  for (const auto* const id : {"light.a", "light.b", "light.c", "light.d"}) EXPECT_TRUE(set(id, "{}"));
  const auto refused = set("light.e", "{}");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::ErrorCode::full);
  EXPECT_EQ(refused.error().message, "The home has 4 entities, which is the limit (entities).");
  EXPECT_TRUE(set("light.d", R"({"a":1})"));
  states.remove("light.a", Context::create(clock.now())).value();
  EXPECT_TRUE(set("light.e", "{}"));
  EXPECT_EQ(states.bytes(), counted());
}

TEST_F(FullHome, RestoresTheNewestThatFit) {
  std::vector<StatePtr> kept;
  for (const auto& [id, bytes] : {std::pair("light.a", 500),
                                  {"light.huge", 2'500},
                                  {"light.b", 900},
                                  {"light.c", 900},
                                  {"light.d", 100},
                                  {"light.e", 100}}) {
    clock.advance(std::chrono::seconds(1));
    kept.push_back(State::create(*EntityId::parse(id), "on", attributes(static_cast<std::size_t>(bytes)),
                                 {clock.now(), clock.now()}, Context::create(clock.now())));
  }
  std::vector<std::string> left_out;
  for (const auto& state : states.restore(kept)) left_out.emplace_back(state->entity_id());
  EXPECT_EQ(left_out, (std::vector<std::string>{"light.a", "light.huge"}));
  EXPECT_EQ(states.snapshot()->size(), 4u);
  EXPECT_EQ(states.bytes(), counted());
}

TEST_F(FullHome, CountsTheMarkOfAwaitedStatesUntilItIsRemoved) {
  const auto kept = State::create(*EntityId::parse("light.kitchen"), "on", "{}", {clock.now(), clock.now()},
                                  Context::create(clock.now()));
  EXPECT_TRUE(states.restore({kept}, [](const State&) { return true; }).empty());
  EXPECT_EQ(states.bytes(), counted());
  EXPECT_FALSE(set("light.kitchen", attributes(1'001)));
  set("light.kitchen", "{}").value();
  EXPECT_EQ(states.find("light.kitchen"), kept);
  EXPECT_EQ(states.bytes(), counted());
}

}  // namespace
}  // namespace hearth::core

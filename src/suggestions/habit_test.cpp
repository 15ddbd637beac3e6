// SPDX-License-Identifier: Apache-2.0
#include "suggestions/habit.h"

#include <gtest/gtest.h>

#include "suggestions/chance.h"

namespace hearth::suggestions {
namespace {

Habit door() {
  Habit habit;
  habit.cause_entity = "binary_sensor.door";
  habit.cause_value = "on";
  habit.entity_id = "light.hall";
  habit.value = "on";
  habit.service = "light.turn_on";
  return habit;
}

bool does(std::string_view automation, const Habit& habit, const Places& places = {}) {
  return does_already(*base::parse_json(automation), habit, places);
}

TEST(Habit, IsDoneAlreadyByWhatNamesBoth) {
  const std::string_view trigger = R"("triggers":[{"trigger":"state","entity_id":["binary_sensor.door"]}])";
  const auto with = [&](std::string_view action) {
    return "{" + std::string(trigger) + "," + std::string(action) + "}";
  };
  EXPECT_TRUE(does(
      with(R"("actions":[{"if":[],"then":[{"action":"light.toggle","target":{"entity_id":"light.hall"}}]}])"), door()));
  EXPECT_FALSE(does(with(R"("actions":[{"action":"light.toggle","target":{"entity_id":"light.kitchen"}}])"), door()));
  const std::string area = with(R"("actions":[{"action":"light.turn_on","target":{"area_id":"hall"}}])");
  EXPECT_TRUE(does(area, door(), {"", "hall", ""}));
  EXPECT_FALSE(does(area, door(), {"", "kitchen", ""}));
  EXPECT_FALSE(does(R"({"triggers":[],"actions":[{"target":{"entity_id":"light.hall"}}]})", door()));
  EXPECT_TRUE(
      does(R"({"use_blueprint":{"path":"a","input":{"motion":"binary_sensor.door","l":["light.hall"]}}})", door()));
}

TEST(Habit, IsNotDoneByWhatDoesTheOpposite) {
  const auto with = [](std::string_view steps) {
    return R"({"triggers":[{"trigger":"time"},{"entity_id":"binary_sensor.door"}],"actions":)" + std::string(steps) +
           "}";
  };
  const std::string off = with(R"([{"action":"light.turn_off","target":{"entity_id":"light.hall"}}])");
  Habit habit = door();
  EXPECT_FALSE(does(off, habit));
  habit.cause = Habit::Cause::time;
  EXPECT_FALSE(does(off, habit));
  EXPECT_TRUE(does(with(R"([{"action":"light.turn_off","target":{"entity_id":"light.hall"}}, {"delay":5},
                            {"action":"light.turn_on","target":{"entity_id":"light.hall"}}])"),
                   habit));
  EXPECT_TRUE(does(with(R"([{"action":"homeassistant.turn_off","target":{"entity_id":"light.hall"}}])"), habit));
}

TEST(Habit, IsNotDoneByWhatNamesAnotherThingThatBeginsAlike) {
  const std::string other =
      R"({"triggers":[{"entity_id":"binary_sensor.door"}],"actions":[{"action":"light.turn_on","target":{"entity_id":"light.hall_2"}}]})";
  EXPECT_FALSE(does(other, door()));
  const std::string same =
      R"({"triggers":[{"entity_id":"binary_sensor.door"}],"actions":[{"if":"{{ states.light.hall.state == 'off' }}"}]})";
  EXPECT_TRUE(does(same, door()));
  Habit kitchen = door();
  kitchen.entity_id = "light.kitchen";  // in the same area
  EXPECT_FALSE(does(same, kitchen, {"", "hall", ""}));
}

TEST(Habit, OfATimeIsDoneAlreadyByWhatBeginsByTheClock) {
  Habit habit = door();
  habit.cause = Habit::Cause::time;
  const auto with = [](std::string_view platform) {
    return R"({"triggers":[{"trigger":")" + std::string(platform) + R"("}],"actions":[{"entity_id":"light.hall"}]})";
  };
  EXPECT_TRUE(does(with("time"), habit));
  EXPECT_TRUE(does(with("sun"), habit));
  EXPECT_FALSE(does(with("state"), habit));
}

TEST(Habit, HasTriggersOfTheSunAndTheClock) {
  Habit habit = door();
  habit.cause = Habit::Cause::sunset;
  habit.offset = -std::chrono::minutes(10);
  habit.when = When::weekend;
  const std::string text = base::to_json(json::value(automation_of(habit)));
  EXPECT_TRUE(text.contains(R"({"trigger":"sun","event":"sunset","offset":"-00:10:00"})")) << text;
  EXPECT_TRUE(text.contains(R"({"condition":"time","weekday":["sat","sun"]})")) << text;
  habit.service = "climate.set_hvac_mode";
  habit.value = "heat";
  EXPECT_TRUE(base::to_json(json::value(automation_of(habit))).contains(R"("data":{"hvac_mode":"heat"})"));
}

TEST(Habit, OfATimeStaysTheSameSomeMinutesLater) {
  Habit one = door(), other = door();
  one.cause = other.cause = Habit::Cause::time;
  one.offset = std::chrono::hours(22) + std::chrono::minutes(5);
  other.offset = std::chrono::hours(22) + std::chrono::minutes(11);
  EXPECT_EQ(one.id(), other.id());
  EXPECT_NE(one.id(), door().id());
}

TEST(Chance, IsThatOfTheBinomialDistribution) {
  EXPECT_NEAR(chance_of_at_least(1, 1, 0.25), 0.25, 1e-9);
  EXPECT_NEAR(chance_of_at_least(2, 3, 0.5), 0.5, 1e-9);
  EXPECT_NEAR(chance_of_at_least(9, 10, 0.1), 9.1e-9, 1e-10);
  EXPECT_EQ(chance_of_at_least(0, 5, 0.1), 1);
  EXPECT_EQ(chance_of_at_least(6, 5, 0.9), 0);
  EXPECT_NEAR(least_share(9, 10), 0.596, 0.001);
  EXPECT_EQ(least_share(0, 0), 0);
}

}  // namespace
}  // namespace hearth::suggestions

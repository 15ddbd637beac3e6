// SPDX-License-Identifier: Apache-2.0
#include "suggestions/suggestions.h"

#include <gtest/gtest.h>

#include "suggestions/test_home.h"

namespace hearth::suggestions {
namespace {

std::vector<Habit> found_in(TestHome& home) {
  return find(home.past(), [] { return false; });
}

std::string ids(const std::vector<Habit>& habits) {
  std::string text;
  for (const Habit& habit : habits) text += habit.id() + "\n";
  return text;
}

// The hall light, soon after the front door opened while it was dark.
void plant_door(TestHome& home, double chance, bool by_hand = true, double delay = 5) {
  for (int day = 0; day < TestHome::kDays; ++day) {
    for (int i = 0; i < 4; ++i) home.blink("binary_sensor.door", home.at(day, home.uniform(9, 15.5) * 3600), 20);
    for (const double hour : {18.0, 20.0, 22.0}) {
      const double time = (hour + home.uniform(0, 1.5)) * 3600;
      home.blink("binary_sensor.door", home.at(day, time), 20);
      if (home.happens(chance))
        home.blink("light.hall", home.at(day, time + delay + home.uniform(0, delay * 5)), 400, by_hand);
    }
  }
}

class Noise : public testing::TestWithParam<unsigned> {};

TEST_P(Noise, HasNothingToFind) {
  TestHome home(GetParam());
  home.add_sun();
  home.add_noise();
  EXPECT_EQ(ids(found_in(home)), "");
}

INSTANTIATE_TEST_SUITE_P(Homes, Noise, testing::Range(1U, 5U));

class Habits : public testing::TestWithParam<unsigned> {};

TEST_P(Habits, AreFoundInNoise) {
  TestHome home(GetParam());
  home.add_sun();
  home.add_noise();
  plant_door(home, 0.9);
  for (int day = 0; day < TestHome::kDays; ++day) {
    if (home.happens(0.9)) home.set("switch.radio", home.at(day, 17.9 * 3600 + home.uniform(0, 60)), "off");
    const double arrival = home.uniform(15, 19) * 3600;
    home.set("person.bob", home.at(day, 7 * 3600), "not_home");
    home.set("person.bob", home.at(day, arrival), "home");
    if (home.happens(0.92)) home.set("switch.coffee", home.at(day, arrival + home.uniform(40, 240)), "on");
    home.set("switch.coffee", home.at(day, 23.5 * 3600 - home.uniform(0, 12'000)), "off");
    home.set("light.bed", home.at(day, home.uniform(20, 21) * 3600), "on");
    if (home.happens(0.9)) home.set("light.bed", home.at(day, (22.6 + home.uniform(0, 0.2)) * 3600), "off");
    home.set("cover.garden", home.at(day, home.uniform(8, 11) * 3600), "open");
    home.set("cover.garden", home.at(day, 16.5 * 3600 + day * 120 + home.uniform(600, 1500)), "closed");
  }
  const std::string found = ids(found_in(home));
  EXPECT_TRUE(found.contains("state binary_sensor.door=on light.hall=on\n")) << found;
  EXPECT_TRUE(found.contains("state person.bob=home switch.coffee=on\n")) << found;
  EXPECT_TRUE(found.contains("time 22 light.bed=off\n")) << found;
  EXPECT_TRUE(found.contains("sunset  cover.garden=closed\n")) << found;
  EXPECT_FALSE(found.contains("noise")) << found;
}

INSTANTIATE_TEST_SUITE_P(Homes, Habits, testing::Range(5U, 9U));

TEST(Suggestions, SaysHowOftenAndWhen) {
  TestHome home(1);
  home.add_sun();
  plant_door(home, 0.9);
  const auto habits = found_in(home);
  const auto habit = std::ranges::find(habits, "light.hall", &Habit::entity_id);
  ASSERT_NE(habit, habits.end());
  EXPECT_EQ(habit->when, When::dark);
  EXPECT_EQ(habit->value, "on");
  EXPECT_GE(habit->occasions, 80);  // sometimes the light was still on
  EXPECT_LE(habit->occasions, 84);
  EXPECT_GT(habit->hits, 68);
  EXPECT_LT(habit->hits, habit->occasions);
  EXPECT_EQ(habit->days, 28);
  EXPECT_GT(habit->lift, 20);
  ASSERT_EQ(habit->examples.size(), kExamples);
  EXPECT_GT(habit->examples.front().cause, habit->examples.back().cause);
  EXPECT_EQ(base::to_json(json::value(automation_of(*habit))),
            R"({"triggers":[{"trigger":"state","entity_id":"binary_sensor.door","to":"on"}],)"
            R"("conditions":[{"condition":"sun","after":"sunset","before":"sunrise"}],)"
            R"("actions":[{"action":"light.turn_on","target":{"entity_id":"light.hall"}}]})");
}

TEST(Suggestions, LeaveOutWhatIsRare) {
  TestHome home(1);
  home.add_sun();
  plant_door(home, 0.4);
  EXPECT_EQ(ids(found_in(home)), "");
}

TEST(Suggestions, LeaveOutWhatAnAutomationDid) {
  TestHome home(1);
  home.add_sun();
  plant_door(home, 0.95, false);
  EXPECT_EQ(ids(found_in(home)), "");
}

TEST(Suggestions, LeaveOutWhatIsTooQuickForAPerson) {
  TestHome home(1);
  home.add_sun();
  plant_door(home, 0.95, true, 0.02);
  EXPECT_FALSE(ids(found_in(home)).contains("light.hall=on"));
}

TEST(Suggestions, LeaveOutAnEntityOfTheSameDevice) {
  TestHome home(1);
  home.add_sun();
  plant_door(home, 0.95);
  Past past = home.past();
  for (PastEntity& entity : past.entities) entity.device = "one";
  EXPECT_FALSE(ids(find(past, [] { return false; })).contains("light.hall=on"));
}

TEST(Suggestions, NeverUnlock) {
  TestHome home(1);
  for (int day = 0; day < TestHome::kDays; ++day) {
    for (const double hour : {8.0, 13.0, 18.0}) {
      const double time = (hour + home.uniform(0, 3)) * 3600;
      home.blink("binary_sensor.bell", home.at(day, time), 5);
      home.set("lock.door", home.at(day, time + 20), "unlocked");
      home.set("lock.door", home.at(day, time + 2000 + home.uniform(0, 1000)), "locked");
    }
  }
  EXPECT_FALSE(ids(found_in(home)).contains("unlocked"));
}

TEST(Suggestions, KnowWorkdays) {
  TestHome home(3);
  for (int day = 0; day < TestHome::kDays; ++day) {
    if (day % 7 < 5) home.set("switch.kettle", home.at(day, (6.5 + home.uniform(0, 0.2)) * 3600), "on");
    home.set("switch.kettle", home.at(day, home.uniform(10, 20) * 3600), "off");
  }
  const auto habits = found_in(home);
  ASSERT_EQ(habits.size(), 1);
  EXPECT_EQ(habits[0].when, When::workdays);
  EXPECT_GE(habits[0].hits, 19);  // the first is not known to be one: nothing was before it
  EXPECT_EQ(habits[0].occasions, 19);
  const std::string automation = base::to_json(json::value(automation_of(habits[0])));
  EXPECT_TRUE(automation.contains(R"("at":"06:3)") && automation.contains(R"("weekday":["mon",)")) << automation;
}

TEST(Suggestions, EndWhenTheyAreStopped) {
  TestHome home(1);
  home.add_sun();
  plant_door(home, 0.95);
  EXPECT_TRUE(find(home.past(), [] { return true; }).empty());
}

}  // namespace
}  // namespace hearth::suggestions

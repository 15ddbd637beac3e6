// SPDX-License-Identifier: Apache-2.0
#include "app/items/suggestion_finder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <future>
#include <random>

#include "automation/config/json_node.h"
#include "base/testing/wait_until.h"
#include "recorder/test_history.h"

namespace hearth::app {
namespace {

using namespace std::chrono_literals;

class SuggestionFinderTest : public testing::Test {
 protected:
  SuggestionFinderTest() : folder_(made_folder()), home_(clock_, folder_) {}
  ~SuggestionFinderTest() override { std::filesystem::remove_all(folder_); }

  static std::filesystem::path made_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "hearth-XXXXXX").native();
    return ::mkdtemp(name.data());
  }

  void set(std::string_view id, std::string_view value, core::Context context, std::string_view attributes = "{}") {
    home_.set(id, value, attributes, std::move(context));
  }
  core::Context context() { return core::Context::create(clock_.now()); }

  // Three weeks in which the bell rings some times a day. Soon after it `light.hand` is switched by somebody,
  // `light.run` by an automation without a parent, `light.child` by what the bell caused; and the group follows.
  void live() {
    std::mt19937 random(3);
    const auto some = [&](int most) { return std::chrono::seconds(random() % static_cast<unsigned>(most) + 3); };
    const char* const lights[] = {"light.hand", "light.run", "light.child", "light.group", "light.setting"};
    for (const char* const light : lights) set(light, "off", context(), attributes_of(light));
    set("binary_sensor.bell", "off", context());
    for (int day = 0; day < 21; ++day) {
      for (int hour = 0; hour < 24; ++hour) {
        clock_.advance(some(1'500));
        if (hour % 8 != 0) {
          clock_.advance(1h);
          continue;
        }
        const core::Context bell = context();
        set("binary_sensor.bell", "on", bell);
        clock_.advance(some(20));
        const core::Context run = context();
        home_.hub.bus.fire("automation_triggered", R"({"entity_id":"automation.run","name":"Run"})",
                           core::Origin::local, run);
        for (const char* const light : lights) {
          core::Context cause = std::string_view(light) == "light.run" ? run : context();
          if (std::string_view(light) == "light.child") cause.parent_id = bell.id;
          set(light, "on", cause, attributes_of(light));
        }
        clock_.advance(some(600));
        set("binary_sensor.bell", "off", context());
        for (const char* const light : lights) set(light, "off", context(), attributes_of(light));
        clock_.advance(30min);
      }
    }
    home_.save();
  }
  static std::string_view attributes_of(std::string_view light) {
    return light == "light.group" ? R"({"entity_id":["light.hand"]})" : "{}";
  }

  // The ids of what is found, in lines; why it failed.
  std::string found(const Settings& settings = {}) {
    SuggestionFinder finder(home_.hub, [&settings] { return base::Result<Settings>(settings); });
    finder.use(*home_.recorder);
    std::promise<base::Result<json::object>> promise;
    const auto search = std::make_shared<api::Suggestions::Search>();
    double share = 0;
    EXPECT_TRUE(finder.find(
        search, [&](double now) { EXPECT_GE(now, std::exchange(share, now)); },
        [&](base::Result<json::object> answer) { promise.set_value(std::move(answer)); }));
    const auto answer = base::wait_for(promise.get_future());
    if (!answer) return answer.error().message;
    EXPECT_GT(share, 0);
    std::string text;
    for (const json::value& row : answer->at("suggestions").as_array()) {
      text += row.at("id").as_string();
      text += row.at("dismissed").as_bool() ? " dismissed\n" : "\n";
    }
    return text;
  }

  base::ManualClock clock_;
  const std::filesystem::path folder_;
  recorder::TestHome home_;
};

constexpr std::string_view kBell = "state binary_sensor.bell=on light.hand=on";

TEST_F(SuggestionFinderTest, FindsWhatIsDoneByHandOnly) {
  live();
  const std::string text = found();
  EXPECT_TRUE(text.contains(kBell)) << text;
  for (const char* const light : {"light.run=on", "light.child=on", "light.group=on"})
    EXPECT_FALSE(text.contains(light)) << text;
}

TEST_F(SuggestionFinderTest, LeavesOutWhatAnAutomationDoes) {
  live();
  Settings settings;
  settings.automations.automations.push_back(
      automation::node_of_json(*base::parse_json(R"([{"trigger":{"platform":"state","entity_id":"binary_sensor.bell"},
                             "action":{"service":"light.turn_on","entity_id":"light.hand"}}])"),
                               ""));
  EXPECT_FALSE(found(settings).contains(kBell));
}

TEST_F(SuggestionFinderTest, SaysWhatWasDismissed) {
  live();
  ASSERT_TRUE(home_.hub.registry.create_item(std::string(api::kDismissedSuggestions), std::string(kBell), {}, {}));
  const std::string text = found();
  EXPECT_TRUE(text.contains(std::string(kBell) + " dismissed\n")) << text;
}

TEST_F(SuggestionFinderTest, LeavesOutWhatTheHomeHasNoMore) {
  live();
  home_.remove("binary_sensor.bell");
  home_.save();
  EXPECT_FALSE(found().contains("binary_sensor.bell"));
}

TEST_F(SuggestionFinderTest, FindsNothingInAnEmptyHome) {
  home_.save();
  EXPECT_EQ(found(), "");
}

TEST_F(SuggestionFinderTest, AnswersNobodyWhoHasLeft) {
  live();
  bool answered = false;
  {
    SuggestionFinder finder(home_.hub, [] { return base::Result<Settings>(Settings()); });
    EXPECT_FALSE(finder.find(std::make_shared<api::Suggestions::Search>(), {}, {}));  // there is no history yet
    finder.use(*home_.recorder);
    const auto search = std::make_shared<api::Suggestions::Search>();
    search->over = true;
    EXPECT_TRUE(finder.find(search, [](double) {}, [&](const auto&) { answered = true; }));
    std::promise<void> next;
    EXPECT_TRUE(finder.find(
        std::make_shared<api::Suggestions::Search>(), [](double) {}, [&](const auto&) { next.set_value(); }));
    base::wait_for(next.get_future());
  }
  EXPECT_FALSE(answered);
}

}  // namespace
}  // namespace hearth::app

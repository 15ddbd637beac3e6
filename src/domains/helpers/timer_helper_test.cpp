// SPDX-License-Identifier: Apache-2.0
#include "domains/helpers/timer_helper.h"

#include "base/text/timestamp.h"
#include "core/registry/collection_type.h"
#include "domains/helpers/file_helpers.h"
#include "domains/test_home.h"

namespace hearth::domains {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Keeps what it is told to keep.
class KeptStates final : public core::Journal {
 public:
  void put(std::string, std::string) override {}
  void remove(std::string_view) override {}
  void keep(core::StatePtr state) override { kept.push_back(std::string(state->value())); }
  void read(std::string, std::function<void(std::optional<std::string>)>) override {}
  void when_written(std::function<void()>) override { ++hurried; }
  bool has_unwritten() const override { return false; }

  std::vector<std::string> kept;
  int hurried = 0;
};

struct TimerTest : testing::Test {
  TimerTest() {
    for (const char* const type : {"started", "restarted", "paused", "cancelled", "changed", "finished"}) {
      subscriptions.push_back(home.hub.bus.listen(std::string("timer.") + type, [this](const core::Event& event) {
        events += (events.empty() ? "" : " ") + event.type.substr(6);
        std::string data;
        core::write_data_json(data, event);
        last = base::parse_json(data).value().as_object();
        context = event.context;
      }));
    }
  }
  void apply(std::string_view duration = "10") {
    json::object fields = core::find_collection_type("timer")
                              ->fields_of({{"name", "Eggs"}, {"duration", base::parse_json(duration).value()}})
                              .value();
    HelperItem item{.collection = "timer", .id = "eggs", .place = "f.yaml:1", .fields = std::move(fields), .error = {}};
    EXPECT_TRUE(helpers.apply({item}, true).empty());
    home.hub.bus.run_pending();
  }
  // As the last run left it.
  void remember(std::string_view value, const json::object& attributes, bool registered = true) {
    core::RegisteredEntity entity;
    entity.integration = "timer";
    entity.unique_id = "eggs";
    const auto id = *core::EntityId::parse("timer.eggs");
    if (registered) home.hub.registry.put_entity(id, std::move(entity)).value();
    home.hub.states.set(id, {value, base::to_json(attributes), core::Context::create(home.clock.now())}).value();
  }
  void start_home() {
    home.hub.bus.fire(core::event_type::kPlatformStarted, "{}", core::Origin::local,
                      core::Context::create(home.clock.now()));
    home.hub.bus.run_pending();
  }
  std::string call(std::string_view service, std::string_view more = "") {
    return home.call("timer." + std::string(service), R"({"entity_id": "timer.eggs")" + std::string(more) + "}");
  }
  std::string attribute(std::string_view key) { return home.attribute("timer.eggs", key); }

  TestHome home;
  FileHelpers helpers{home.hub, home.domains.entities()};
  std::string events;
  json::object last;
  core::Context context;
  std::vector<core::Subscription> subscriptions;
};

TEST_F(TimerTest, RunsAsLongAsItSaysAndNotShorter) {
  apply();
  EXPECT_EQ(home.value("timer.eggs"), "idle");
  EXPECT_EQ(attribute("duration"), R"("0:00:10")");
  EXPECT_EQ(attribute("remaining"), "");
  const base::Timestamp end = home.clock.now() + seconds(10);
  EXPECT_EQ(call("start"), "timer.eggs active");
  EXPECT_EQ(attribute("finishes_at"), '"' + base::to_string(end) + '"');
  EXPECT_EQ(attribute("remaining"), R"("0:00:10")");
  home.advance(milliseconds(9'999), milliseconds(1));
  EXPECT_EQ(home.value("timer.eggs"), "active");
  home.advance(milliseconds(1));
  EXPECT_EQ(home.value("timer.eggs"), "idle");
  EXPECT_EQ(events, "started finished");
  EXPECT_EQ(last.at("finished_at"), base::to_string(end).c_str());
  EXPECT_EQ(last.at("entity_id"), "timer.eggs");
  EXPECT_EQ(context.user_id, std::nullopt);
  EXPECT_EQ(home.hub.states.find("timer.eggs")->context().id, context.id);
}

TEST_F(TimerTest, GoesOnAfterAPauseWithWhatWasLeft) {
  apply();
  call("start");
  home.advance(milliseconds(3'500));
  EXPECT_EQ(call("pause"), "timer.eggs paused");
  EXPECT_EQ(attribute("remaining"), R"("0:00:07")");
  EXPECT_EQ(attribute("finishes_at"), "");
  home.advance(seconds(60));
  EXPECT_EQ(call("start"), "timer.eggs active");
  home.advance(milliseconds(6'400));
  EXPECT_EQ(home.value("timer.eggs"), "active");
  home.advance(milliseconds(100));
  EXPECT_EQ(home.value("timer.eggs"), "idle");
  EXPECT_EQ(events, "started paused restarted finished");
}

TEST_F(TimerTest, SaysWhatHappenedToItLast) {
  apply();
  EXPECT_EQ(attribute("last_transition"), "");
  call("start");
  EXPECT_EQ(attribute("last_transition"), R"("started")");
  call("pause");
  EXPECT_EQ(attribute("last_transition"), R"("paused")");
  call("start");
  EXPECT_EQ(attribute("last_transition"), R"("restarted")");
  call("change", R"(, "duration": -1)");
  EXPECT_EQ(attribute("last_transition"), R"("restarted")");
  call("cancel");
  EXPECT_EQ(attribute("last_transition"), R"("cancelled")");
  call("start");
  home.advance(seconds(10));
  EXPECT_EQ(attribute("last_transition"), R"("finished")");
}

TEST_F(TimerTest, KeepsTheDurationOfACallForThatRunOnly) {
  apply();
  call("start", R"(, "duration": {"minutes": 1})");
  EXPECT_EQ(attribute("duration"), R"("0:01:00")");
  home.advance(seconds(20));
  call("start");
  home.advance(seconds(59));
  EXPECT_EQ(home.value("timer.eggs"), "active");
  call("finish");
  EXPECT_EQ(last.at("finished_at"), base::to_string(home.clock.now()).c_str());
  EXPECT_EQ(context.user_id, "user");
  EXPECT_EQ(attribute("duration"), R"("0:00:10")");
  home.advance(seconds(60));
  EXPECT_EQ(events, "started restarted finished");
}

TEST_F(TimerTest, SaysNothingOfWhatIsDoneAlready) {
  apply();
  for (const char* const service : {"cancel", "pause", "finish"}) EXPECT_EQ(call(service), "");
  call("start");
  EXPECT_EQ(call("cancel"), "timer.eggs idle");
  home.advance(seconds(20));
  EXPECT_EQ(events, "started cancelled");
}

TEST_F(TimerTest, IsChangedWithinItsDuration) {
  apply();
  EXPECT_EQ(call("change", R"(, "duration": 1)"),
            "invalid: timer.eggs is not running, only active timers can be changed.");
  call("start");
  home.advance(seconds(4));
  EXPECT_EQ(call("change", R"(, "duration": 5)"),
            "invalid: duration: timer.eggs cannot run longer than its duration, 0:00:10.");
  EXPECT_EQ(call("change", R"(, "duration": "-7")"), "invalid: duration: timer.eggs has less than that left.");
  EXPECT_TRUE(call("change", R"(, "duration": "soon")").starts_with("invalid: duration: expected a duration"));
  EXPECT_TRUE(call("start", R"(, "duration": -1)").starts_with("invalid: duration: expected a duration"));
  call("change", R"(, "duration": "-00:00:03")");
  EXPECT_EQ(attribute("remaining"), R"("0:00:03")");
  home.advance(seconds(3));
  EXPECT_EQ(home.value("timer.eggs"), "idle");
  EXPECT_EQ(events, "started changed finished");
}

TEST_F(TimerTest, GoesOnAfterARestart) {
  remember("active", {{"duration", "0:00:10"},
                      {"remaining", "0:00:10"},
                      {"finishes_at", base::to_string(home.clock.now() + seconds(4))}});
  apply();
  start_home();
  EXPECT_EQ(home.value("timer.eggs"), "active");
  home.advance(milliseconds(3'900));
  EXPECT_EQ(events, "");
  home.advance(milliseconds(100));
  EXPECT_EQ(events, "finished");
}

TEST_F(TimerTest, GoesOnAfterAKillBeforeItWasRegistered) {
  remember("active", {{"duration", "0:00:10"}, {"finishes_at", base::to_string(home.clock.now() + seconds(4))}}, false);
  apply();
  EXPECT_EQ(home.value("timer.eggs"), "active");
}

TEST_F(TimerTest, ThatEndedMeanwhileEndsOnceTheHomeHasStarted) {
  const base::Timestamp end = home.clock.now() - seconds(100);
  remember("active", {{"duration", "0:00:10"}, {"finishes_at", base::to_string(end)}});
  apply();
  home.advance(seconds(5));
  EXPECT_EQ(events, "");
  EXPECT_EQ(home.value("timer.eggs"), "active");
  start_home();
  EXPECT_EQ(events, "finished");
  EXPECT_EQ(last.at("finished_at"), base::to_string(end).c_str());
  EXPECT_EQ(home.value("timer.eggs"), "idle");
}

TEST_F(TimerTest, IsPausedAfterARestartAndNeverLongerThanItsDuration) {
  remember("paused", {{"duration", "0:02:00"}, {"remaining", "0:00:03"}});
  apply();
  start_home();
  EXPECT_EQ(home.value("timer.eggs"), "paused");
  call("start");
  home.advance(seconds(3));
  EXPECT_EQ(events, "restarted finished");
}

TEST_F(TimerTest, RunsNoLongerAfterTheClockWasSetBack) {
  remember("active", {{"duration", "0:00:10"}, {"finishes_at", base::to_string(home.clock.now() + seconds(3'600))}});
  apply();
  start_home();
  home.advance(seconds(10));
  EXPECT_EQ(events, "finished");
}

TEST_F(TimerTest, KeepsRunningWhenItsFileIsReadAgain) {
  apply();
  call("start");
  apply("5");
  EXPECT_EQ(attribute("duration"), R"("0:00:10")");
  home.advance(seconds(10));
  EXPECT_EQ(events, "started finished");
  EXPECT_EQ(attribute("duration"), R"("0:00:05")");
}

TEST_F(TimerTest, WritesDownWhatItDoes) {
  KeptStates journal;
  helpers.use(journal);
  apply();
  call("start");
  home.advance(seconds(10));
  EXPECT_EQ(journal.kept, (std::vector<std::string>{"active", "idle"}));
  EXPECT_EQ(journal.hurried, 2);
}

TEST_F(TimerTest, TakesPartInScenes) {
  apply();
  home.call("scene.apply", R"({"entities": {"timer.eggs": {"state": "active", "duration": "0:00:20"}}})");
  EXPECT_EQ(attribute("duration"), R"("0:00:20")");
  home.call("scene.apply", R"({"entities": {"timer.eggs": "paused"}})");
  EXPECT_EQ(home.value("timer.eggs"), "paused");
  home.call("scene.apply", R"({"entities": {"timer.eggs": "idle"}})");
  EXPECT_EQ(events, "started paused cancelled");
}

}  // namespace
}  // namespace hearth::domains

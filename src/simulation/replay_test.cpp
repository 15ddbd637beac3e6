// SPDX-License-Identifier: Apache-2.0
#include "simulation/replay.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "automation/config/json_node.h"

namespace hearth::simulation {
namespace {

using namespace std::chrono_literals;

const base::Timestamp kStart{std::chrono::sys_days(std::chrono::year(2026) / 11 / 21)};

class ReplayTest : public testing::Test {
 protected:
  ReplayTest() { past_.from = kStart, past_.until = kStart + 1h; }

  void automations(std::string_view text) {
    sections_.automations = {automation::node_of_json(base::parse_json(text).value(), "test")};
  }
  void first(const std::string& id, std::string_view value) {
    past_.first.push_back({.at = kStart, .entity = place(id), .value = value, .attributes = "{}"});
  }
  void change(base::Duration after, const std::string& id, std::string_view value) {
    slice_.changes.push_back({.at = kStart + after, .entity = place(id), .value = value, .attributes = "{}"});
  }
  void ran(base::Duration after, const std::string& context, const std::string& source) {
    slice_.events.push_back({kStart + after, "automation_triggered",
                             R"({"name":"A","entity_id":"automation.a","source":")" + source + "\"}", context, ""});
  }
  void called(base::Duration after, const std::string& context, const std::string& data) {
    slice_.events.push_back({kStart + after, "call_service",
                             R"({"domain":"light","service":"turn_on","service_data":)" + data + "}", context, ""});
  }
  // The past comes as two slices: its changes, and its events with nothing else.
  base::Result<Comparison> replayed(const Question& question) {
    int slices = 0;
    past_.next = [&]() -> base::Result<std::optional<Past::Slice>> {
      ++slices;
      if (slices == 1) return Past::Slice{.until = past_.until, .changes = slice_.changes, .events = {}};
      if (slices == 2) return Past::Slice{.until = past_.until, .changes = {}, .events = slice_.events};
      return std::nullopt;
    };
    return replay({sections_, core::HubConfig(), nullptr, registered_}, past_, question);
  }
  // A line for each difference.
  std::string differences(const std::vector<std::string>& names = {}) {
    const auto compared = replayed({.names = names});
    if (!compared) return compared.error().message;
    std::string lines;
    for (const Difference& each : compared->differences) {
      lines += each.added ? "+ " : "- ";
      lines += std::to_string((each.at - kStart) / 1s) + " " + each.automation + " ";
      lines += each.kind == Difference::Kind::run ? each.trigger : each.service + " " + base::to_json(each.data);
      lines += "\n";
    }
    return lines;
  }

  automation::Sections sections_;
  std::vector<core::RegisteredEntity> registered_;
  Past past_;
  Past::Slice slice_;

 private:
  std::uint32_t place(const std::string& id) {
    const auto found = std::ranges::find(past_.entities, id);
    if (found == past_.entities.end()) past_.entities.push_back(id);
    return static_cast<std::uint32_t>(std::ranges::find(past_.entities, id) - past_.entities.begin());
  }
};

constexpr std::string_view kMotion = R"([{"alias": "A",
  "triggers": [{"trigger": "state", "entity_id": "binary_sensor.hall", "to": "on"}],
  "actions": [{"action": "light.turn_on", "target": {"entity_id": "light.hall"}}]}])";

TEST_F(ReplayTest, FindsNothingIfTheSameWasDone) {
  automations(kMotion);
  first("binary_sensor.hall", "off");
  change(60s, "binary_sensor.hall", "on");
  ran(60s, "r1", "state of binary_sensor.hall");
  called(61s, "r1", R"({"entity_id":["light.hall"]})");
  EXPECT_EQ(differences(), "");
}

TEST_F(ReplayTest, KnowsOnlyWhatHistoryHasOfTheTriggersAndConditions) {
  automations(R"([{"alias": "A", "triggers": [{"trigger": "state", "entity_id": "binary_sensor.hall", "to": "on"}],
      "conditions": [{"condition": "state", "entity_id": "binary_sensor.dark", "state": "on"}],
      "actions": [{"action": "light.turn_on", "target": {"entity_id": "light.new"}}]},
    {"alias": "B", "triggers": [{"trigger": "time", "at": "00:10:00"}], "actions": []}])");
  change(60s, "binary_sensor.hall", "on");
  change(120s, "binary_sensor.dark", "on");
  change(180s, "light.new", "on");
  const auto seconds = [&](const std::string& name) {
    const auto compared = replayed({.names = {name}}).value();
    EXPECT_EQ(compared.known_since > kStart, to_text(compared).contains("History knows only")) << to_text(compared);
    return (compared.known_since - kStart) / 1s;
  };
  EXPECT_EQ(seconds("A"), 0);  // nobody says otherwise
  past_.known_since = {kStart + 60s, kStart + 120s, kStart + 180s};
  EXPECT_EQ(seconds("A"), 120);
  EXPECT_EQ(seconds("B"), 0);
  past_.kept_since = kStart + 90s;
  EXPECT_EQ(seconds("A"), 120);
  EXPECT_EQ(seconds("B"), 90);
  past_.kept_since = past_.until + 1h;
  EXPECT_EQ(seconds("B"), 3600);
}

TEST_F(ReplayTest, AFirstStateBeginsNothing) {
  automations(kMotion);
  change(60s, "binary_sensor.hall", "on");
  change(90s, "binary_sensor.hall", "on");
  change(120s, "binary_sensor.hall", "off");
  change(180s, "binary_sensor.hall", "on");
  ran(180s, "r2", "state of binary_sensor.hall");
  called(180s, "r2", R"({"entity_id":["light.hall"]})");
  EXPECT_EQ(differences(), "");
  ran(60s, "r1", "state of binary_sensor.hall");  // as it was paired, perhaps
  called(61s, "r1", R"({"entity_id":["light.hall"]})");
  std::ranges::sort(slice_.events, {}, &Past::Event::at);
  EXPECT_EQ(differences(), "");
  const auto compared = replayed({}).value();
  EXPECT_EQ(std::tuple(compared.runs, compared.recorded_runs, compared.left_out), std::tuple(1U, 1U, 1U));
}

TEST_F(ReplayTest, AFirstStateThatStaysBeginsNothingLater) {
  automations(R"([{"alias": "A",
    "triggers": [{"trigger": "state", "entity_id": "binary_sensor.hall", "to": "on", "for": 100},
                 {"trigger": "numeric_state", "entity_id": "sensor.warmth", "above": 20}],
    "actions": [{"action": "light.turn_on", "target": {"entity_id": "light.hall"}}]}])");
  change(60s, "binary_sensor.hall", "on");
  change(70s, "sensor.warmth", "25");
  EXPECT_EQ(differences(), "");
  change(300s, "binary_sensor.hall", "off");
  change(310s, "sensor.warmth", "15");
  change(360s, "binary_sensor.hall", "on");
  change(370s, "sensor.warmth", "25");
  EXPECT_EQ(differences(),
            "+ 370 automation.a numeric state of sensor.warmth\n"
            "+ 370 automation.a light.turn_on {\"entity_id\":\"light.hall\"}\n"
            "+ 460 automation.a state of binary_sensor.hall\n"
            "+ 460 automation.a light.turn_on {\"entity_id\":\"light.hall\"}\n");
}

TEST_F(ReplayTest, TellsWhatWouldBeAndWhatWouldNot) {
  automations(kMotion);
  first("binary_sensor.hall", "off");
  change(60s, "binary_sensor.hall", "on");
  ran(600s, "r1", "state of binary_sensor.hall");
  called(600s, "r1", R"({"entity_id":["light.hall"]})");
  EXPECT_EQ(
      differences(),
      "+ 60 automation.a state of binary_sensor.hall\n+ 60 automation.a light.turn_on {\"entity_id\":\"light.hall\"}\n"
      "- 600 automation.a state of binary_sensor.hall\n- 600 automation.a light.turn_on "
      "{\"entity_id\":[\"light.hall\"]}\n");
}

TEST_F(ReplayTest, LetsStatesFollowHistoryWhateverIsCalled) {
  automations(R"([{"alias": "A", "triggers": [{"trigger": "state", "entity_id": "light.hall", "to": "on"}],
    "actions": [{"action": "light.turn_off", "target": {"entity_id": "light.hall"}}]}])");
  first("light.hall", "off");
  change(60s, "light.hall", "on");
  change(120s, "light.hall", "unavailable");
  change(180s, "light.hall", "on");
  ran(60s, "r1", "state of light.hall");
  ran(180s, "r2", "state of light.hall");
  EXPECT_EQ(differences(),
            "+ 60 automation.a light.turn_off {\"entity_id\":\"light.hall\"}\n"
            "+ 180 automation.a light.turn_off {\"entity_id\":\"light.hall\"}\n");
  slice_.changes.erase(slice_.changes.begin() + 1);  // it stays on: called, but not switched
  EXPECT_TRUE(differences().ends_with("- 180 automation.a state of light.hall\n")) << differences();
}

TEST_F(ReplayTest, MovesTheClockForTimesAndDelays) {
  automations(R"([{"alias": "A", "triggers": [{"trigger": "time", "at": "00:10:00"}],
    "actions": [{"delay": 30}, {"action": "light.turn_on", "target": {"entity_id": "light.hall"}}]}])");
  EXPECT_EQ(differences(),
            "+ 600 automation.a time\n+ 630 automation.a light.turn_on {\"entity_id\":\"light.hall\"}\n");
}

TEST_F(ReplayTest, LeavesOutWhatHistoryDoesNotKeep) {
  automations(R"([{"alias": "A", "triggers": [{"trigger": "event", "event_type": "go"}], "actions": []}])");
  ran(60s, "r1", "event 'go'");
  called(60s, "r1", "{}");
  ran(70s, "r2", "by hand");
  EXPECT_EQ(differences(), "");
  EXPECT_EQ(replayed({})->left_out, 2U);
}

TEST_F(ReplayTest, ComparesOnlyTheNamedOnes) {
  automations(R"([{"alias": "A", "triggers": [{"trigger": "time", "at": "00:10:00"}], "actions": []},
    {"alias": "The other", "triggers": [{"trigger": "time", "at": "00:20:00"}], "actions": []}])");
  EXPECT_EQ(differences({"The other"}), "+ 1200 automation.the_other time\n");
  EXPECT_EQ(differences({"automation.a"}), "+ 600 automation.a time\n");
  EXPECT_EQ(differences({"automation.b"}), "There is no automation automation.b.");
}

TEST_F(ReplayTest, KnowsAutomationsThatWereGivenAnotherName) {
  automations(R"([{"id": "17", "alias": "A", "triggers": [{"trigger": "time", "at": "00:10:00"}], "actions": []}])");
  registered_.push_back({.id = "0", .entity_id = "automation.renamed", .unique_id = "17", .integration = "automation"});
  EXPECT_EQ(differences(), "+ 600 automation.renamed time\n");
  EXPECT_EQ(differences({"automation.a"}), "There is no automation automation.a.");
  const auto edited = replayed({.edited = "17"});
  ASSERT_EQ(edited->differences.size(), 1U);
  EXPECT_EQ(edited->differences[0].automation, "automation.renamed");
  EXPECT_EQ(replayed({.edited = "18"}).error().message, "There is no automation 18.");
}

TEST_F(ReplayTest, EndsWithWhatThePastFailsWith) {
  automations(kMotion);
  past_.next = []() -> base::Result<std::optional<Past::Slice>> {
    return base::fail(base::ErrorCode::unavailable, "the disk is gone");
  };
  const auto compared = replay({sections_, core::HubConfig(), nullptr}, past_, {});
  ASSERT_FALSE(compared);
  EXPECT_EQ(compared.error().message, "the disk is gone");
}

TEST_F(ReplayTest, RefusesMoreThanTheMostRunsAndCalls) {
  automations(R"([{"alias": "A", "triggers": [{"trigger": "time_pattern", "minutes": "/10"}], "actions": []},
                  {"alias": "B", "triggers": [{"trigger": "event", "event_type": "never"}], "actions": []}])");
  const auto refusal = [&](std::size_t most) {
    const auto compared = replayed({.names = {"B"}, .most = most});  // all count, whatever is asked for
    return compared ? "" : compared.error().message;
  };
  const std::size_t runs = replayed({})->runs;
  EXPECT_GE(runs, 5U);
  EXPECT_EQ(refusal(runs), "");
  EXPECT_EQ(refusal(runs - 1), fmt::format("There would be more than {} runs and calls in that time.", runs - 1));
  for (std::size_t n = 0; n <= runs; ++n) ran(60s, fmt::format("r{}", n), "time");
  EXPECT_EQ(refusal(runs), fmt::format("There were more than {} runs and calls in that time.", runs));
  EXPECT_EQ(refusal(runs + 1), "");
}

TEST_F(ReplayTest, LeavesOffDifferencesOverTheLimit) {
  automations(R"([{"alias": "A", "triggers": [{"trigger": "time_pattern", "minutes": "/10"}], "actions": []}])");
  const auto all = replayed({});
  const json::object some = to_json_object(*all, 2);
  EXPECT_EQ(some.at("differences").as_array().size(), 2U);
  EXPECT_EQ(some.at("left_off").to_number<std::size_t>(), all->differences.size() - 2);
}

}  // namespace
}  // namespace hearth::simulation

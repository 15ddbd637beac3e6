// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/command_line/command_line.h"

#include "building_blocks/polled/test_polled.h"

namespace hearth::building_blocks {
namespace {

constexpr Block kTested[] = {{kCommandLine, &read_command_line}};

class CommandLineTest : public ::testing::Test {
 protected:
  void apply(std::string_view section) { home_.apply(kCommandLine, section); }
  std::string becomes(std::string_view id, std::string_view value) { return home_.becomes(id, value); }
  // The text of the file, as soon as there is one.
  std::string written(std::string_view name) {
    std::string text;
    while (text.empty()) {
      home_.automations.run();
      std::ifstream file(home_.folder / name);
      std::getline(file, text);
    }
    return text;
  }

  TestPolled home_{kTested};
};

TEST_F(CommandLineTest, ShowsWhatCommandsPrint) {
  home_.automations.set("sensor.a", "$(id)");
  apply(R"([{"sensor": {"name": "One", "command": "echo ' 5 ' | cat"}},
            {"sensor": {"name": "Two", "command": "echo {{ states('sensor.a') }}"}},
            {"sensor": {"name": "Three", "command": "echo '{\"a\": {\"b\": [{\"c\": 7, \"d\": 8}]}}'", "unit_of_measurement": "W",
                        "value_template": "{{ value_json.a.b[0].c * 2 }}", "json_attributes": ["d", "friendly_name", "none"],
                        "json_attributes_path": "$.a.b[0]", "icon": "mdi:{{ value_json.a.b[0].d }}"}},
            {"sensor": {"name": "Four", "command": "echo '{\"x\": [1]}'", "json_attributes": "x"}},
            {"binary_sensor": {"name": "Five", "command": "echo ON"}},
            {"binary_sensor": {"name": "Six", "command": "echo maybe", "payload_off": "maybe"}}])");
  EXPECT_EQ(home_.errors(), "");
  EXPECT_EQ(becomes("sensor.one", "5"), "5");
  EXPECT_EQ(becomes("sensor.two", "$(id)"), "$(id)");
  EXPECT_EQ(becomes("sensor.three", "14"), "14");
  EXPECT_EQ(home_.attribute("sensor.three", "d"), "8");
  EXPECT_EQ(home_.attribute("sensor.three", "icon"), "\"mdi:8\"");
  EXPECT_EQ(home_.attribute("sensor.three", "friendly_name"), "\"Three\"");
  EXPECT_EQ(becomes("sensor.four", "unknown"), "unknown");
  EXPECT_EQ(home_.attribute("sensor.four", "x"), "[1]");
  EXPECT_EQ(becomes("binary_sensor.five", "on"), "on");
  EXPECT_EQ(becomes("binary_sensor.six", "off"), "off");
}

TEST_F(CommandLineTest, IsUnavailableWhileACommandFails) {
  home_.write("value", "1");
  apply(R"([{"sensor": {"name": "One", "command": "cat value", "scan_interval": 10}},
            {"sensor": {"name": "Two", "command": "sleep 1000", "command_timeout": 0.05}},
            {"sensor": {"name": "Three", "command": "echo words", "unit_of_measurement": "W"}},
            {"sensor": {"name": "Four", "command": "cat value", "availability": "{{ value == '1' }}", "scan_interval": 10}}])");
  EXPECT_EQ(becomes("sensor.one", "1"), "1");
  EXPECT_EQ(becomes("sensor.two", "unavailable"), "unavailable");
  EXPECT_EQ(becomes("sensor.three", "unknown"), "unknown");
  EXPECT_EQ(becomes("sensor.four", "1"), "1");
  home_.write("value", "3");
  home_.automations.advance(std::chrono::seconds(11));
  EXPECT_EQ(becomes("sensor.four", "unavailable"), "unavailable");
  EXPECT_EQ(becomes("sensor.one", "3"), "3");
  std::filesystem::remove(home_.folder / "value");
  home_.automations.advance(std::chrono::seconds(11));
  EXPECT_EQ(becomes("sensor.one", "unavailable"), "unavailable");
  home_.write("value", "2");
  home_.automations.advance(std::chrono::seconds(11));
  EXPECT_EQ(becomes("sensor.one", "2"), "2");
}

TEST_F(CommandLineTest, SwitchesAndMoves) {
  apply(R"([{"switch": {"name": "A", "command_on": "touch a", "command_off": "rm a", "command_state": "test -e a"}},
            {"switch": {"name": "B", "command_on": "echo on > b", "command_off": "exit 3"}},
            {"cover": {"name": "C", "command_open": "echo 100 > c", "command_close": "echo 0 > c",
                       "command_stop": "echo 40 > c", "command_state": "cat c || echo 10", "value_template": "{{ value }}"}}])");
  EXPECT_EQ(becomes("switch.a", "off"), "off");
  home_.automations.call("switch.turn_on", R"({"entity_id": "switch.a"})");
  EXPECT_EQ(becomes("switch.a", "on"), "on");
  EXPECT_EQ(becomes("switch.b", "unknown"), "unknown");
  EXPECT_EQ(home_.attribute("switch.b", "assumed_state"), "true");
  home_.automations.call("switch.turn_on", R"({"entity_id": "switch.b"})");
  EXPECT_EQ(becomes("switch.b", "on"), "on");
  EXPECT_EQ(written("b"), "on");
  home_.automations.call("switch.turn_off", R"({"entity_id": "switch.b"})");
  home_.automations.call("switch.turn_off", R"({"entity_id": "switch.a"})");
  EXPECT_EQ(becomes("switch.a", "off"), "off");
  EXPECT_EQ(becomes("switch.b", "on"), "on") << "its command has failed";
  EXPECT_EQ(becomes("cover.c", "open"), "open");
  EXPECT_EQ(home_.attribute("cover.c", "current_position"), "10");
  home_.automations.call("cover.close_cover", R"({"entity_id": "cover.c"})");
  EXPECT_EQ(becomes("cover.c", "closed"), "closed");
  home_.automations.call("cover.stop_cover", R"({"entity_id": "cover.c"})");
  EXPECT_EQ(becomes("cover.c", "open"), "open");
  EXPECT_EQ(home_.attribute("cover.c", "current_position"), "40");
}

TEST_F(CommandLineTest, ReloadsWhatHasChanged) {
  apply(
      R"([{"sensor": {"name": "A", "command": "echo 1 >> runs; echo 1"}}, {"sensor": {"name": "B", "command": "echo 1"}}])");
  EXPECT_EQ(becomes("sensor.a", "1"), "1");
  EXPECT_EQ(becomes("sensor.b", "1"), "1");
  apply(
      R"([{"sensor": {"name": "A", "command": "echo 1 >> runs; echo 1"}}, {"sensor": {"name": "B", "command": ""}}])");
  EXPECT_EQ(becomes("sensor.b", "1"), "1") << "the last good one is in force";
  ASSERT_EQ(home_.entities->faults()->size(), 1U);
  EXPECT_EQ(home_.entities->faults()->front().entity_id, "sensor.b");
  apply(
      R"([{"sensor": {"name": "A", "command": "echo 1 >> runs; echo 1"}}, {"sensor": {"name": "B", "command": "echo 2"}}])");
  EXPECT_EQ(becomes("sensor.b", "2"), "2");
  EXPECT_TRUE(home_.entities->faults()->empty());
  apply(R"([{"sensor": {"name": "A", "command": "echo 1 >> runs; echo 1"}}])");
  EXPECT_EQ(becomes("sensor.b", ""), "");
  std::ifstream runs(home_.folder / "runs");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(runs), {}), "1\n") << "what has not changed goes on";
}

TEST_F(CommandLineTest, NamesWhatIsWrong) {
  apply(R"([{"sensor": {"name": "A"}}, {"sensr": {"command": "x"}}, {"switch": {"command_state": "x {{ y"}}, 5,
            {"sensor": {"command": "x", "scan_interval": 0.5, "command_timeout": 301, "json_attributes_path": "$.*", "comand": 1,
                        "state_class": "none"}},
            {"sensor": {"name": "B", "unique_id": "u", "command": "x"}}, {"sensor": {"unique_id": "u", "command": "x"}}])");
  const std::string all = home_.errors();
  for (const char* const error :
       {"command_line[1].sensr: expected sensor, binary_sensor, switch, cover or notify, with its keys",
        "command_line[3]: expected sensor, binary_sensor, switch, cover or notify, with its keys, found",
        "command is missing", "command_state: the template {{ is never closed",
        "scan_interval: expected at least 1 second", "command_timeout: expected more than 0 and at most 300 seconds",
        "json_attributes_path: expected a name at byte 2", "comand: unknown key, did you mean command?",
        "state_class: ", "unique_id: is there twice"})
    EXPECT_TRUE(all.contains(error)) << error << " in\n" << all;
  EXPECT_EQ(becomes("sensor.a", "unavailable"), "unavailable");
  EXPECT_TRUE(home_.attribute("sensor.a", "error").contains("command")) << home_.attribute("sensor.a", "error");
}

TEST_F(CommandLineTest, ShowsNoSecretInItsErrors) {
  const json::value item =
      base::parse_json(
          R"({"sensor": {"name": "n", "unique_id": "u", "command": "{{ x }}", "value_template": "{{", "scan_interval": 0,
          "json_attributes_path": "$.*", "state_class": "x", "odd": 5}})")
          .value();
  std::size_t errors = 0;
  automation::with_each_secret(item, [&](const base::ConfigNode& node) {
    automation::Sections sections;
    sections.commands.emplace_back(std::string(kCommandLine), node);
    for (const std::string& error : errors_of(parse_polled(kTested, sections))) {
      ++errors;
      EXPECT_FALSE(error.contains(automation::kTestSecret)) << error;
    }
  });
  EXPECT_GE(errors, 8U);
}

TEST_F(CommandLineTest, BoundsHowManyThereAre) {
  json::array many;
  for (std::size_t number = 0; number < PlanReader::kMostPlans + 2; ++number)
    many.emplace_back(json::object{{"switch", json::object{{"name", fmt::format("s{}", number)}}}});
  apply(base::to_json(many));
  EXPECT_EQ(home_.configuration.plans.size(), PlanReader::kMostPlans);
  ASSERT_EQ(home_.configuration.faults.size(), 1U);
  EXPECT_TRUE(home_.configuration.faults.front().contains("more than 2000 items of building blocks"));
}

}  // namespace
}  // namespace hearth::building_blocks

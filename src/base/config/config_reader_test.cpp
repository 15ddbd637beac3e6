// SPDX-License-Identifier: Apache-2.0
#include "base/config/config_reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace hearth::base {
namespace {

struct Pair {
  std::string key, value;
};

// demo: with one key a line, from line 2.
ConfigNode demo(std::vector<Pair> pairs) {
  const auto file = std::make_shared<const std::string>("configuration.yaml");
  ConfigNode::Map map;
  for (auto& [key, value] : pairs) {
    ConfigNode::Place place{file, map.size() + 2, "demo." + key};
    map.push_back({key, ConfigNode(std::move(place), std::move(value))});
  }
  return {{file, 1, "demo"}, std::move(map)};
}

struct Options {
  int seed = 3;
  double speed = 1;
  std::string name = "Home";
};

Result<Options> read(const ConfigNode& node) {
  Options options;
  ConfigReader in(node);
  in.integer("seed", options.seed, 0, 100);
  in.number("speed", options.speed, 0, 1000);
  in.text("name", options.name);
  return in.finish(options);
}

TEST(ConfigReader, ReadsEachKeyIntoItsVariable) {
  const auto options = read(demo({{"seed", "7"}, {"speed", "0"}, {"name", "Villa"}}));
  ASSERT_TRUE(options);
  EXPECT_EQ(options->seed, 7);
  EXPECT_EQ(options->speed, 0);
  EXPECT_EQ(options->name, "Villa");
}

TEST(ConfigReader, KeepsTheDefaultOfAnAbsentKey) {
  const auto options = read(ConfigNode());
  ASSERT_TRUE(options);
  EXPECT_EQ(options->seed, 3);
  EXPECT_EQ(options->name, "Home");
}

TEST(ConfigReader, ReportsAllErrorsInTheOrderOfTheFile) {
  EXPECT_EQ(read(demo({{"speeed", "1"}, {"speed", "fast"}, {"seed", "-1"}})).error().message,
            "configuration.yaml:2: demo.speeed: unknown key, did you mean speed? Known: seed, speed, name\n"
            "configuration.yaml:3: demo.speed: expected a number from 0 to 1000, found \"fast\"\n"
            "configuration.yaml:4: demo.seed: expected a whole number from 0 to 100, found \"-1\"");
}

TEST(ConfigReader, NamesTheKnownKeysIfNoneIsNear) {
  EXPECT_EQ(read(demo({{"colour", "red"}})).error().message,
            "configuration.yaml:2: demo.colour: unknown key. Known: seed, speed, name");
  const ConfigNode node = demo({{"seed", "7"}});
  ConfigReader in(node);
  EXPECT_EQ(in.finish(0).error().message, "configuration.yaml:2: demo.seed: unknown key. Known: none");
}

TEST(ConfigReader, RefusesASectionThatHasNoKeys) {
  const ConfigNode node({nullptr, 0, "demo"}, "yes");
  EXPECT_EQ(read(node).error().message, "demo: expected keys with values, found \"yes\"");
}

TEST(ConfigReader, ReadsNamedOptionsAsWhatTheyMean) {
  enum class Speed { slow, fast };
  const ConfigNode node = demo({{"speed", "fast"}, {"other", "faster"}});
  Speed speed = Speed::slow, other = Speed::slow;
  ConfigReader in(node);
  in.option("speed", speed, {{"slow", Speed::slow}, {"fast", Speed::fast}});
  in.option("other", other, {{"slow", Speed::slow}, {"fast", Speed::fast}});
  EXPECT_EQ(speed, Speed::fast);
  EXPECT_EQ(other, Speed::slow);
  EXPECT_EQ(in.finish(0).error().message, "configuration.yaml:3: demo.other: expected slow or fast, found \"faster\"");
}

TEST(ConfigReader, ReadsStringsWithASyntaxOfTheirOwn) {
  const auto parse = [](std::string_view text) -> std::optional<int> {
    if (text.size() == 1) return text[0] - '0';
    return {};
  };
  const ConfigNode::List list = {ConfigNode({nullptr, 2, "a[0]"}, "1"), ConfigNode({nullptr, 3, "a[1]"}, "22"),
                                 ConfigNode({nullptr, 4, "a[2]"}), ConfigNode({nullptr, 5, "a[3]"}, "3")};
  const ConfigNode node({}, ConfigNode::Map{{"a", ConfigNode({nullptr, 1, "a"}, list)},
                                            {"b", ConfigNode({nullptr, 6, "b"}, "5")},
                                            {"c", ConfigNode({nullptr, 7, "c"}, "66")}});
  std::vector<int> a = {9};
  int b = 0, c = 0;
  ConfigReader in(node);
  in.parsed_list("a", a, "a digit", parse);
  in.parsed("b", b, "a digit", parse);
  in.parsed("c", c, "a digit", parse);
  EXPECT_EQ(a, (std::vector{1, 3}));
  EXPECT_EQ(b, 5);
  EXPECT_EQ(c, 0);
  EXPECT_EQ(in.finish(0).error().message,
            "3: a[1]: expected a digit, found \"22\"\n4: a[2]: expected a digit, found nothing\n"
            "7: c: expected a digit, found \"66\"");
}

TEST(ConfigReader, ReportsTheErrorsOfSectionsWithItsOwn) {
  const ConfigNode node({}, ConfigNode::Map{{"demo", demo({{"speed", "fast"}, {"x", ""}})}, {"y", ConfigNode()}});
  double speed = 1;
  ConfigReader in(node);
  ConfigReader& section = in.section("demo");
  section.number("speed", speed, 0, 1000);
  in.section("absent").number("speed", speed, 0, 1000);
  EXPECT_EQ(in.finish(0).error().message,
            "unknown key. Known: demo, absent\n"
            "configuration.yaml:2: demo.speed: expected a number from 0 to 1000, found \"fast\"\n"
            "configuration.yaml:3: demo.x: unknown key. Known: speed");
}

TEST(ConfigReader, BoundsTheLengthOfItsErrors) {
  ConfigNode::Map map;
  for (int i = 0; i < 90'000; ++i) map.push_back({std::to_string(i), ConfigNode({nullptr, 1, std::to_string(i)}, "x")});
  const ConfigNode node({}, std::move(map));
  ConfigReader in(node);
  const std::string message = in.finish(0).error().message;
  EXPECT_LT(message.size(), 40'000u);
  const auto last = message.rfind('\n') + 1;
  const auto named = std::ranges::count(message, '\n');
  EXPECT_EQ(message.substr(last), fmt::format("and {} more", 90'000 - named));
}

}  // namespace
}  // namespace hearth::base

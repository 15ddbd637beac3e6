// SPDX-License-Identifier: Apache-2.0
#include "base/config/config_node.h"

#include <gtest/gtest.h>

#include <array>

namespace hearth::base {
namespace {

ConfigNode::Place place(std::string key) {
  return {std::make_shared<const std::string>("configuration.yaml"), 12, std::move(key)};
}
ConfigNode node(std::string text) {
  return {place("demo.speed"), std::move(text)};
}
ConfigNode list(std::vector<std::string> texts) {
  ConfigNode::List items;
  for (auto& text : texts) items.emplace_back(place(fmt::format("demo.speed[{}]", items.size())), std::move(text));
  return {place("demo.speed"), std::move(items)};
}

template <class T>
std::string error_of(const Result<T>& result) {
  return result ? "no error" : result.error().message;
}

TEST(ConfigNode, NamesFileLineKeyExpectedAndFound) {
  EXPECT_EQ(error_of(node("fast").number(0, 1000)),
            "configuration.yaml:12: demo.speed: expected a number from 0 to 1000, found \"fast\"");
}

TEST(ConfigNode, SaysWhatItFoundIfThatIsNoString) {
  EXPECT_EQ(error_of(ConfigNode(place("a")).text()), "configuration.yaml:12: a: expected a text, found nothing");
  EXPECT_EQ(error_of(list({"x"}).text()), "configuration.yaml:12: demo.speed: expected a text, found a list");
  EXPECT_EQ(error_of(ConfigNode(place("a"), ConfigNode::Map()).text()),
            "configuration.yaml:12: a: expected a text, found a map");
}

TEST(ConfigNode, LeavesOutThePlaceItDoesNotHave) {
  EXPECT_EQ(error_of(ConfigNode().text()), "expected a text, found nothing");
  EXPECT_EQ(error_of(ConfigNode({nullptr, 0, "demo"}).text()), "demo: expected a text, found nothing");
}

TEST(ConfigNode, QuotesTheStartOfALongTextOnOneLine) {
  EXPECT_EQ(error_of(node("a\nb").boolean()),
            "configuration.yaml:12: demo.speed: expected true or false, found \"a\\nb\"");
  const std::string umlauts = "x" + std::string(50, 'y') + "ööööööööö";
  EXPECT_EQ(error_of(node(umlauts).boolean()),
            "configuration.yaml:12: demo.speed: expected true or false, found \"x" + std::string(50, 'y') + "öööö…\"");
}

TEST(ConfigNode, ReadsBooleansInTheirUsualSpellings) {
  for (const char* text : {"true", "True", "yes", "on", "ON"}) EXPECT_EQ(node(text).boolean(), true) << text;
  for (const char* text : {"false", "FALSE", "no", "off"}) EXPECT_EQ(node(text).boolean(), false) << text;
  for (const char* text : {"", "1", "0", "y"}) EXPECT_FALSE(node(text).boolean()) << text;
}

TEST(ConfigNode, ReadsWholeNumbersWithinTheirBounds) {
  EXPECT_EQ(node("1").integer(1, 65535), 1);
  EXPECT_EQ(node("65535").integer(1, 65535), 65535);
  EXPECT_EQ(node("-500").integer(-500, 0), -500);
  for (const char* text : {"0", "65536", "8123.5", "8e3", "", " 1", "1 ", "0x10", "99999999999999999999"}) {
    EXPECT_EQ(
        error_of(node(text).integer(1, 65535)),
        fmt::format("configuration.yaml:12: demo.speed: expected a whole number from 1 to 65535, found \"{}\"", text));
  }
}

TEST(ConfigNode, ReadsNumbersWithinTheirBounds) {
  EXPECT_EQ(node("52.52").number(-90, 90), 52.52);
  EXPECT_EQ(node("-90").number(-90, 90), -90);
  EXPECT_EQ(node("1e1").number(-90, 90), 10);
  for (const char* text : {"90.001", "nan", "inf", "1e400", "12,5", "5°"}) {
    EXPECT_EQ(error_of(node(text).number(-90, 90)),
              fmt::format("configuration.yaml:12: demo.speed: expected a number from -90 to 90, found \"{}\"", text));
  }
}

TEST(ConfigNode, ReadsDurationsWithTheirUnit) {
  using namespace std::chrono_literals;
  EXPECT_EQ(node("500ms").duration(0s, 1h), 500ms);
  EXPECT_EQ(node("1s").duration(0s, 1h), 1s);
  EXPECT_EQ(node("2 m").duration(0s, 1h), 2min);
  EXPECT_EQ(node("1h").duration(0s, 1h), 1h);
  for (const char* text : {"5", "0.5s", "-1s", "1 day", "2h", "99ms", "1s 2", "18446744073709551615h"}) {
    EXPECT_EQ(
        error_of(node(text).duration(100ms, 90s)),
        fmt::format("configuration.yaml:12: demo.speed: expected a time from 100ms to 90s, such as 500ms, 1s or 2m, "
                    "found \"{}\"",
                    text));
  }
}

TEST(ConfigNode, ReadsByteSizesWithAndWithoutUnit) {
  EXPECT_EQ(node("65536").byte_size(0, UINT64_MAX), 65536u);
  EXPECT_EQ(node("64KiB").byte_size(0, UINT64_MAX), 65536u);
  EXPECT_EQ(node("16 MiB").byte_size(0, UINT64_MAX), 16u << 20);
  EXPECT_EQ(node("1GiB").byte_size(0, UINT64_MAX), 1u << 30);
  for (const char* text : {"1023", "1025MiB", "16MB", "-1", "MiB", "17179869185GiB"}) {
    EXPECT_EQ(
        error_of(node(text).byte_size(1024, 1 << 30)),
        fmt::format("configuration.yaml:12: demo.speed: expected a number of bytes from 1KiB to 1GiB, such as 65536, "
                    "64KiB or 16MiB, found \"{}\"",
                    text));
  }
}

TEST(ConfigNode, TakesOnlyTheOptionsThereAre) {
  constexpr std::array<std::string_view, 2> two = {"metric", "us_customary"};
  constexpr std::array<std::string_view, 3> three = {"low", "medium", "high"};
  EXPECT_EQ(node("metric").option(two), "metric");
  EXPECT_EQ(node("Metric").option(two), "metric");
  EXPECT_EQ(error_of(node("imperial").option(two)),
            "configuration.yaml:12: demo.speed: expected metric or us_customary, found \"imperial\"");
  EXPECT_EQ(error_of(node("").option(three)),
            "configuration.yaml:12: demo.speed: expected one of low, medium, high, found \"\"");
}

TEST(ConfigNode, TakesOneTextAsAListOfOne) {
  EXPECT_EQ(node("a").texts(), std::vector<std::string>{"a"});
  EXPECT_EQ(list({"a", "b"}).texts(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(list({}).texts(), std::vector<std::string>());
  EXPECT_EQ(error_of(ConfigNode(place("a")).texts()),
            "configuration.yaml:12: a: expected a text or a list of texts, found nothing");
}

TEST(ConfigNode, NamesTheItemThatIsNoText) {
  const ConfigNode node(place("a"), ConfigNode::List{{place("a[0]"), "x"}, {place("a[1]"), ConfigNode::List()}});
  EXPECT_EQ(error_of(node.texts()), "configuration.yaml:12: a[1]: expected a text, found a list");
}

TEST(ConfigNode, FindsTheValueOfAKey) {
  const ConfigNode map(place("a"), ConfigNode::Map{{"b", node("1")}, {"c", node("2")}});
  EXPECT_EQ(map.find("c")->text(), "2");
  EXPECT_EQ(map.find("d"), nullptr);
  EXPECT_EQ(node("x").find("x"), nullptr);
}

}  // namespace
}  // namespace hearth::base

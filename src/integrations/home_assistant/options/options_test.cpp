// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/options/options.h"

#include <gtest/gtest.h>

#include "base/json/json.h"

namespace hearth::integrations::home_assistant {
namespace {

base::ConfigNode node_of(const json::value& value, std::string key) {
  static const auto kFile = std::make_shared<const std::string>("configuration.yaml");
  base::ConfigNode::Place place{kFile, 1, key};
  if (value.is_null()) return base::ConfigNode(std::move(place));
  if (value.is_object()) {
    base::ConfigNode::Map map;
    for (const auto& [name, inner] : value.get_object())
      map.push_back({std::string(name), node_of(inner, key + "." + std::string(name))});
    return {std::move(place), std::move(map)};
  }
  if (value.is_array()) {
    base::ConfigNode::List list;
    for (const json::value& inner : value.get_array())
      list.push_back(node_of(inner, key + "[" + std::to_string(list.size()) + "]"));
    return {std::move(place), std::move(list)};
  }
  return {std::move(place), value.is_string() ? std::string(value.get_string()) : base::to_json(value)};
}

base::ConfigNode section_of(std::string_view text) {
  return node_of(base::parse_json(text).value(), "home_assistant");
}

// The error without its place; empty if there is none.
std::string error_of(std::string_view text) {
  const base::ConfigNode section = section_of(text);
  std::string all;
  for (const base::ConfigProblem& problem : Options::check(section)) all += problem.message + "\n";
  for (std::size_t place = 0; (place = all.find("configuration.yaml:1: home_assistant")) != std::string::npos;)
    all.erase(place, std::string_view("configuration.yaml:1: home_assistant").size());
  return all;
}

Options options_of(std::string_view text) {
  const base::ConfigNode section = section_of(text);
  return Options::parse(section).value();
}

TEST(HomeAssistantOptions, NeedAnAddressAndAToken) {
  const Options options = options_of(R"({"url": "http://192.168.1.10:8123/", "token": "abc"})");
  EXPECT_EQ(options.url, "http://192.168.1.10:8123");
  EXPECT_EQ(options.token.reveal(), "abc");
  EXPECT_EQ(options.name, "home");
  EXPECT_TRUE(options.control_all);
  EXPECT_EQ(error_of(R"({"url": "http://a:8123"})"), ": token: missing; expected a long-lived access token\n");
  EXPECT_EQ(error_of(R"({"token": "abc"})"), ": url: missing; expected an address such as http://192.168.1.10:8123\n");
}

TEST(HomeAssistantOptions, AreAnErrorIfTheKeyIsEmpty) {
  EXPECT_EQ(error_of("null"), ": expected url and token of another hub\n");
  EXPECT_EQ(error_of("[]"), ": expected url and token of another hub\n");
  EXPECT_EQ(error_of("[null]"), "[0]: expected url and token of another hub\n");
}

TEST(HomeAssistantOptions, TakeTheAddressWithAPath) {
  EXPECT_EQ(Options::address("https://Home.Example/ha/").value(), "https://home.example/ha");
  EXPECT_EQ(Options::address("http://home:8123/api").value(), "http://home:8123");
  for (const char* const wrong : {"home:8123", "ws://home:8123", "http://", "http://me:secret@home", "http://home?x"})
    EXPECT_FALSE(Options::address(wrong)) << wrong;
}

TEST(HomeAssistantOptions, RefuseNamesAndPrefixesThatMakeNoEntityId) {
  const auto with = [](std::string_view more) {
    return error_of(R"({"url": "http://a", "token": "abc", )" + std::string(more) + "}");
  };
  EXPECT_EQ(with(R"("prefix": "cabin_", "name": "cabin_2")"), "");
  for (const char* const prefix : {"my-", "my.", "My", "_my", "ä"})
    EXPECT_TRUE(with(R"("prefix": ")" + std::string(prefix) + "\"").starts_with(".prefix: expected")) << prefix;
  for (const char* const name : {"a-b", "a.b", "", "a b"})
    EXPECT_TRUE(with(R"("name": ")" + std::string(name) + "\"").starts_with(".name: expected")) << name;
}

TEST(HomeAssistantOptions, RefuseTwoHubsOfOneName) {
  EXPECT_EQ(error_of(R"([{"url": "http://a", "token": "x"}, {"url": "http://b", "token": "y", "name": "b"}])"), "");
  EXPECT_EQ(error_of(R"([{"url": "http://a", "token": "x"}, {"url": "http://b", "token": "y"}])"),
            "[1]: another hub of this list has the name home already; give each a name of its own\n");
}

TEST(HomeAssistantOptions, DoNotShowAWrongToken) {
  const std::string error = error_of(R"({"url": "http://a", "token": "my secret"})");
  EXPECT_EQ(error, ".token: expected a long-lived access token, in one line\n");
}

TEST(HomeAssistantOptions, ReceiveAnyEventAndSendOnlyNamedOnes) {
  const Options options =
      options_of(R"({"url": "http://a", "token": "x", "events": {"receive": "*", "send": ["doorbell"]}})");
  EXPECT_TRUE(options.receive.contains("*"));
  EXPECT_TRUE(options.send.contains("doorbell"));
  EXPECT_NE(error_of(R"({"url": "http://a", "token": "x", "events": {"send": ["*"]}})"), "");
}

TEST(HomeAssistantOptions, LetNothingBeCalledWithAnEmptyControl) {
  EXPECT_FALSE(options_of(R"({"url": "http://a", "token": "x", "control": {}})").control_all);
  const Options lights = options_of(R"({"url": "http://a", "token": "x", "control": {"domains": ["light"]}})");
  EXPECT_FALSE(lights.control_all);
  EXPECT_TRUE(lights.control_domains.contains("light"));
}

TEST(HomeAssistantOptions, SayWhichKeyIsUnknown) {
  EXPECT_TRUE(error_of(R"({"url": "http://a", "token": "x", "prefx": "a"})").contains("did you mean prefix?"));
}

TEST(MirrorFilter, LetsTheMoreSpecificRuleWin) {
  const std::vector<std::string> labels{"spare"};
  const MirrorFilter filter = options_of(R"({"url": "http://a", "token": "x",
      "include": {"domains": ["light"], "integrations": ["hue"], "entities": ["sensor.a"], "labels": ["spare"]},
      "exclude": {"entity_globs": ["sensor.*", "light.old_*"], "devices": ["d1"], "areas": ["attic"]}})")
                                  .filter;
  const auto includes = [&](MirrorFilter::Subject subject) { return filter.includes(subject); };
  EXPECT_TRUE(includes({.entity_id = "light.a"}));
  EXPECT_FALSE(includes({.entity_id = "light.old_a"}));
  EXPECT_TRUE(includes({.entity_id = "sensor.a"}));
  EXPECT_FALSE(includes({.entity_id = "sensor.b", .platform = "hue"}));
  EXPECT_TRUE(includes({.entity_id = "switch.a", .platform = "hue"}));
  EXPECT_FALSE(includes({.entity_id = "light.a", .device_id = "d1", .labels = &labels}));
  EXPECT_FALSE(includes({.entity_id = "light.a", .area_id = "attic"}));
  EXPECT_TRUE(includes({.entity_id = "switch.b", .area_id = "attic", .labels = &labels}));
  EXPECT_FALSE(includes({.entity_id = "switch.b"}));
}

TEST(MirrorFilter, IncludesAllWithoutRules) {
  EXPECT_TRUE(MirrorFilter().includes({.entity_id = "light.a"}));
  const MirrorFilter filter =
      options_of(R"({"url": "http://a", "token": "x", "exclude": {"domains": ["light"]}})").filter;
  EXPECT_FALSE(filter.includes({.entity_id = "light.a"}));
  EXPECT_TRUE(filter.includes({.entity_id = "switch.a"}));
}

}  // namespace
}  // namespace hearth::integrations::home_assistant

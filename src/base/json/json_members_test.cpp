// SPDX-License-Identifier: Apache-2.0
#include "base/json/json_members.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace hearth::base {
namespace {

// The same result through parsed values.
std::string by_value(std::string_view text) {
  const auto value = parse_json(text);
  return value ? to_json(*value) : "refused: " + value.error().message;
}

std::string whole(std::string_view text) {
  const auto members = JsonMembers::parse(text);
  return members ? std::string(members->json()) : "refused: " + members.error().message;
}

// Random JSON of all kinds, with white space, escapes and, if asked for, repeated keys.
class Generator {
 public:
  Generator(unsigned seed, bool repeat_keys) : random_(seed), repeat_keys_(repeat_keys) {}

  std::string value(int depth = 0) {
    switch (pick(depth < 4 ? 9 : 6)) {
      case 0:
        return one_of({"true", "false", "null"});
      case 1:
        return one_of({"0", "-0", "7", "-12", "9223372036854775807", "9223372036854775808", "18446744073709551616"});
      case 2:
        return one_of({"0.0", "-0.0", "21.50", "1e5", "1E+2", "4.9e-324", "0.30000000000000004", "1e-400", "0e400"});
      case 3:
      case 4:
      case 5:
        return string();
      case 6:
        return array(depth);
      default:
        return object(depth);
    }
  }
  std::string object(int depth) {
    std::string text = "{" + space();
    const std::size_t count = pick(14);
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) text += "," + space();
      text += (repeat_keys_ ? key() : "\"" + std::to_string(i) + key().substr(1)) + space() + ":" + space() +
              value(depth + 1) + space();
    }
    return text + "}";
  }

 private:
  std::string array(int depth) {
    std::string text = "[" + space();
    const std::size_t count = pick(4);
    for (std::size_t i = 0; i < count; ++i) text += (i > 0 ? "," : "") + space() + value(depth + 1) + space();
    return text + "]";
  }
  std::string string() {
    std::string text = "\"";
    const std::size_t count = pick(6);
    for (std::size_t i = 0; i < count; ++i) {
      text += one_of({"plain text", "é", "€", "\U0001F600", "\\n", "\\\\", "\\\"", "\\/", "\\u0041", "\\u0001",
                      "\\u00e9", "\\ud83d\\ude00", "x", "/", "\x7f"});
    }
    return text + "\"";
  }
  std::string key() { return one_of({"\"a\"", "\"b\"", "\"\\u0061\"", "\"state\"", "\"\"", "\"\\\"\"", "\"é\""}); }
  std::string space() { return one_of({"", "", "", " ", "\n\t", "\r "}); }
  std::string one_of(std::initializer_list<std::string_view> choices) {
    return std::string(choices.begin()[pick(choices.size())]);
  }
  std::size_t pick(std::size_t count) { return random_() % count; }

  std::mt19937 random_;
  const bool repeat_keys_;
};

TEST(JsonMembers, WriteAnyTextAsItsValueIsWritten) {
  for (const bool repeat_keys : {false, true}) {
    Generator generator(5, repeat_keys);
    for (int i = 0; i < 5'000; ++i) {
      const std::string text = generator.value();
      ASSERT_EQ(whole(text), by_value(text)) << text;
    }
  }
}

TEST(JsonMembers, AreThoseOfTheObject) {
  for (const bool repeat_keys : {false, true}) {
    Generator generator(6, repeat_keys);
    for (int i = 0; i < 2'000; ++i) {
      const std::string text = generator.object(0);
      const auto members = JsonMembers::parse(text);
      ASSERT_TRUE(members) << text;
      EXPECT_EQ(members->kind(), json::kind::object);
      const auto value = parse_json(text);
      for (const auto& [key, member] : value->as_object()) {
        const std::string escaped = to_json(json::value(key));
        if (escaped.size() != key.size() + 2) continue;
        const auto found = members->find(key);
        ASSERT_TRUE(found) << text;
        EXPECT_EQ(found->json, to_json(member)) << text;
        EXPECT_EQ(found->kind, member.kind()) << text;
        if (member.is_string()) {
          EXPECT_EQ(found->text, member.get_string()) << text;
        }
      }
    }
  }
}

TEST(JsonMembers, RefuseWhatParsingRefusesForTheSameReason) {
  std::string deep, wide = "[1";
  for (int i = 0; i < 65; ++i) deep += R"({"a":)";
  for (std::size_t size = 0; size < kMaxJsonMemory; size += sizeof(json::value)) wide += ",1";
  for (const std::string& text :
       {std::string(), std::string("{"), std::string(R"({"a":1,})"), std::string("{} x"), std::string(R"({"a":1e400})"),
        std::string("\"\xFF\""), std::string(R"({"a":"\ud800"})"), std::string("NaN"), deep, wide + "]"}) {
    ASSERT_FALSE(parse_json(text));
    EXPECT_EQ(whole(text), by_value(text)) << text.substr(0, 80);
  }
}

TEST(JsonMembers, MayBeMany) {
  std::string text = R"({"state":"on","attributes":{"list":[0)";
  for (int i = 1; i < 500'000; ++i) text += "," + std::to_string(i % 10);
  text += "]}}";
  const auto members = JsonMembers::parse(text);
  ASSERT_TRUE(members);
  EXPECT_EQ(members->json(), text);
  EXPECT_EQ(members->find("state")->text, "on");
}

TEST(JsonMembers, KeepTheDigitsOfTheOutermostNumbers) {
  constexpr std::string_view text =
      R"({"state": 21.50, "in": {"state": 1.10}, "list": [2.20], "after":-0.0e1, "text":"7.70", "big":18446744073709551616})";
  const auto members = JsonMembers::parse(text);
  ASSERT_TRUE(members);
  EXPECT_EQ(members->find("state")->text, "21.50");
  EXPECT_EQ(members->find("state")->json, "21.5");
  EXPECT_EQ(members->find("after")->text, "-0.0e1");
  EXPECT_EQ(members->find("big")->text, "18446744073709551616");
  EXPECT_EQ(members->find("list")->text, "");
  EXPECT_EQ(members->find("in")->json, R"({"state":1.1})");
  EXPECT_FALSE(members->find("none"));
  EXPECT_EQ(JsonMembers::parse(R"({"st\u0061te": 0})")->find("state")->text, "0");
}

TEST(JsonMembers, CountTheLastOfAKeyThatComesTwice) {
  const auto members = JsonMembers::parse(R"({"a":1,"b":{"x":1,"x":2},"a":3.50,"c":[{"y":1,"\u0079":2}]})");
  ASSERT_TRUE(members);
  EXPECT_EQ(members->json(), R"({"a":3.5,"b":{"x":2},"c":[{"y":2}]})");
  EXPECT_EQ(members->find("a")->text, "3.50");
  EXPECT_EQ(members->find("b")->json, R"({"x":2})");
}

TEST(JsonMembers, AreNoneIfThereIsNoObject) {
  for (const std::string_view text : {"[{\"a\":1}]", "\"a\"", "1", "null"}) {
    const auto members = JsonMembers::parse(text);
    ASSERT_TRUE(members) << text;
    EXPECT_EQ(members->json(), text);
    EXPECT_NE(members->kind(), json::kind::object);
    EXPECT_FALSE(members->find("a"));
  }
}

}  // namespace
}  // namespace hearth::base

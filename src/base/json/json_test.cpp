// SPDX-License-Identifier: Apache-2.0
#include "base/json/json.h"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <random>

namespace hearth::base {
namespace {

using std::string_view_literals::operator""sv;

std::string number(double value) {
  std::string out;
  write_json_number(out, value);
  return out;
}

// Parsed and written again.
std::string rewritten(std::string_view text) {
  const auto value = parse_json(text);
  return value ? to_json(*value) : "refused: " + value.error().message;
}

bool refused(std::string_view text) {
  const auto value = parse_json(text);
  return !value && value.error().code == ErrorCode::invalid && !value.error().message.empty();
}

std::string nested(std::size_t levels) {
  return std::string(levels, '[') + std::string(levels, ']');
}

TEST(Json, WritesDoublesNaturally) {
  EXPECT_EQ(number(21.5), "21.5");
  EXPECT_EQ(number(1.0), "1.0");
  EXPECT_EQ(number(-17), "-17.0");
  EXPECT_EQ(number(0), "0.0");
  EXPECT_EQ(number(-0.0), "-0.0");
  EXPECT_EQ(number(0.1), "0.1");
  EXPECT_EQ(number(100000), "100000.0");
  EXPECT_EQ(number(179.99999999999997), "179.99999999999997");
}

TEST(Json, WritesNullForNanAndInfinity) {
  using Limits = std::numeric_limits<double>;
  for (const double none : {Limits::quiet_NaN(), -Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity()}) {
    EXPECT_EQ(number(none), "null");
  }
  json::object object{{"a", Limits::quiet_NaN()}, {"b", {Limits::infinity(), 1.5}}};
  EXPECT_EQ(to_json(object), R"({"a":null,"b":[null,1.5]})");
}

TEST(Json, WritesAnExponentOnlyFarFromOne) {
  EXPECT_EQ(number(1e30), "1e30");
  EXPECT_EQ(number(-2.5e30), "-2.5e30");
  EXPECT_EQ(number(1e-7), "1e-7");
  EXPECT_EQ(number(1.5e-100), "1.5e-100");
  EXPECT_EQ(number(1e15), "1000000000000000.0");
  EXPECT_EQ(number(1e16), "1e16");
  EXPECT_EQ(number(0.0001), "0.0001");
  EXPECT_EQ(number(0.00001), "1e-5");
  EXPECT_EQ(number(0.00012345678901234567), "0.00012345678901234567");
  EXPECT_EQ(number(std::numeric_limits<double>::max()), "1.7976931348623157e308");
  EXPECT_EQ(number(std::numeric_limits<double>::denorm_min()), "5e-324");
}

TEST(Json, ReadsBackEveryDoubleItWrites) {
  std::mt19937_64 random(7);
  const auto reads_back = [](double value) {
    const auto parsed = parse_json(number(value));
    return parsed && parsed->is_double() &&
           std::bit_cast<std::uint64_t>(parsed->get_double()) == std::bit_cast<std::uint64_t>(value);
  };
  int tried = 0;
  while (tried < 10'000) {
    const auto value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    ++tried;
    ASSERT_TRUE(reads_back(value)) << number(value);
  }
  std::uniform_real_distribution<double> everyday(-1000, 1000);
  for (int i = 0; i < 10'000; ++i) {
    const double value = everyday(random);
    ASSERT_TRUE(reads_back(value)) << number(value);
  }
  ASSERT_TRUE(reads_back(std::numeric_limits<double>::max()));
  ASSERT_TRUE(reads_back(std::numeric_limits<double>::min()));
  ASSERT_TRUE(reads_back(std::numeric_limits<double>::denorm_min()));
}

TEST(Json, WritesNoMoreDigitsThanTheDoubleNeeds) {
  std::mt19937_64 random(8);
  for (int i = 0; i < 10'000; ++i) {
    const double value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    std::array<char, 32> shortest;
    const auto end =
        std::to_chars(shortest.data(), shortest.data() + shortest.size(), value, std::chars_format::scientific).ptr;
    const auto digits = [](std::string_view text) {
      std::string kept;
      for (const char c : text.substr(0, text.find('e'))) {
        if (c >= '0' && c <= '9') kept += c;
      }
      const auto first = kept.find_first_not_of('0');
      return kept.substr(first, kept.find_last_not_of('0') + 1 - first);
    };
    ASSERT_EQ(digits(number(value)), digits(std::string_view(shortest.data(), end))) << number(value);
  }
}

TEST(Json, KeepsIntegersExactAndApartFromDecimals) {
  for (const std::string_view text :
       {"0", "1", "-1", "1.0", "0.0", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
        "18446744073709551615", "9007199254740993", "1e30", "21.5"}) {
    EXPECT_EQ(rewritten(text), text);
  }
  EXPECT_EQ(rewritten("18446744073709551616"), "1.8446744073709552e19");
}

TEST(Json, ReadsTheNearestDouble) {
  EXPECT_EQ(rewritten("179.99999999999997"), "179.99999999999997");
  EXPECT_EQ(rewritten("0.30000000000000004"), "0.30000000000000004");
  EXPECT_EQ(rewritten("1.7976931348623157e308"), "1.7976931348623157e308");
  EXPECT_EQ(rewritten("1.79769313486231570e+308"), "1.7976931348623157e308");
  EXPECT_EQ(rewritten("2.2250738585072011e-308"), "2.225073858507201e-308");
  EXPECT_EQ(rewritten("4.9e-324"), "5e-324");
  EXPECT_EQ(rewritten("-1E+2"), "-100.0");
  EXPECT_EQ(rewritten("0." + std::string(400, '0') + "1e401"), "1.0");
  EXPECT_EQ(rewritten("1" + std::string(400, '0') + "e-400"), "1.0");
}

TEST(Json, ReadsNumbersTooSmallForADoubleAsZero) {
  EXPECT_EQ(rewritten("1e-400"), "0.0");
  EXPECT_EQ(rewritten("-1e-400"), "-0.0");
  EXPECT_EQ(rewritten("0e400"), "0.0");
}

TEST(Json, RefusesNumbersBeyondADouble) {
  EXPECT_TRUE(refused("1e400"));
  EXPECT_TRUE(refused("-1e400"));
  EXPECT_TRUE(refused("1e309"));
  EXPECT_TRUE(refused("1.8e308"));
  EXPECT_TRUE(refused("1e99999999999999999999"));
  EXPECT_TRUE(refused("1" + std::string(400, '0')));
  EXPECT_TRUE(refused(R"({"state":1e400})"));
}

TEST(Json, RefusesWhatIsNotStrictJson) {
  for (const std::string_view text :
       {"",         " ",         "NaN",     "Infinity",  "-Infinity", "nul",        "tru",
        "True",     "'a'",       "// c\n1", "1 /* c */", "[1,]",      "{\"a\":1,}", "{a:1}",
        "[1 2]",    "{\"a\" 1}", "01",      "+1",        ".5",        "1.",         "1e",
        "-",        "0x10",      "[",       "{",         "\"a",       "]",          "\xEF\xBB\xBF{}",
        "\"\x01\"", "\"a\nb\"",  "\"\\x\"", "\"\\u12\""}) {
    EXPECT_TRUE(refused(text)) << text;
  }
}

TEST(Json, RefusesTrailingTextButNotTrailingWhiteSpace) {
  EXPECT_EQ(rewritten(" {} \r\n\t "), "{}");
  EXPECT_TRUE(refused("{} x"));
  EXPECT_TRUE(refused("1 1"));
  EXPECT_TRUE(refused("{}{}"));
  EXPECT_TRUE(refused("{}\0"sv));
}

TEST(Json, RefusesInvalidUtf8) {
  for (const std::string_view text : {"\"\xFF\"", "\"\xC0\x80\"", "\"\xED\xA0\x80\"", "\"\xF4\x90\x80\x80\"",
                                      "\"\xE2\x82\"", "\"\x80\"", "{\"\xFF\":1}"}) {
    EXPECT_TRUE(refused(text)) << text;
  }
}

TEST(Json, RefusesLoneSurrogates) {
  EXPECT_TRUE(refused(R"("\ud800")"));
  EXPECT_TRUE(refused(R"("\udc00")"));
  EXPECT_TRUE(refused(R"("\ud800\u0041")"));
  EXPECT_TRUE(refused(R"("\ud800x")"));
  EXPECT_TRUE(refused(R"({"\udc00":1})"));
  EXPECT_EQ(rewritten(R"("\ud83d\ude00")"), "\"\U0001F600\"");
}

TEST(Json, TakesSixtyFourLevelsAndNoMore) {
  EXPECT_EQ(rewritten(nested(64)), nested(64));
  EXPECT_TRUE(refused(nested(65)));
  EXPECT_TRUE(refused(nested(20'000)));
  EXPECT_TRUE(refused(std::string(20'000, '[')));
  std::string objects;
  for (int i = 0; i < 20'000; ++i) objects += R"({"a":)";
  EXPECT_TRUE(refused(objects));
}

TEST(Json, SaysWhereTheTextIsWrong) {
  const auto value = parse_json("[1, x]");
  ASSERT_FALSE(value);
  EXPECT_NE(value.error().message.find("at byte 4"), std::string::npos) << value.error().message;
}

TEST(Json, CountsTheLastOfAKeyThatComesTwice) {
  const auto value = parse_json(R"({"a":1,"b":2,"a":3.50})");
  ASSERT_TRUE(value);
  EXPECT_EQ(value->as_object().at("a").as_double(), 3.5);
  EXPECT_EQ(value->as_object().size(), 2u);
}

TEST(Json, KeepsTheOrderOfKeys) {
  constexpr std::string_view text = R"({"z":1,"a":{"y":[],"b":null},"m":[true,false]})";
  EXPECT_EQ(rewritten(text), text);
}

TEST(Json, RefusesMoreValuesThanItHasMemoryFor) {
  std::string ones = "[1";
  for (std::size_t size = 0; size < kMaxJsonMemory; size += sizeof(json::value)) ones += ",1";
  ones += ']';
  const auto value = parse_json(ones);
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().code, ErrorCode::invalid);
  EXPECT_EQ(value.error().message, "too many values");
}

TEST(Json, EscapesOnlyWhatMustBe) {
  std::string out;
  write_json_string(out, "a\"b\\c\b\f\n\r\t\x01\x1f\0/\x7f é €"sv);
  EXPECT_EQ(out, "\"a\\\"b\\\\c\\b\\f\\n\\r\\t\\u0001\\u001f\\u0000/\x7f é €\"");
}

TEST(Json, EscapesWhereverItStands) {
  const std::string around(20, '\xff');
  for (std::size_t i = 0; i <= around.size(); ++i) {
    for (const auto& [c, escaped] : {std::pair('"', "\\\""), std::pair('\\', "\\\\"), std::pair('\x1f', "\\u001f")}) {
      std::string out;
      write_json_string(out, around.substr(0, i) + c + around.substr(i));
      EXPECT_EQ(out, '"' + around.substr(0, i) + escaped + around.substr(i) + '"');
    }
  }
}

TEST(Json, ReadsBackEveryStringItWrites) {
  std::string text;
  for (int c = 0; c < 0x80; ++c) text += static_cast<char>(c);
  text += "\u00e9\u20ac\U0001F600";
  const auto parsed = parse_json(to_json(json::value(text)));
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->as_string(), text);
}

TEST(Json, WritesCompactly) {
  EXPECT_EQ(rewritten(" { \"a\" : [ 1 , 2 ] , \"b\" : { } } "), R"({"a":[1,2],"b":{}})");
}

TEST(Json, UsesTheStorageItIsGiven) {
  json::monotonic_resource memory;
  const auto value = parse_json(R"({"a":[1]})", &memory);
  ASSERT_TRUE(value);
  EXPECT_EQ(value->storage().get(), &memory);
}

}  // namespace
}  // namespace hearth::base

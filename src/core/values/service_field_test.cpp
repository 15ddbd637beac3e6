// SPDX-License-Identifier: Apache-2.0
#include "core/values/service_field.h"

#include <gtest/gtest.h>

#include "base/text/utf8.h"

namespace hearth::core {
namespace {

// The handler's value, as JSON; `refused` if the value is refused.
std::string converted(field::Type type, std::string_view value) {
  const Field field{"level", "", nullptr, std::move(type)};
  const auto result = field.convert(base::parse_json(value).value());
  return result ? base::to_json(*result) : "refused";
}

std::string refusal(field::Type type, const json::value& value) {
  const Field field{"level", "", nullptr, std::move(type)};
  const auto result = field.convert(value);
  if (result) return "taken";
  EXPECT_EQ(result.error().code, base::ErrorCode::invalid);
  return result.error().message;
}

TEST(Field, TakesBooleansAndTheirTexts) {
  for (const char* yes : {"true", R"("on")", R"("True")", R"("YES")", R"("1")"}) {
    EXPECT_EQ(converted(field::Boolean{}, yes), "true") << yes;
  }
  for (const char* no : {"false", R"("off")", R"("False")", R"("no")", R"("0")"}) {
    EXPECT_EQ(converted(field::Boolean{}, no), "false") << no;
  }
  for (const char* bad : {"1", "0", "null", R"("maybe")", R"("")", "[]"}) {
    EXPECT_EQ(converted(field::Boolean{}, bad), "refused") << bad;
  }
}

TEST(Field, TakesWholeNumbersHoweverWritten) {
  const field::Integer type{0, 255};
  for (const char* value : {"101", "101.0", R"("101")", R"("101.0")", "1.01e2"}) {
    EXPECT_EQ(converted(type, value), "101") << value;
  }
  for (const char* bad : {"-1", "256", "-0.5", "255.5", R"("255.5")", "null", "true", R"("")", R"(" 1")", R"("1x")",
                          R"("0x10")", R"("nan")", R"("inf")", "[1]", "1e300", "18446744073709551615"}) {
    EXPECT_EQ(converted(type, bad), "refused") << bad;
  }
  EXPECT_EQ(converted(type, "0"), "0");
  EXPECT_EQ(converted(type, "255"), "255");
}

TEST(Field, RoundsToAWholeNumber) {
  const field::Integer type{-10, 255};
  EXPECT_EQ(converted(type, "128.4"), "128");
  EXPECT_EQ(converted(type, "128.7"), "129");
  EXPECT_EQ(converted(type, R"("128.5")"), "129");
  EXPECT_EQ(converted(type, "-2.6"), "-3");
  EXPECT_EQ(converted(type, "255.49999"), "255");
  EXPECT_EQ(converted(type, "-0.4"), "0");
}

TEST(Field, TakesTheNearerBoundIfItIsClamped) {
  const field::Integer whole{-10, 255, {}, true};
  for (const char* high : {"256", "300.2", R"("999")", "1e300", "18446744073709551615"}) {
    EXPECT_EQ(converted(whole, high), "255") << high;
  }
  for (const char* low : {"-11", "-1e300", R"("-10.5")"}) EXPECT_EQ(converted(whole, low), "-10") << low;
  EXPECT_EQ(converted(whole, "20"), "20");
  const field::Number number{0, 1.5, {}, true};
  EXPECT_EQ(converted(number, "2"), "1.5");
  EXPECT_EQ(converted(number, R"("-0.1")"), "0.0");
  EXPECT_EQ(converted(number, "0.7"), "0.7");
  for (const char* bad : {"null", "true", R"("warm")", "[1]", R"("nan")", R"("inf")"}) {
    EXPECT_EQ(converted(whole, bad), "refused") << bad;
    EXPECT_EQ(converted(number, bad), "refused") << bad;
  }
}

TEST(Field, KeepsWholeNumbersExact) {
  const field::Integer type{std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
  for (const char* value : {"9007199254740993", "9223372036854775807", "-9223372036854775808"}) {
    EXPECT_EQ(converted(type, value), value);
    EXPECT_EQ(converted(type, '"' + std::string(value) + '"'), value);
  }
  EXPECT_EQ(converted(type, "9223372036854775808"), "refused");
  EXPECT_EQ(converted(type, "9223372036854775808.0"), "refused");
  EXPECT_EQ(converted(type, "-9223372036854775808.0"), "-9223372036854775808");
  EXPECT_EQ(converted(type, "-1e19"), "refused");
}

TEST(Field, TakesNumbersWithinTheirBounds) {
  const field::Number type{-1.5, 30};
  EXPECT_EQ(converted(type, "21.5"), "21.5");
  EXPECT_EQ(converted(type, "21"), "21.0");
  EXPECT_EQ(converted(type, R"("21.5")"), "21.5");
  EXPECT_EQ(converted(type, "-1.5"), "-1.5");
  EXPECT_EQ(converted(type, "30"), "30.0");
  for (const char* bad : {"30.1", "-1.6", R"("warm")", "null", "true", R"("nan")"}) {
    EXPECT_EQ(converted(type, bad), "refused") << bad;
  }
  EXPECT_NE(refusal(type, std::numeric_limits<double>::quiet_NaN()), "taken");
}

TEST(Field, TakesStringsAndNumbersMeantAsStrings) {
  EXPECT_EQ(converted(field::Text{}, R"("0815")"), R"("0815")");
  EXPECT_EQ(converted(field::Text{}, "1234"), R"("1234")");
  for (const char* bad : {"null", "true", "[]", "{}"}) EXPECT_EQ(converted(field::Text{}, bad), "refused") << bad;
  EXPECT_NE(refusal(field::Text{}, std::numeric_limits<double>::quiet_NaN()), "taken");
}

TEST(Field, TakesOneOfItsOptions) {
  const field::Option type{"short long"};
  EXPECT_EQ(converted(type, R"("long")"), R"("long")");
  for (const char* bad : {R"("Long")", R"("longer")", "1", "null"}) EXPECT_EQ(converted(type, bad), "refused") << bad;
}

TEST(Field, TakesListsOfTheExactNumberOfNumbers) {
  const field::Numbers color{3, 0, 255};
  EXPECT_EQ(converted(color, R"([255, "100", 0.5])"), "[255.0,100.0,0.5]");
  for (const char* bad : {"[1,2]", "[1,2,3,4]", "[1,2,256]", "[1,2,null]", "1", R"("1,2,3")"}) {
    EXPECT_EQ(converted(color, bad), "refused") << bad;
  }
  const field::Numbers hue{2, 0, 100, 360};
  EXPECT_EQ(converted(hue, "[300,70]"), "[300.0,70.0]");
  EXPECT_EQ(converted(hue, "[300,101]"), "refused");
  EXPECT_EQ(converted(hue, "[361,70]"), "refused");
}

TEST(Field, TakesOneStringAsAListOfOne) {
  EXPECT_EQ(converted(field::TextList{}, R"("a")"), R"(["a"])");
  EXPECT_EQ(converted(field::TextList{}, R"(["a","b"])"), R"(["a","b"])");
  EXPECT_EQ(converted(field::TextList{}, R"(["a",1])"), "refused");
  EXPECT_EQ(converted(field::TextList{}, "1"), "refused");
}

TEST(Field, TakesDatesAndTimesThatThereAre) {
  EXPECT_EQ(converted(field::Date{}, R"("2024-02-29")"), R"("2024-02-29")");
  for (const char* bad : {R"("2026-02-29")", R"("2026-00-01")", R"("26-04-20")", R"("2026-4-")", R"("2026-04-20x")",
                          R"("2026-04-2:")", "20260420", "null"}) {
    EXPECT_EQ(converted(field::Date{}, bad), "refused") << bad;
  }
  EXPECT_EQ(converted(field::Time{}, R"("05:04:20")"), R"("05:04:20")");
  EXPECT_EQ(converted(field::Time{}, R"("05:04")"), R"("05:04:00")");
  for (const char* bad :
       {R"("24:00")", R"("05:60")", R"("05:04:60")", R"("5:")", R"("005:04")", R"("05-04-20")", R"("")", "5"}) {
    EXPECT_EQ(converted(field::Time{}, bad), "refused") << bad;
  }
  EXPECT_EQ(converted(field::DateTime{}, R"("2026-04-20 05:04:20")"), R"("2026-04-20 05:04:20")");
  EXPECT_EQ(converted(field::DateTime{}, R"("tomorrow")"), "refused");
}

TEST(Field, TakesDatesAndTimesWithoutLeadingZeros) {
  EXPECT_EQ(converted(field::Date{}, R"("2026-4-2")"), R"("2026-04-02")");
  EXPECT_EQ(converted(field::Time{}, R"("9:30")"), R"("09:30:00")");
  EXPECT_EQ(converted(field::Time{}, R"(" 9:5:7 ")"), R"("09:05:07")");
  EXPECT_EQ(converted(field::DateTime{}, R"("2026-4-2 9:30")"), R"("2026-04-02 09:30")");
  EXPECT_EQ(converted(field::DateTime{}, R"("2026-04-02T9:05:07.5+02:00")"), R"("2026-04-02T09:05:07.5+02:00")");
}

TEST(Field, TakesObjectsAndAnything) {
  EXPECT_EQ(converted(field::Object{}, R"({"a":[1]})"), R"({"a":[1]})");
  EXPECT_EQ(converted(field::Object{}, "[]"), "refused");
  EXPECT_EQ(converted(field::Any{}, "[null]"), "[null]");
}

TEST(Field, NamesItselfAndWhatItExpected) {
  EXPECT_EQ(refusal(field::Integer{0, 255}, "bright"), R"(level: expected a whole number from 0 to 255, got "bright")");
  EXPECT_EQ(refusal(field::Number{0, 1.5}, 2), "level: expected a number from 0 to 1.5, got 2");
  EXPECT_EQ(refusal(field::Number{}, "x"), R"(level: expected a number, got "x")");
  EXPECT_EQ(refusal(field::Integer{0, 9, "s"}, 10), "level: expected a whole number from 0 to 9 s, got 10");
  EXPECT_EQ(refusal(field::Boolean{}, nullptr), "level: expected true or false, got null");
  EXPECT_EQ(refusal(field::Text{}, json::array{}), "level: expected a text, got []");
  EXPECT_EQ(refusal(field::Option{"a b"}, "c"), R"(level: expected one of a, b, got "c")");
  EXPECT_EQ(refusal(field::Numbers{2, 0, 100, 360}, 1),
            "level: expected a list of 2 numbers, the first from 0 to 360, the others to 100, got 1");
  EXPECT_EQ(refusal(field::Object{}, 1), "level: expected an object, got 1");
  EXPECT_EQ(refusal(field::TextList{}, 1), "level: expected a text or a list of texts, got 1");
}

TEST(Field, QuotesOnlyTheBeginningOfALongValueAndWholeCharacters) {
  for (std::string value : {"", "x"}) {
    for (int i = 0; i < 1'000; ++i) value += "é";
    const std::string message = refusal(field::Boolean{}, json::value(value));
    EXPECT_LT(message.size(), 200u);
    EXPECT_TRUE(base::utf8_length(message)) << message;
  }
}

TEST(Field, IsDescribedWithASelector) {
  const auto text = [](field::Type type) {
    return base::to_json(to_json_object(Field{"level", "How bright", 120, std::move(type), true}));
  };
  EXPECT_EQ(text(field::Integer{0, 255}), R"({"description":"How bright","example":120,"required":true,)"
                                          R"("selector":{"number":{"min":0,"max":255,"step":1}}})");
  EXPECT_NE(text(field::Number{0, 1.5}).find(R"({"number":{"min":0.0,"max":1.5,"step":"any"}})"), std::string::npos);
  EXPECT_NE(text(field::Number{}).find(R"({"number":{"step":"any"}})"), std::string::npos);
  EXPECT_NE(text(field::Integer{0, 9, "s"}).find(R"("step":1,"unit_of_measurement":"s")"), std::string::npos);
  EXPECT_NE(text(field::Boolean{}).find(R"("selector":{"boolean":{}})"), std::string::npos);
  EXPECT_NE(text(field::Text{}).find(R"("selector":{"text":{}})"), std::string::npos);
  EXPECT_NE(text(field::TextList{}).find(R"("selector":{"text":{"multiple":true}})"), std::string::npos);
  EXPECT_NE(text(field::Option{"a b"}).find(R"("selector":{"select":{"options":["a","b"]}})"), std::string::npos);
  EXPECT_NE(text(field::Option{"a"}).find(R"("options":["a"])"), std::string::npos);
  EXPECT_NE(text(field::Object{}).find(R"("selector":{"object":{}})"), std::string::npos);
}

}  // namespace
}  // namespace hearth::core

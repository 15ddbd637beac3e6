// SPDX-License-Identifier: Apache-2.0
#include "core/values/field.h"

#include <gtest/gtest.h>

#include <set>

namespace hearth::core::field {
namespace {

json::value parsed(std::string_view text) {
  return base::parse_json(text).value();
}

// A row of the table, as JSON: a good value and what becomes of it, a bad one and what is said of it, the form.
struct Row {
  Type type;
  std::string_view good, converted, bad, complaint, selector;
};

const Row kRows[] = {
    {Boolean{}, R"("on")", "true", "1", "expected true or false, got 1", R"({"boolean":{}})"},
    {Integer{0, 255}, R"("7.6")", "8", "256", "expected a whole number from 0 to 255, got 256",
     R"({"number":{"min":0,"max":255,"step":1}})"},
    {Integer{1, INT64_MAX}, "1", "1", "0", "expected a whole number of at least 1, got 0",
     R"({"number":{"min":1,"max":9223372036854775807,"step":1}})"},
    {Number{0, 1.5, "m"}, "1", "1.0", R"(" 1")", R"(expected a number from 0 to 1.5 m, got " 1")",
     R"({"number":{"min":0.0,"max":1.5,"step":"any","unit_of_measurement":"m"}})"},
    {Number{}, "-7", "-7.0", "true", "expected a number, got true", R"({"number":{"step":"any"}})"},
    {Number{.min = 1}, "1", "1.0", "0", "expected a number from 1, got 0", R"({"number":{"min":1.0,"step":"any"}})"},
    {Number{.max = 5, .unit = "s"}, "5", "5.0", "6", "expected a number up to 5 s, got 6",
     R"({"number":{"max":5.0,"step":"any","unit_of_measurement":"s"}})"},
    {Text{}, "1234", R"("1234")", "true", "expected a text, got true", R"({"text":{}})"},
    {Text{"a b"}, R"("c")", R"("c")", "{}", "expected a text, got {}",
     R"({"select":{"custom_value":true,"options":["a","b"]}})"},
    {Option{"a b"}, R"("a")", R"("a")", R"("A")", R"(expected one of a, b, got "A")",
     R"({"select":{"options":["a","b"]}})"},
    {Date{}, R"("2026-4-2")", R"("2026-04-02")", R"("2026-04-31")",
     R"(expected a date as 2026-04-20, got "2026-04-31")", R"({"date":{}})"},
    {Time{}, R"("5:04")", R"("05:04:00")", R"("24:00")", R"(expected a time as 05:04:20, got "24:00")",
     R"({"time":{}})"},
    {DateTime{}, R"("2026-4-2 5:04")", R"("2026-04-02 05:04")", R"("soon")",
     R"(expected a date and time as 2026-04-20 05:04:20, got "soon")", R"({"datetime":{}})"},
    {Duration{}, R"({"minutes":5})", R"({"minutes":5})", R"("soon")",
     "expected a duration: seconds, HH:MM, HH:MM:SS or an object of days, hours, minutes, seconds, milliseconds, got "
     R"("soon")",
     R"({"duration":{"enable_day":true}})"},
    {Numbers{2, 0, 100}, "[1,\"2\"]", "[1.0,2.0]", "[1]", "expected a list of 2 numbers from 0 to 100, got [1]",
     R"({"object":{}})"},
    {TextList{}, R"("a")", R"(["a"])", "1", "expected a text or a list of texts, got 1",
     R"({"text":{"multiple":true}})"},
    {TextList{"a b"}, R"(["c"])", R"(["c"])", "[1]", "expected a text or a list of texts, got [1]",
     R"({"select":{"multiple":true,"options":["a","b"]}})"},
    {TextSet{}, R"(["a",1,true,"1"])", R"(["a","1","True"])", R"("a")", R"(expected a list of texts, got "a")",
     R"({"text":{"multiple":true}})"},
    {Entity{}, R"("light.hall")", R"("light.hall")", R"("hall")", R"(expected an entity id, got "hall")",
     R"({"entity":{}})"},
    {Entity{"light fan", true}, R"(["light.a","fan.b"])", R"(["light.a","fan.b"])", R"(["light.a","lock.b"])",
     R"(expected the id of an entity of light, fan, or a list of them, got ["light.a","lock.b"])",
     R"({"entity":{"multiple":true,"filter":{"domain":["light","fan"]}}})"},
    {Template{}, R"("{{ 1 }}")", R"("{{ 1 }}")", "1", "expected a template of at most 64 KiB, got 1",
     R"({"template":{}})"},
    {Topic{}, R"("a/b")", R"("a/b")", R"("a/#")", R"(expected a topic without wildcards, got "a/#")", R"({"text":{}})"},
    {TopicFilter{}, R"("a/#")", R"("a/#")", R"("a#")",
     R"(expected a topic with + and # as whole levels only, got "a#")", R"({"text":{}})"},
    {Payload{}, "true", R"("True")", "[]", "expected a text, got []", R"({"text":{}})"},
    {Object{}, "{}", "{}", "[]", "expected an object, got []", R"({"object":{}})"},
    {Any{}, "[null]", "[null]", "", "", R"({"object":{}})"}};

TEST(FieldTypes, ReadGoodValuesRefuseBadOnesAndHaveAForm) {
  std::set<std::size_t> walked;
  for (const Row& row : kRows) {
    walked.insert(row.type.index());
    const auto converted = convert(row.type, parsed(row.good));
    EXPECT_EQ(converted ? base::to_json(*converted) : "refused", row.converted) << row.good;
    EXPECT_EQ(base::to_json(selector(row.type)), row.selector);
    if (row.bad.empty()) continue;
    EXPECT_FALSE(convert(row.type, parsed(row.bad))) << row.bad;
    EXPECT_EQ(complaint(row.type, parsed(row.bad)), row.complaint);
  }
  EXPECT_EQ(walked.size(), std::variant_size_v<Type>);
}

TEST(FieldTypes, ForgiveADeviceMore) {
  const auto from_device = [](const Type& type, std::string_view value) {
    const auto converted = convert(type, parsed(value), Writer::device);
    return converted ? base::to_json(*converted) : "refused";
  };
  EXPECT_EQ(from_device(Boolean{}, "1"), "true");
  EXPECT_EQ(from_device(Boolean{}, "0.0"), "false");
  EXPECT_EQ(from_device(Boolean{}, R"("perhaps")"), "refused");
  EXPECT_EQ(from_device(Number{0, 9}, R"(" +5 ")"), "5.0");
  EXPECT_EQ(from_device(Number{0, 9}, R"("+15")"), "refused");
}

TEST(FieldTypes, ForgiveAProgramNothing) {
  const std::pair<Type, std::string_view> refused[] = {
      {Boolean{}, R"("on")"},   {Boolean{}, "1"}, {Integer{0, 9}, "5.0"},           {Integer{0, 9}, R"("5")"},
      {Number{0, 9}, R"("5")"}, {Text{}, "5"},    {Integer{0, 9, {}, true}, "99.0"}};
  for (const auto& [type, value] : refused) {
    EXPECT_TRUE(convert(type, parsed(value), Writer::device)) << value;
    EXPECT_FALSE(convert(type, parsed(value), Writer::program)) << value;
  }
  const std::pair<Type, std::string_view> taken[] = {
      {Boolean{}, "true"}, {Integer{0, 9}, "5"}, {Number{0, 9}, "5"}, {Number{0, 9}, "0.5"}, {Text{}, R"("5")"}};
  for (const auto& [type, value] : taken) EXPECT_TRUE(convert(type, parsed(value), Writer::program)) << value;
}

TEST(FieldTypes, SayWhichRuleATopicBreaks) {
  const auto said = [](const Type& type, const json::value& topic) { return expected(type, &topic); };
  for (const Type& type : {Type(Topic{}), Type(TopicFilter{})}) {
    EXPECT_EQ(expected(type), "a topic");
    EXPECT_EQ(said(type, 1), "a topic");
    EXPECT_EQ(said(type, ""), "a topic of 1 to 65535 bytes");
    EXPECT_EQ(said(type, json::value(std::string(65'536, 'x'))), "a topic of 1 to 65535 bytes");
    EXPECT_EQ(said(type, json::value(std::string("a\0b", 3))), "a topic without null characters");
    EXPECT_TRUE(convert(type, json::value(std::string(65'535, 'x'))));
  }
}

TEST(FieldTypes, BoundTemplatesAndSetsOfTexts) {
  EXPECT_TRUE(convert(Template{}, json::value(std::string(64 * 1024, 'x'))));
  EXPECT_FALSE(convert(Template{}, json::value(std::string(64 * 1024 + 1, 'x'))));
  EXPECT_TRUE(convert(TextSet{}, json::array(1'000, "x")));
  EXPECT_FALSE(convert(TextSet{}, json::array(1'001, "x")));
}

}  // namespace
}  // namespace hearth::core::field

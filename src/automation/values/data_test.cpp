// SPDX-License-Identifier: Apache-2.0
#include "automation/values/data.h"

#include "automation/test_automations.h"

namespace hearth::automation {
namespace {

std::string rendered(std::string_view json) {
  const auto data = Data::parse(test_node(json));
  if (!data) return data.error().message;
  const auto value = data->render_json(Renderer(), templates::Variables{{"x", templates::Value(4)}});
  return value ? base::to_json(*value) : value.error().message;
}

TEST(Data, GivesTemplatesTheirNativeValue) {
  EXPECT_EQ(rendered(R"("{{ 5 }}")"), "5");
  EXPECT_EQ(rendered(R"("{{ '01' }}")"), R"("01")");
  EXPECT_EQ(rendered(R"("{{ none }}")"), "null");
  EXPECT_EQ(rendered(R"("a {{ 1 }}")"), R"("a 1")");
  EXPECT_EQ(rendered(R"("{{ '1e-3' }}")"), R"("1e-3")");
  EXPECT_EQ(rendered(R"("{% if x > 3 %}7{% else %}8{% endif %}")"), "7");
  EXPECT_EQ(rendered(R"("{% if true %}1.50{% endif %}")"), "1.5");
  EXPECT_EQ(rendered(R"("{% if true %}[1, 'a']{% endif %}")"), R"([1,"a"])");
  EXPECT_EQ(rendered(R"("{% if true %}[states]{% endif %} ")"), R"("[states]")");
  EXPECT_EQ(rendered(R"("{{ ' 5\n' }}")"), "5");
  EXPECT_EQ(rendered(R"("{{ ' a b ' }}")"), R"("a b")");
  EXPECT_EQ(rendered(R"("{{ 'True ' }}")"), "true");
  EXPECT_EQ(rendered(R"("{{ ['a '] }}")"), R"(["a "])");
  EXPECT_EQ(rendered(R"(" 5 ")"), R"(" 5 ")");
  EXPECT_EQ(rendered(R"("5")"), R"("5")");
  EXPECT_EQ(rendered(R"("{{ missing }}")"), R"("")");
}

TEST(Data, TakesTextsOfLiteralsAsPythonDoes) {
  EXPECT_EQ(rendered(R"("{{ 255 }},{{ 0 }}, -1.5")"), "[255,0,-1.5]");
  EXPECT_EQ(rendered(R"("{{ 'x' }}, 1")"), R"("x, 1")");
  EXPECT_EQ(rendered(R"("'x, y', {{ 1 }}")"), R"(["x, y",1])");
  EXPECT_EQ(rendered(R"x("({{ 1 }}, 2)")x"), "[1,2]");
  for (const char* const text : {"({{ 1 }})", "{{ 1 }},", ",{{ 1 }}", "{{ 1 }}-2, 3", "0{{ 1 }}, 2", "'a' {{ 1 }}, 2"})
    EXPECT_EQ(rendered(base::to_json(json::string(text))).front(), '"') << text;
}

TEST(Data, PrintsTimes) {
  EXPECT_EQ(rendered(R"("{{ as_datetime('2026-03-10T12:00:01+01:00') }}")"), R"("2026-03-10 12:00:01+01:00")");
  EXPECT_EQ(rendered(R"("{{ timedelta(hours=1) }}")"), R"("1:00:00")");
}

TEST(Data, RendersWithinListsAndObjects) {
  EXPECT_EQ(rendered(R"({"a": ["{{ x }}", 1, {"b": "{{ x }}s"}], "c": null})"), R"({"a":[4,1,{"b":"4s"}],"c":null})");
}

TEST(Data, RendersKeys) {
  EXPECT_EQ(rendered(R"({"a{{ x }}": 1, "b": {"{{ 'c' }}": "{{ x }}"}})"), R"({"a4":1,"b":{"c":4}})");
}

TEST(Data, KeepsTheTypesOfKeysAndOfUndefinedValuesForTemplates) {
  constexpr std::string_view kText = R"({"{{ x }}": ["{{ missing }}", 1.0], " a ": {"{{ ' b ' }}": [null]}})";
  const auto data = Data::parse(test_node(kText));
  const templates::Variables variables{{"x", templates::Value(4)}};
  const auto value = data->render(Renderer(), variables);
  EXPECT_EQ(templates::to_text(value.value()), "{4: [Undefined, 1.0], ' a ': {'b': [None]}}");
  EXPECT_EQ(base::to_json(data->render_json(Renderer(), variables).value()), R"({"4":["",1.0]," a ":{"b":[null]}})");
}

TEST(Data, NamesTheKeyOfAFault) {
  EXPECT_TRUE(rendered(R"({"a": ["{{ x + }}"]})").starts_with("f.yaml:1: a[0]: the template does not compile (syntax"));
  EXPECT_TRUE(rendered(R"({"a": ["{{ y + 1 }}"]})").starts_with("a[0]: the template fails (undefined)"));
  EXPECT_TRUE(rendered(R"({"{{ x + }}": 1})").contains("the template does not compile"));
}

TEST(PlainValue, IsThatOfYaml11WithoutBase60) {
  const std::pair<std::string_view, std::string_view> meanings[] = {{"", "null"},
                                                                    {"~", "null"},
                                                                    {"Null", "null"},
                                                                    {"yes", "true"},
                                                                    {"Off", "false"},
                                                                    {"12", "12"},
                                                                    {"-3", "-3"},
                                                                    {"0x1F", "31"},
                                                                    {"017", "15"},
                                                                    {"1_000", "1000"},
                                                                    {"1.5", "1.5"},
                                                                    {".5", "0.5"},
                                                                    {"1.5e3", "1500.0"},
                                                                    {"1e3", R"("1e3")"},
                                                                    {"10:00:00", R"("10:00:00")"},
                                                                    {"1.2.3", R"("1.2.3")"},
                                                                    {"089", R"("089")"},
                                                                    {"2026-01-02", R"("2026-01-02")"},
                                                                    {"-", R"("-")"}};
  for (const auto& [text, json] : meanings) EXPECT_EQ(base::to_json(plain_value(text)), json) << text;
}

TEST(Truth, IsNarrowInConditionsAndWideInTriggers) {
  using templates::Value;
  EXPECT_TRUE(is_true(Value(true)));
  EXPECT_TRUE(is_true(Value("TRUE")));
  EXPECT_TRUE(is_true(Value(" true ")));
  for (const char* const text : {"1", "on", "yes", "", "enable"}) EXPECT_FALSE(is_true(Value(text))) << text;
  EXPECT_FALSE(is_true(Value(1)));
  for (const char* const text : {"1", "on", "Yes", "true", "enable"}) EXPECT_TRUE(counts_as_true(Value(text))) << text;
  EXPECT_TRUE(counts_as_true(Value(0.5)));
  for (const char* const text : {"0", "off", "", "2"}) EXPECT_FALSE(counts_as_true(Value(text))) << text;
}

}  // namespace
}  // namespace hearth::automation

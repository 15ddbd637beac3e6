// SPDX-License-Identifier: Apache-2.0
// Templates as text in, text out: what Python prints, without a home.
#include "template/language/template.h"

#include <gtest/gtest.h>

namespace hearth::templates {
namespace {

// Its output, or the kind of its failure in brackets.
std::string rendered(std::string_view source, const Variables& variables = {}) {
  const auto compiled = Template::compile(source);
  if (!compiled) return '<' + std::string(to_string(compiled.error().kind)) + '>';
  const auto text = compiled->render({}, variables);
  return text ? *text : '<' + std::string(to_string(text.error().kind)) + '>';
}

TEST(Templates, IntegersHaveNoLimitOf64Bits) {
  EXPECT_EQ(rendered("{{ 2 ** 64 }}"), "18446744073709551616");
  EXPECT_EQ(rendered("{{ 9223372036854775807 + 1 }} {{ -9223372036854775807 - 2 }}"),
            "9223372036854775808 -9223372036854775809");
  EXPECT_EQ(rendered("{{ 2 ** 64 - 2 ** 64 + 5 }}"), "5");
  EXPECT_EQ(rendered("{{ -(2 ** 64) // 3 }} {{ -(2 ** 64) % 7 }}"), "-6148914691236517206 5");
  EXPECT_EQ(rendered("{{ '123456789012345678901234567890' | int * 10 }}"), "1234567890123456789012345678900");
  EXPECT_EQ(rendered("{{ '%x' % (2 ** 70) }} {{ '{:,}'.format(2 ** 70) }}"),
            "400000000000000000 1,180,591,620,717,411,303,424");
}

TEST(Templates, IntegersAreBounded) {
  EXPECT_EQ(rendered("{{ 2 ** 20000 }}"), "<limit>");
  EXPECT_EQ(rendered("{{ 10 ** 4500 }}"), "<value>");  // too many digits for a text
  EXPECT_EQ(rendered("{% set ns = namespace(x=3) %}{% for i in range(50) %}{% set ns.x = ns.x * ns.x %}{% endfor %}"),
            "<limit>");
  EXPECT_EQ(rendered("{{ 2 ** 10000 * 1.0 }}"), "<limit>");
}

TEST(Templates, IntegersAndFloatsAreComparedExactly) {
  EXPECT_EQ(rendered("{{ 2 ** 53 + 1 == 2.0 ** 53 }} {{ 2 ** 64 == 2.0 ** 64 }} {{ 2 ** 64 < 1e30 }}"),
            "False True True");
  EXPECT_EQ(rendered("{{ 9007199254740993 > 9007199254740992.0 }} {{ (2 ** 70) / 3 }}"), "True 3.935305402391371e+20");
}

TEST(Templates, JsonKeepsUnsignedIntegers) {
  const Variables variables{
      {"value_json", Value::from_json(json::value{{"id", std::uint64_t{18446744073709551615u}}})}};
  EXPECT_EQ(rendered("{{ value_json.id }} {{ value_json | to_json }}", variables),
            "18446744073709551615 {\"id\":18446744073709551615}");
  EXPECT_EQ(rendered("{{ {'a': 2 ** 70} | to_json }}"), "<type>");
  EXPECT_EQ(rendered("{{ {'a': 2 ** 70} | tojson }}"), "{\"a\": 1180591620717411303424}");
}

TEST(Templates, AnAverageIsRoundedOnce) {
  EXPECT_EQ(rendered("{{ ([0.1] * 10) | average }} {{ average(1e16, 1, -1e16) }}"), "0.1 0.3333333333333333");
  EXPECT_EQ(rendered("{{ average([], 4) }} {{ ['1'] | average(default=5) }} {{ median(['b', 'a', 'c']) }}"), "4 5 b");
  EXPECT_EQ(rendered("{{ average([]) }}"), "<value>");
}

TEST(Templates, SetsPrintAndCompareAsInPython) {
  EXPECT_EQ(rendered("{{ set([10, 5, 3, 5]) }} {{ set([]) }}"), "{10, 3, 5} set()");
  EXPECT_EQ(rendered("{{ set([1, 2]) - set([2]) }} {{ set([1]) < set([1, 2]) }} {{ set([1, 2]) == set([2, 1]) }}"),
            "{1} True True");
  EXPECT_EQ(rendered("{{ set([1]).union([2]) }} {{ 1 in set([1]) }} {{ set([1]) is set }}"), "{1, 2} True True");
  EXPECT_EQ(rendered("{{ set([[1]]) }}"), "<type>");
  EXPECT_EQ(rendered("{{ set([1]).add(2) }}"), "<security>");
}

TEST(Templates, ViewsOfADictPrintAsInPython) {
  EXPECT_EQ(rendered("{{ {'a': 1}.keys() }} {{ {'a': 1}.values() }} {{ {'a': 1}.items() }}"),
            "dict_keys(['a']) dict_values([1]) dict_items([('a', 1)])");
  EXPECT_EQ(rendered("{{ {'a': 1, 'b': 2}.keys() - ['a'] }} {{ {'a': 1}.keys() | list }}"), "{'b'} ['a']");
}

TEST(Templates, AMethodThatChangesAValueIsUndefined) {
  EXPECT_EQ(rendered("{{ {'update': 5}.update is defined }} {{ {'update': 5}['update'] }}"), "False 5");
  EXPECT_EQ(rendered("{{ {}.update({}) }}"), "<security>");
  EXPECT_EQ(rendered("{{ {'items': 5}.items() }}"), "dict_items([('items', 5)])");
}

TEST(Templates, TheFilterIsDefinedFailsAsExpected) {
  EXPECT_EQ(rendered("{{ 5 | is_defined }}"), "5");
  const auto compiled = Template::compile("{{ nope.x | default(1) }}{{ nope | is_defined }}");
  ASSERT_TRUE(compiled);
  const auto text = compiled->render({}, {});
  ASSERT_FALSE(text);
  const auto defined = Template::compile("{{ nope | is_defined }}")->render({}, {});
  ASSERT_FALSE(defined);
  EXPECT_TRUE(defined.error().expected);
  EXPECT_EQ(defined.error().kind, FailureKind::undefined);
}

TEST(Templates, TextsChangeTheirCaseByUnicode) {
  EXPECT_EQ(rendered("{{ 'ßﬁ'.upper() }} {{ 'ΑΣ'.lower() }} {{ 'ǆ'.title() }} {{ 'Straße'.casefold() }}"),
            "SSFI ας ǅ strasse");
  EXPECT_EQ(rendered("{{ '²'.isdigit() }} {{ '½'.isnumeric() }} {{ '٣' | int }} {{ 'a\u200b'.isprintable() }}"),
            "True True 3 False");
}

TEST(Templates, CharactersHaveNames) {
  EXPECT_EQ(rendered(R"({{ 'a\N{DEGREE SIGN}b\N{bullet}\N{Euro Sign}' }})"), "a°b•€");
  EXPECT_EQ(rendered(R"({{ 'x\N{NBSP}\N{LATIN CAPITAL LETTER GHA}\N{GRINNING FACE}' }})"), "x\u00a0Ƣ😀");
  EXPECT_EQ(rendered(R"({{ 'a\N{LINE FEED}b\N{TAB}c' }})"), "a\nb\tc");
  EXPECT_EQ(rendered(R"({{ '\N{CJK UNIFIED IDEOGRAPH-4E00}\N{HANGUL SYLLABLE GA}' }})"), "一가");
  for (const std::string_view wrong :
       {"N", "N{}", "N{DEGREE SIGN", "N {DEGREE SIGN}", "N{DEGREE  SIGN}", "N{DEGREE_SIGN}",
        "N{CJK UNIFIED IDEOGRAPH-4E}", "N{CJK UNIFIED IDEOGRAPH-FFFFF}", "N{CJK UNIFIED IDEOGRAPH-4E00x}",
        "N{KEYCAP DIGIT ONE}", "N{U+00B0}"})
    EXPECT_EQ(rendered("{{ '\\" + std::string(wrong) + "' }}"), "<syntax>") << wrong;
  EXPECT_EQ(rendered("{{ '\\N{DEGREE SIGN" + std::string(1, '\0') + "}' }}"), "<syntax>");
  EXPECT_EQ(rendered("{{ '\\N{" + std::string(100'000, 'A') + "}' }}"), "<syntax>");
  EXPECT_EQ(Template::compile(R"({{ 1 }}
{{ 'a\N{NO SUCH SIGN}' }})")
                .error()
                .message,
            "unknown Unicode character name 'NO SUCH SIGN' in \\N{…}");
}

TEST(Templates, SlugsAreSpelledInLatinLetters) {
  EXPECT_EQ(rendered("{{ 'm² & °C' | slugify }} {{ \"don't\" | slugify }} {{ '1,000' | slugify }}"),
            "m2_degc don_t 1000");
  EXPECT_EQ(rendered("{{ 'e\u0301' | slugify }} {{ 'Кухня' | slugify }} {{ '…' | slugify }} [{{ '' | slugify }}]"),
            "e kukhnia unknown []");
}

TEST(Templates, ADefaultStandsForEachMissingPartOfAPath) {
  EXPECT_EQ(rendered("{{ [{'a': {'b': 1}}, {}] | map(attribute='a.b', default=0) | list }}"), "[1, 0]");
  EXPECT_EQ(rendered("{{ [{}] | map(attribute='a.b') | list }}"), "<undefined>");
}

TEST(Templates, NumbersAreKeptWithinBounds) {
  EXPECT_EQ(rendered("{{ 5 | clamp(1, 3) }} {{ 370 | wrap(0, 360) }} {{ 50 | remap(0, 100, 0, 1) }}"), "3.0 10.0 0.5");
  EXPECT_EQ(rendered("{{ remap(150, 0, 100, 0, 10, edges='mirror') }} {{ 33 | remap(0, 100, 0, 10, steps=4) }}"),
            "5.0 2.5");
  EXPECT_EQ(rendered("{{ 'x' | clamp(1, 3) }}"), "<value>");
}

TEST(Templates, TextsSortNaturally) {
  EXPECT_EQ(rendered("{{ natural_sort(['b10', 'b9', 'x1.5', 'x1.25', 'a-5', 'a3']) }}"),
            "['a-5', 'a3', 'b9', 'b10', 'x1.25', 'x1.5']");
  EXPECT_EQ(rendered("{{ natural_sort([{'n': 'b10'}, {'n': 'b9'}], key='n') | map(attribute='n') | join }}"), "b9b10");
}

TEST(Templates, ASeedShufflesAsInPython) {
  EXPECT_EQ(rendered("{{ range(10) | shuffle(seed=1) }}"), "[6, 8, 9, 7, 5, 3, 0, 4, 1, 2]");
  EXPECT_EQ(rendered("{{ range(10) | shuffle('kitchen') }}"), "[6, 9, 3, 5, 7, 4, 0, 1, 2, 8]");
}

TEST(Templates, ValuesThatOutliveARenderingAreLists) {
  const auto value = Template::compile("{{ set([2, 1]) }}")->evaluate({}, {});
  ASSERT_TRUE(value && value->get<List>());
  EXPECT_EQ(to_text(*value), "[1, 2]");
}

TEST(VariablesView, FindsTheInnermostOfAName) {
  const Variables inner{{"a", Value(1)}}, middle{{"b", Value(2)}, {"a", Value(2)}},
      outer{{"a", Value(3)}, {"c", Value(3)}};
  VariablesView view(inner);
  view.add_outer(middle);
  view.add_outer(outer);
  const auto text = [](const VariablesView& of) {
    return Template::compile("{{ [a, b, c, d is defined] }}")->render({}, of).value();
  };
  EXPECT_EQ(text(view), "[1, 2, 3, False]");
  const Variables innermost{{"c", Value(0)}, {"d", Value(0)}};
  EXPECT_EQ(text({innermost, view}), "[1, 2, 0, True]");
  EXPECT_EQ(text({innermost, {}}), "[Undefined, Undefined, 0, True]");
  EXPECT_EQ(view.find("d"), nullptr);
  EXPECT_EQ(VariablesView().find("a"), nullptr);
}

TEST(VariablesView, ShowsThePresentValuesAndItsCopyThoseOfThen) {
  Variables inner, outer{{"a", Value(1)}};
  VariablesView view(inner);
  view.add_outer(outer);
  const Variables copied = view.copied();
  inner.emplace_back("a", Value(2));
  outer.emplace_back("b", Value(3));
  EXPECT_EQ(Template::compile("{{ [a, b] }}")->render({}, view), "[2, 3]");
  EXPECT_EQ(Template::compile("{{ [a, b is defined] }}")->render({}, copied), "[1, False]");
}

}  // namespace
}  // namespace hearth::templates

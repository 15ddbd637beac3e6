// SPDX-License-Identifier: Apache-2.0
#include "yaml/yaml_loader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <regex>

namespace hearth::yaml {
namespace {

// The tree as `line key = text` for each string, `line key =` for each empty value.
void describe(const base::ConfigNode& node, std::string& out) {
  for (const auto& item : node.items()) describe(item, out);
  for (const auto& [key, value] : node.entries()) describe(value, out);
  if (node.is_list() || node.is_map()) return;
  const auto text = node.text();
  out += fmt::format("{} {} ={}{}\n", node.place().line, node.place().key, text ? " " : "", text ? *text : "");
}

// The tree, or all errors. What is no YAML is named without its column.
std::string load(std::string_view text) {
  const auto loaded = load_yaml(text, "f");
  if (!loaded) {
    static const std::regex kColumn("^f:([0-9]+):[0-9]+: not valid");
    return std::regex_replace(loaded.error().message, kColumn, "f:$1: not valid");
  }
  std::string out;
  for (const auto& problem : loaded->problems) out += problem.error.message + "\n";
  if (out.empty()) describe(loaded->root, out);
  return out;
}

std::string not_yaml(std::size_t line, std::string_view reason) {
  return fmt::format("f:{}: not valid YAML: {}", line, reason);
}

TEST(YamlLoader, KeepsTheOrderTheTextAndTheLines) {
  EXPECT_EQ(
      load("home:\n  name: Villa # the house\n  zip: 01234\nlist:\n- a\n- 'b'\nflow: {x: [1, 2]}\n"),
      "2 home.name = Villa\n3 home.zip = 01234\n5 list[0] = a\n6 list[1] = b\n7 flow.x[0] = 1\n7 flow.x[1] = 2\n");
}

TEST(YamlLoader, DistinguishesAnEmptyValueFromAnEmptyString) {
  EXPECT_EQ(load("a:\nb: ~\nc: null\nd: ''\ne: 'null'\n"), "1 a =\n2 b =\n3 c =\n4 d = \n5 e = null\n");
}

TEST(YamlLoader, NamesNoLineAfterTheEnd) {
  EXPECT_EQ(load("a:\n  - - \n"), "2 a[0][0] =\n");
  EXPECT_EQ(load("a:\n  - "), "2 a[0] =\n");
}

TEST(YamlLoader, TakesAFileWithNothingInItAsEmpty) {
  for (const char* text : {"", "# nothing\n", "---\n", "\xEF\xBB\xBF", "\n\n"}) {
    const auto loaded = load_yaml(text, "f");
    ASSERT_TRUE(loaded) << text << loaded.error().message;
    EXPECT_TRUE(loaded->root.is_empty()) << text;
  }
}

TEST(YamlLoader, KnowsTheEscapesOfSpacesAndLines) {
  EXPECT_EQ(load(R"(a: "é\_x\N\_\x41\u00fc"
"b\_": "\L")"),
            "1 a = é\u00a0x\u0085\u00a0Aü\n2 b\u00a0 = \u2028\n");
}

TEST(YamlLoader, TakesAByteOrderMarkAndOtherLineEnds) {
  EXPECT_EQ(load("\xEF\xBB\xBF"
                 "a: 1\r\nb: ü\r\n"),
            "1 a = 1\n2 b = ü\n");
}

TEST(YamlLoader, FollowsAliasesAndMergeKeys) {
  EXPECT_EQ(load("a: &a {x: 1, y: 2}\nb: *a\nc:\n  y: 3\n  <<: *a\nd: {<<: [*a, {y: 4, z: 5}]}\n"),
            "1 a.x = 1\n1 a.y = 2\n1 b.x = 1\n1 b.y = 2\n4 c.y = 3\n1 c.x = 1\n1 d.x = 1\n1 d.y = 2\n6 d.z = 5\n");
  EXPECT_EQ(load("a: {<<: text}\n"), "f:1: a: expected a map to merge (<<)\n");
}

TEST(YamlLoader, RefusesDuplicateKeys) {
  EXPECT_EQ(load("home:\n  name: a\n  'name': b\ndemo:\ndemo:\n"),
            "f:3: home.name: the key is there twice\nf:5: demo: the key is there twice\n");
}

TEST(YamlLoader, RefusesAKeyThatIsNoString) {
  EXPECT_EQ(load("a:\n  ? [b]\n  : c\n"), "f:2: a: expected a text as the key\n");
  EXPECT_EQ(load(": c\n"), "f:1: expected a text as the key\n");
}

TEST(YamlLoader, SaysWhereItIsNoYaml) {
  EXPECT_EQ(load_yaml("a: 1\nb: [1, 2\n", "f").error().message, "f:2:9: not valid YAML: a bracket [ is not closed");
  EXPECT_EQ(load("a: {{ b }}\n"), "f:1: a: expected a text as the key; a template needs quotes around it\n");
}

TEST(YamlLoader, RefusesTagsExceptThoseOfPlainTypes) {
  EXPECT_EQ(
      load("a: !secret b\nc: !include d.yaml\n"),
      "f:1: a: unknown tag !secret, write the value itself\nf:2: c: unknown tag !include, write the value itself\n");
  EXPECT_EQ(load("a: !!str 1\nb: !!int 2\n"), "1 a = 1\n2 b = 2\n");
}

TEST(YamlLoader, KnowsWhatIsWrittenPlainAndWhere) {
  const auto loaded = load_yaml("a: on\nb:   'on'\nc: !!str on\n", "f");
  const auto& root = loaded->root;
  EXPECT_TRUE(root.find("a")->writing().plain);
  EXPECT_FALSE(root.find("b")->writing().plain);
  EXPECT_FALSE(root.find("c")->writing().plain);
  EXPECT_EQ(root.find("a")->place().column, 4);
  EXPECT_EQ(root.find("b")->place().column, 6);
}

TEST(YamlLoader, KeepsAToleratedErrorAsABrokenValue) {
  const YamlReading reading{.tolerates = [](std::string_view key) { return key.starts_with("soft"); }};
  const auto loaded = load_yaml("soft:\n  a: !x 1\n  b: 2\n  b: 3\nhard: !x 1\nhard2: {c: 1, c: 2}\n", "f", reading);
  ASSERT_TRUE(loaded);
  const auto* const soft = loaded->root.find("soft");
  ASSERT_TRUE(soft->find("a")->broken());
  EXPECT_EQ(soft->find("a")->text().error().message, "f:2: soft.a: unknown tag !x, write the value itself");
  EXPECT_EQ(soft->find("b")->text(), "3");
  EXPECT_EQ(loaded->warnings,
            std::vector<std::string>{"f:4: soft.b: the key is there twice; this one counts, not the one in line 3"});
  ASSERT_EQ(loaded->problems.size(), 2);
  EXPECT_EQ(loaded->problems[0].error.message, "f:5: hard: unknown tag !x, write the value itself");
  EXPECT_EQ(loaded->problems[1].error.message, "f:6: hard2.c: the key is there twice");
  EXPECT_FALSE(loaded->root.find("hard"));
}

TEST(YamlLoader, AsksWhatTagsStandFor) {
  YamlReading reading;
  reading.key = "outer";
  reading.resolve = [](std::string_view tag, const std::string& text,
                       const base::ConfigNode::Place& place) -> std::optional<base::Result<base::ConfigNode>> {
    if (tag == "!bad") return base::fail(base::ErrorCode::unsupported, "is bad");
    if (tag != "!place") return {};
    return base::ConfigNode(place, place.key + " " + text);
  };
  const auto loaded = load_yaml("a: [!place x]\nb: !bad y\n", "f", reading);
  EXPECT_EQ(loaded->root.find("a")->items().at(0).text(), "outer.a[0] x");
  EXPECT_EQ(loaded->problems.at(0).error.message, "f:2: b: is bad");
}

TEST(YamlLoader, ExplainsInASentenceWhatIsNotYaml) {
  const std::string tab = "a tab where YAML takes spaces only";
  EXPECT_EQ(load("home:\n\tname: a\n"), not_yaml(2, tab));
  EXPECT_EQ(load("home:\n  name: a\n\tb: 2\n"), not_yaml(3, tab));
  EXPECT_EQ(load("a:\n\t- b\n"), not_yaml(2, tab));
  const std::string colon =
      "a colon that does not fit: the line is indented too deep, the line before lacks its colon, or a text with a "
      "colon needs "
      "quotes";
  EXPECT_EQ(load("a: b: c\n"), not_yaml(1, colon));
  EXPECT_EQ(load("home:\n name: a\n  b: 2\n"), not_yaml(3, colon));
  EXPECT_EQ(load("name Home\nb: 1\n"), not_yaml(2, colon));
  const std::string start =
      "the line does not start where the lines before it do, or text follows a closed quote or bracket";
  EXPECT_EQ(load("home:\n  name: a\n b: 2\n"), not_yaml(3, start));
  EXPECT_EQ(load("a: 'x' y\n"), not_yaml(1, start));
  EXPECT_EQ(load("a: [1, 2\nb: 3\n"), not_yaml(2, "a bracket [ is not closed"));
  EXPECT_EQ(load("a: {b: c"), not_yaml(1, "a bracket { is not closed"));
  EXPECT_EQ(load("a: ]\n"), not_yaml(1, "a bracket is closed that was not opened"));
  EXPECT_EQ(load("a: - b\n"), not_yaml(1, "a list item that does not fit: items stand on lines of their own"));
  EXPECT_EQ(load("a: @b\n"), not_yaml(1, "a text that starts with such a character needs quotes"));
  EXPECT_EQ(load("a: *b\n"), not_yaml(1, "an alias (*name) without its anchor (&name) before it"));
  EXPECT_EQ(load("a: \"\\q\"\n"), not_yaml(1, "unknown escape character: q"));
  EXPECT_EQ(load("a: \"\\ü\"\n"), not_yaml(1, "unknown escape character: \uFFFD"));  // the library names a byte
}

TEST(YamlLoader, RefusesAQuoteThatIsNeverClosed) {
  EXPECT_EQ(load("a: \"b\nc: d\n"), not_yaml(2, "a quote is opened and never closed"));
  EXPECT_EQ(load("a: 'b\nc: d"), not_yaml(2, "a quote is opened and never closed"));
}

TEST(YamlLoader, RefusesASecondDocument) {
  const std::string second = "the line does not belong to those before it, or starts a second document";
  EXPECT_EQ(load("a: 1\n---\nb: 2\n"), not_yaml(2, second));
  EXPECT_EQ(load("- a\nb: c\n"), not_yaml(2, second));
}

TEST(YamlLoader, RefusesWhatIsNotText) {
  EXPECT_EQ(load("a: b\nc: \xFC\n"), "f:2: not a UTF-8 text");
  EXPECT_EQ(load(std::string_view("a\0b", 3)), "f:1: not a UTF-8 text");
  EXPECT_EQ(load("\xFF\xFE"
                 "a"),
            "f:1: not a UTF-8 text");
}

TEST(YamlLoader, RefusesACommaIfNoListIsOpen) {
  const std::string quotes = "a text that starts with such a character needs quotes";
  EXPECT_EQ(load(",a: 1"), not_yaml(1, quotes));
  EXPECT_EQ(load(",:"), not_yaml(1, quotes));
  const std::string second = "the line does not belong to those before it, or starts a second document";
  EXPECT_EQ(load("# home\n---\n, a"), not_yaml(3, second));
  EXPECT_EQ(load("- a\n,"), not_yaml(2, second));
}

TEST(YamlLoader, RefusesTooManyValues) {
  std::string doubling = "a0: &a0 [x, x]\n";
  for (int i = 1; i < 30; ++i) doubling += fmt::format("a{0}: &a{0} [*a{1}, *a{1}]\n", i, i - 1);
  EXPECT_EQ(load(doubling), "f:1: more than 100,000 values, aliases followed");
  std::string items;
  for (int i = 0; i < 250'000; ++i) items += "- \n";
  EXPECT_EQ(load(items), not_yaml(200'001, "more than 100,000 values, aliases followed"));
  EXPECT_EQ(load(items.substr(0, 3 * 120'000)), "f:100001: more than 100,000 values, aliases followed");
}

TEST(YamlLoader, RefusesTooDeepNesting) {
  const std::string too_deep = "nested deeper than 64 levels";
  EXPECT_EQ(load("a: &a [*a]\n"), "f:1: " + too_deep);
  EXPECT_EQ(load("a: &a {<<: *a}\n"), "f:1: " + too_deep);
  EXPECT_EQ(load(std::string(100, '[') + std::string(100, ']')), not_yaml(1, too_deep));
  EXPECT_EQ(load(std::string(100'000, '[')), not_yaml(1, too_deep));
}

TEST(YamlLoader, RefusesTextThatIsCopiedManyTimes) {
  const std::string too_long = "more than 16 MiB of text, aliases followed";
  const std::string long_text(200'000, 'x');
  std::string aliases = "a: &a " + long_text + "\nb:\n", keys = "? " + long_text + "\n:\n",
              tags = "a: &a !" + long_text + " b\nb:\n", twice = keys + "    c: 0\n";
  for (int i = 0; i < 1'000; ++i) {
    aliases += "  - *a\n";
    tags += "  - *a\n";
    keys += "  - x\n";
    twice += "    c: 1\n";
  }
  EXPECT_EQ(load(aliases), "f:1: " + too_long);
  EXPECT_EQ(load(keys), "f:84: " + too_long);
  EXPECT_EQ(load(tags), "f:1: " + too_long);
  EXPECT_EQ(load(twice), "f:83: " + too_long);
}

}  // namespace
}  // namespace hearth::yaml

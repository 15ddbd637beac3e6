// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/processes/words.h"

#include <gtest/gtest.h>

namespace hearth::building_blocks {
namespace {

// The words, each in brackets: with ~ if it is a template, with ' if it is quoted.
std::string split(std::string_view command) {
  const auto words = split_words(command);
  if (!words) return "error: " + words.error().message;
  std::string text;
  for (const Word& word : *words)
    text += "[" + word.text + "]" + (word.is_template ? "~" : "") + (word.quoted ? "'" : "");
  return text;
}

TEST(SplitWords, SplitsAtBlanksOutsideOfQuotes) {
  EXPECT_EQ(split("  a  b\tc\nd "), "[a][b][c][d]");
  EXPECT_EQ(split(R"(a 'b "c' "d 'e" f"g h"i)"), R"([a][b "c]'[d 'e]'[fg hi]')");
  EXPECT_EQ(split(R"(a\ b "c\"d" 'e\f' \\ "g\h")"), R"([a b][c"d]'[e\f]'[\][g\h]')");
  EXPECT_EQ(split("a '' \"\""), "[a][]'[]'");
}

TEST(SplitWords, LeavesTemplatesWhole) {
  EXPECT_EQ(split("say {{ states('sensor.a b') }}s"), "[say][{{ states('sensor.a b') }}s]~");
  EXPECT_EQ(split(R"(say "{{ "a }} b" }} c")"), R"([say][{{ "a }} b" }} c]~')");
  EXPECT_EQ(split("say {# it's a note #} x"), "[say][{# it's a note #}]~[x]");
  EXPECT_EQ(split("say {% if a %}b c{% else %}\"{% endif %} d"), "[say][{% if a %}b c{% else %}\"{% endif %}]~[d]");
  EXPECT_EQ(split("say {%- for x in y -%}{% if x %} {{ x }}{% endif %} {%- endfor %} d"),
            "[say][{%- for x in y -%}{% if x %} {{ x }}{% endif %} {%- endfor %}]~[d]");
  EXPECT_EQ(split("say {% set a = 1 %}{{ a }} b"), "[say][{% set a = 1 %}{{ a }}]~[b]");
}

TEST(SplitWords, SaysThatSomethingIsNotClosed) {
  EXPECT_EQ(split("a 'b {{ c }}"), "error: the quote ' is never closed");
  EXPECT_EQ(split("a {{ b '}}"), "error: the template {{ is never closed");
  EXPECT_EQ(split("a {% if b"), "error: the template {% is never closed");
  EXPECT_EQ(split("a {"), "[a][{]");
  EXPECT_EQ(split("{{"), "error: the template {{ is never closed");
}

TEST(ShellWord, FindsWhatOnlyAShellKnows) {
  EXPECT_EQ(shell_word(*split_words("a {{ b }} | c")), "|");
  EXPECT_EQ(shell_word(*split_words("a {{ b }} $(date)")), "$(date)");
  EXPECT_EQ(shell_word(*split_words("a {{ b }} '|' \"&&\" {{ '>' }}")), "");
}

}  // namespace
}  // namespace hearth::building_blocks

// SPDX-License-Identifier: Apache-2.0
#include "automation/config/sentence.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace hearth::automation {
namespace {

// The slots as `name=words`, "-" if the text does not fit.
std::string heard(std::string_view sentence, std::string_view text) {
  const auto parsed = Sentence::parse(sentence);
  if (!parsed) return parsed.error().message;
  const auto slots = parsed->match(Sentence::normalized(text));
  if (!slots) return "-";
  std::string all;
  for (const auto& [name, words] : *slots) all += (all.empty() ? "" : " ") + name + "=" + words;
  return all;
}

TEST(Sentence, CaseBlanksAndPunctuationDoNotCount) {
  EXPECT_EQ(heard("it's party time", "It's  PARTY time!"), "");
  EXPECT_EQ(heard("Öffne das Tor", "öffne das TOR."), "");
  EXPECT_EQ(heard("it's party time", "it's party"), "-");
  EXPECT_EQ(heard("it's party time", "it's party timer"), "-");
}

TEST(Sentence, BracketsMayBeLeftOut) {
  for (const char* const text : {"turn on the lights", "turn on lights", "turn on the light"})
    EXPECT_EQ(heard("turn on [the] light[s]", text), "") << text;
  EXPECT_EQ(heard("[please] stop [now|at once]", "stop"), "");
  EXPECT_EQ(heard("[please] stop [now|at once]", "please stop at once"), "");
  EXPECT_EQ(heard("[please] stop", "pleasestop"), "-");
}

TEST(Sentence, ParenthesesAreOneOfSeveral) {
  EXPECT_EQ(heard("turn (on|off) the (tv|radio)", "turn off the radio"), "");
  EXPECT_EQ(heard("turn (on|off) the (tv|radio)", "turn the radio"), "-");
  EXPECT_EQ(heard("(a (b|c)|d) e", "a c e"), "");
}

TEST(Sentence, SlotsTakeWholeWords) {
  EXPECT_EQ(heard("play {album} by {artist}", "play Abbey Road by The Beatles"), "album=abbey road artist=the beatles");
  EXPECT_EQ(heard("play {album}", "play"), "-");
  EXPECT_EQ(heard("set {x} to {n} (degrees|%)", "set the lamp to 40 %"), "x=the lamp n=40");
  EXPECT_EQ(heard("{list:what} please", "tea please"), "what=tea");
}

TEST(Sentence, AWrongOneSaysWhere) {
  EXPECT_EQ(heard("turn [on", ""), "[ is not closed by ]");
  EXPECT_EQ(heard("turn (on]", ""), "( is not closed by )");
  EXPECT_EQ(heard("turn on)", ""), ") closes nothing");
  EXPECT_EQ(heard("turn {on", ""), "{ is not closed by }");
  EXPECT_EQ(heard("turn {}", ""), "expected a name within { and }");
  EXPECT_EQ(heard(" .", ""), "expected a sentence");
  EXPECT_EQ(heard(std::string(1'001, 'a'), ""), "is longer than 1000 bytes");
  EXPECT_EQ(heard(std::string(40, '['), ""), "more than 16 brackets within each other");
}

TEST(Sentence, WhatCouldBeReadInMillionsOfWaysIsGivenUp) {
  std::string sentence, text;
  for (int i = 0; i < 20; ++i) {
    sentence += fmt::format("{{s{}}} ", i);
    text += "a a a a a ";
  }
  EXPECT_EQ(heard(sentence + "end", text), "-");
}

}  // namespace
}  // namespace hearth::automation

// SPDX-License-Identifier: Apache-2.0
#include "yaml/item_text.h"

#include <gtest/gtest.h>

namespace hearth::yaml {
namespace {

constexpr auto list = ItemForm::list, map = ItemForm::map;

TEST(ItemText, IsTheItemsLinesWithoutDashOrName) {
  EXPECT_EQ(own_text("- id: a   # the first\n  # remark\n  actions:\n    - event: x\n", list),
            "id: a   # the first\n# remark\nactions:\n  - event: x\n");
  EXPECT_EQ(own_text("-\n    id: a\n    alias: b\n", list), "id: a\nalias: b\n");
  EXPECT_EQ(own_text("- # why\n  id: a\n\n  alias: b\n", list), "# why\nid: a\n\nalias: b\n");
  EXPECT_EQ(own_text("say: # loudly\n    # remark\n    sequence: []\n", map), "# remark\nsequence: []\n");
  EXPECT_FALSE(own_text("say: &a\n  sequence: []\n", map));
  EXPECT_FALSE(own_text("say: {sequence: []}\n", map));
}

TEST(ItemText, GoesBackAsItWas) {
  const std::string lines = "- id: a\n  alias: |\n    two\n\n    lines\n  # end\n";
  EXPECT_EQ(lines_of_text(own_text(lines, list).value(), list, "a", lines), lines);
  const std::string script = "say: # loudly\n  sequence: []\n";
  EXPECT_EQ(lines_of_text(own_text(script, map).value(), map, "say", script), script);
}

TEST(ItemText, GetsWhatItLacks) {
  EXPECT_EQ(lines_of_text("alias: A", list, "a b", ""), "- id: a b\n  alias: A\n");
  EXPECT_EQ(lines_of_text("sequence: []", map, "say", ""), "say:\n  sequence: []\n");
}

TEST(ItemText, MayBeginWithABlankLine) {
  EXPECT_EQ(lines_of_text("\nid: a\nalias: A\n", list, "a", ""), "-\n\n  id: a\n  alias: A\n");
  EXPECT_EQ(own_text("-\n\n  id: a\n  alias: A\n", list), "\nid: a\nalias: A\n");
}

TEST(ItemText, SaysWhereItIsWrong) {
  EXPECT_TRUE(check_own_text("alias: !secret x\n", list, "a"));
  const auto error = [](const std::string& text, ItemForm form = list) {
    const auto checked = check_own_text(text, form, "a");
    return checked ? "" : checked.error().message;
  };
  EXPECT_EQ(error("alias: [\n"), "item.yaml:1:9: not valid YAML: a bracket [ is not closed");
  EXPECT_EQ(error("- a\n"), "item.yaml:1:1: expected keys and their values");
  EXPECT_EQ(error(""), "item.yaml:1:1: expected keys and their values");
  EXPECT_EQ(error("alias: A\nid: b\n"), "item.yaml:2:5: id: expected a, as in the path");
  EXPECT_EQ(error("id: b\n", map), "");
}

TEST(ItemText, CountsErrorsFromWhereItBegins) {
  EXPECT_EQ(in_own_text("f.yaml:12: a: x\nf.yaml:9: y\nf.yaml:3: b\nother.yaml:12: c\n", "f.yaml", 9, 10),
            "item.yaml:3: a: x\nitem.yaml:1: y\nf.yaml:3: b\nother.yaml:12: c\n");
}

}  // namespace
}  // namespace hearth::yaml

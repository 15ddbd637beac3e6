// SPDX-License-Identifier: Apache-2.0
#include "app/item_lines.h"

#include <gtest/gtest.h>

namespace hearth::app {
namespace {

constexpr std::string_view kList = R"(# All of it.
---
- id: "1"   # the first
  alias: One
  action:
    - event: x

# The second.
- alias: 'Two'
  trigger:
  - id: inner
  id: two

-
  id: three
  description: |
    - id: no item
- {id: four, alias: Four}
# The end.
)";

std::vector<std::string> ids_of(std::string_view text, ItemForm form) {
  std::vector<std::string> ids;
  for (const std::string& item : split_items(std::string(text), form)) ids.push_back(id_in(item, form).value_or("?"));
  return ids;
}

TEST(ItemLines, FindsTheItemsOfAList) {
  EXPECT_EQ(ids_of(kList, ItemForm::list), (std::vector<std::string>{"1", "two", "three", "four"}));
  EXPECT_EQ(item_lines(std::string(kList), ItemForm::list, "1"),
            "- id: \"1\"   # the first\n  alias: One\n  action:\n    - event: x\n");
  EXPECT_EQ(item_lines(std::string(kList), ItemForm::list, "inner"), std::nullopt);
}

TEST(ItemLines, FindsTheItemsOfAMap) {
  const std::string text =
      "say:\n  # says it\n  sequence:\n  - event: x\n\"quoted\":\n  sequence: []\nflat: {sequence: []}\n";
  EXPECT_EQ(ids_of(text, ItemForm::map), (std::vector<std::string>{"say", "quoted", "flat"}));
  EXPECT_EQ(item_lines(text, ItemForm::map, "flat"), "flat: {sequence: []}\n");
  EXPECT_EQ(ids_of("a:\n- event: x\nb: []\n", ItemForm::map), (std::vector<std::string>{"a", "b"}));
}

TEST(ItemLines, MovesAnIndentedItemToTheFirstColumn) {
  EXPECT_EQ(item_lines("  - id: a\n    alias: A\n  - id: b", ItemForm::list, "a"), "- id: a\n  alias: A\n");
  EXPECT_EQ(item_lines("  - id: a\n  - id: b", ItemForm::list, "b"), "- id: b\n");
}

TEST(ItemLines, FindsNothingInWhatIsNoSuchFile) {
  EXPECT_TRUE(split_items("[{id: a}]\n", ItemForm::list).empty());
  EXPECT_TRUE(split_items("a: 1\n", ItemForm::list).empty());
  EXPECT_TRUE(split_items("# nothing\n", ItemForm::map).empty());
}

TEST(ItemLines, ArePutBackByteForByte) {
  const std::string text(kList);
  const std::string lines = *item_lines(text, ItemForm::list, "two");
  const auto gone = edit_item(text, {ItemForm::list, "two", {{"id", "two"}}, {}});
  ASSERT_TRUE(gone);
  EXPECT_EQ(put_item_lines(text, ItemForm::list, "two", lines), text);
  EXPECT_EQ(put_item_lines(*gone, ItemForm::list, "two", lines), *gone + lines);
  EXPECT_EQ(put_item_lines("[]\n", ItemForm::list, "two", lines), lines);
  EXPECT_EQ(put_item_lines("  - id: a", ItemForm::list, "b", "- id: b\n  alias: B\n"),
            "  - id: a\n  - id: b\n    alias: B\n");
}

TEST(ItemLines, AreNotPutWhereTheyWouldChangeOthers) {
  const std::string text = "- id: a\n  action: &steps []\n- id: b\n  action: *steps\n";
  EXPECT_FALSE(put_item_lines(text, ItemForm::list, "a", "- id: a\n  action: []\n"));
  EXPECT_FALSE(put_item_lines(text, ItemForm::list, "b", "- id: b\n  action: *others\n"));
  EXPECT_FALSE(put_item_lines("[{id: a}]\n", ItemForm::list, "a", "- id: a\n"));
  EXPECT_FALSE(put_item_lines("a: 1\n", ItemForm::list, "a", "- id: a\n"));
}

}  // namespace
}  // namespace hearth::app

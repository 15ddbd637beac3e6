// SPDX-License-Identifier: Apache-2.0
#include "yaml/item_lines.h"

#include <gtest/gtest.h>

#include "yaml/edit/lines_editor.h"
#include "yaml/edit/yaml_editor.h"
#include "yaml/item_text.h"
#include "yaml/unresolved_yaml.h"

namespace hearth::yaml {
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
  for (const std::string& item : split_items(std::string(text), {form})) ids.push_back(id_in(item, form).value_or("?"));
  return ids;
}

std::string put(const std::string& text, const ItemPlace& place, const std::string& id, const std::string& lines) {
  const auto made = put_item_lines(text, place, id, lines);
  return made ? made->text : "error: " + made.error().message;
}

TEST(ItemLines, FindsTheItemsOfAList) {
  EXPECT_EQ(ids_of(kList, ItemForm::list), (std::vector<std::string>{"1", "two", "three", "four"}));
  EXPECT_EQ(item_lines(std::string(kList), {ItemForm::list}, "1"),
            "- id: \"1\"   # the first\n  alias: One\n  action:\n    - event: x\n");
  EXPECT_EQ(item_lines(std::string(kList), {ItemForm::list}, "inner"), std::nullopt);
}

TEST(ItemLines, FindsTheItemsOfAMap) {
  const std::string text =
      "say:\n  # says it\n  sequence:\n  - event: x\n\"quoted\":\n  sequence: []\nflat: {sequence: []}\n";
  EXPECT_EQ(ids_of(text, ItemForm::map), (std::vector<std::string>{"say", "quoted", "flat"}));
  EXPECT_EQ(item_lines(text, {ItemForm::map}, "flat"), "flat: {sequence: []}\n");
  EXPECT_EQ(ids_of("a:\n- event: x\nb: []\n", ItemForm::map), (std::vector<std::string>{"a", "b"}));
}

TEST(ItemLines, MovesAnIndentedItemToTheFirstColumn) {
  EXPECT_EQ(item_lines("  - id: a\n    alias: A\n  - id: b", {ItemForm::list}, "a"), "- id: a\n  alias: A\n");
  EXPECT_EQ(item_lines("  - id: a\n  - id: b", {ItemForm::list}, "b"), "- id: b\n");
}

TEST(ItemLines, FindsNothingInWhatIsNoSuchFile) {
  EXPECT_TRUE(split_items("[{id: a}]\n", {ItemForm::list}).empty());
  EXPECT_TRUE(split_items("a: 1\n", {ItemForm::list}).empty());
  EXPECT_TRUE(split_items("# nothing\n", {ItemForm::map}).empty());
}

TEST(ItemLines, ArePutBackByteForByte) {
  const std::string text(kList);
  const std::string lines = *item_lines(text, {ItemForm::list}, "two");
  const auto gone = edit_item(text, {ItemForm::list, "two", {{"id", "two"}}, {}});
  ASSERT_TRUE(gone);
  EXPECT_EQ(put(text, {ItemForm::list}, "two", lines), text);
  EXPECT_EQ(put(*gone, {ItemForm::list}, "two", lines), *gone + lines);
  EXPECT_EQ(put("[]\n", {ItemForm::list}, "two", lines), lines);
  EXPECT_EQ(put("  - id: a", {ItemForm::list}, "b", "- id: b\n  alias: B\n"), "  - id: a\n  - id: b\n    alias: B\n");
}

TEST(ItemLines, AreNotPutWhereTheyWouldChangeOthers) {
  const std::string text = "- id: a\n  action: &steps []\n- id: b\n  action: *steps\n";
  EXPECT_FALSE(put_item_lines(text, {ItemForm::list}, "a", "- id: a\n  action: []\n"));
  EXPECT_FALSE(put_item_lines(text, {ItemForm::list}, "b", "- id: b\n  action: *others\n"));
  EXPECT_FALSE(put_item_lines("[{id: a}]\n", {ItemForm::list}, "a", "- id: a\n"));
  EXPECT_FALSE(put_item_lines("a: 1\n", {ItemForm::list}, "a", "- id: a\n"));
}

constexpr std::string_view kPackage = R"(# A package.
input_boolean:
  lamp: {}

script:
    # loud
    say:   # it
        alias: |
          script:
            no: item
    other: {sequence: []}
"automation kitchen": # a label

- id: one
  alias: One
  # of one

- id: two
# The scene.
scene:
  id: dusk

  # when
  name: Dusk
# The end.
light: [
]
)";

constexpr const char* kLabel = "automation kitchen";

TEST(ItemLines, AreFoundWithinAPackage) {
  const std::string text(kPackage);
  EXPECT_EQ(item_lines(text, {ItemForm::map, "script"}, "say"),
            "say:   # it\n    alias: |\n      script:\n        no: item\n");
  EXPECT_EQ(item_lines(text, {ItemForm::map, "script"}, "other"), "other: {sequence: []}\n");
  EXPECT_EQ(item_lines(text, {ItemForm::list, kLabel}, "one"), "- id: one\n  alias: One\n  # of one\n");
  EXPECT_EQ(item_lines(text, {ItemForm::list, kLabel}, "two"), "- id: two\n");
  EXPECT_EQ(item_lines(text, {ItemForm::list, "scene", "dusk"}, "dusk"), "- id: dusk\n\n  # when\n  name: Dusk\n");
  EXPECT_EQ(item_lines(text, {ItemForm::list, "automation"}, "one"), std::nullopt);
  EXPECT_EQ(item_lines(text, {ItemForm::list, "light"}, "one"), std::nullopt);
  EXPECT_EQ(item_lines("a:\n  b.c:\n    automation:\n    - id: x\n", {ItemForm::list, "a.b.c.automation"}, "x"),
            "- id: x\n");
}

TEST(ItemLines, ArePutWithinAPackage) {
  const std::string text(kPackage);
  for (const auto& [place, id] : {std::pair<ItemPlace, const char*>{{ItemForm::map, "script"}, "say"},
                                  {{ItemForm::map, "script"}, "other"},
                                  {{ItemForm::list, kLabel}, "one"},
                                  {{ItemForm::list, kLabel}, "two"},
                                  {{ItemForm::list, "scene", "dusk"}, "dusk"}}) {
    const std::string lines = *item_lines(text, place, id);
    EXPECT_EQ(put(text, place, id, lines), text) << id;
    // After it has been removed, too: at the end, or where it stood.
    const auto key = item_key(load_marked(text, "").value().root, place, id);
    const auto gone = edit_item(text, {place.form, id, {}, {}, [](std::string_view name) { return name; }, key});
    ASSERT_TRUE(gone) << gone.error().message;
    EXPECT_EQ(item_lines(*gone, place, id), std::nullopt) << id;
    EXPECT_EQ(item_lines(put(*gone, place, id, lines), place, id), lines) << id;
  }
  EXPECT_EQ(put("automation: [] # none\nscene:\n", {ItemForm::list, "automation"}, "a", "- id: a\n  b: 1\n"),
            "automation: # none\n  - id: a\n    b: 1\nscene:\n");
  EXPECT_EQ(put("automation:\nscene:", {ItemForm::list, "scene"}, "a", "- id: a\n  b: 1\n"),
            "automation:\nscene:\n  - id: a\n    b: 1\n");
  EXPECT_FALSE(put_item_lines(text, {ItemForm::list, "automation"}, "one", "- id: one\n"));
  EXPECT_FALSE(put_item_lines(text, {ItemForm::map, "light"}, "one", "one:\n"));
}

TEST(ItemLines, OfOneThatIsAllOfItsFileAreTheFile) {
  const std::string text = "# q\n---\n# its name\nalias: Q  # short\nsequence: []\n\n# end\n";
  const ItemPlace place{ItemForm::map, "", "q"};
  EXPECT_EQ(item_lines(text, place, "q"), "q:\n  # its name\n  alias: Q  # short\n  sequence: []\n\n  # end\n");
  EXPECT_EQ(put(text, place, "q", *item_lines(text, place, "q")), text);
  EXPECT_EQ(put("", place, "q", "q:\n  alias: Q\n"), "alias: Q\n");
  const ItemPlace automation{ItemForm::list, "", "a"};
  EXPECT_EQ(item_lines("# a\nid: a\n", automation, "a"), "- # a\n  id: a\n");
  EXPECT_EQ(put("# a\nid: a\n", automation, "a", "- # b\n  id: a\n  alias: A\n"), "# b\nid: a\nalias: A\n");
  EXPECT_EQ(item_lines("{id: a}\n", automation, "a"), std::nullopt);
  EXPECT_FALSE(put_item_lines("{id: a}\n", automation, "a", "- id: a\n"));
  EXPECT_EQ(item_lines("id: a\n", automation, "b"), std::nullopt);
}

}  // namespace
}  // namespace hearth::yaml

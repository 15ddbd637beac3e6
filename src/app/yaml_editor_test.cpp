// SPDX-License-Identifier: Apache-2.0
#include "app/yaml_editor.h"

#include <gtest/gtest.h>

#include "app/yaml_loader.h"
#include "automation/data.h"

namespace hearth::app {
namespace {

constexpr std::string_view kFile = R"(# All of it.

- id: "1"   # the first
  alias: One
  # about the trigger
  trigger:
    - platform: state   # old
      entity_id: light.a

  action: &steps
    - service: light.turn_on

# The second.
- alias: 'Two'
  id: two
  action: *steps
  mode: single

-
  id: three
  alias: Three
- {id: four, alias: Four}
# The end.
)";

std::string_view renamed(std::string_view key) {
  return key == "trigger" ? "triggers" : key == "action" ? "actions" : key;
}

json::object object(std::string_view text) {
  return base::parse_json(text).value().as_object();
}

// The file with the change; the error if it cannot be made.
std::string edit(std::string_view file, ItemForm form, std::string id, std::string_view current,
                 std::optional<std::string_view> wanted) {
  ItemChange change{form, std::move(id), object(current), {}, renamed};
  if (wanted) change.wanted = object(*wanted);
  auto made = edit_item(std::string(file), change);
  return made ? *made : "error: " + made.error().message;
}

std::string replaced(std::string_view file, std::string_view what, std::string_view by) {
  std::string text(file);
  const auto at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

constexpr std::string_view kOne =
    R"({"id":"1","alias":"One","triggers":[{"trigger":"state","entity_id":"light.a"}],"actions":[{"action":"light.turn_on"}]})";

TEST(YamlEditorTest, ChangesOneKeyAndNothingElse) {
  const std::string wanted = replaced(kOne, R"("alias":"One")", R"("alias":"Eins: on")");
  EXPECT_EQ(edit(kFile, ItemForm::list, "1", kOne, wanted), replaced(kFile, "alias: One\n", "alias: \"Eins: on\"\n"));
  EXPECT_EQ(edit(kFile, ItemForm::list, "1", kOne, kOne), kFile);
}

TEST(YamlEditorTest, WritesAChangedKeyInItsPresentSpelling) {
  const std::string wanted = replaced(kOne, "light.a", "light.b");
  EXPECT_EQ(edit(kFile, ItemForm::list, "1", kOne, wanted),
            replaced(kFile, "  trigger:\n    - platform: state   # old\n      entity_id: light.a\n",
                     "  triggers:\n    - trigger: state\n      entity_id: light.b\n"));
}

TEST(YamlEditorTest, AddsAndRemovesKeys) {
  EXPECT_EQ(edit(kFile, ItemForm::list, "two", R"({"id":"two","alias":"Two","actions":[],"mode":"single"})",
                 R"({"id":"two","actions":[],"mode":"single","max":3,"text":"a\nb"})"),
            replaced(replaced(kFile, "- alias: 'Two'\n  id: two\n", "- id: two\n"), "  mode: single\n",
                     "  mode: single\n  max: 3\n  text: |-\n    a\n    b\n"));
  EXPECT_EQ(edit(kFile, ItemForm::list, "three", R"({"id":"three","alias":"Three"})", R"({"mode":"single"})"),
            replaced(kFile, "  alias: Three\n", "  mode: single\n"));
  EXPECT_EQ(edit(kFile, ItemForm::list, "four", R"({"id":"four","alias":"Four"})", R"({"alias":"Vier"})"),
            replaced(kFile, "- {id: four, alias: Four}\n", "- id: four\n  alias: Vier\n"));
}

TEST(YamlEditorTest, AddsAndRemovesItems) {
  EXPECT_EQ(edit(kFile, ItemForm::list, "five", "{}", R"({"alias":"Five","triggers":[]})"),
            std::string(kFile) + "- id: five\n  alias: Five\n  triggers: []\n");
  EXPECT_EQ(edit(kFile, ItemForm::list, "three", R"({"id":"three"})", {}),
            replaced(kFile, "-\n  id: three\n  alias: Three\n", ""));
  EXPECT_EQ(edit(kFile, ItemForm::list, "none", R"({"id":"none"})", {}), "error: there is no none");
  EXPECT_EQ(edit("", ItemForm::list, "1", "{}", R"({"alias":"One"})"), "- id: \"1\"\n  alias: One\n");
  EXPECT_EQ(edit("[]\n", ItemForm::list, "1", "{}", R"({"alias":"One"})"), "- id: \"1\"\n  alias: One\n");
  EXPECT_EQ(edit("# None yet.\n", ItemForm::map, "a", "{}", R"({"sequence":[]})"), "# None yet.\na:\n  sequence: []\n");
  EXPECT_EQ(edit("- id: a\n", ItemForm::list, "a", R"({"id":"a"})", {}), "[]\n");
  EXPECT_EQ(edit("  - id: a\n    x: 1", ItemForm::list, "b", "{}", R"({"x":2})"),
            "  - id: a\n    x: 1\n  - id: b\n    x: 2\n");
}

TEST(YamlEditorTest, EditsMapsOfItems) {
  constexpr std::string_view kScripts = "# Scripts\na:\n  # its steps\n  sequence: []  # none\nb: {sequence: []}\n";
  EXPECT_EQ(edit(kScripts, ItemForm::map, "a", R"({"sequence":[]})", R"({"sequence":[],"alias":"A"})"),
            replaced(kScripts, "# none\n", "# none\n  alias: A\n"));
  EXPECT_EQ(edit(kScripts, ItemForm::map, "b", R"({"sequence":[]})", R"({"sequence":[{"delay":5}]})"),
            replaced(kScripts, "b: {sequence: []}\n", "b:\n  sequence:\n    - delay: 5\n"));
  EXPECT_EQ(edit(kScripts, ItemForm::map, "a", R"({"sequence":[]})", {}), "# Scripts\nb: {sequence: []}\n");
}

TEST(YamlEditorTest, RefusesWhatItWouldBreak) {
  // Another item uses the anchor of the steps that would go.
  EXPECT_TRUE(edit(kFile, ItemForm::list, "1", kOne, {}).starts_with("error: the text of 1 cannot be changed"));
  EXPECT_TRUE(
      edit("[{id: a}]", ItemForm::list, "a", R"({"id":"a"})", R"({"x":1})").starts_with("error: the file is one list"));
  EXPECT_TRUE(edit("a: 1", ItemForm::list, "a", "{}", "{}").starts_with("error: expected a list"));
  EXPECT_TRUE(
      edit("- id: a\n- id: a\n", ItemForm::list, "a", R"({"id":"a"})", "{}").starts_with("error: a is there twice"));
  EXPECT_TRUE(edit("- [", ItemForm::list, "a", "{}", "{}").starts_with("error: "));
}

TEST(YamlEditorTest, QuotesWhatYamlWouldTakeForSomethingElse) {
  for (const char* text :
       {"on",        "Off",        "yes",  "null", "~",      "5",    "1e3", "0x1f",      "10:00:00", "",
        " a",        "a ",         "a: b", "a #b", "- a",    "{a",   "*a",  "&a",        "!a",       "%a",
        "@a",        "`a",         "'a",   "\"a",  "a\nb\n", "a\tb", "\n",  "é",         "Küche 2",  "{{ a }}",
        "a\n  b\nc", "2026-01-01", "=",    "<<",   "?",      "-",    ".5",  "true story"}) {
    const std::string yaml = edit("", ItemForm::list, "1", "{}", base::to_json(json::object{{"x", text}}));
    // Read back, and changed by nothing.
    ItemChange same{ItemForm::list, "1", {{"x", text}}, json::object{{"x", text}}};
    EXPECT_EQ(edit_item(yaml, same).value(), yaml) << text;
    const auto read = load_yaml(yaml, "f.yaml").value();
    const base::ConfigNode* const value = read.root.items().at(0).find("x");
    ASSERT_TRUE(value && value->is_text()) << yaml;
    EXPECT_EQ(value->text().value(), text) << yaml;
    EXPECT_TRUE(!value->writing().plain || automation::plain_value(text).is_string()) << yaml;
  }
}

}  // namespace
}  // namespace hearth::app

// SPDX-License-Identifier: Apache-2.0
#include "yaml/edit/yaml_editor.h"

#include <gtest/gtest.h>

#include "automation/values/data.h"
#include "yaml/yaml_loader.h"
#include "yaml/yaml_writer.h"

namespace hearth::yaml {
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
            replaced(kFile, "- {id: four, alias: Four}\n", "- {id: four, alias: Vier}\n"));
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
            replaced(kScripts, "b: {sequence: []}\n", "b: {sequence: [{delay: 5}]}\n"));
  EXPECT_EQ(edit(kScripts, ItemForm::map, "a", R"({"sequence":[]})", {}), "# Scripts\nb: {sequence: []}\n");
}

TEST(YamlEditorTest, RefusesWhatItWouldBreak) {
  // Another item uses the anchor of the steps that would go.
  EXPECT_EQ(edit(kFile, ItemForm::list, "1", kOne, {}),
            "error: 1 cannot be changed so: the new text:7:11: not valid YAML: an alias (*name) without its anchor "
            "(&name) before it");
  EXPECT_TRUE(edit("a: 1", ItemForm::list, "a", "{}", "{}").starts_with("error: expected a list"));
  EXPECT_TRUE(
      edit("- id: a\n- id: a\n", ItemForm::list, "a", R"({"id":"a"})", "{}").starts_with("error: a is there twice"));
  EXPECT_TRUE(edit("- [", ItemForm::list, "a", "{}", "{}").starts_with("error: "));
}

TEST(YamlEditorTest, KeepsMergedKeys) {
  constexpr std::string_view kMerged =
      "- &base\n  id: \"1\"\n  alias: One\n  mode: single\n- <<: *base  # as the first\n  id: \"2\"\n  alias: Two\n";
  constexpr std::string_view kTwo = R"({"id":"2","alias":"Two","mode":"single"})";
  EXPECT_EQ(edit(kMerged, ItemForm::list, "2", kTwo, R"({"id":"2","alias":"Zwei","mode":"restart"})"),
            replaced(kMerged, "alias: Two\n", "alias: Zwei\n  mode: restart\n"));
  constexpr std::string_view kBase = R"({"id":"1","alias":"One","mode":"single"})";
  // Parts that only the other has may change in the base.
  EXPECT_EQ(edit(kMerged, ItemForm::list, "1", kBase, R"({"id":"1","alias":"Eins","mode":"single"})"),
            replaced(kMerged, "alias: One", "alias: Eins"));
  EXPECT_TRUE(edit(kMerged, ItemForm::list, "1", kBase, R"({"id":"1","alias":"One","mode":"restart"})")
                  .starts_with("error: the text of 1 cannot be changed without changing others: [1].mode in line 4"));
  constexpr std::string_view kFlow = "a: {<<: {alias: A, mode: single}, sequence: []}\n";
  EXPECT_EQ(edit(kFlow, ItemForm::map, "a", R"({"alias":"A","mode":"single","sequence":[]})",
                 R"({"alias":"B","mode":"single","sequence":[]})"),
            replaced(kFlow, "sequence: []", "sequence: [], alias: B"));
}

TEST(YamlEditorTest, EditsWithinBrackets) {
  constexpr std::string_view kInBrackets =
      "[{id: a, 'alias': \"A, [b\", # first\n  mode: single}, # c\n {id: b, alias: it's}]  # end\n";
  constexpr std::string_view kA = R"({"id":"a","alias":"A, [b","mode":"single"})";
  EXPECT_EQ(edit(kInBrackets, ItemForm::list, "a", kA, R"({"id":"a","alias":"A, [b","mode":"restart","max":2})"),
            replaced(kInBrackets, "mode: single}", "mode: restart, max: 2}"));
  EXPECT_EQ(edit(kInBrackets, ItemForm::list, "a", kA, R"({"alias":"A, [b"})"),
            replaced(kInBrackets, ", # first\n  mode: single}", "}"));
  EXPECT_EQ(edit(kInBrackets, ItemForm::list, "b", R"({"id":"b","alias":"it's"})", R"({"alias":"its"})"),
            replaced(kInBrackets, "it's", "its"));
  EXPECT_EQ(edit(kInBrackets, ItemForm::list, "b", R"({"id":"b"})", {}),
            replaced(kInBrackets, ", # c\n {id: b, alias: it's}", ""));
  EXPECT_EQ(edit(kInBrackets, ItemForm::list, "c", "{}", R"({"alias":"C","steps":[{"x":"on"}]})"),
            replaced(kInBrackets, "it's}]", "it's}, {id: c, alias: C, steps: [{x: \"on\"}]}]"));
  EXPECT_EQ(edit("- {id: k1, alias: A} # c\n", ItemForm::list, "k1", R"({"id":"k1","alias":"A"})",
                 R"({"id":"k1","alias":"A","mode":"restart"})"),
            "- {id: k1, alias: A, mode: restart} # c\n");
}

TEST(YamlEditorTest, EditsWhereTheItemStands) {
  constexpr std::string_view kPackage =
      "input_boolean:\n  sp: {}\n\nscript:\n  # the script\n  sp:\n    alias: S  # s\n    sequence: []\n\n"
      "automation kitchen:\n  - id: a\n    alias: A\n  - id: b\n    alias: B\n# end\n";
  const auto at = [&](std::string_view text, ItemForm form, std::string id, std::string_view current,
                      std::optional<std::string_view> wanted, std::string key) {
    ItemChange change{form, std::move(id), object(current), {}, renamed, std::move(key)};
    if (wanted) change.wanted = object(*wanted);
    auto made = edit_item(std::string(text), change);
    return made ? *made : "error: " + made.error().message;
  };
  EXPECT_EQ(at(kPackage, ItemForm::map, "sp", R"({"alias":"S","sequence":[]})",
               R"({"alias":"S","sequence":[],"mode":"restart"})", "script.sp"),
            replaced(kPackage, "    sequence: []\n", "    sequence: []\n    mode: restart\n"));
  EXPECT_EQ(at(kPackage, ItemForm::list, "b", R"({"id":"b","alias":"B"})", R"({"alias":"C"})", "automation kitchen[1]"),
            replaced(kPackage, "alias: B", "alias: C"));
  EXPECT_EQ(at(kPackage, ItemForm::list, "a", R"({"id":"a"})", {}, "automation kitchen[0]"),
            replaced(kPackage, "  - id: a\n    alias: A\n", ""));
  EXPECT_EQ(at(kPackage, ItemForm::map, "sp", R"({"alias":"S"})", {}, "script.sp"),
            replaced(kPackage, "  sp:\n    alias: S  # s\n    sequence: []\n", ""));
  EXPECT_EQ(at("# own\nalias: S\nsequence: []\n", ItemForm::map, "q", R"({"alias":"S","sequence":[]})",
               R"({"alias":"T","sequence":[]})", ""),
            "# own\nalias: T\nsequence: []\n");
  EXPECT_EQ(at("[{id: a, x: 1}, {id: b}, {id: c}]\n", ItemForm::list, "c", R"({"id":"c"})", {}, "[2]"),
            "[{id: a, x: 1}, {id: b}]\n");
  EXPECT_EQ(at("[{id: a, x: 1}, {id: b}]\n", ItemForm::list, "a", R"({"id":"a","x":1})", {}, "[0]"), "[{id: b}]\n");
  EXPECT_EQ(at("alias: S\n", ItemForm::map, "q", R"({"alias":"S"})", {}, ""), "");
  EXPECT_EQ(at("scene: {id: a} # a\nx:\n", ItemForm::list, "a", R"({"id":"a"})", {}, "scene"), "scene: # a\nx:\n");
}

TEST(YamlEditorTest, KeepsLineBreaksAndTheEndOfADocument) {
  constexpr std::string_view kWindows = "- id: a\r\n  alias: A\r\n- id: b\r\n  alias: B\r\n...\r\n";
  EXPECT_EQ(edit(kWindows, ItemForm::list, "a", R"({"id":"a","alias":"A"})", R"({"alias":"A","text":"a\nb"})"),
            replaced(kWindows, "alias: A\r\n", "alias: A\r\n  text: |-\r\n    a\r\n    b\r\n"));
  EXPECT_EQ(edit(kWindows, ItemForm::list, "c", "{}", R"({"alias":"C"})"),
            replaced(kWindows, "...", "- id: c\r\n  alias: C\r\n..."));
}

TEST(YamlEditorTest, WritesNumbersThatAreReadAsThem) {
  for (const char* number : {"1e30", "1e-7", "1e16", "1e20", "-2.5e-9", "1.5", "5.0", "-9223372036854775808",
                             "18446744073709551615", "9223372036854775807", "-0.0"}) {
    const json::value value = base::parse_json(number).value();
    for (const std::string& yaml : {yaml_of(value), flow_yaml_of(value)}) {
      const auto read = load_yaml(yaml, "f.yaml").value();
      EXPECT_EQ(automation::plain_value(read.root.text().value()), value) << number << " " << yaml;
    }
  }
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
}  // namespace hearth::yaml

// SPDX-License-Identifier: Apache-2.0
// The text of a YAML file, and the lines of each value in it. Any thread.
#pragma once

#include <yaml-cpp/yaml.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/config/config_node.h"
#include "base/result.h"
#include "yaml/item_lines.h"
#include "yaml/item_place.h"
#include "yaml/yaml_document.h"

namespace hearth::yaml {

struct YamlText {
  explicit YamlText(const std::string& all);

  std::string joined(std::size_t begin, std::size_t past) const;
  std::size_t offset(const YAML::Mark& mark) const;
  // New lines end as those do that are there.
  std::string made(const std::string& text) const;
  // As made(), indented by `column` spaces.
  std::string indented(const std::string& text, std::size_t column) const;
  // Ends its last line.
  void end_line(std::string& text) const;

  const std::string& whole;
  std::vector<std::string> lines;
  std::size_t end;  // of what counts, in lines: `...` ends it
  bool windows;     // lines end with \r\n
};

// Something in the file, and what it is in.
struct YamlSpot {
  LineRange range;
  std::string key;
  YAML::Node node, parent;
  std::size_t index = 0;   // in the parent
  std::size_t column = 0;  // of its dash or its name
  bool in_brackets = false;
};

YamlSpot whole_file(const YamlText& text, const YAML::Node& root);
// The items of the list or map.
std::vector<YamlSpot> inside(const YamlText& text, const YamlSpot& spot);
// The value at that key in the spot, or below it.
std::optional<YamlSpot> spot_at(const YamlText& text, const YamlSpot& spot, std::string_view key);
// The item of that id in the list or map. Null if it is not there. Fails with invalid if it is there twice.
base::Result<std::optional<YamlSpot>> item_in(const YamlText& text, const YamlSpot& within, ItemForm form,
                                              const std::string& id);

// True if it is a list or map in brackets, with something in it.
bool is_flow(const YAML::Node& node);
bool is_nothing(const YAML::Node& node);
// Fails with invalid if it cannot have items of that form.
base::Result<void> check_form(const YAML::Node& node, ItemForm form);

struct WithLines {
  std::string text;
  std::size_t first = 0;  // line, from 1, of those that were put there
  std::size_t count = 0;  // of them
};
// The file with an item behind all others of that list or map, which must be no flow.
base::Result<WithLines> with_item(const YamlText& text, const YamlSpot& within, const std::string& item);

// The key of the item in a file; null if it is not there.
using ItemKey = std::function<std::optional<std::string>(const base::ConfigNode& file)>;
// Fails with unsupported if anything else than the item means something else than before: `gone` in the former text,
// `come` in the one that was made.
base::Result<void> check_others(const LoadedYaml& before, const LoadedYaml& after, const std::string& id,
                                const ItemKey& gone, const ItemKey& come);
// The text that was made of the file. Fails with unsupported if it is no YAML.
base::Result<YamlDocument> parse_made(std::string made, const std::string& id, const ParseDocument& parse);

}  // namespace hearth::yaml

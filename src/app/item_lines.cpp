// SPDX-License-Identifier: Apache-2.0
#include "app/item_lines.h"

#include <yaml-cpp/yaml.h>

#include "app/text_lines.h"

namespace hearth::app {
namespace {

// Whether an item begins with what stands in the items' column.
bool begins_item(std::string_view rest, ItemForm form) {
  const bool dash = rest.starts_with('-') && (rest.size() == 1 || rest[1] == ' ' || rest[1] == '\n' || rest[1] == '\r');
  return form == ItemForm::list ? dash : !dash && rest[0] != ']' && rest[0] != '}';
}

// `id` of "id: x"; null if the text is no such line.
std::optional<std::string> value_of_id(std::string_view line) {
  constexpr std::string_view kNames[] = {"id:", "\"id\":", "'id':"};
  if (std::ranges::none_of(kNames, [line](std::string_view name) { return line.starts_with(name); })) return {};
  try {
    const YAML::Node node = YAML::Load(std::string(line));
    const YAML::Node id = node.IsMap() ? node["id"] : YAML::Node(YAML::NodeType::Undefined);
    if (id && id.IsScalar()) return id.Scalar();
  } catch (const YAML::Exception&) {
    return {};
  }
  return {};
}

std::optional<std::string> id_in_brackets(const std::string& item) {
  try {
    const YAML::Node root = YAML::Load(item);
    const YAML::Node first = root.IsSequence() && root.size() > 0 ? root[0] : YAML::Node(YAML::NodeType::Undefined);
    const YAML::Node id = first && first.IsMap() ? first["id"] : YAML::Node(YAML::NodeType::Undefined);
    if (id && id.IsScalar()) return id.Scalar();
  } catch (const YAML::Exception&) {
    return {};
  }
  return {};
}

std::optional<std::string> name_in(const std::string& item) {
  const char quote = item.empty() ? '\0' : item.front();
  if (quote != '"' && quote != '\'') {
    const std::size_t end = item.find(':');
    return end == std::string::npos ? std::nullopt : std::optional(item.substr(0, end));
  }
  const std::size_t end = item.find(quote, 1);
  return end == std::string::npos ? std::nullopt : std::optional(item.substr(1, end - 1));
}

}  // namespace

std::vector<std::string> split_items(const std::string& text, ItemForm form) {
  const std::vector<std::string> lines = lines_of(text);
  std::optional<std::size_t> column;
  std::vector<std::size_t> begins;
  for (std::size_t index = 0; index < lines.size(); ++index) {
    const std::string_view line = lines[index];
    const std::size_t indentation = indentation_of(line);
    if (is_blank(line) || line[indentation] == '#' || line.starts_with("---") || line.starts_with("...")) continue;
    const std::string_view rest = line.substr(indentation);
    if (!column && (rest[0] == '[' || rest[0] == '{' || !begins_item(rest, form))) return {};
    if (!column) column = indentation;
    if (indentation == *column && begins_item(rest, form)) begins.push_back(index);
  }
  std::vector<std::string> items;
  for (std::size_t number = 0; number < begins.size(); ++number) {
    const std::size_t next = number + 1 < begins.size() ? begins[number + 1] : lines.size();
    const std::size_t end = end_before(lines, begins[number], next, *column);
    std::string item;
    for (std::size_t index = begins[number]; index < end; ++index)
      item += lines[index].substr(std::min(indentation_of(lines[index]), *column));
    if (!item.ends_with('\n')) item += '\n';
    items.push_back(std::move(item));
  }
  return items;
}

std::optional<std::string> id_in(const std::string& item, ItemForm form) {
  if (form == ItemForm::map) return name_in(item);
  std::vector<std::string> lines = lines_of(item);
  lines.front().front() = ' ';  // the dash
  std::optional<std::size_t> column;
  for (const std::string& line : lines) {
    const std::size_t indentation = indentation_of(line);
    if (is_blank(line) || line[indentation] == '#') continue;
    if (!column) column = indentation;
    if (indentation != *column) continue;
    if (line[indentation] == '{') return id_in_brackets(item);
    if (auto id = value_of_id(std::string_view(line).substr(indentation))) return id;
  }
  return {};
}

std::optional<std::string> item_lines(const std::string& text, ItemForm form, const std::string& id) {
  for (std::string& item : split_items(text, form)) {
    if (item.contains(id) && id_in(item, form) == id) return std::move(item);
  }
  return {};
}

}  // namespace hearth::app

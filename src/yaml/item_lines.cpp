// SPDX-License-Identifier: Apache-2.0
#include "yaml/item_lines.h"

#include <yaml-cpp/yaml.h>

#include "yaml/item_text.h"
#include "yaml/text_lines.h"

namespace hearth::yaml {
namespace {

// True if an item begins with what stands in the items' column.
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

// The text of the lines, without those that begin or end the document.
LineRange document(const std::vector<std::string>& lines) {
  const auto is = [](std::string_view line, std::string_view mark) {
    return line.starts_with(mark) && is_blank(line.substr(mark.size()));
  };
  const auto end = std::ranges::find_if(lines, [&](const std::string& line) { return is(line, "..."); });
  const auto content = std::find_if_not(lines.begin(), end, [](const std::string& line) { return is_remark(line); });
  const bool marked = content != end && is(*content, "---");
  return {marked ? static_cast<std::size_t>(content - lines.begin()) + 1 : 0,
          static_cast<std::size_t>(end - lines.begin())};
}

std::optional<LineRange> below(const std::vector<std::string>& lines, LineRange part, std::string_view key) {
  if (key.empty()) return part;
  std::optional<std::size_t> column;
  std::vector<std::size_t> names;  // lines that begin an entry
  for (std::size_t index = part.begin; index < part.end; ++index) {
    if (is_remark(lines[index])) continue;
    const std::size_t indentation = indentation_of(lines[index]);
    if (!column) column = indentation;
    if (indentation == *column && begins_item(std::string_view(lines[index]).substr(indentation), ItemForm::map))
      names.push_back(index);
  }
  for (std::size_t number = 0; number < names.size(); ++number) {
    const std::string line = lines[names[number]].substr(*column);
    const auto name = name_in(line);
    if (!name || !key.starts_with(*name) || !is_name_alone(line)) continue;
    if (key.size() > name->size() && key[name->size()] != '.') continue;
    const std::size_t next = number + 1 < names.size() ? names[number + 1] : part.end;
    const LineRange inner{names[number] + 1, end_before(lines, names[number], next, *column)};
    if (const auto found = below(lines, inner, key.substr(std::min(name->size() + 1, key.size())))) return found;
  }
  return {};
}

// All of the lines as an item that stands alone, unless they are in brackets.
std::vector<std::string> item_alone(const std::vector<std::string>& lines, LineRange range, ItemForm form,
                                    const std::string& id) {
  const std::vector<std::string> own(lines.begin() + static_cast<std::ptrdiff_t>(range.begin),
                                     lines.begin() + static_cast<std::ptrdiff_t>(range.end));
  const auto first = std::ranges::find_if_not(own, is_remark);
  if (first == own.end()) return {};
  const std::string_view rest = std::string_view(*first).substr(indentation_of(*first));
  if (rest[0] == '[' || rest[0] == '{' || !begins_item(rest, ItemForm::map)) return {};
  return {lines_of_text(outdented(own), form, id, {})};
}

}  // namespace

std::optional<LineRange> lines_below(const std::vector<std::string>& lines, const std::string& key) {
  return below(lines, document(lines), key);
}

std::vector<std::string> split_items(const std::string& text, const ItemPlace& place) {
  const std::vector<std::string> lines = lines_of(text);
  const auto range = lines_below(lines, place.within);
  if (!range) return {};
  if (place.alone) return item_alone(lines, *range, place.form, *place.alone);
  std::optional<std::size_t> column;
  std::vector<std::size_t> begins;
  for (std::size_t index = range->begin; index < range->end; ++index) {
    const std::string_view line = lines[index];
    const std::size_t indentation = indentation_of(line);
    if (is_remark(line)) continue;
    const std::string_view rest = line.substr(indentation);
    if (!column && (rest[0] == '[' || rest[0] == '{' || !begins_item(rest, place.form))) return {};
    if (!column) column = indentation;
    if (indentation == *column && begins_item(rest, place.form)) begins.push_back(index);
  }
  std::vector<std::string> items;
  for (std::size_t number = 0; number < begins.size(); ++number) {
    const std::size_t next = number + 1 < begins.size() ? begins[number + 1] : range->end;
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

std::optional<std::string> item_lines(const std::string& text, const ItemPlace& place, const std::string& id) {
  if (place.alone.value_or(id) != id) return {};
  for (std::string& item : split_items(text, place)) {
    if (item.contains(id) && id_in(item, place.form) == id) return std::move(item);
  }
  return {};
}

}  // namespace hearth::yaml

// SPDX-License-Identifier: Apache-2.0
#include "yaml/item_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "yaml/text_lines.h"
#include "yaml/yaml_loader.h"
#include "yaml/yaml_writer.h"

namespace hearth::yaml {
namespace {

constexpr std::string_view kOwnName = "item.yaml";

std::string indented(const std::string& text) {
  std::string made;
  for (const std::string& line : lines_of(text)) made += is_blank(line) ? line : "  " + line;
  if (!made.ends_with('\n')) made += '\n';
  return made;
}

// Any tag is known here: what it stands for is read with the file.
std::optional<base::Result<base::ConfigNode>> take(std::string_view, const std::string& text,
                                                   const base::ConfigNode::Place& place) {
  return base::ConfigNode(place, text);
}

}  // namespace

std::string outdented(const std::vector<std::string>& lines) {
  const auto first = std::ranges::find_if_not(lines, is_remark);
  const std::size_t column = first == lines.end() ? 0 : indentation_of(*first);
  std::string text;
  for (const std::string& line : lines)
    text += is_blank(line) ? "\n" : line.substr(std::min(column, indentation_of(line)));
  return text;
}

std::optional<std::string> own_text(const std::string& lines, ItemForm form) {
  std::vector<std::string> all = lines_of(lines);
  if (all.empty()) return {};
  if (form == ItemForm::list) {
    all.front().front() = ' ';  // the dash
    if (is_blank(all.front())) all.erase(all.begin());
  } else {
    if (!is_name_alone(all.front())) return {};
    all.erase(all.begin());
  }
  return outdented(all);
}

std::string lines_of_text(const std::string& text, ItemForm form, const std::string& id, const std::string& former) {
  if (form == ItemForm::map) {
    const std::string name = former.substr(0, former.find('\n'));
    return (is_name_alone(name) ? name : id + ":") + "\n" + indented(text);
  }
  const auto loaded = load_yaml(text, std::string(kOwnName), {.resolve = take});
  const bool has_id = loaded && loaded->root.find("id");
  std::string made = indented(has_id ? text : yaml_of(json::object{{"id", json::string(id)}}) + text);
  if (made.front() != ' ') return "-\n" + made;  // a blank line
  made.front() = '-';
  return made;
}

base::Result<void> check_own_text(const std::string& text, ItemForm form, const std::string& id) {
  const std::string name(kOwnName);
  const auto loaded = load_yaml(text, name, {.resolve = take});
  if (!loaded) return std::unexpected(loaded.error());
  const base::ConfigNode& root = loaded->root;
  if (!root.is_map())
    return base::fail(base::ErrorCode::invalid, fmt::format("{}:1:1: expected keys and their values", kOwnName));
  const base::ConfigNode* const own = form == ItemForm::list ? root.find("id") : nullptr;
  if (own && (!own->is_text() || own->text().value() != id)) {
    return base::fail(base::ErrorCode::invalid, fmt::format("{}:{}:{}: id: expected {}, as in the path", kOwnName,
                                                            own->place().line, own->place().column, id));
  }
  return {};
}

std::string in_own_text(const std::string& errors, const std::string& file, std::size_t item, std::size_t first) {
  const std::string prefix = file + ":";
  std::string made;
  for (const std::string& line : lines_of(errors)) {
    std::size_t number = 0;
    const char* const begin = line.data() + prefix.size();
    const auto read = line.starts_with(prefix) ? std::from_chars(begin, line.data() + line.size(), number)
                                               : std::from_chars_result{line.data(), std::errc::invalid_argument};
    if (read.ec != std::errc() || number < item)
      made += line;
    else
      made += fmt::format("{}:{}{}", kOwnName, std::max(number, first) - first + 1, read.ptr);
  }
  return made;
}

}  // namespace hearth::yaml

// SPDX-License-Identifier: Apache-2.0
#include "yaml/yaml_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "yaml/bracket_editor.h"
#include "yaml/text_lines.h"
#include "yaml/unresolved_yaml.h"

namespace hearth::yaml {

using base::ConfigNode;
using base::ErrorCode;

YamlText::YamlText(const std::string& all) : whole(all), lines(lines_of(all)) {
  windows = !lines.empty() && lines.front().ends_with("\r\n");
  for (end = 0; end < lines.size() && !(lines[end].starts_with("...") && is_blank(lines[end].substr(3))); ++end) {
  }
}

std::string YamlText::joined(std::size_t begin, std::size_t past) const {
  std::string text;
  for (std::size_t line = begin; line < past; ++line) text += lines[line];
  return text;
}

std::size_t YamlText::offset(const YAML::Mark& mark) const {
  return joined(0, static_cast<std::size_t>(mark.line)).size() + static_cast<std::size_t>(mark.column);
}

std::string YamlText::made(const std::string& text) const {
  if (!windows) return text;
  std::string made;
  for (const char c : text) made += c == '\n' && !made.ends_with('\r') ? "\r\n" : std::string(1, c);
  return made;
}

std::string YamlText::indented(const std::string& text, std::size_t column) const {
  std::string moved;
  for (const std::string& line : lines_of(made(text))) moved += is_blank(line) ? line : std::string(column, ' ') + line;
  return moved;
}

void YamlText::end_line(std::string& text) const {
  if (!text.empty() && !text.ends_with('\n')) text += windows ? "\r\n" : "\n";
}

bool is_flow(const YAML::Node& node) {
  return node.size() > 0 && node.Style() == YAML::EmitterStyle::Flow;
}

bool is_nothing(const YAML::Node& node) {
  return node.IsNull() || !node.IsDefined();
}

base::Result<void> check_form(const YAML::Node& node, ItemForm form) {
  const bool list = form == ItemForm::list;
  if (is_nothing(node) || (list ? node.IsSequence() : node.IsMap())) return {};
  return base::fail(ErrorCode::invalid, list ? "expected a list of items" : "expected items by their names");
}

YamlSpot whole_file(const YamlText& text, const YAML::Node& root) {
  return {{0, text.end}, "", root, {}, 0, 0, false};
}

std::vector<YamlSpot> inside(const YamlText& text, const YamlSpot& spot) {
  std::vector<YamlSpot> all;
  const bool brackets = spot.in_brackets || is_flow(spot.node);
  const auto add = [&](std::string key, const YAML::Node& node, std::size_t line, std::size_t column) {
    all.push_back({{line, spot.range.end}, std::move(key), node, spot.node, all.size(), column, brackets});
  };
  if (spot.node.IsSequence()) {
    for (const auto& item : spot.node) {
      std::size_t line = std::min(static_cast<std::size_t>(item.Mark().line), text.lines.size() - 1);
      // The dash may stand in a line of its own.
      const auto starts = [&] { return text.lines[line].substr(indentation_of(text.lines[line])).starts_with('-'); };
      while (!brackets && line > spot.range.begin && !starts()) --line;
      add(fmt::format("{}[{}]", spot.key, all.size()), item, line, indentation_of(text.lines[line]));
    }
  } else if (spot.node.IsMap()) {
    for (const auto& pair : spot.node) {
      const YAML::Mark mark = pair.first.Mark();
      const std::string name = pair.first.IsScalar() ? pair.first.Scalar() : "";
      add(spot.key.empty() ? name : spot.key + "." + name, pair.second, static_cast<std::size_t>(mark.line),
          static_cast<std::size_t>(mark.column));
    }
  }
  for (std::size_t index = 0; index < all.size() && !brackets; ++index) {
    LineRange& range = all[index].range;
    if (index + 1 < all.size()) range.end = std::max(all[index + 1].range.begin, range.begin);
    range.end = end_before(text.lines, range.begin, range.end, all[index].column);
  }
  return all;
}

// Without assignments of nodes, which would change the tree.
std::optional<YamlSpot> spot_at(const YamlText& text, const YamlSpot& spot, std::string_view key) {
  if (spot.key == key) return spot;
  const std::vector<YamlSpot> all = inside(text, spot);
  const YamlSpot* next = nullptr;
  for (const YamlSpot& each : all) {
    const bool leads = key.starts_with(each.key) &&
                       (key.size() == each.key.size() || key[each.key.size()] == '.' || key[each.key.size()] == '[');
    if (leads && (!next || each.key.size() > next->key.size())) next = &each;
  }
  if (!next || next->key.size() <= spot.key.size()) return {};
  return spot_at(text, *next, key);
}

base::Result<std::optional<YamlSpot>> item_in(const YamlText& text, const YamlSpot& within, ItemForm form,
                                              const std::string& id) {
  const auto is_it = [&](const YamlSpot& spot) {
    if (form == ItemForm::map) return spot.key == (within.key.empty() ? id : within.key + "." + id);
    const YAML::Node own = spot.node.IsMap() ? spot.node["id"] : YAML::Node(YAML::NodeType::Undefined);
    return own && own.IsScalar() && own.Scalar() == id;
  };
  std::optional<YamlSpot> found;
  for (YamlSpot& spot : inside(text, within)) {
    if (!is_it(spot)) continue;
    if (found) return base::fail(ErrorCode::invalid, fmt::format("{} is there twice", id));
    found.emplace(std::move(spot));
  }
  return found;
}

base::Result<WithLines> with_item(const YamlText& text, const YamlSpot& within, const std::string& item) {
  const auto others = inside(text, within);
  const std::size_t column = !others.empty() ? others.front().column : within.key.empty() ? 0 : within.column + 2;
  std::string before = text.joined(0, within.range.end), after = text.joined(within.range.end, text.lines.size());
  if (!is_nothing(within.node) && within.node.size() == 0) {
    // Instead of the brackets, which hold nothing.
    const auto flow = flow_at(text.whole, text.offset(within.node.Mark()));
    if (!flow) return base::fail(ErrorCode::unsupported, "the list or map in brackets is not closed");
    before = text.whole.substr(0, flow->open), after = text.whole.substr(flow->close + 1);
    const std::size_t line = std::min(after.find('\n'), after.size() - 1) + 1;
    if (!within.key.empty()) {
      before.erase(before.find_last_not_of(' ') + 1);
      before += after.substr(0, line);
      after.erase(0, line);
    } else if (is_blank(after.substr(0, line))) {
      after.erase(0, line);
    }
  }
  text.end_line(before);
  WithLines made{before + text.indented(item, column), 0, lines_of(item).size()};
  made.first = lines_of(before).size() + 1;
  if (!after.empty()) text.end_line(made.text);
  made.text += after;
  return made;
}

base::Result<YamlDocument> parse_made(std::string made, const std::string& id, const ParseDocument& parse) {
  auto after = parse(std::move(made), "the new text");
  if (after) return after;
  return base::fail(ErrorCode::unsupported, fmt::format("{} cannot be changed so: {}", id, after.error().message));
}

base::Result<void> check_others(const LoadedYaml& before, const LoadedYaml& after, const std::string& id,
                                const ItemKey& gone, const ItemKey& come) {
  const auto place = first_difference(before.root, gone(before.root), after.root, come(after.root));
  if (!place) return {};
  return base::fail(
      ErrorCode::unsupported,
      fmt::format("the text of {} cannot be changed without changing others: {} in line {} would mean something else, "
                  "as with an anchor (&name) that both use",
                  id, place->key.empty() ? "the file" : place->key, place->line));
}

}  // namespace hearth::yaml

// SPDX-License-Identifier: Apache-2.0
#include "yaml/edit/yaml_editor.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "yaml/bracket_editor.h"
#include "yaml/item_lines.h"
#include "yaml/text_lines.h"
#include "yaml/unresolved_yaml.h"
#include "yaml/yaml_text.h"
#include "yaml/yaml_writer.h"

namespace hearth::yaml {
namespace {

using base::ConfigNode;
using base::ErrorCode;

std::unexpected<base::Error> cannot(std::string message) {
  return base::fail(ErrorCode::unsupported, std::move(message));
}

std::unexpected<base::Error> cannot_tell(const std::string& id) {
  return cannot(fmt::format("cannot change {}: it shares lines with other items. Edit the file by hand", id));
}

// The item in the file. Null if it is not there. Fails with invalid if it is there twice.
base::Result<std::optional<YamlSpot>> find_item(const YamlText& text, const YamlSpot& root, const ItemChange& change) {
  if (!change.key) return item_in(text, root, change.form, change.id);
  auto spot = spot_at(text, root, *change.key);
  if (!spot) return cannot_tell(change.id);
  return spot;
}

// The text behind the id, or the name, of a new item.
json::object item_of(const ItemChange& change) {
  if (change.form == ItemForm::map) return *change.wanted;
  json::object item;
  item["id"] = json::string(change.id);
  for (const auto& [key, value] : *change.wanted) {
    if (key != "id") item[key] = value;
  }
  return item;
}

// `- ` or `name:` of a new item, with its keys.
std::string whole_item(const ItemChange& change, std::size_t column) {
  const json::object item = item_of(change);
  const std::string margin(column, ' ');
  if (change.form == ItemForm::map) {
    if (item.empty()) return fmt::format("{}{}: {{}}\n", margin, change.id);
    return fmt::format("{}{}:\n{}", margin, change.id, yaml_of(item, column + 2));
  }
  std::string text = yaml_of(item, column + 2);
  text.replace(column, 1, "-");
  return text;
}

// The fate of each key of an item: its name, and if it stays as it is written. Keys that are merged stay, and
// so does the id.
struct Keys {
  explicit Keys(const YAML::Node& node, const ItemChange& by) : change(by) {
    for (const auto& pair : node)
      names.emplace_back(pair.first.Scalar() == "<<" ? "<<" : change.name_of(pair.first.Scalar()));
  }
  bool means_the_same(std::string_view name) const {
    const json::value *const now = change.current.if_contains(name), *const then = change.wanted->if_contains(name);
    return now && then && *now == *then;
  }
  bool stays(std::string_view name) const {
    return name == "<<" || (change.form == ItemForm::list && name == "id") || means_the_same(name);
  }
  // Values that have no text of their own so far.
  json::object missing() const {
    json::object all;
    for (const auto& [name, value] : *change.wanted) {
      if (std::ranges::find(names, std::string(name)) == names.end() && !stays(name)) all[name] = value;
    }
    return all;
  }

  const ItemChange& change;
  std::vector<std::string> names;
};

// The item's lines with the keys that change.
base::Result<std::string> edited(const YamlText& text, const YamlSpot& item, const ItemChange& change) {
  const Keys keys(item.node, change);
  std::vector<std::size_t> begins;
  for (const auto& pair : item.node) begins.push_back(static_cast<std::size_t>(pair.first.Mark().line));
  if (begins.front() < item.range.begin || begins.back() >= item.range.end || !std::ranges::is_sorted(begins))
    return cannot(fmt::format("the text of {} stands elsewhere, behind an anchor (&name)", change.id));
  const auto column = static_cast<std::size_t>(item.node.begin()->first.Mark().column);
  const std::size_t first = begins.front();
  const std::string margin(column, ' ');
  std::string body;
  for (std::size_t index = 0; index < begins.size(); ++index) {
    const std::string& name = keys.names[index];
    const std::size_t next = index + 1 < begins.size() ? begins[index + 1] : item.range.end;
    const std::size_t end = end_before(text.lines, begins[index], next, column);
    if (keys.stays(name))
      body += margin + text.joined(begins[index], end).substr(column);
    else if (const json::value* const value = change.wanted->if_contains(name))
      body += text.made(yaml_of(json::object{{name, *value}}, column));
    body += text.joined(end, next);
  }
  text.end_line(body);
  if (const json::object more = keys.missing(); !more.empty()) body += text.made(yaml_of(more, column));
  // The dash stands before whatever comes first.
  if (body.size() >= column) body.replace(0, column, text.lines[first].substr(0, column));
  return text.joined(item.range.begin, first) + body;
}

// `key: value`.
std::string flow_entry(std::string_view key, const json::value& value) {
  const std::string map = flow_yaml_of(json::object{{key, value}});
  return map.substr(1, map.size() - 2);
}

// The file with an item that stands in brackets.
base::Result<std::string> edited_in_brackets(const YamlText& text, const YamlSpot& item, const ItemChange& change) {
  const Keys keys(item.node, change);
  std::string made = text.whole;
  auto flow = flow_at(made, text.offset(item.node.Mark()));
  if (!flow || flow->parts.size() != keys.names.size()) return cannot_tell(change.id);
  for (const auto& [name, value] : keys.missing()) {
    made = with_part(made, *flow, flow_entry(name, value));
    flow = flow_at(made, flow->open);
  }
  for (std::size_t index = keys.names.size(); index-- > 0;) {
    const std::string& name = keys.names[index];
    if (keys.stays(name)) continue;
    const json::value* const value = change.wanted->if_contains(name);
    made = value ? with_part_replaced(made, *flow, index, flow_entry(name, *value)) : without_part(made, *flow, index);
    flow = flow_at(made, flow->open);
  }
  return made;
}

// With the item behind all others.
base::Result<std::string> added(const YamlText& text, const YamlSpot& whole, const ItemChange& change) {
  if (is_flow(whole.node)) {
    const auto flow = flow_at(text.whole, text.offset(whole.node.Mark()));
    if (!flow) return cannot("the list or map in brackets is not closed");
    const json::object item = item_of(change);
    return with_part(text.whole, *flow,
                     change.form == ItemForm::map ? flow_entry(change.id, item) : flow_yaml_of(item));
  }
  auto made = with_item(text, whole, whole_item(change, 0));
  if (!made) return std::unexpected(made.error());
  return std::move(made->text);
}

// With nothing behind the name of what was all that stood there.
base::Result<std::string> without_value(const YamlText& text, const YamlSpot& item, const ItemChange& change) {
  if (is_flow(item.node)) {
    const auto flow = flow_at(text.whole, text.offset(item.node.Mark()));
    if (!flow) return cannot(fmt::format("the text of {} is not closed", change.id));
    std::string before = text.whole.substr(0, flow->open);
    before.erase(before.find_last_not_of(' ') + 1);
    return before + text.whole.substr(flow->close + 1);
  }
  const auto below = lines_below(text.lines, item.key);
  if (!below) return cannot_tell(change.id);
  return text.joined(0, below->begin) + text.joined(below->end, text.lines.size());
}

// True if nothing but the item stands at its key.
bool stands_alone(const YamlSpot& item, const ItemChange& change) {
  const auto place = item_place(change.form, change.id, item.key);
  return place && place->alone;
}

// Without the item.
base::Result<std::string> removed(const YamlText& text, const YamlSpot& item, const ItemChange& change) {
  if (item.key.empty()) return std::string();
  if (stands_alone(item, change)) return without_value(text, item, change);
  if (item.in_brackets) {
    const auto flow = flow_at(text.whole, text.offset(item.parent.Mark()));
    if (!flow || flow->parts.size() != item.parent.size()) return cannot_tell(change.id);
    return without_part(text.whole, *flow, item.index);
  }
  std::string made = text.joined(0, item.range.begin);
  const bool of_file = item.key.starts_with('[') || item.key == change.id;
  if (item.parent.size() == 1 && of_file) made += text.made(change.form == ItemForm::list ? "[]\n" : "{}\n");
  return made + text.joined(item.range.end, text.lines.size());
}

}  // namespace

std::string key_after(const ConfigNode& root, const ItemChange& change) {
  if (change.key) return *change.key;
  return item_key(root, {change.form}, change.id).value_or("?");
}

base::Result<std::string> edit_item(const std::string& text, const ItemChange& change) {
  const auto file = parse_document(text, "the text");
  if (!file) return std::unexpected(file.error());
  auto edited = edit_item(*file, change);
  if (!edited) return std::unexpected(edited.error());
  return std::move(edited->text);
}

base::Result<YamlDocument> edit_item(const YamlDocument& file, const ItemChange& change, const ParseDocument& parse) {
  const YAML::Node root = file.root();
  if (!change.key) {
    if (auto fits = check_form(root, change.form); !fits) return std::unexpected(fits.error());
  }
  const YamlText lines(file.text);
  const YamlSpot whole = whole_file(lines, root);
  const auto found = find_item(lines, whole, change);
  if (!found) return std::unexpected(found.error());
  if (!*found && !change.wanted) return base::fail(ErrorCode::not_found, fmt::format("there is no {}", change.id));
  auto made = [&]() -> base::Result<std::string> {
    if (!*found) return added(lines, whole, change);
    const YamlSpot& item = **found;
    if (!change.wanted) return removed(lines, item, change);
    if (item.node.IsMap() && (item.in_brackets || item.node.Style() == YAML::EmitterStyle::Flow))
      return edited_in_brackets(lines, item, change);
    base::Result<std::string> own = cannot("no map");
    if (item.node.IsMap() && item.node.size() > 0 && !item.node.Tag().starts_with('!'))
      own = edited(lines, item, change);
    else if (!item.key.empty() && !item.in_brackets)
      own = lines.made(whole_item(change, item.column));
    else
      return cannot(fmt::format("{} has no keys in the file", change.id));
    if (!own) return own;
    return lines.joined(0, item.range.begin) + *own + lines.joined(item.range.end, lines.lines.size());
  }();
  if (!made) return std::unexpected(made.error());
  auto after = parse_made(std::move(*made), change.id, parse);
  if (!after) return after;
  const bool was_there = *found || !change.current.empty();
  const auto key_in = [&](const ConfigNode& node) { return *found ? (**found).key : key_after(node, change); };
  const auto gone = [&](const ConfigNode& node) { return was_there ? std::optional(key_in(node)) : std::nullopt; };
  const bool is_there = change.wanted || stands_alone(**found, change);
  const auto come = [&](const ConfigNode& node) { return is_there ? std::optional(key_in(node)) : std::nullopt; };
  if (auto stays = check_others(file.marked, after->marked, change.id, gone, come); !stays)
    return std::unexpected(stays.error());
  return after;
}

}  // namespace hearth::yaml

// SPDX-License-Identifier: Apache-2.0
#include "app/yaml_editor.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <vector>

#include "app/flow_text.h"
#include "app/marked_yaml.h"
#include "app/text_lines.h"
#include "app/yaml_writer.h"

namespace hearth::app {
namespace {

using base::ConfigNode;
using base::ErrorCode;

std::unexpected<base::Error> cannot(std::string message) {
  return base::fail(ErrorCode::unsupported, std::move(message));
}

// From the line that begins it to the one after its last.
struct Range {
  std::size_t begin, end;
};

// Something in the file, and what it is in.
struct Spot {
  Range range;
  std::string key;
  YAML::Node node, parent;
  std::size_t index = 0;   // in the parent
  std::size_t column = 0;  // of its dash or its name
  bool in_brackets = false;
};

// A file's text as it is changed.
struct Text {
  explicit Text(const std::string& all) : whole(all), lines(lines_of(all)) {
    windows = !lines.empty() && lines.front().ends_with("\r\n");
    // `...` ends what counts.
    for (end = 0; end < lines.size() && !(lines[end].starts_with("...") && is_blank(lines[end].substr(3))); ++end) {
    }
  }

  std::string joined(std::size_t begin, std::size_t past) const {
    std::string text;
    for (std::size_t line = begin; line < past; ++line) text += lines[line];
    return text;
  }
  std::size_t offset(const YAML::Mark& mark) const {
    return joined(0, static_cast<std::size_t>(mark.line)).size() + static_cast<std::size_t>(mark.column);
  }
  // New lines end as those do that are there.
  std::string made(const std::string& text) const {
    if (!windows) return text;
    std::string made;
    for (const char c : text) made += c == '\n' && !made.ends_with('\r') ? "\r\n" : std::string(1, c);
    return made;
  }
  // Ends its last line.
  void end_line(std::string& text) const {
    if (!text.empty() && !text.ends_with('\n')) text += windows ? "\r\n" : "\n";
  }

  const std::string& whole;
  std::vector<std::string> lines;
  std::size_t end;
  bool windows;
};

bool is_flow(const YAML::Node& node) {
  return node.size() > 0 && node.Style() == YAML::EmitterStyle::Flow;
}

// What is in the list or map.
std::vector<Spot> inside(const Text& text, const Spot& spot) {
  std::vector<Spot> all;
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
    Range& range = all[index].range;
    if (index + 1 < all.size()) range.end = std::max(all[index + 1].range.begin, range.begin);
    range.end = end_before(text.lines, range.begin, range.end, all[index].column);
  }
  return all;
}

// Without assignments of nodes, which would change the tree.
std::optional<Spot> spot_at(const Text& text, const Spot& spot, std::string_view key) {
  if (spot.key == key) return spot;
  const std::vector<Spot> all = inside(text, spot);
  const Spot* next = nullptr;
  for (const Spot& each : all) {
    const bool leads = key.starts_with(each.key) &&
                       (key.size() == each.key.size() || key[each.key.size()] == '.' || key[each.key.size()] == '[');
    if (leads && (!next || each.key.size() > next->key.size())) next = &each;
  }
  if (!next || next->key.size() <= spot.key.size()) return {};
  return spot_at(text, *next, key);
}

bool has_id(const YAML::Node& item, const std::string& id) {
  const YAML::Node own = item.IsMap() ? item["id"] : YAML::Node(YAML::NodeType::Undefined);
  return own && own.IsScalar() && own.Scalar() == id;
}

// The item in the file. Null if it is not there. Fails with invalid if it is there twice.
base::Result<std::optional<Spot>> find_item(const Text& text, const Spot& root, const ItemChange& change) {
  if (change.key) {
    auto spot = spot_at(text, root, *change.key);
    if (!spot) return cannot(fmt::format("the text of {} cannot be told from what it is written with", change.id));
    return spot;
  }
  std::optional<Spot> found;
  for (Spot& spot : inside(text, root)) {
    if (!(change.form == ItemForm::list ? has_id(spot.node, change.id) : spot.key == change.id)) continue;
    if (found) return base::fail(ErrorCode::invalid, fmt::format("{} is there twice", change.id));
    found.emplace(std::move(spot));
  }
  return found;
}

// What stands behind the id, or the name, of a new item.
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

// What becomes of each key of an item: its name, and whether it stays as it is written. Keys that are merged stay, and
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
  // Those that have no text of their own so far.
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
base::Result<std::string> edited(const Text& text, const Spot& item, const ItemChange& change) {
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
base::Result<std::string> edited_in_brackets(const Text& text, const Spot& item, const ItemChange& change) {
  const Keys keys(item.node, change);
  std::string made = text.whole;
  auto flow = flow_at(made, text.offset(item.node.Mark()));
  if (!flow || flow->parts.size() != keys.names.size())
    return cannot(fmt::format("the text of {} cannot be told from what it is written with", change.id));
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

// Without the item.
base::Result<std::string> removed(const Text& text, const Spot& item, const ItemChange& change) {
  if (item.key.empty())
    return cannot(fmt::format("{} is all of the file: remove the file, and what includes it", change.id));
  if (item.in_brackets) {
    const auto flow = flow_at(text.whole, text.offset(item.parent.Mark()));
    if (!flow || flow->parts.size() != item.parent.size())
      return cannot(fmt::format("the text of {} cannot be told from what it is written with", change.id));
    return without_part(text.whole, *flow, item.index);
  }
  std::string made = text.joined(0, item.range.begin);
  const bool of_file = item.key.starts_with('[') || item.key == change.id;
  if (item.parent.size() == 1 && of_file) made += text.made(change.form == ItemForm::list ? "[]\n" : "{}\n");
  return made + text.joined(item.range.end, text.lines.size());
}

// With the item behind all others.
base::Result<std::string> added(const Text& text, const YAML::Node& root, const Spot& whole, const ItemChange& change,
                                const std::string& item) {
  const bool nothing = root.IsNull() || !root.IsDefined();
  if (!nothing && root.Style() == YAML::EmitterStyle::Flow) {
    const auto flow = flow_at(text.whole, text.offset(root.Mark()));
    if (!flow) return cannot("the list or map in brackets is not closed");
    if (root.size() > 0) {
      const json::object own = item_of(change);
      return with_part(text.whole, *flow,
                       change.form == ItemForm::map ? flow_entry(change.id, own) : flow_yaml_of(own));
    }
    // Instead of the brackets, which hold nothing.
    std::string before = text.whole.substr(0, flow->open), after = text.whole.substr(flow->close + 1);
    if (is_blank(after.substr(0, after.find('\n')))) after.erase(0, std::min(after.find('\n'), after.size() - 1) + 1);
    return before + text.made(item) + after;
  }
  std::string made = text.joined(0, text.end);
  text.end_line(made);
  const auto others = inside(text, whole);
  const std::size_t column = others.empty() ? 0 : others.front().column;
  for (const std::string& line : lines_of(text.made(item)))
    made += is_blank(line) ? line : std::string(column, ' ') + line;
  if (text.end < text.lines.size()) text.end_line(made);
  return made + text.joined(text.end, text.lines.size());
}

bool fits(const YAML::Node& root, ItemForm form) {
  return root.IsNull() || !root.IsDefined() || (form == ItemForm::list ? root.IsSequence() : root.IsMap());
}

std::unexpected<base::Error> misfit(ItemForm form) {
  return base::fail(ErrorCode::invalid,
                    form == ItemForm::list ? "expected a list of items" : "expected items by their names");
}

// Never a file that means anything else.
base::Result<std::string> if_others_stay(std::string made, const std::string& text, const ItemChange& change) {
  const auto before = load_marked(text, "the former text"), after = load_marked(made, "the new text");
  if (!before) return std::unexpected(before.error());
  if (!after) return cannot(fmt::format("{} cannot be changed so: {}", change.id, after.error().message));
  std::optional<std::string> gone = change.key, come;
  if (!gone && !change.current.empty()) gone = key_after(before->root, change);
  if (change.wanted) come = key_after(after->root, change);
  if (const auto place = first_difference(before->root, gone, after->root, come)) {
    return cannot(fmt::format(
        "the text of {} cannot be changed without changing others: {} in line {} would mean something else, as with an "
        "anchor (&name) that both use",
        change.id, place->key.empty() ? "the file" : place->key, place->line));
  }
  return made;
}

base::Result<YAML::Node> parse(const std::string& text) {
  try {
    return YAML::Load(text);
  } catch (const YAML::Exception&) {
    const auto why = load_marked(text, "the text");
    return base::fail(ErrorCode::invalid, why ? "not valid YAML" : why.error().message);
  }
}

}  // namespace

std::string key_after(const ConfigNode& root, const ItemChange& change) {
  if (change.key) return *change.key;
  if (change.form == ItemForm::map) return change.id;
  for (const ConfigNode& item : root.items()) {
    const ConfigNode* const id = item.find("id");
    if (id && id->is_text() && id->text().value() == change.id) return item.place().key;
  }
  return "?";
}

base::Result<std::string> edit_item(const std::string& text, const ItemChange& change) {
  const auto root = parse(text);
  if (!root) return std::unexpected(root.error());
  if (!change.key && !fits(*root, change.form)) return misfit(change.form);
  const Text lines(text);
  const Spot whole{{0, lines.end}, "", *root, {}, 0, 0, false};
  const auto found = find_item(lines, whole, change);
  if (!found) return std::unexpected(found.error());
  if (!*found && !change.wanted) return base::fail(ErrorCode::not_found, fmt::format("there is no {}", change.id));
  const auto made = [&]() -> base::Result<std::string> {
    if (!*found) return added(lines, *root, whole, change, whole_item(change, 0));
    const Spot& item = **found;
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
  if (!made) return made;
  ItemChange checked = change;
  if (*found && !checked.key) checked.key = (**found).key;
  return if_others_stay(*made, text, checked);
}

base::Result<std::string> put_item_lines(const std::string& text, ItemForm form, const std::string& id,
                                         const std::string& item) {
  const auto root = parse(text);
  if (!root) return std::unexpected(root.error());
  if (!fits(*root, form)) return misfit(form);
  if (is_flow(*root)) return cannot("the file is one list or map in brackets: write its items in lines of their own");
  const ItemChange change{form, id, {}, json::object()};
  const Text lines(text);
  const Spot whole{{0, lines.end}, "", *root, {}, 0, 0, false};
  const auto found = find_item(lines, whole, change);
  if (!found) return std::unexpected(found.error());
  if (!*found) {
    auto made = added(lines, *root, whole, change, item);
    return made ? if_others_stay(std::move(*made), text, change) : made;
  }
  const auto& [range, key, node, parent, index, column, in_brackets] = **found;
  std::string made = lines.joined(0, range.begin);
  for (const std::string& line : lines_of(lines.made(item)))
    made += is_blank(line) ? line : std::string(column, ' ') + line;
  if (range.end < lines.lines.size()) lines.end_line(made);
  made += lines.joined(range.end, lines.lines.size());
  ItemChange checked = change;
  checked.key = key;
  return if_others_stay(std::move(made), text, checked);
}

}  // namespace hearth::app

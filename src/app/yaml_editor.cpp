// SPDX-License-Identifier: Apache-2.0
#include "app/yaml_editor.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <vector>

#include "app/text_lines.h"
#include "automation/data.h"

namespace hearth::app {
namespace {

using base::ErrorCode;

std::unexpected<base::Error> cannot(std::string message) {
  return base::fail(ErrorCode::unsupported, std::move(message));
}

// From the line that begins it to the one after its last.
struct Range {
  std::size_t begin, end;
};

struct Found {
  Range range;
  YAML::Node node;
  std::size_t column = 0;  // of its first key
  bool flow = false;       // in brackets
};

// The item in the file. Null if it is not there. Fails with invalid if it is there twice.
base::Result<std::optional<Found>> find_item(const std::vector<std::string>& lines, const YAML::Node& root,
                                             const ItemChange& change) {
  struct Place {
    std::size_t line, column;
    YAML::Node node;
    bool wanted;
  };
  std::vector<Place> places;
  if (change.form == ItemForm::list) {
    for (const auto& item : root) {
      const YAML::Node id = item.IsMap() ? item["id"] : YAML::Node(YAML::NodeType::Undefined);
      std::size_t line = static_cast<std::size_t>(item.Mark().line);
      // The dash may stand in a line of its own.
      while (line > 0 && lines[line][indentation_of(lines[line])] != '-') --line;
      places.push_back({line, indentation_of(lines[line]), item, id && id.IsScalar() && id.Scalar() == change.id});
    }
  } else {
    for (const auto& pair : root) {
      const YAML::Mark mark = pair.first.Mark();
      places.push_back({static_cast<std::size_t>(mark.line), static_cast<std::size_t>(mark.column), pair.second,
                        pair.first.IsScalar() && pair.first.Scalar() == change.id});
    }
  }
  std::optional<Found> found;
  for (std::size_t index = 0; index < places.size(); ++index) {
    const Place& place = places[index];
    if (!place.wanted) continue;
    if (found) return base::fail(ErrorCode::invalid, fmt::format("{} is there twice", change.id));
    const std::size_t next = index + 1 < places.size() ? places[index + 1].line : lines.size();
    const bool flow = place.node.Style() == YAML::EmitterStyle::Flow;
    const std::size_t column = place.node.IsMap() && place.node.size() > 0
                                   ? static_cast<std::size_t>(place.node.begin()->first.Mark().column)
                                   : 0;
    found = Found{{place.line, end_before(lines, place.line, next, place.column)}, place.node, column, flow};
  }
  return found;
}

std::string joined(const std::vector<std::string>& lines, std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t line = begin; line < end; ++line) text += lines[line];
  return text;
}

// `- ` or `name:` of a new item, with its keys.
std::string whole_item(const ItemChange& change, std::size_t column) {
  const json::object& wanted = *change.wanted;
  const std::string margin(column, ' ');
  if (change.form == ItemForm::map) {
    if (wanted.empty()) return fmt::format("{}{}: {{}}\n", margin, change.id);
    return fmt::format("{}{}:\n{}", margin, change.id, yaml_of(wanted, column + 2));
  }
  json::object item;
  item["id"] = json::string(change.id);
  for (const auto& [key, value] : wanted) {
    if (key != "id") item[key] = value;
  }
  std::string text = yaml_of(item, column + 2);
  text.replace(column, 1, "-");
  return text;
}

// The item's lines with the keys that change.
std::string edited(const std::vector<std::string>& lines, const Found& found, const ItemChange& change) {
  struct Key {
    std::string name;  // the present one
    std::size_t line;
  };
  std::vector<Key> keys;
  for (const auto& pair : found.node)
    keys.push_back(
        {std::string(change.name_of(pair.first.Scalar())), static_cast<std::size_t>(pair.first.Mark().line)});
  const json::object& wanted = *change.wanted;
  const auto stays = [&](std::string_view name) {
    const json::value *const now = change.current.if_contains(name), *const then = wanted.if_contains(name);
    return now && then && *now == *then;
  };
  const std::size_t first = keys.front().line;
  const std::string margin(found.column, ' ');
  std::string body;
  for (std::size_t index = 0; index < keys.size(); ++index) {
    const Key& key = keys[index];
    const std::size_t next = index + 1 < keys.size() ? keys[index + 1].line : found.range.end;
    const std::size_t end = end_before(lines, key.line, next, found.column);
    const bool is_id = change.form == ItemForm::list && key.name == "id";
    if (is_id || stays(key.name))
      body += margin + joined(lines, key.line, end).substr(found.column);
    else if (const json::value* const value = wanted.if_contains(key.name))
      body += yaml_of(json::object{{key.name, *value}}, found.column);
    body += joined(lines, end, next);
  }
  if (!body.empty() && !body.ends_with('\n')) body += '\n';
  for (const auto& [name, value] : wanted) {
    const bool known = std::ranges::find(keys, std::string(name), &Key::name) != keys.end();
    if (!known && !(change.form == ItemForm::list && name == "id") && !stays(name))
      body += yaml_of(json::object{{name, value}}, found.column);
  }
  // The dash stands before whatever comes first.
  if (body.size() >= found.column) body.replace(0, found.column, lines[first].substr(0, found.column));
  return joined(lines, found.range.begin, first) + body;
}

bool needs_quotes(const std::string& text) {
  if (text.empty() || text.front() == ' ' || text.back() == ' ') return true;
  if (!automation::plain_value(text).is_string()) return true;
  constexpr std::string_view kWords[] = {"y", "n", "yes", "no", "on", "off", "true", "false", "null", "~"};
  std::string lower = text;
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (std::ranges::find(kWords, lower) != std::end(kWords)) return true;
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '.' || c == ' ' || c == '/' || c == '-' || c >= 0x80;
  };
  // What begins with a digit may be a time or a number elsewhere.
  return !(std::isalpha(static_cast<unsigned char>(text.front())) ||
           static_cast<unsigned char>(text.front()) >= 0x80) ||
         !std::ranges::all_of(text, plain);
}

void emit(YAML::Emitter& out, const json::value& value) {
  if (const auto* const object = value.if_object()) {
    if (object->empty()) out << YAML::Flow;
    out << YAML::BeginMap;
    for (const auto& [key, item] : *object) {
      const std::string name(key);
      out << YAML::Key;
      if (needs_quotes(name)) out << YAML::DoubleQuoted;
      out << name << YAML::Value;
      emit(out, item);
    }
    out << YAML::EndMap;
  } else if (const auto* const list = value.if_array()) {
    if (list->empty()) out << YAML::Flow;
    out << YAML::BeginSeq;
    for (const json::value& item : *list) emit(out, item);
    out << YAML::EndSeq;
  } else if (value.is_string()) {
    const std::string text(value.get_string());
    // A text of several lines, such as a template, as it is; without odd spaces, which the form would change.
    const bool block = text.contains('\n') && !text.starts_with(' ') && !text.starts_with('\n') &&
                       text.find_first_of("\t\r") == std::string::npos && !text.contains(" \n") && text.back() != '\n';
    if (block)
      out << YAML::Literal;
    else if (needs_quotes(text))
      out << YAML::DoubleQuoted;
    out << text;
  } else if (value.is_null()) {
    out << YAML::Null;
  } else {
    out << base::to_json(value);
  }
}

base::Result<YAML::Node> parse(const std::string& text) {
  try {
    return YAML::Load(text);
  } catch (const YAML::Exception& failure) {
    return base::fail(ErrorCode::invalid, failure.what());
  }
}

// What a node means, for comparisons: tags as they are written.
std::string meaning(const YAML::Node& node, int depth = 0) {
  if (depth > 64) return "?";
  const std::string tag = node.Tag();
  if (node.IsScalar())
    return fmt::format("{}{}", tag == "?" ? "" : tag + " ", base::to_json(json::value(json::string(node.Scalar()))));
  std::string text = tag;
  if (node.IsSequence()) {
    text += "[";
    for (const auto& item : node) text += meaning(item, depth + 1) + ",";
    return text + "]";
  }
  if (!node.IsMap()) return text + "null";
  text += "{";
  for (const auto& pair : node) text += meaning(pair.first, depth + 1) + ":" + meaning(pair.second, depth + 1) + ",";
  return text + "}";
}

// All items but the one that changes.
std::vector<std::string> others(const YAML::Node& root, const ItemChange& change) {
  std::vector<std::string> all;
  if (root.IsMap()) {
    for (const auto& pair : root) {
      if (!pair.first.IsScalar() || pair.first.Scalar() != change.id)
        all.push_back(meaning(pair.first) + ":" + meaning(pair.second));
    }
  } else {
    for (const auto& item : root) {
      const YAML::Node id = item.IsMap() ? item["id"] : YAML::Node(YAML::NodeType::Undefined);
      if (!id || !id.IsScalar() || id.Scalar() != change.id) all.push_back(meaning(item));
    }
  }
  return all;
}

// The first item's place decides where further ones stand.
std::size_t column_of_items(const std::vector<std::string>& lines, const YAML::Node& root, ItemForm form) {
  if (root.size() == 0) return 0;
  if (form == ItemForm::map) return static_cast<std::size_t>(root.begin()->first.Mark().column);
  std::size_t line = static_cast<std::size_t>(root.begin()->Mark().line);
  while (line > 0 && lines[line][indentation_of(lines[line])] != '-') --line;
  return indentation_of(lines[line]);
}

bool is_empty(const YAML::Node& root) {
  return root.IsNull() || !root.IsDefined();
}

bool fits(const YAML::Node& root, ItemForm form) {
  return is_empty(root) || (form == ItemForm::list ? root.IsSequence() : root.IsMap());
}

std::unexpected<base::Error> misfit(ItemForm form) {
  return base::fail(ErrorCode::invalid,
                    form == ItemForm::list ? "expected a list of items" : "expected items by their names");
}

std::unexpected<base::Error> in_brackets() {
  return cannot("the file is one list or map in brackets: write its items in lines of their own");
}

// Never a file that means anything else.
base::Result<std::string> if_others_stay(std::string made, const YAML::Node& root, const ItemChange& change) {
  const auto after = parse(made);
  if (!after) return cannot(fmt::format("the text of {} cannot be changed: {}", change.id, after.error().message));
  if (!is_empty(root) && others(*after, change) != others(root, change))
    return cannot(fmt::format("the text of {} cannot be changed without changing others", change.id));
  return made;
}

}  // namespace

std::string yaml_of(const json::value& value, std::size_t indentation) {
  YAML::Emitter out;
  out.SetIndent(2);
  emit(out, value);
  const std::string text = std::string(out.c_str()) + "\n";
  std::string indented;
  for (std::string line : lines_of(text)) {
    // Only texts without a line break at their end are written so, and nothing else ends with this sign.
    if (line.ends_with(" |\n")) line.replace(line.size() - 1, 1, "-\n");
    indented += is_blank(line) ? line : std::string(indentation, ' ') + line;
  }
  return indented;
}

base::Result<std::string> edit_item(const std::string& text, const ItemChange& change) {
  const auto root = parse(text);
  if (!root) return std::unexpected(root.error());
  const bool is_list = change.form == ItemForm::list, empty = is_empty(*root);
  if (!fits(*root, change.form)) return misfit(change.form);
  if (root->size() > 0 && root->Style() == YAML::EmitterStyle::Flow) return in_brackets();
  const std::vector<std::string> lines = lines_of(text);
  auto found = empty ? base::Result<std::optional<Found>>(std::nullopt) : find_item(lines, *root, change);
  if (!found) return std::unexpected(found.error());
  std::string made;
  if (!*found) {
    if (!change.wanted) return base::fail(ErrorCode::not_found, fmt::format("there is no {}", change.id));
    const bool only_brackets = !empty && root->size() == 0;  // [] or {}
    made = only_brackets ? "" : text;
    if (!made.empty() && !made.ends_with('\n')) made += '\n';
    made += whole_item(change, empty || only_brackets ? 0 : column_of_items(lines, *root, change.form));
  } else {
    const Found& item = **found;
    made = joined(lines, 0, item.range.begin);
    const bool as_whole = item.flow || !item.node.IsMap() || item.node.size() == 0 || item.node.Tag().starts_with('!');
    if (change.wanted)
      made += as_whole ? whole_item(change, indentation_of(lines[item.range.begin])) : edited(lines, item, change);
    made += joined(lines, item.range.end, lines.size());
    if (!change.wanted && others(*root, change).empty()) made += is_list ? "[]\n" : "{}\n";
  }
  return if_others_stay(std::move(made), *root, change);
}

base::Result<std::string> put_item_lines(const std::string& text, ItemForm form, const std::string& id,
                                         const std::string& item) {
  const auto root = parse(text);
  if (!root) return std::unexpected(root.error());
  if (!fits(*root, form)) return misfit(form);
  if (root->size() > 0 && root->Style() == YAML::EmitterStyle::Flow) return in_brackets();
  const ItemChange change{form, id, {}, std::nullopt};
  const std::vector<std::string> lines = lines_of(text);
  const bool empty = is_empty(*root);
  auto found = empty ? base::Result<std::optional<Found>>(std::nullopt) : find_item(lines, *root, change);
  if (!found) return std::unexpected(found.error());
  const std::size_t column = empty ? 0 : column_of_items(lines, *root, form);
  const Range range = *found ? (*found)->range : Range{lines.size(), lines.size()};
  std::string made = !empty && root->size() == 0 ? "" : joined(lines, 0, range.begin);
  if (!made.empty() && !made.ends_with('\n')) made += '\n';
  for (const std::string& line : lines_of(item)) made += is_blank(line) ? line : std::string(column, ' ') + line;
  if (range.end < lines.size() && !made.ends_with('\n')) made += '\n';
  made += joined(lines, range.end, lines.size());
  return if_others_stay(std::move(made), *root, change);
}

}  // namespace hearth::app

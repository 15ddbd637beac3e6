// SPDX-License-Identifier: Apache-2.0
#include "automation/helper_parser.h"

#include <fmt/format.h>

#include <map>

#include "automation/item_node.h"
#include "automation/parsing.h"
#include "core/entity_id.h"
#include "core/helper_types.h"

namespace hearth::automation {
namespace {

// A group may be no more than its members.
ConfigNode as_helper(const core::CollectionType& type, const ConfigNode& whole) {
  if (type.name != std::string_view("group") || (!whole.is_text() && !whole.is_list())) return whole;
  return ConfigNode(whole.place(), ConfigNode::Map{{"entities", whole}});
}

// The text as it is written where one is expected: on is a fine option.
base::Result<json::value> given_at(const ConfigNode& node, const core::field::Type& type) {
  if (std::holds_alternative<core::field::Text>(type)) {
    auto text = node.text();
    if (!text) return std::unexpected(text.error());
    return json::value(json::string(*text));
  }
  if (!std::holds_alternative<core::field::TextList>(type)) return written_as(node);
  const auto texts = node.texts();
  if (!texts) return std::unexpected(texts.error());
  json::array list;
  for (const std::string& text : *texts) list.emplace_back(text);
  return list;
}

class HelperReader {
 public:
  explicit HelperReader(HelperConfiguration& made) : made_(made) {}

  void read(const std::string& collection, const ConfigNode& section) {
    if (const base::Error* const why = section.broken()) return lost(why->message);
    if (collection == "person" && section.is_list()) return read_persons(section);
    if (!section.is_map() && !section.is_empty()) return lost(section.mismatch("object ids, each with keys").message);
    for (const auto& [id, node] : section.entries()) read(collection, id, node);
  }

 private:
  // Each says its id itself.
  void read_persons(const ConfigNode& section) {
    for (const ConfigNode& node : section.items()) {
      const ConfigNode* const id = node.find("id");
      const auto text =
          id ? id->text() : base::Result<std::string>(std::unexpected(node.mismatch("an id among its keys")));
      if (!text) {
        lost(text.error().message);
        continue;
      }
      ConfigNode::Map rest = node.entries();
      std::erase_if(rest, [](const ConfigNode::Entry& entry) { return entry.key == "id"; });
      read("person", *text, ConfigNode(node.place(), std::move(rest)));
    }
  }

  void read(const std::string& collection, const std::string& id, const ConfigNode& node) {
    if (!core::is_slug(id))
      return lost(node.error("expected an object id of small letters, digits and underscores").message);
    const auto [known, is_new] = places_.emplace(collection + "." + id, place_of(node));
    if (is_new)
      made_.helpers.push_back(helper(*core::find_collection_type(collection), id, node));
    else
      made_.faults.push_back(
          node.error(fmt::format("{}.{} is there twice, also at {}", collection, id, known->second)).message);
  }

  void lost(std::string error) {
    made_.complete = false;
    made_.faults.push_back(std::move(error));
  }

  static domains::HelperItem helper(const core::CollectionType& type, const std::string& id, const ConfigNode& whole) {
    domains::HelperItem item{
        .collection = std::string(type.name), .id = id, .place = place_of(whole), .fields = {}, .error = {}};
    const ConfigNode node = rerooted(as_helper(type, whole), whole.place());
    if (!node.is_map() && !node.is_empty() && !node.broken()) {
      item.error = node.mismatch("a helper: keys with values").message;
      return item;
    }
    ConfigReader in(node);
    json::object given;
    for (const core::CollectionField& each : type.fields) {
      const ConfigNode* const found = in.find(each.field.name);
      if (!found || found->is_empty()) continue;
      auto value = given_at(*found, each.field.type);
      if (value && !core::field::convert(each.field.type, *value))
        value = std::unexpected(found->mismatch(core::field::expected(each.field.type)));
      given[each.field.name] = value_or_note(in, *found, std::move(value));
    }
    if (!given.contains("name")) given["name"] = id;
    collect_broken(node, item.error);
    if (const auto read = in.finish(0); !read)
      item.error = item.error.empty() ? read.error().message : with_lines(item.error, read.error().message);
    if (!item.error.empty()) return item;
    auto fields = type.fields_of(given);
    if (fields)
      item.fields = std::move(*fields);
    else
      item.error = node.error(fields.error().message).message;
    return item;
  }

  HelperConfiguration& made_;
  std::map<std::string, std::string> places_;  // by entity id
};

}  // namespace

HelperConfiguration parse_helpers(const Sections& sections) {
  HelperConfiguration made;
  HelperReader reader(made);
  for (const auto& [collection, section] : sections.helpers) reader.read(collection, section);
  return made;
}

std::vector<std::string> errors_of(const HelperConfiguration& configuration) {
  std::vector<std::string> errors = configuration.faults;
  for (const domains::HelperItem& helper : configuration.helpers) {
    if (!helper.error.empty()) errors.push_back(helper.error);
  }
  return errors;
}

}  // namespace hearth::automation

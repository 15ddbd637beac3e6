// SPDX-License-Identifier: Apache-2.0
#include "automation/items/helper_parser.h"

#include <fmt/format.h>

#include "automation/config/item_node.h"
#include "automation/config/parsing.h"
#include "configured/unique_ids.h"
#include "core/registry/helper_types.h"
#include "core/values/entity_id.h"

namespace hearth::automation {
namespace {

constexpr std::string_view kGroups = "group", kGroupType = "group_type", kSum = "type", kNotify = "notify",
                           kServices = "services";

// A group may be no more than its members.
ConfigNode as_helper(const core::CollectionType& type, const ConfigNode& whole) {
  if (type.name != kGroups || (!whole.is_text() && !whole.is_list())) return whole;
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

// The key of that field, of a group that is an entity of a domain; empty if it has none.
std::string_view key_of_group(std::string_view domain, std::string_view field) {
  if (field == "all") return core::kGroupsWithAll.contains(domain) ? field : "";
  if (field == "device_class") return core::kGroupsWithClass.contains(domain) ? field : "";
  constexpr core::Words of_sensors{"sensor_type ignore_non_numeric unit_of_measurement state_class"};
  if (of_sensors.contains(field)) return domain != "sensor" ? "" : field == "sensor_type" ? kSum : field;
  return field == kGroupType ? "" : field;
}

std::string_view key_of_helper(std::string_view collection, std::string_view field) {
  constexpr core::Words of_any_group{"name icon entities all"};
  return collection != kGroups || of_any_group.contains(field) ? field : "";
}

class HelperReader {
 public:
  explicit HelperReader(HelperConfiguration& made) : made_(made) {}

  void read(const std::string& collection, const ConfigNode& section) {
    if (const base::Error* const why = section.broken()) return made_.lose(why->message);
    if (collection == kZoneKey) return read_zones(section);
    if (collection == "person" && section.is_list()) return read_persons(section);
    if (!section.is_map() && !section.is_empty())
      return made_.lose(section.mismatch("object ids, each with keys").message);
    for (const auto& [id, node] : section.entries()) read(collection, id, node);
  }

  // The groups among the platforms of a domain.
  void read_groups(const std::string& domain, const ConfigNode& section) {
    // A broken one is told with the other platforms.
    made_.complete = made_.complete && !section.broken();
    if (section.broken() || !core::kGroupTypes.contains(domain)) return;
    for (const ConfigNode& whole : one_or_many(&section)) {
      made_.complete = made_.complete && !whole.broken();
      if (text_of(whole, "platform") == kGroups) read_group(domain, whole);
    }
  }

 private:
  static std::string text_of(const ConfigNode& node, std::string_view key) {
    const ConfigNode* const found = node.is_map() ? node.find(key) : nullptr;
    const auto text = found ? found->text() : std::unexpected(base::Error{});
    return text ? *text : std::string();
  }

  void read_group(const std::string& domain, const ConfigNode& whole) {
    const ConfigNode node = rerooted(whole, whole.place());
    if (domain == kNotify && node.find(kServices)) return read_notify_group(node, whole);
    ConfigReader in(node);
    in.find("platform");
    const std::string unique_id = read_text(in, "unique_id");
    std::string name = text_of(node, "name");
    if (name.empty()) name = default_name(domain, text_of(node, kSum));
    domains::HelperItem item{.collection = std::string(kGroups),
                             .id = domain + "." + (unique_id.empty() ? core::slugify(name) : unique_id),
                             .place = place_of(whole),
                             .fields = {},
                             .error = {}};
    if (domain == "sensor" && !node.find(kSum)) note_missing(in, node, kSum);
    const core::CollectionType& type = *core::find_collection_type(kGroups);
    read_fields(in, node, type, item, {{"name", name}, {kGroupType, domain}},
                [&](std::string_view field) { return key_of_group(domain, field); });
    std::string twice;
    item.id = ids_.claim("", item.id, item.place, unique_id.empty() ? nullptr : node.find("unique_id"), twice);
    item.error = with_lines(item.error, twice);
    add(std::move(item), whole);
  }

  // A group of notifiers is a service, made of services.
  void read_notify_group(const ConfigNode& node, const ConfigNode& whole) {
    ConfigReader in(node);
    in.find("platform");
    std::string name = read_text(in, "name");
    if (name.empty()) name = kNotify;
    const std::string service = core::slugify(name);
    if (service.empty()) note(in, *node.find("name"), "expected a letter or a digit, which the service is named after");
    json::array members;
    const auto named = one_or_many(in.find(kServices));
    if (named.empty()) note(in, *node.find(kServices), "expected at least one service");
    for (const ConfigNode& member : named) {
      auto read = notified(member);
      if (read)
        members.push_back(std::move(*read));
      else
        note(in, member, std::move(read.error()));
    }
    domains::HelperItem item{.collection = std::string(kGroups),
                             .id = fmt::format("{}/{}", kNotify, service),
                             .place = place_of(whole),
                             .fields = {{"name", name}, {kGroupType, kNotify}, {kServices, std::move(members)}},
                             .error = {}};
    collect_broken(node, item.error);
    if (const auto read = in.finish(0); !read) item.error = with_lines(item.error, read.error().message);
    if (const std::string* const known = ids_.place_of(item.id)) {
      item.error = with_lines(item.error,
                              node.error(fmt::format("notify.{} is there twice, also at {}", service, *known)).message);
      item.id += " " + item.place;
    }
    item.id = ids_.claim("", item.id, item.place);
    add(std::move(item), whole);
  }

  // {service: phone, data: {…}}; `action` is the present name of the key.
  static base::Result<json::value> notified(const ConfigNode& node) {
    if (!node.is_map()) return std::unexpected(node.mismatch("service, perhaps with data"));
    ConfigReader in(node);
    json::object member;
    if (const ConfigNode* const name = find_either(in, "action", "service")) {
      const auto text = name->text();
      if (!text || !core::is_slug(*text))
        note(in, *name, name->mismatch("the name of a service of notify, without the domain"));
      else
        member["service"] = json::string(*text);
    } else {
      note_missing(in, node, "service");
    }
    if (const ConfigNode* const data = in.find("data"); data && !data->is_empty()) {
      if (!data->is_map()) note(in, *data, data->mismatch("fields with values"));
      member["data"] = written_as(*data);
    }
    return in.finish(json::value(std::move(member)));
  }

  // light: Light Group
  static std::string default_name(std::string_view domain, std::string_view sum) {
    if (domain == "media_player") return "Media Group";
    if (domain == "sensor" && !sum.empty()) return "Sensor group " + std::string(sum);
    std::string name;
    for (const char c : domain) {
      const bool first = name.empty() || name.back() == ' ';
      name += c == '_' ? ' ' : first ? static_cast<char>(c - 'a' + 'A') : c;
    }
    return name + " Group";
  }

  // Each says its id itself.
  void read_persons(const ConfigNode& section) {
    for (const ConfigNode& node : section.items()) {
      const ConfigNode* const id = node.find("id");
      const auto text =
          id ? id->text() : base::Result<std::string>(std::unexpected(node.mismatch("an id among its keys")));
      if (!text) {
        made_.lose(text.error().message);
        continue;
      }
      ConfigNode::Map rest = node.entries();
      std::erase_if(rest, [](const ConfigNode::Entry& entry) { return entry.key == "id"; });
      read("person", *text, ConfigNode(node.place(), std::move(rest)));
    }
  }

  // Each is known by its name.
  void read_zones(const ConfigNode& section) {
    for (const ConfigNode& node : one_or_many(&section)) {
      const std::string name = text_of(node, "name"), slug = core::slugify(name);
      if (slug.empty()) {
        made_.lose((node.is_map() ? node.error("name is missing") : node.mismatch("a zone: keys with values")).message);
        continue;
      }
      const std::string id = ids_.claim(fmt::format("{}.", kZoneKey), slug, place_of(node));
      made_.zones.push_back(masked(helper(*core::find_collection_type(kZoneKey), id, node), node));
    }
  }

  void read(const std::string& collection, const std::string& id, const ConfigNode& node) {
    if (!core::is_slug(id))
      return made_.lose(node.error("expected an object id of small letters, digits and underscores").message);
    if (const std::string* const known = ids_.place_of(collection + "." + id)) {
      made_.faults.push_back(
          node.error(fmt::format("{}.{} is there twice, also at {}", collection, id, *known)).message);
      return;
    }
    ids_.claim(collection + ".", id, place_of(node));
    add(helper(*core::find_collection_type(collection), id, node), node);
  }

  static domains::HelperItem masked(domains::HelperItem item, const ConfigNode& node) {
    item.error = base::without_secrets(std::move(item.error), base::secrets_in(node));
    return item;
  }
  void add(domains::HelperItem item, const ConfigNode& node) { made_.helpers.push_back(masked(std::move(item), node)); }

  static domains::HelperItem helper(const core::CollectionType& type, const std::string& id, const ConfigNode& whole) {
    domains::HelperItem item{
        .collection = std::string(type.name), .id = id, .place = place_of(whole), .fields = {}, .error = {}};
    const ConfigNode node = rerooted(as_helper(type, whole), whole.place());
    if (!node.is_map() && !node.is_empty() && !node.broken()) {
      item.error = node.mismatch("a helper: keys with values").message;
      return item;
    }
    ConfigReader in(node);
    read_fields(in, node, type, item, {{"name", id}},
                [&](std::string_view field) { return key_of_helper(type.name, field); });
    return item;
  }

  // Into the item's fields, or its error. `otherwise`: those that it has if it does not name them.
  template <class KeyOf>
  static void read_fields(ConfigReader& in, const ConfigNode& node, const core::CollectionType& type,
                          domains::HelperItem& item, const json::object& otherwise, KeyOf key_of) {
    json::object given;
    for (const core::CollectionField& each : type.fields) {
      const std::string_view key = key_of(each.field.name);
      const ConfigNode* const found = key.empty() ? nullptr : in.find(key);
      if (!found || found->is_empty()) continue;
      auto value = given_at(*found, each.field.type);
      if (value && !core::field::convert(each.field.type, *value))
        value = std::unexpected(found->mismatch(core::field::expected(each.field.type)));
      given[each.field.name] = value_or_note(in, *found, std::move(value));
    }
    for (const auto& [key, value] : otherwise)
      if (!given.contains(key)) given[key] = value;
    collect_broken(node, item.error);
    if (const auto read = in.finish(0); !read)
      item.error = item.error.empty() ? read.error().message : with_lines(item.error, read.error().message);
    if (!item.error.empty()) return;
    auto fields = type.fields_of(given);
    if (fields)
      item.fields = std::move(*fields);
    else
      item.error = node.error(fields.error().message).message;
  }

  HelperConfiguration& made_;
  configured::UniqueIds ids_;  // as those of entities
};

}  // namespace

HelperConfiguration parse_helpers(const Sections& sections) {
  HelperConfiguration made;
  HelperReader reader(made);
  for (const auto& [collection, section] : sections.helpers) reader.read(collection, section);
  for (const auto& [domain, section] : sections.platforms) reader.read_groups(domain, section);
  return made;
}

}  // namespace hearth::automation

// SPDX-License-Identifier: Apache-2.0
// search/related: what hangs together with an item. One pass over devices and entities, however many are found.
#include <algorithm>
#include <map>
#include <set>

#include "api/automations/automations.h"
#include "api/gateway/message_reader.h"
#include "api/integrations/config_entry.h"
#include "api/parts.h"
#include "api/rows.h"

namespace hearth::api {
namespace {

constexpr std::string_view kTypes[] = {
    "area",   "automation",      "automation_blueprint", "config_entry", "device", "entity",
    "floor",  "group",           "integration",          "label",        "person", "scene",
    "script", "script_blueprint"};

using Named = std::vector<core::ItemReferences>;  // by automations and scripts

constexpr std::string_view kEntityTypes[] = {"automation", "entity", "group", "person", "scene", "script"};

// True if an entity of that domain is an item of its own type, too.
bool is_item_type(std::string_view domain) {
  return domain != "entity" && std::ranges::find(kEntityTypes, domain) != std::end(kEntityTypes);
}

class Related {
 public:
  Related(const core::View& home, const Named& named, std::string_view type, const std::string& id)
      : home_(home), named_(named), registry_(home.registry()), type_(type), id_(id) {}

  json::object find() {
    registry_.for_each_area([&](const core::Area& area) { of_area(area); });
    registry_.for_each_device([&](const core::Device& device) { of_device(device); });
    if (type_.ends_with("_blueprint")) {
      add_users_of_blueprint();
    } else if (std::ranges::find(kEntityTypes, type_) != std::end(kEntityTypes)) {
      of_entity();
    } else {
      registry_.for_each_entity([&](const core::RegisteredEntity& entity) {
        if (belongs(entity)) add_entity(entity);
      });
      if (type_ != "label" && type_ != "integration") add_holders();
      if (type_ != "integration" && type_ != "config_entry") add_users(found_["entity"]);
    }
    json::object object;
    for (const auto& [kind, ids] : found_) {
      json::array list;
      for (const std::string& each : ids)
        if (kind != type_ || each != id_) list.emplace_back(each);
      if (!list.empty()) object[kind] = std::move(list);
    }
    return object;
  }

 private:
  void add(std::string_view kind, const std::string& id) { found_[kind].insert(id); }

  void of_area(const core::Area& area) {
    const bool wanted = (type_ == "area" && area.id == id_) || (type_ == "floor" && area.floor_id == id_) ||
                        (type_ == "label" && area.labels.contains(id_));
    if (!wanted) return;
    if (type_ == "label") return add("area", area.id);
    add("area", area.id);
    if (area.floor_id && type_ != "floor") add("floor", *area.floor_id);
    if (type_ == "area") add_labels(area.labels);
  }

  bool in_places(const core::OptionalText& area_id) const {
    const auto areas = found_.find("area");
    return area_id && areas != found_.end() && areas->second.contains(*area_id);
  }

  void of_device(const core::Device& device) {
    area_of_device_[device.id] = device.area_id;
    bool wanted = false;
    if (type_ == "area" || type_ == "floor") wanted = in_places(device.area_id);
    if (type_ == "label") wanted = device.labels.contains(id_);
    if (type_ == "integration") wanted = device.integration == id_;
    if (type_ == "config_entry") wanted = is_wanted_entry(device);
    if (type_ == "device") wanted = device.id == id_;
    if (!wanted) return;
    add("device", device.id);
    if (type_ == "label") return;
    add_integration(device);
    if (type_ != "device") return;
    add_labels(device.labels);
    if (device.area_id) add_place(*device.area_id);
  }

  bool is_wanted_entry(const auto& brought) const {
    const json::value id = entries_.of(brought);
    return id.is_string() && std::string_view(id.get_string()) == id_;
  }

  // Its own area, or its device's.
  core::OptionalText area_of(const core::RegisteredEntity& entity) const {
    if (entity.area_id || !entity.device_id) return entity.area_id;
    const auto device = area_of_device_.find(*entity.device_id);
    return device == area_of_device_.end() ? core::OptionalText() : device->second;
  }

  bool belongs(const core::RegisteredEntity& entity) const {
    if (type_ == "device") return entity.device_id == id_;
    if (type_ == "label") return entity.labels.contains(id_);
    if (type_ == "integration") return entity.integration == id_;
    if (type_ == "config_entry") return is_wanted_entry(entity);
    return in_places(area_of(entity));
  }

  void add_entity(const core::RegisteredEntity& entity) {
    add("entity", entity.entity_id);
    if (type_ != "label") add_integration(entity);
  }

  void of_entity() {
    const core::StatePtr state = home_.find(id_);
    const core::RegisteredEntity* const entity = registry_.find_entity(id_);
    if (!state && !entity) return;
    add("entity", id_);
    if (entity) up_from(*entity);
    if (state) {
      for (const std::string& member : members(*state)) {
        add("entity", member);
        if (const auto* const known = registry_.find_entity(member)) up_from(*known);
      }
    }
    found_["entity"].erase(id_);
    add_holders({id_});
    add_users({id_});
    if (type_ == "automation" || type_ == "script") add_named();
  }

  void up_from(const core::RegisteredEntity& entity) {
    add_integration(entity);
    if (entity.device_id) add("device", *entity.device_id);
    if (const core::OptionalText area = area_of(entity)) add_place(*area);
    if (entity.entity_id == id_) add_labels(entity.labels);
  }

  void add_place(const std::string& area_id) {
    registry_.for_each_area([&](const core::Area& area) {
      if (area.id != area_id) return;
      add("area", area.id);
      if (area.floor_id) add("floor", *area.floor_id);
    });
  }

  void add_integration(const auto& entry) {
    if (entry.integration.empty()) return;
    add("integration", entry.integration);
    if (const json::value id = entries_.of(entry); id.is_string()) add("config_entry", std::string(id.get_string()));
  }

  void add_labels(const core::Texts& labels) {
    for (const std::string& label : labels) add("label", label);
  }

  // `scene` or `group` if it is one, even as an entity of another domain; otherwise empty.
  std::string_view holder(const core::State& state) const {
    if (state.domain() == "scene" || state.domain() == "group") return state.domain();
    const core::RegisteredEntity* const entity = registry_.find_entity(state.entity_id());
    return entity && entity->integration == "group" ? "group" : "";
  }

  // The entities that a scene or group is made of, as far as the caller may read them.
  std::vector<std::string> members(const core::State& state) const {
    std::vector<std::string> ids;
    if (holder(state).empty()) return ids;
    const json::object attributes = state.attributes();
    const json::value* const list = attributes.if_contains("entity_id");
    if (!list || !list->is_array()) return ids;
    for (const json::value& each : list->get_array()) {
      if (each.is_string() && home_.reads(each.get_string())) ids.emplace_back(each.get_string());
    }
    return ids;
  }

  // Scenes and groups that hold one of the entities.
  void add_holders(std::set<std::string> wanted = {}) {
    if (wanted.empty()) wanted = found_["entity"];
    home_.states().for_each([&](const core::State& state) {
      const std::string_view kind = holder(state);
      if (kind.empty()) return;
      if (std::ranges::any_of(members(state), [&](const std::string& each) { return wanted.contains(each); }))
        add(kind == "scene" ? "scene" : "group", std::string(state.entity_id()));
    });
  }

  // The entity of an automation or a script; empty if the caller may not read it.
  std::string entity_id_of(const core::ItemReferences& item) {
    if (entity_ids_.empty()) {
      registry_.for_each_entity([&](const core::RegisteredEntity& entity) {
        if (entity.integration == "automation" || entity.integration == "script")
          entity_ids_.emplace(entity.integration + "." + entity.unique_id, entity.entity_id);
      });
    }
    const auto found = entity_ids_.find(item.domain + "." + item.unique_id);
    return found == entity_ids_.end() ? "" : found->second;
  }

  // The automations and scripts that name one of the entities, or what was asked about and holds them.
  void add_users(const std::set<std::string>& entities) {
    const auto names = [](const std::set<std::string>& named, const auto& wanted) {
      return std::ranges::any_of(named, [&](const std::string& each) { return wanted.contains(each); });
    };
    const bool is_place = type_ == "area" || type_ == "floor";
    const auto& devices = is_place || type_ == "device" ? found_["device"] : none_;
    const auto& areas = is_place ? found_["area"] : none_;
    for (const core::ItemReferences& item : named_) {
      const core::References& named = item.named;
      const bool uses = (type_ != "label" && (names(named.entities, entities) || names(named.services, entities))) ||
                        names(named.devices, devices) || names(named.areas, areas) ||
                        (type_ == "floor" && named.floors.contains(id_)) ||
                        (type_ == "label" && named.labels.contains(id_));
      const std::string entity_id = uses ? entity_id_of(item) : "";
      if (!entity_id.empty()) add(item.domain == "automation" ? "automation" : "script", entity_id);
    }
  }

  void add_users_of_blueprint() {
    for (const core::ItemReferences& item : named_) {
      if (item.named.blueprint != id_ || item.domain + "_blueprint" != type_) continue;
      if (const std::string entity_id = entity_id_of(item); !entity_id.empty())
        add(item.domain == "automation" ? "automation" : "script", entity_id);
    }
  }

  // References of the automation or script.
  void add_named() {
    for (const core::ItemReferences& item : named_) {
      if (item.domain != type_ || entity_id_of(item) != id_) continue;
      for (const auto* const ids : {&item.named.entities, &item.named.services}) {
        for (const std::string& entity_id : *ids) add_named(entity_id);
      }
      for (const std::string& device : item.named.devices) {
        if (area_of_device_.contains(device)) add("device", device);
      }
      for (const std::string& area : item.named.areas) add_place(area);
      for (const std::string& label : item.named.labels)
        if (registry_.reads_label(label)) add("label", label);
      if (!item.named.blueprint.empty())
        add(item.domain == "automation" ? "automation_blueprint" : "script_blueprint", item.named.blueprint);
    }
  }
  void add_named(const std::string& entity_id) {
    const core::RegisteredEntity* const entity = registry_.find_entity(entity_id);
    if (!home_.reads(entity_id) || (!entity && !home_.find(entity_id))) return;
    const auto* const own = std::ranges::find(kTypes, std::string_view(entity_id).substr(0, entity_id.find('.')));
    add(own != std::end(kTypes) && is_item_type(*own) ? *own : "entity", entity_id);
    if (entity) up_from(*entity);
  }

  const core::View& home_;
  const Named& named_;
  const core::ReadableRegistry registry_;
  const ConfigEntryIds entries_{home_};
  const std::string_view type_;
  const std::string& id_;
  std::map<std::string, core::OptionalText> area_of_device_;
  std::map<std::string, std::string> entity_ids_;  // of automations and scripts
  const std::set<std::string> none_;
  std::map<std::string_view, std::set<std::string>> found_;
};

CommandResult find_related(const CommandCall& call) {
  std::string type, id;
  MessageReader in(call.message);
  in.required("item_type", type);
  in.required("item_id", id);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  if (std::ranges::find(kTypes, type) == std::end(kTypes)) {
    std::string known;
    for (const std::string_view each : kTypes) (known += known.empty() ? "" : ", ") += each;
    return std::unexpected(CommandError(command_error::kInvalidFormat, "item_type: expected one of " + known));
  }
  const auto named = call.parts.automations ? call.parts.automations->named() : std::make_shared<const Named>();
  return base::to_json(Related(call.home, *named, type, id).find());
}

}  // namespace

constexpr Command kRelatedCommandRows[] = {
    {"search/related", Access::user, find_related, Durable::no},
};
constexpr Commands kRelatedCommands = kRelatedCommandRows;

}  // namespace hearth::api

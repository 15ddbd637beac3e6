// SPDX-License-Identifier: Apache-2.0
// search/related: what hangs together with an item. One pass over devices and entities, however many are found.
#include <algorithm>
#include <map>
#include <set>

#include "api/commands.h"
#include "api/gateway/message_reader.h"
#include "api/integrations/config_entry.h"

namespace hearth::api {
namespace {

constexpr std::string_view kTypes[] = {
    "area",   "automation",      "automation_blueprint", "config_entry", "device", "entity",
    "floor",  "group",           "integration",          "label",        "person", "scene",
    "script", "script_blueprint"};

class Related {
 public:
  Related(const core::View& home, std::string_view type, const std::string& id)
      : home_(home), registry_(home.registry()), type_(type), id_(id) {}

  json::object find() {
    registry_.for_each_area([&](const core::Area& area) { of_area(area); });
    registry_.for_each_device([&](const core::Device& device) { of_device(device); });
    if (type_ == "entity" || type_ == "scene" || type_ == "group") {
      of_entity();
    } else {
      registry_.for_each_entity([&](const core::RegisteredEntity& entity) {
        if (belongs(entity)) add_entity(entity);
      });
      if (type_ != "label" && type_ != "integration") add_holders();
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
    if (type_ == "integration" || type_ == "config_entry") wanted = device.integration == id_;
    if (type_ == "device") wanted = device.id == id_;
    if (!wanted) return;
    add("device", device.id);
    if (type_ == "label") return;
    add_integration(device.integration);
    if (type_ != "device") return;
    add_labels(device.labels);
    if (device.area_id) add_place(*device.area_id);
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
    if (type_ == "integration" || type_ == "config_entry") return entity.integration == id_;
    return in_places(area_of(entity));
  }

  void add_entity(const core::RegisteredEntity& entity) {
    add("entity", entity.entity_id);
    if (type_ != "label") add_integration(entity.integration);
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
  }

  void up_from(const core::RegisteredEntity& entity) {
    add_integration(entity.integration);
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

  void add_integration(const std::string& name) {
    if (name.empty()) return;
    add("integration", name);
    if (!entries_.of(name).is_null()) add("config_entry", name);
  }

  void add_labels(const core::Texts& labels) {
    for (const std::string& label : labels) add("label", label);
  }

  // The entities that a scene or group is made of, as far as the caller may read them.
  std::vector<std::string> members(const core::State& state) const {
    std::vector<std::string> ids;
    if (state.domain() != "scene" && state.domain() != "group") return ids;
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
      if (state.domain() != "scene" && state.domain() != "group") return;
      if (std::ranges::any_of(members(state), [&](const std::string& each) { return wanted.contains(each); }))
        add(state.domain() == "scene" ? "scene" : "group", std::string(state.entity_id()));
    });
  }

  const core::View& home_;
  const core::ReadableRegistry registry_;
  const ConfigEntryIds entries_{home_};
  const std::string_view type_;
  const std::string& id_;
  std::map<std::string, core::OptionalText> area_of_device_;
  std::map<std::string_view, std::set<std::string>> found_;
};

}  // namespace

CommandResult search_commands::related(const CommandCall& call) {
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
  return base::to_json(Related(call.home, type, id).find());
}

}  // namespace hearth::api

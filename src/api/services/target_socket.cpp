// SPDX-License-Identifier: Apache-2.0
// The target of a service call, of which the caller sees what they may read: extract_from_target, and of such a
// target get_services_for_target and the like.
#include <algorithm>
#include <set>

#include "api/gateway/message_reader.h"
#include "api/rows.h"
#include "core/services/service_target.h"

namespace hearth::api {
namespace {

using Ids = std::set<std::string>;

class Extraction {
 public:
  Extraction(const core::View& home, core::ServiceTarget target)
      : home_(home), registry_(home.registry()), target_(std::move(target)) {
    for (const std::string& id : target_.entity_ids) entities_.insert(id);
    registry_.for_each_area([this](const core::Area& area) { add(area); });
    registry_.for_each_device([this](const core::Device& device) { add(device); });
    registry_.for_each_entity([this](const core::RegisteredEntity& entity) { add(entity); });
    if (target_.all)
      home_.states().for_each([this](const core::State& state) { entities_.emplace(state.entity_id()); });
  }

  // Adds the members of the groups that were found.
  void expand_groups() {
    const Ids found = entities_;
    for (const std::string& id : found) {
      const core::StatePtr state = home_.find(id);
      if (!state || state->domain() != "group") continue;
      const json::object attributes = state->attributes();
      const json::value* const members = attributes.if_contains("entity_id");
      if (!members || !members->is_array()) continue;
      for (const json::value& member : members->get_array())
        if (member.is_string() && home_.reads(member.get_string())) entities_.emplace(member.get_string());
    }
  }

  const Ids& entities() const { return entities_; }

  std::string answer() const {
    json::object object{{"referenced_entities", list(entities_)},
                        {"referenced_devices", list(devices_)},
                        {"referenced_areas", list(areas_)},
                        {"missing_devices", missing(target_.device_ids, known_devices_)},
                        {"missing_areas", missing(target_.area_ids, known_areas_)}};
    Ids floors, labels;
    registry_.for_each_floor([&](const core::Floor& floor) { floors.insert(floor.id); });
    for (const core::Item* const label : registry_.items_of(core::kLabels)) labels.insert(label->id);
    object["missing_floors"] = missing(target_.floor_ids, floors);
    object["missing_labels"] = missing(target_.label_ids, labels);
    return base::to_json(object);
  }

 private:
  static bool names(const std::vector<std::string>& ids, std::string_view id) {
    return std::ranges::find(ids, id) != ids.end();
  }
  bool labelled(const core::Texts& labels) const {
    return std::ranges::any_of(target_.label_ids, [&](const std::string& id) { return labels.contains(id); });
  }
  static json::array list(const Ids& ids) { return json::array(ids.begin(), ids.end()); }
  static json::array missing(const std::vector<std::string>& named, const Ids& known) {
    json::array absent;
    for (const std::string& id : named)
      if (!known.contains(id)) absent.emplace_back(id);
    return absent;
  }

  void add(const core::Area& area) {
    known_areas_.insert(area.id);
    if (names(target_.area_ids, area.id) || (area.floor_id && names(target_.floor_ids, *area.floor_id)) ||
        labelled(area.labels))
      areas_.insert(area.id);
  }

  void add(const core::Device& device) {
    known_devices_.insert(device.id);
    const bool whole = names(target_.device_ids, device.id) || labelled(device.labels);
    if (whole) whole_devices_.insert(device.id);
    if (whole || (device.area_id && areas_.contains(*device.area_id))) devices_.insert(device.id);
  }

  // Of a device that is reached by its area, the parts that are in no other.
  void add(const core::RegisteredEntity& entity) {
    const bool of_device = entity.device_id && (whole_devices_.contains(*entity.device_id) ||
                                                (!entity.area_id && devices_.contains(*entity.device_id)));
    if (of_device || labelled(entity.labels) || (entity.area_id && areas_.contains(*entity.area_id)))
      entities_.insert(entity.entity_id);
  }

  const core::View& home_;
  const core::ReadableRegistry registry_;
  const core::ServiceTarget target_;
  Ids known_areas_, areas_, known_devices_, devices_, whole_devices_, entities_;
};

// `expand_group`: what counts if the command says nothing.
base::Result<Extraction> read_extraction(const CommandCall& call, bool expand_group) {
  json::object target;
  MessageReader in(call.message);
  const bool given = in.has("target");
  in.optional("target", target);
  in.optional("expand_group", expand_group);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  if (!given) return base::fail(base::ErrorCode::invalid, "target: expected an object");
  json::object data;
  data["target"] = std::move(target);
  auto parsed = core::ServiceTarget::parse(data, call.home.limits());
  if (!parsed) return std::unexpected(parsed.error());
  Extraction extraction(call.home, std::move(*parsed));
  if (expand_group) extraction.expand_groups();
  return extraction;
}

// Triggers and conditions that belong to entities, areas or devices alone, which the hub's automations do not have.
CommandResult none_for_target(const CommandCall& call) {
  if (const auto extraction = read_extraction(call, true); !extraction) return std::unexpected(extraction.error());
  return "[]";
}

CommandResult extract_from_target(const CommandCall& call) {
  const auto extraction = read_extraction(call, false);
  if (!extraction) return std::unexpected(extraction.error());
  return extraction->answer();
}

CommandResult services_for_target(const CommandCall& call) {
  const auto extraction = read_extraction(call, true);
  if (!extraction) return std::unexpected(extraction.error());
  std::set<std::string_view> domains;
  for (const std::string_view id : extraction->entities()) domains.insert(id.substr(0, id.find('.')));
  json::array names;
  for (const auto services = call.home.services(); const auto& [domain, by_name] : *services) {
    for (const auto& [name, service] : *by_name) {
      const core::ServiceDescription& description = service->description;
      const auto takes = [&](const std::string& each) { return domains.contains(each); };
      const bool any = description.target_domains.empty() ? !domains.empty()
                                                          : std::ranges::any_of(description.target_domains, takes);
      if (description.has_target && any) names.emplace_back(domain + '.' + name);
    }
  }
  return base::to_json(names);
}

}  // namespace

constexpr Command kTargetCommandRows[] = {
    {"extract_from_target", Access::user, extract_from_target, Durable::no},
    {"get_services_for_target", Access::user, services_for_target, Durable::no},
    {"get_triggers_for_target", Access::user, none_for_target, Durable::no},
    {"get_conditions_for_target", Access::user, none_for_target, Durable::no},
};
constexpr Commands kTargetCommands = kTargetCommandRows;

}  // namespace hearth::api

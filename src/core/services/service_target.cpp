// SPDX-License-Identifier: Apache-2.0
#include "core/services/service_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <unordered_set>

#include "base/text/text.h"
#include "base/text/utf8.h"
#include "core/values/entity_filter.h"

namespace hearth::core {
namespace {

constexpr std::array<std::string_view, 5> kKeys = {"entity_id", "device_id", "area_id", "floor_id", "label_id"};

void append_list(std::vector<std::string>& ids, std::string_view commas) {
  while (!commas.empty()) {
    const auto comma = std::min(commas.find(','), commas.size());
    if (const auto id = base::trim_blanks(commas.substr(0, comma)); !id.empty()) ids.emplace_back(id);
    commas.remove_prefix(std::min(comma + 1, commas.size()));
  }
}

base::Result<std::vector<std::string>> parse_ids(std::string_view key, const json::value& value) {
  std::vector<std::string> ids;
  if (value.is_null()) return ids;
  const auto wrong = [&] {
    return base::fail(base::ErrorCode::invalid, fmt::format("{}: expected a text or a list of texts, got {}", key,
                                                            base::utf8_excerpt(base::to_json(value))));
  };
  if (value.is_string()) {
    append_list(ids, value.get_string());
  } else if (value.is_array()) {
    for (const auto& element : value.get_array()) {
      if (!element.is_string()) return wrong();
      append_list(ids, element.get_string());
    }
  } else {
    return wrong();
  }
  return ids;
}

base::Result<void> parse_into(ServiceTarget& target, const json::object& data) {
  for (const std::string_view key : kKeys) {
    const json::value* value = data.if_contains(key);
    if (!value) continue;
    target.given = true;
    auto ids = parse_ids(key, *value);
    if (!ids) return std::unexpected(ids.error());
    auto& list = key == "entity_id"   ? target.entity_ids
                 : key == "device_id" ? target.device_ids
                 : key == "area_id"   ? target.area_ids
                 : key == "floor_id"  ? target.floor_ids
                                      : target.label_ids;
    for (auto& id : *ids) {
      if (key == "entity_id") {
        id = lower_case(id);
        if (id == "all") target.all = true;
        if (id == "all" || id == "none") continue;
      }
      list.push_back(std::move(id));
    }
  }
  return {};
}

bool contains(const std::vector<std::string>& list, std::string_view id) {
  return std::find(list.begin(), list.end(), id) != list.end();
}

void add_all(std::set<std::string>& to, const auto* group) {
  if (!group) return;
  for (const auto& [id, entry] : *group) to.insert(id);
}

// The entities of the devices, areas, floors and labels, sorted.
std::set<std::string> members(const ServiceTarget& target, const RegistryData& registry) {
  std::set<std::string> areas, devices, found;
  const std::set<std::string_view> labels(target.label_ids.begin(), target.label_ids.end());
  const std::set<std::string_view> floors(target.floor_ids.begin(), target.floor_ids.end());
  for (const auto& id : target.area_ids) {
    if (registry.areas.contains(id)) areas.insert(id);
  }
  for (const auto& [id, area] : registry.areas) {
    const bool labelled = std::any_of(area.labels.begin(), area.labels.end(),
                                      [&](const std::string& label) { return labels.contains(label); });
    if (labelled || (area.floor_id && floors.contains(*area.floor_id))) areas.insert(id);
  }
  for (const auto& id : areas) {
    add_all(found, registry.entities_of_area.find(id));
    const auto* const standing = registry.devices_of_area.find(id);
    if (!standing) continue;
    for (const auto& [device_id, device] : *standing) {
      const auto* const parts = registry.entities_of_device.find(device_id);
      if (!parts) continue;
      for (const auto& [entity_id, entity] : *parts) {
        if (!entity.area_id) found.insert(entity_id);
      }
    }
  }
  for (const auto& label : target.label_ids) {
    add_all(found, registry.entities_of_label.find(label));
    add_all(devices, registry.devices_of_label.find(label));
  }
  devices.insert(target.device_ids.begin(), target.device_ids.end());
  for (const auto& id : devices) add_all(found, registry.entities_of_device.find(id));
  return found;
}

// The members of a group that a service for other domains means by it; null if it is none.
std::optional<std::vector<std::string>> members_of_group(const std::string& id, const std::vector<std::string>& domains,
                                                         const StateTable& states, const Expands& expands) {
  if (!id.starts_with("group.") || contains(domains, "group") || !expands(id)) return {};
  const StatePtr state = states.find(id);
  const json::object attributes = state ? state->attributes() : json::object();
  const json::value* const list = attributes.if_contains("entity_id");
  if (!list || !list->is_array()) return {};
  std::vector<std::string> members;
  for (const json::value& each : list->get_array())
    if (each.is_string()) members.emplace_back(each.get_string());
  return members;
}

// Adds them, and those of groups in it. False if it is none. A group that is in `seen` has been added already.
bool add_grouped(const std::string& id, const std::vector<std::string>& domains, const StateTable& states,
                 const Expands& expands, std::unordered_set<std::string>& seen, std::vector<std::string>& grouped) {
  if (!members_of_group(id, domains, states, expands)) return false;
  for (std::vector<std::string> open{id}; !open.empty();) {
    std::string next = std::move(open.back());
    open.pop_back();
    const auto members = members_of_group(next, domains, states, expands);
    if (!members)
      grouped.push_back(std::move(next));
    else if (seen.insert(next).second)
      open.insert(open.end(), members->rbegin(), members->rend());
  }
  return true;
}

}  // namespace

std::size_t ServiceTarget::weight() const {
  std::size_t bytes = 0;
  for (const auto* const list : {&entity_ids, &device_ids, &area_ids, &floor_ids, &label_ids}) {
    bytes += list->capacity() * sizeof(std::string);
    for (const std::string& id : *list) bytes += id.size();
  }
  return bytes;
}

bool ServiceTarget::is_key(std::string_view key) {
  return key == "target" || std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end();
}

base::Result<ServiceTarget> ServiceTarget::parse(const json::object& data, const Limits& limits) {
  ServiceTarget target;
  if (auto parsed = parse_into(target, data); !parsed) return std::unexpected(parsed.error());
  if (const json::value* inner = data.if_contains("target"); inner && !inner->is_null()) {
    const json::object* keys = inner->if_object();
    if (!keys) return base::fail(base::ErrorCode::invalid, "target: expected an object");
    for (const auto& [key, value] : *keys) {
      if (key == "target" || !is_key(key)) {
        return base::fail(
            base::ErrorCode::invalid,
            fmt::format("target.{}: unknown; expected entity_id, device_id, area_id, floor_id or label_id",
                        base::utf8_excerpt(key)));
      }
    }
    if (auto parsed = parse_into(target, *keys); !parsed) return std::unexpected(parsed.error());
  }
  const std::pair<std::string_view, std::vector<std::string>*> lists[] = {{"entity_id", &target.entity_ids},
                                                                          {"device_id", &target.device_ids},
                                                                          {"area_id", &target.area_ids},
                                                                          {"floor_id", &target.floor_ids},
                                                                          {"label_id", &target.label_ids}};
  for (const auto& [key, list] : lists) {
    if (auto few = bound_list(*list, key, limits); !few) return std::unexpected(few.error());
  }
  return target;
}

void ResolvedTarget::keep_if(const std::function<bool(const std::string&)>& wanted) {
  std::vector<std::string> kept;
  std::size_t kept_named = 0;
  for (std::size_t i = 0; i < entity_ids.size(); ++i) {
    if (!wanted(entity_ids[i])) continue;
    if (i < named) ++kept_named;
    kept.push_back(std::move(entity_ids[i]));
  }
  entity_ids = std::move(kept);
  named = kept_named;
}

std::vector<std::string> ResolvedTarget::take_if(const std::function<bool(const std::string&)>& wanted) {
  std::vector<std::string> taken;
  keep_if([&](const std::string& id) {
    if (!wanted(id)) return true;
    taken.push_back(id);
    return false;
  });
  return taken;
}

ResolvedTarget resolve(const ServiceTarget& target, const std::vector<std::string>& domains, const StateTable& states,
                       const RegistryData& registry, const Expands& expands) {
  ResolvedTarget resolved;
  std::unordered_set<std::string> seen;
  const auto consider = [&](const std::string& id, bool named) {
    if (!seen.insert(id).second) return;
    const StatePtr state = states.find(id);
    const bool fits = state && (domains.empty() || contains(domains, state->domain()));
    // Of an entity that lives elsewhere its provider says whether it can be reached.
    const auto elsewhere = [&] {
      const RegisteredEntity* const entity = named ? registry.entities.find(id) : nullptr;
      return entity && !provider_of(*entity).empty();
    };
    if (fits && (state->value() != kUnavailable || elsewhere()))
      resolved.entity_ids.push_back(id);
    else if (named)
      resolved.left_out.push_back(id);
  };
  std::vector<std::string> grouped;
  for (const auto& given : target.entity_ids) {
    // An id in the registry means its entity.
    const RegisteredEntity* const meant = given.contains('.') ? nullptr : registry.find_entity_by_id(given);
    const std::string& id = meant ? meant->entity_id : given;
    if (!add_grouped(id, domains, states, expands, seen, grouped)) consider(id, true);
  }
  resolved.named = resolved.entity_ids.size();
  for (const auto& id : grouped) consider(id, false);
  if (!target.device_ids.empty() || !target.area_ids.empty() || !target.floor_ids.empty() ||
      !target.label_ids.empty()) {
    for (const auto& id : members(target, registry)) {
      std::vector<std::string> within;
      if (!add_grouped(id, domains, states, expands, seen, within)) consider(id, false);
      for (const auto& member : within) consider(member, false);
    }
  }
  if (target.all) {
    std::vector<std::string> ids;
    states.for_each([&](const State& state) { ids.emplace_back(state.entity_id()); });
    std::sort(ids.begin(), ids.end());
    for (const auto& id : ids) consider(id, false);
  }
  return resolved;
}

std::vector<std::string> entities_of(const ServiceTarget& target, const RegistryData& registry, bool auxiliary) {
  std::set<std::string> found;
  for (const auto& id : members(target, registry)) {
    const RegisteredEntity* const entity = registry.entities.find(id);
    if (!entity || entity->hidden_by) continue;
    const bool is_labelled = std::any_of(target.label_ids.begin(), target.label_ids.end(), [&](const auto& label) {
      return std::find(entity->labels.begin(), entity->labels.end(), label) != entity->labels.end();
    });
    if (auxiliary || is_labelled || !entity->entity_category) found.insert(id);
  }
  for (const auto& given : target.entity_ids) {
    const RegisteredEntity* const meant = given.contains('.') ? nullptr : registry.find_entity_by_id(given);
    found.insert(meant ? meant->entity_id : given);
  }
  return {found.begin(), found.end()};
}

}  // namespace hearth::core

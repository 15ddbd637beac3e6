// SPDX-License-Identifier: Apache-2.0
#include "archive/remote_events.h"

#include "base/json/json.h"
#include "core/bus/event.h"
#include "core/trigger_cause.h"

namespace hearth::archive {
namespace {

// False if the portal knows none of them.
bool translate(json::value& ids, const PortalId& portal_id) {
  if (ids.is_string()) {
    const auto id = portal_id(std::string_view(ids.get_string()));
    if (!id) return false;
    ids = *id;
    return true;
  }
  if (!ids.is_array()) return false;
  json::array known;
  for (json::value& each : ids.get_array()) {
    if (each.is_string() && translate(each, portal_id)) known.push_back(std::move(each));
  }
  const bool any = !known.empty();
  ids = std::move(known);
  return any;
}

}  // namespace

std::optional<std::string> portal_data(std::string_view type, std::string_view data, const PortalId& portal_id) {
  auto parsed = base::parse_json(data);
  if (!parsed || !parsed->is_object()) return {};
  json::object& object = parsed->get_object();
  json::object* about = &object;
  if (type == core::event_type::kCallService) {
    json::value* const fields = object.if_contains("service_data");
    if (!fields || !fields->is_object()) return {};
    about = &fields->get_object();
  }
  json::value* const ids = about->if_contains("entity_id");
  if (!ids || !translate(*ids, portal_id)) return {};
  if (type == "automation_triggered") core::rename_trigger_entity(object, portal_id);
  return base::to_json(object);
}

}  // namespace hearth::archive

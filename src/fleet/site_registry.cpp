// SPDX-License-Identifier: Apache-2.0
#include "fleet/site_registry.h"

#include <fmt/format.h>

#include "base/json/json.h"
#include "base/json/json_fields.h"
#include "core/values/entity_id.h"
#include "fleet/batch.h"
#include "fleet/frame.h"

namespace hearth::fleet {
namespace {

std::unexpected<base::Error> no_registry(std::string_view why) {
  return base::fail(base::ErrorCode::invalid, fmt::format("This is no registry of a site: {}.", why));
}

// Absent members are empty, so that the text is short.
void put_text(json::object& object, std::string_view key, const std::string& text) {
  if (!text.empty()) object[key] = text;
}

template <class Read>
base::Result<void> read_list(const json::object& object, std::string_view key, std::size_t most, Read&& read) {
  const json::array* const list = base::value_at(object, key).if_array();
  if (!list) return no_registry(fmt::format("{} is no list", key));
  if (list->size() > most) return no_registry(fmt::format("it has more than {} {}", most, key));
  for (const json::value& each : *list) {
    if (!each.is_object() || !read(each.get_object())) return no_registry(fmt::format("one of its {} is none", key));
  }
  return {};
}

}  // namespace

SiteRegistry registry_of(std::string site, std::string name, const core::RegistryData& data) {
  SiteRegistry made{std::move(site), std::move(name), {}, {}, {}};
  for (const auto& [id, area] : data.areas) made.areas[id] = {area.name, area.icon};
  for (const auto& [id, device] : data.devices) {
    made.devices[id] = {device.name_by_user.value_or(device.name.value_or("")),
                        device.manufacturer.value_or(""),
                        device.model.value_or(""),
                        device.sw_version.value_or(""),
                        device.hw_version.value_or(""),
                        device.area_id.value_or("")};
  }
  for (const auto& [id, entity] : data.entities) {
    if (!data.enabled(entity)) continue;
    made.entities[id] = {data.friendly_name(entity),
                         entity.icon.value_or(entity.original_icon.value_or("")),
                         entity.device_class.value_or(entity.original_device_class.value_or("")),
                         entity.device_id.value_or(""),
                         entity.area_id.value_or(""),
                         entity.entity_category.value_or(""),
                         entity.hidden_by.has_value()};
  }
  return made;
}

std::string encode_registry(const SiteRegistry& registry) {
  json::array areas, devices, entities;
  for (const auto& [id, area] : registry.areas) {
    json::object each{{"id", id}, {"name", area.name}};
    put_text(each, "icon", area.icon.value_or(""));
    areas.push_back(std::move(each));
  }
  for (const auto& [id, device] : registry.devices) {
    json::object each{{"id", id}};
    put_text(each, "name", device.name);
    put_text(each, "manufacturer", device.manufacturer);
    put_text(each, "model", device.model);
    put_text(each, "sw_version", device.sw_version);
    put_text(each, "hw_version", device.hw_version);
    put_text(each, "area_id", device.area_id);
    devices.push_back(std::move(each));
  }
  for (const auto& [id, entity] : registry.entities) {
    json::object each{{"entity_id", id}};
    put_text(each, "name", entity.name);
    put_text(each, "icon", entity.icon);
    put_text(each, "device_class", entity.device_class);
    put_text(each, "device_id", entity.device_id);
    put_text(each, "area_id", entity.area_id);
    put_text(each, "entity_category", entity.entity_category);
    if (entity.hidden) each["hidden"] = true;
    entities.push_back(std::move(each));
  }
  return pack_frame(base::to_json(json::object{{"format", SiteRegistry::kFormat},
                                               {"site", registry.site},
                                               {"name", registry.name},
                                               {"areas", std::move(areas)},
                                               {"devices", std::move(devices)},
                                               {"entities", std::move(entities)}}));
}

base::Result<SiteRegistry> decode_registry(std::string_view bytes) {
  const auto text = unpack_frame(bytes, SiteRegistry::kMaxBytes);
  if (!text) return no_registry(text.error().message);
  const auto parsed = base::parse_json(*text);
  if (!parsed) return no_registry(parsed.error().message);
  if (!parsed->is_object()) return no_registry("it is no object");
  const json::object& all = parsed->get_object();
  if (const auto format = base::number_at(all, "format"); format != SiteRegistry::kFormat) {
    return base::fail(base::ErrorCode::unavailable,
                      fmt::format("The format {} of registries is not known here: a newer hub has made it.", format));
  }
  SiteRegistry made;
  made.site = base::short_text_at(all, "site");
  made.name = base::short_text_at(all, "name");
  if (!is_site_name(made.site)) return no_registry("the site's name is no slug of 1 to 32 characters");
  if (made.name.empty()) made.name = made.site;
  const auto id_of = [](const json::object& each) { return base::short_text_at(each, "id"); };
  auto read = read_list(all, "areas", SiteRegistry::kMaxAreas, [&](const json::object& each) {
    SiteRegistry::Area area{base::short_text_at(each, "name"), {}};
    if (auto icon = base::short_text_at(each, "icon"); !icon.empty()) area.icon = std::move(icon);
    return !id_of(each).empty() && !area.name.empty() && made.areas.emplace(id_of(each), std::move(area)).second;
  });
  if (!read) return std::unexpected(std::move(read.error()));
  read = read_list(all, "devices", SiteRegistry::kMaxDevices, [&](const json::object& each) {
    SiteRegistry::Device device{base::short_text_at(each, "name"),       base::short_text_at(each, "manufacturer"),
                                base::short_text_at(each, "model"),      base::short_text_at(each, "sw_version"),
                                base::short_text_at(each, "hw_version"), base::short_text_at(each, "area_id")};
    return !id_of(each).empty() && made.devices.emplace(id_of(each), std::move(device)).second;
  });
  if (!read) return std::unexpected(std::move(read.error()));
  read = read_list(all, "entities", SiteRegistry::kMaxEntities, [&](const json::object& each) {
    const auto id = core::EntityId::parse(base::short_text_at(each, "entity_id"));
    SiteRegistry::Entity entity{base::short_text_at(each, "name"),
                                base::short_text_at(each, "icon"),
                                base::short_text_at(each, "device_class"),
                                base::short_text_at(each, "device_id"),
                                base::short_text_at(each, "area_id"),
                                base::short_text_at(each, "entity_category"),
                                base::flag_at(each, "hidden")};
    return id && made.entities.emplace(id->str(), std::move(entity)).second;
  });
  if (!read) return std::unexpected(std::move(read.error()));
  return made;
}

}  // namespace hearth::fleet

// SPDX-License-Identifier: Apache-2.0
#include "api/integrations/config_entry.h"
#include "api/registry/fields.h"
#include "api/registry/lists.h"
#include "api/rows.h"
#include "core/registry/registry_json.h"

namespace hearth::api {
namespace {

json::object answer(const core::Device& device, const core::ReadableRegistry& registry, const ConfigEntryIds& entries) {
  json::object object = core::to_json(device);
  object.erase("platform");
  const json::value entry = entries.of(device.integration);
  object["config_entry_id"] = entry;
  object["primary_config_entry"] = entry;
  json::array all;
  json::object subentries;
  if (!entry.is_null()) {
    all.push_back(entry);
    subentries[entry.get_string()] = json::array{nullptr};  // the entry itself, because none has parts
  }
  object["config_entries"] = std::move(all);
  object["config_entries_subentries"] = std::move(subentries);
  if (device.area_id && !registry.reads_area(*device.area_id)) object["area_id"] = nullptr;
  if (device.via_device_id && !registry.reads_device(*device.via_device_id)) object["via_device_id"] = nullptr;
  return object;
}

CommandResult list_devices(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  return device_list(call.home.registry(), ConfigEntryIds(call.home));
}

CommandResult update_device(const CommandCall& call) {
  std::string id;
  core::DeviceEdit edit;
  MessageReader in(call.message);
  in.required("device_id", id);
  in.change("name_by_user", edit.name_by_user);
  in.change("area_id", edit.area_id);
  const auto disabled_by = read_by(in, "disabled_by", edit.disabled_by);
  read_texts(in, "labels", edit.labels);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  if (!disabled_by) return std::unexpected(disabled_by.error());
  const auto device = call.home.administered().registry.update_device(id, std::move(edit), call.context());
  if (!device) return registry_error(device.error());
  return base::to_json(answer(*device, call.home.registry(), ConfigEntryIds(call.home)));
}

}  // namespace

std::string device_list(const core::ReadableRegistry& registry, const ConfigEntryIds& entries) {
  json::array devices;
  registry.for_each_device([&](const core::Device& device) { devices.push_back(answer(device, registry, entries)); });
  return base::to_json(std::move(devices));
}

constexpr Command kDeviceCommandRows[] = {
    {"config/device_registry/list", Access::user, list_devices, Durable::no},
    {"config/device_registry/update", Access::admin, update_device, Durable::registry},
};
constexpr Commands kDeviceCommands = kDeviceCommandRows;

}  // namespace hearth::api

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

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
  const json::value entry = entries.of(device);
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

constexpr std::size_t kMostDevices = 1'000;  // of one command

// Fails with invalid; `path` stands before the keys in errors.
base::Result<core::DeviceChange> read_change(const json::value& given, const std::string& path) {
  if (!given.is_object()) return base::fail(base::ErrorCode::invalid, path + ": expected an object");
  core::DeviceChange change;
  MessageReader in(given.get_object(), path);
  in.required("device_id", change.id);
  in.change("name_by_user", change.edit.name_by_user);
  in.change("area_id", change.edit.area_id);
  in.optional("hidden", change.hidden);
  if (auto read = in.finish(); !read) return std::unexpected(std::move(read.error()));
  return change;
}

base::Result<std::vector<core::DeviceChange>> read_changes(const CommandCall& call) {
  const json::value* const list = call.message.if_contains("devices");
  if (!list || !list->is_array()) return base::fail(base::ErrorCode::invalid, "devices: expected a list of objects");
  const std::size_t count = list->get_array().size();
  if (count > kMostDevices) {
    return base::fail(base::ErrorCode::invalid,
                      fmt::format("devices: expected at most {} devices in one command, got {}", kMostDevices, count));
  }
  MessageReader in(call.message);
  in.has("devices");
  if (auto read = in.finish(); !read) return std::unexpected(std::move(read.error()));
  std::vector<core::DeviceChange> changes;
  for (const json::value& each : list->get_array()) {
    auto change = read_change(each, fmt::format("devices[{}]", changes.size()));
    if (!change) return std::unexpected(std::move(change.error()));
    changes.push_back(std::move(*change));
  }
  return changes;
}

CommandResult update_devices(const CommandCall& call) {
  const auto changes = read_changes(call);
  if (!changes) return std::unexpected(changes.error());
  const auto results = call.home.administered().registry.update_devices(*changes, call.context());
  if (!results) return registry_error(results.error());
  json::array failed;
  for (std::size_t index = 0; index < results->size(); ++index) {
    const base::Result<void>& result = (*results)[index];
    if (result) continue;
    json::object row = to_json_object(registry_error(result.error()).error());
    row["device_id"] = (*changes)[index].id;
    failed.push_back(std::move(row));
  }
  const std::size_t updated = results->size() - failed.size();
  return base::to_json(json::object{{"updated", updated}, {"failed", std::move(failed)}});
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
    {"hearth/devices/update", Access::admin, update_devices, Durable::registry},
};
constexpr Commands kDeviceCommands = kDeviceCommandRows;

}  // namespace hearth::api

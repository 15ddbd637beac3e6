// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "api/websocket/commands.h"
#include "api/websocket/message_reader.h"

namespace hearth::api {

// A label is a text that an area, a device or an entity bears; there is nothing more to one.
CommandResult label_registry_commands::list(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  const auto registry = call.hub.registry.snapshot();
  std::set<std::string_view> labels;
  for (const auto& [id, area] : registry->areas) labels.insert(area.labels.begin(), area.labels.end());
  for (const auto& [id, device] : registry->devices) labels.insert(device.labels.begin(), device.labels.end());
  for (const auto& [id, entity] : registry->entities) labels.insert(entity.labels.begin(), entity.labels.end());
  json::array list;
  for (const std::string_view label : labels) {
    list.push_back(
        {{"label_id", label}, {"name", label}, {"color", nullptr}, {"icon", nullptr}, {"description", nullptr}});
  }
  return base::to_json(std::move(list));
}

}  // namespace hearth::api

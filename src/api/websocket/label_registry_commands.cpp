// SPDX-License-Identifier: Apache-2.0
// A label is no more than its text: the labels there are are those that areas, devices and entities carry.
#include <set>

#include "api/websocket/commands.h"
#include "api/websocket/message_reader.h"
#include "core/registry.h"

namespace hearth::api {

CommandResult label_registry_commands::list(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  std::set<std::string> labels;
  const auto registry = call.hub.registry.snapshot();
  for (const auto& [id, area] : registry->areas) labels.insert(area.labels.begin(), area.labels.end());
  for (const auto& [id, device] : registry->devices) labels.insert(device.labels.begin(), device.labels.end());
  for (const auto& [id, entity] : registry->entities) labels.insert(entity.labels.begin(), entity.labels.end());
  json::array list;
  for (const std::string& label : labels) {
    list.push_back(json::object{
        {"label_id", label}, {"name", label}, {"color", nullptr}, {"description", nullptr}, {"icon", nullptr}});
  }
  return base::to_json(list);
}

}  // namespace hearth::api

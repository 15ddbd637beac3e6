// SPDX-License-Identifier: Apache-2.0
// A label is no more than its text: the labels there are are those that areas, devices and entities carry.
#include <set>

#include "api/commands.h"
#include "api/gateway/message_reader.h"
#include "core/registry.h"

namespace hearth::api {

CommandResult label_registry_commands::list(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  std::set<std::string> labels;
  const auto add = [&](const auto& carrier) { labels.insert(carrier.labels.begin(), carrier.labels.end()); };
  const auto registry = call.home.registry();
  registry.for_each_area(add);
  registry.for_each_device(add);
  registry.for_each_entity(add);
  json::array list;
  for (const std::string& label : labels) {
    list.push_back(json::object{
        {"label_id", label}, {"name", label}, {"color", nullptr}, {"description", nullptr}, {"icon", nullptr}});
  }
  return base::to_json(list);
}

}  // namespace hearth::api

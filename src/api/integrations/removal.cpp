// SPDX-License-Identifier: Apache-2.0
// hearth/integrations/list, hearth/integrations/parts, hearth/integrations/remove: the integrations that this program
// has, and a home that gives one up.
#include <fmt/format.h>

#include <algorithm>

#include "api/automations/automations.h"
#include "api/gateway/message_reader.h"
#include "api/integrations/integration_files.h"
#include "api/parts.h"
#include "api/rows.h"
#include "api/system/configuration_task.h"

namespace hearth::api {
namespace {

using Items = std::vector<core::ItemReferences>;

std::unexpected<CommandError> no_files() {
  return std::unexpected(CommandError(command_error::kNotFound, "This hub reads no configuration."));
}

bool names_any(const std::set<std::string>& named, const core::Texts& ids) {
  return std::ranges::any_of(named, [&](const std::string& id) { return ids.contains(id); });
}

// The entities of the automations and scripts that name one of these devices or entities.
json::array users_of(const core::IntegrationParts& parts, const Items& items, const core::RegistryData& data) {
  json::array users;
  for (const core::ItemReferences& item : items) {
    if (!names_any(item.named.entities, parts.entities) && !names_any(item.named.devices, parts.devices)) continue;
    if (const auto* const entity = data.find_entity(item.domain, item.domain, item.unique_id))
      users.emplace_back(entity->entity_id);
  }
  return users;
}

json::array names_of(const core::Texts& ids, const auto& entries) {
  json::array names;
  for (const std::string& id : ids) names.emplace_back(entries.at(id).name);
  return names;
}

CommandResult integration_parts(const CommandCall& call) {
  std::string name;
  MessageReader in(call.message);
  in.required("integration", name);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  const auto items = call.parts.automations ? call.parts.automations->named() : std::make_shared<const Items>();
  const auto data = call.home.administered().registry.snapshot();
  const core::IntegrationParts parts = parts_of_integration(*data, name, *items);
  return base::to_json(json::object{{"devices", parts.devices.size()},
                                    {"entities", parts.entities.size()},
                                    {"named_by", users_of(parts, *items, *data)},
                                    {"areas", names_of(parts.areas, data->areas)},
                                    {"floors", names_of(parts.floors, data->floors)}});
}

void list_known_integrations(const CommandCall& call, CommandReply reply) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  IntegrationFiles* const files = call.parts.integration_files;
  if (!files) return reply.send(no_files());
  reply_from_configuration(call.parts, std::move(reply), [files]() -> CommandResult {
    auto list = files->list();
    if (!list) return std::unexpected(list.error());
    return base::to_json(*list);
  });
}

// Fails with not_found, and with what keeps the file from being changed.
void remove_integration(const CommandCall& call, CommandReply reply) {
  std::string name;
  bool with_areas = false;
  MessageReader in(call.message);
  in.required("integration", name);
  in.optional("with_areas", with_areas);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  IntegrationFiles* const files = call.parts.integration_files;
  if (!files) return reply.send(no_files());
  const auto shared = std::make_shared<CommandReply>(std::move(reply));
  const bool posted = post_to_configuration(
      call.parts, [files, shared, name, with_areas, by = std::string(std::string_view(call.caller->user->id))] {
        const auto removed = files->remove(name, with_areas, by, [shared](const core::IntegrationParts& parts) {
          shared->send(base::to_json(json::object{{"devices", parts.devices.size()},
                                                  {"entities", parts.entities.size()},
                                                  {"areas", parts.areas.size()},
                                                  {"floors", parts.floors.size()}}));
        });
        if (!removed) shared->send(std::unexpected(removed.error()));
      });
  if (!posted) shared->send(configuration_busy());
}

}  // namespace

constexpr Command kIntegrationCommandRows[] = {
    {"hearth/integrations/list", Access::admin, list_known_integrations, Durable::no},
    {"hearth/integrations/parts", Access::admin, integration_parts, Durable::no},
    {"hearth/integrations/remove", Access::admin, remove_integration, Durable::registry},
};
constexpr Commands kIntegrationCommands = kIntegrationCommandRows;

}  // namespace hearth::api

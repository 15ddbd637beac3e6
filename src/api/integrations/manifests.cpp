// SPDX-License-Identifier: Apache-2.0
// manifest/*, integration/descriptions and logger/log_info: what there is to say of integrations and domains.
#include <fmt/format.h>

#include <algorithm>

#include "api/gateway/message_reader.h"
#include "api/integrations/config_entry.h"
#include "api/rows.h"
#include "base/log/log.h"
#include "base/text/utf8.h"
#include "domains/entities/kinds.h"

namespace hearth::api {
namespace {

// Integrations by name, then domains that no integration has the name of.
template <class Visit>
void for_each_manifest(const CommandCall& call, Visit visit) {
  const auto config = call.home.config();
  const auto integrations = call.home.integrations();
  for (const auto& status : integrations) visit(status.name, manifest(call.parts, *config, status.name, false));
  for (const domains::Kind* const kind : domains::kKinds) {
    if (std::ranges::find(integrations, kind->domain, &core::IntegrationStatus::name) == integrations.end())
      visit(kind->domain, manifest(call.parts, *config, kind->domain, true));
  }
}

// Of logs, as these clients number them.
int number_of(base::LogLevel level) {
  switch (level) {
    case base::LogLevel::debug:
      return 10;
    case base::LogLevel::info:
      return 20;
    case base::LogLevel::warning:
      return 30;
    case base::LogLevel::error:
      return 40;
  }
  return 20;
}

int log_number() {
  using enum base::LogLevel;
  for (const base::LogLevel level : {debug, info, warning}) {
    if (base::log_enabled(level)) return number_of(level);
  }
  return number_of(error);
}

CommandResult list_manifests(const CommandCall& call) {
  std::optional<std::vector<std::string>> wanted;
  MessageReader in(call.message);
  in.optional("integrations", wanted);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  json::array list;
  for_each_manifest(call, [&](std::string_view name, json::object made) {
    if (!wanted || std::ranges::find(*wanted, name) != wanted->end()) list.push_back(std::move(made));
  });
  return base::to_json(list);
}

// Fails with not_found.
CommandResult get_manifest(const CommandCall& call) {
  std::string integration;
  MessageReader in(call.message);
  in.required("integration", integration);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  std::optional<json::object> found;
  for_each_manifest(call, [&](std::string_view name, json::object made) {
    if (name == integration) found = std::move(made);
  });
  if (found) return base::to_json(*found);
  return std::unexpected(CommandError(command_error::kNotFound,
                                      fmt::format("There is no integration {}.", base::utf8_excerpt(integration))));
}

CommandResult integration_descriptions(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  const auto config = call.home.config();
  json::object known;
  for (const auto& status : call.home.integrations())
    known[status.name] = manifest(call.parts, *config, status.name, false);
  const json::object none{{"integration", json::object()}, {"helper", json::object()}};
  json::object core{{"integration", std::move(known)}, {"helper", json::object()}, {"translated_name", json::array()}};
  return base::to_json(json::object{{"core", std::move(core)}, {"custom", none}});
}

CommandResult log_levels(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  json::array list;
  for (const auto& status : call.home.integrations())
    list.push_back(json::object{{"domain", status.name}, {"level", log_number()}});
  return base::to_json(list);
}

}  // namespace

constexpr Command kManifestCommandRows[] = {
    {"manifest/list", Access::user, list_manifests, Durable::no},
    {"manifest/get", Access::user, get_manifest, Durable::no},
    {"integration/descriptions", Access::user, integration_descriptions, Durable::no},
    {"logger/log_info", Access::user, log_levels, Durable::no},
};
constexpr Commands kManifestCommands = kManifestCommandRows;

}  // namespace hearth::api

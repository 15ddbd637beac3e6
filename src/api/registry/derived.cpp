// SPDX-License-Identifier: Apache-2.0
// <platform>/list, create, update and delete of sensors that people make of other entities; all fail with not_found if
// the hub makes none.
#include "api/parts.h"
#include "api/registry/derived_kinds.h"
#include "api/registry/fields.h"
#include "api/rows.h"
#include "base/random_id.h"

namespace hearth::api {
namespace {

std::string platform_of(const CommandCall& call) {
  const std::string_view command = call.message.at("type").get_string();
  return std::string(command.substr(0, command.find('/')));
}

json::object derived_answer(const core::Item& item) {
  json::object object{{"id", item.id}};
  for (const auto& [key, value] : item.fields) object[key] = value;
  return object;
}

std::unexpected<CommandError> wrong_key(const base::Error& error) {
  return std::unexpected(CommandError(command_error::kInvalidFormat, error.message));
}

std::unexpected<CommandError> no_kinds() {
  return std::unexpected(CommandError(command_error::kNotFound, "This hub makes no sensors of others."));
}

CommandResult list_derived_kinds(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  if (!call.parts.derived_kinds) return no_kinds();
  return call.parts.derived_kinds->description();
}

CommandResult list_derived(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  const auto registry = call.home.registry();
  json::array items;
  for (const core::Item* const item : registry.items_of(platform_of(call))) items.push_back(derived_answer(*item));
  return base::to_json(items);
}

CommandResult create_derived(const CommandCall& call) {
  if (!call.parts.derived_kinds) return no_kinds();
  const std::string platform = platform_of(call);
  auto fields = call.parts.derived_kinds->fields_of(platform, given_fields(call, ""), nullptr);
  if (!fields) return wrong_key(fields.error());
  // A random id is never that of a sensor of the configuration, whose name makes its own.
  const auto item = call.home.administered().registry.create_item(platform, base::make_random_id(), std::move(*fields),
                                                                  call.context());
  if (!item) return std::unexpected(item.error());
  return base::to_json(derived_answer(*item));
}

CommandResult update_derived(const CommandCall& call) {
  if (!call.parts.derived_kinds) return no_kinds();
  const std::string platform = platform_of(call), id_key = platform + "_id";
  const auto id = read_id(call, id_key);
  if (!id) return wrong_key(id.error());
  core::Registry& registry = call.home.administered().registry;
  const auto data = registry.snapshot();
  const core::Item* const former = data->find_item(platform, *id);
  json::object fields;
  if (former) {
    auto read = call.parts.derived_kinds->fields_of(platform, given_fields(call, id_key), &former->fields);
    if (!read) return wrong_key(read.error());
    fields = std::move(*read);
  }
  // Somebody else's change since then is not overwritten.
  const auto item = registry.update_item(platform, *id, std::move(fields),
                                         former ? std::optional(former->revision) : std::nullopt, call.context());
  if (!item) return std::unexpected(item.error());
  return base::to_json(derived_answer(*item));
}

CommandResult delete_derived(const CommandCall& call) {
  const std::string platform = platform_of(call);
  std::string id;
  MessageReader in(call.message);
  in.required(platform + "_id", id);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  auto done = call.home.administered().registry.delete_items(platform, {&id, 1}, call.context());
  if (!done) return std::unexpected(done.error());
  return "null";
}

}  // namespace

constexpr Command kDerivedCommandRows[] = {
    {"hearth/derived_kinds", Access::user, list_derived_kinds, Durable::no},
    {"average/list", Access::user, list_derived, Durable::no},
    {"average/create", Access::admin, create_derived, Durable::registry},
    {"average/update", Access::admin, update_derived, Durable::registry},
    {"average/delete", Access::admin, delete_derived, Durable::registry},
    {"bayesian/list", Access::user, list_derived, Durable::no},
    {"bayesian/create", Access::admin, create_derived, Durable::registry},
    {"bayesian/update", Access::admin, update_derived, Durable::registry},
    {"bayesian/delete", Access::admin, delete_derived, Durable::registry},
    {"derivative/list", Access::user, list_derived, Durable::no},
    {"derivative/create", Access::admin, create_derived, Durable::registry},
    {"derivative/update", Access::admin, update_derived, Durable::registry},
    {"derivative/delete", Access::admin, delete_derived, Durable::registry},
    {"filter/list", Access::user, list_derived, Durable::no},
    {"filter/create", Access::admin, create_derived, Durable::registry},
    {"filter/update", Access::admin, update_derived, Durable::registry},
    {"filter/delete", Access::admin, delete_derived, Durable::registry},
    {"generic_thermostat/list", Access::user, list_derived, Durable::no},
    {"generic_thermostat/create", Access::admin, create_derived, Durable::registry},
    {"generic_thermostat/update", Access::admin, update_derived, Durable::registry},
    {"generic_thermostat/delete", Access::admin, delete_derived, Durable::registry},
    {"history_stats/list", Access::user, list_derived, Durable::no},
    {"history_stats/create", Access::admin, create_derived, Durable::registry},
    {"history_stats/update", Access::admin, update_derived, Durable::registry},
    {"history_stats/delete", Access::admin, delete_derived, Durable::registry},
    {"integration/list", Access::user, list_derived, Durable::no},
    {"integration/create", Access::admin, create_derived, Durable::registry},
    {"integration/update", Access::admin, update_derived, Durable::registry},
    {"integration/delete", Access::admin, delete_derived, Durable::registry},
    {"min_max/list", Access::user, list_derived, Durable::no},
    {"min_max/create", Access::admin, create_derived, Durable::registry},
    {"min_max/update", Access::admin, update_derived, Durable::registry},
    {"min_max/delete", Access::admin, delete_derived, Durable::registry},
    {"random/list", Access::user, list_derived, Durable::no},
    {"random/create", Access::admin, create_derived, Durable::registry},
    {"random/update", Access::admin, update_derived, Durable::registry},
    {"random/delete", Access::admin, delete_derived, Durable::registry},
    {"season/list", Access::user, list_derived, Durable::no},
    {"season/create", Access::admin, create_derived, Durable::registry},
    {"season/update", Access::admin, update_derived, Durable::registry},
    {"season/delete", Access::admin, delete_derived, Durable::registry},
    {"statistics/list", Access::user, list_derived, Durable::no},
    {"statistics/create", Access::admin, create_derived, Durable::registry},
    {"statistics/update", Access::admin, update_derived, Durable::registry},
    {"statistics/delete", Access::admin, delete_derived, Durable::registry},
    {"switch_as_x/list", Access::user, list_derived, Durable::no},
    {"switch_as_x/create", Access::admin, create_derived, Durable::registry},
    {"switch_as_x/update", Access::admin, update_derived, Durable::registry},
    {"switch_as_x/delete", Access::admin, delete_derived, Durable::registry},
    {"threshold/list", Access::user, list_derived, Durable::no},
    {"threshold/create", Access::admin, create_derived, Durable::registry},
    {"threshold/update", Access::admin, update_derived, Durable::registry},
    {"threshold/delete", Access::admin, delete_derived, Durable::registry},
    {"time_date/list", Access::user, list_derived, Durable::no},
    {"time_date/create", Access::admin, create_derived, Durable::registry},
    {"time_date/update", Access::admin, update_derived, Durable::registry},
    {"time_date/delete", Access::admin, delete_derived, Durable::registry},
    {"tod/list", Access::user, list_derived, Durable::no},
    {"tod/create", Access::admin, create_derived, Durable::registry},
    {"tod/update", Access::admin, update_derived, Durable::registry},
    {"tod/delete", Access::admin, delete_derived, Durable::registry},
    {"trend/list", Access::user, list_derived, Durable::no},
    {"trend/create", Access::admin, create_derived, Durable::registry},
    {"trend/update", Access::admin, update_derived, Durable::registry},
    {"trend/delete", Access::admin, delete_derived, Durable::registry},
    {"utility_meter/list", Access::user, list_derived, Durable::no},
    {"utility_meter/create", Access::admin, create_derived, Durable::registry},
    {"utility_meter/update", Access::admin, update_derived, Durable::registry},
    {"utility_meter/delete", Access::admin, delete_derived, Durable::registry},
    {"workday/list", Access::user, list_derived, Durable::no},
    {"workday/create", Access::admin, create_derived, Durable::registry},
    {"workday/update", Access::admin, update_derived, Durable::registry},
    {"workday/delete", Access::admin, delete_derived, Durable::registry},
};
constexpr Commands kDerivedCommands = kDerivedCommandRows;

}  // namespace hearth::api

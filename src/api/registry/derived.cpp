// SPDX-License-Identifier: Apache-2.0
// <platform>/list, create, update and delete of sensors that people make of other entities.
#include "api/commands.h"
#include "api/records.h"
#include "api/registry/derived_kinds.h"
#include "api/registry/fields.h"
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

}  // namespace

CommandResult derived_commands::kinds(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  if (!call.records.derived_kinds) return no_kinds();
  return call.records.derived_kinds->description();
}

CommandResult derived_commands::list(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  const auto registry = call.home.registry();
  json::array items;
  for (const core::Item* const item : registry.items_of(platform_of(call))) items.push_back(derived_answer(*item));
  return base::to_json(items);
}

CommandResult derived_commands::create(const CommandCall& call) {
  if (!call.records.derived_kinds) return no_kinds();
  const std::string platform = platform_of(call);
  auto fields = call.records.derived_kinds->fields_of(platform, given_fields(call, ""), nullptr);
  if (!fields) return wrong_key(fields.error());
  // A random id is never that of a sensor of the configuration, whose name makes its own.
  const auto item = call.home.administered().registry.create_item(platform, base::make_random_id(), std::move(*fields),
                                                                  call.context());
  if (!item) return std::unexpected(item.error());
  return base::to_json(derived_answer(*item));
}

CommandResult derived_commands::update(const CommandCall& call) {
  if (!call.records.derived_kinds) return no_kinds();
  const std::string platform = platform_of(call), id_key = platform + "_id";
  const auto id = read_id(call, id_key);
  if (!id) return wrong_key(id.error());
  core::Registry& registry = call.home.administered().registry;
  const auto data = registry.snapshot();
  const core::Item* const former = data->find_item(platform, *id);
  json::object fields;
  if (former) {
    auto read = call.records.derived_kinds->fields_of(platform, given_fields(call, id_key), &former->fields);
    if (!read) return wrong_key(read.error());
    fields = std::move(*read);
  }
  // Somebody else's change since then is not overwritten.
  const auto item = registry.update_item(platform, *id, std::move(fields),
                                         former ? std::optional(former->revision) : std::nullopt, call.context());
  if (!item) return std::unexpected(item.error());
  return base::to_json(derived_answer(*item));
}

CommandResult derived_commands::remove(const CommandCall& call) {
  const std::string platform = platform_of(call);
  std::string id;
  MessageReader in(call.message);
  in.required(platform + "_id", id);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  auto done = call.home.administered().registry.delete_items(platform, {&id, 1}, call.context());
  if (!done) return std::unexpected(done.error());
  return "null";
}

}  // namespace hearth::api

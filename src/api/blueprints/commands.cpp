// SPDX-License-Identifier: Apache-2.0
// blueprint/…
#include "api/blueprints/blueprints.h"
#include "api/gateway/message_reader.h"
#include "api/parts.h"
#include "api/rows.h"
#include "api/system/configuration_task.h"

namespace hearth::api {
namespace {

std::unexpected<CommandError> no_blueprints() {
  return std::unexpected(CommandError(command_error::kNotFound, "This hub runs no automations."));
}

std::string with_ending(std::string path) {
  return path.ends_with(".yaml") ? path : path + ".yaml";
}

CommandResult blueprint_answer(base::Result<json::object> answer) {
  if (!answer) return std::unexpected(answer.error());
  return base::to_json(*answer);
}

// Lets answer(blueprints) answer on the configuration's thread, if the message was right.
template <class Answer>
void reply_from_blueprints(const CommandCall& call, CommandReply reply, MessageReader& in, Answer answer) {
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  Blueprints* const blueprints = call.parts.blueprints;
  if (!blueprints) return reply.send(no_blueprints());
  reply_from_configuration(call.parts, std::move(reply),
                           [blueprints, answer = std::move(answer)]() -> CommandResult { return answer(*blueprints); });
}

void list_blueprints(const CommandCall& call, CommandReply reply) {
  std::string domain;
  MessageReader in(call.message);
  in.required("domain", domain);
  reply_from_blueprints(call, std::move(reply), in,
                        [domain](Blueprints& all) { return base::to_json(all.list(domain)); });
}

// Fails with not_found.
void get_blueprint(const CommandCall& call, CommandReply reply) {
  std::string domain, path;
  MessageReader in(call.message);
  in.required("domain", domain);
  in.required("path", path);
  reply_from_blueprints(call, std::move(reply), in, [domain, path = with_ending(path)](Blueprints& all) {
    return blueprint_answer(all.get(domain, path));
  });
}

// Fails with invalid_format, unknown_error.
void import_blueprint(const CommandCall& call, CommandReply reply) {
  std::optional<std::string> url, text, path;
  MessageReader in(call.message);
  in.optional("url", url);
  in.optional("text", text);
  in.optional("path", path);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  if (url.has_value() == text.has_value()) {
    return reply.send(std::unexpected(
        CommandError(command_error::kInvalidFormat, "Expected url, an address, or text, a blueprint itself.")));
  }
  Blueprints* const blueprints = call.parts.blueprints;
  if (!blueprints) return reply.send(no_blueprints());
  const auto shared = std::make_shared<CommandReply>(std::move(reply));
  const Parts* const parts = &call.parts;
  const auto look = [blueprints, shared, parts, path](const base::Result<Blueprints::Download>& fetched) {
    if (!fetched) return shared->send(std::unexpected(fetched.error()));
    Blueprints::Download found = *fetched;
    if (path) found.suggested_filename = path->ends_with(".yaml") ? path->substr(0, path->size() - 5) : *path;
    const bool posted = post_to_configuration(*parts, [blueprints, shared, found] {
      shared->send(blueprint_answer(blueprints->look_at(found.text, found.suggested_filename)));
    });
    if (!posted) shared->send(configuration_busy());
  };
  if (text) return look(Blueprints::Download{std::move(*text), ""});
  blueprints->fetch(*url, look);
}

void save_blueprint(const CommandCall& call, CommandReply reply) {
  std::string domain, path, yaml;
  std::optional<std::string> source_url;
  bool may_replace = false;
  MessageReader in(call.message);
  in.required("domain", domain);
  in.required("path", path);
  in.required("yaml", yaml);
  in.optional("source_url", source_url);
  in.optional("allow_override", may_replace);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  Blueprints* const blueprints = call.parts.blueprints;
  if (!blueprints) return reply.send(no_blueprints());
  const auto shared = std::make_shared<CommandReply>(std::move(reply));
  const bool posted = post_to_configuration(call.parts, [=] {
    const auto active = [shared](const json::object& answer) { shared->send(base::to_json(answer)); };
    const auto saved = blueprints->save(domain, with_ending(path), yaml, source_url.value_or(""), may_replace, active);
    if (!saved) shared->send(std::unexpected(saved.error()));
  });
  if (!posted) shared->send(configuration_busy());
}

// Fails with not_found.
void delete_blueprint(const CommandCall& call, CommandReply reply) {
  std::string domain, path;
  MessageReader in(call.message);
  in.required("domain", domain);
  in.required("path", path);
  reply_from_blueprints(call, std::move(reply), in,
                        [domain, path = with_ending(path)](Blueprints& all) -> CommandResult {
                          const auto removed = all.remove(domain, path);
                          if (!removed) return std::unexpected(removed.error());
                          return "null";
                        });
}

// Fails with not_found.
void substitute_blueprint(const CommandCall& call, CommandReply reply) {
  std::string domain, path;
  json::object inputs;
  MessageReader in(call.message);
  in.required("domain", domain);
  in.required("path", path);
  in.required("input", inputs);
  reply_from_blueprints(call, std::move(reply), in,
                        [domain, path = with_ending(path), inputs](Blueprints& all) -> CommandResult {
                          const auto item = all.substitute(domain, path, inputs);
                          if (!item) return std::unexpected(item.error());
                          return base::to_json(json::object{{"substituted_config", *item}});
                        });
}

}  // namespace

constexpr Command kBlueprintCommandRows[] = {
    {"blueprint/list", Access::admin, list_blueprints, Durable::no},
    {"blueprint/get", Access::admin, get_blueprint, Durable::no},
    {"blueprint/import", Access::admin, import_blueprint, Durable::no},
    {"blueprint/save", Access::admin, save_blueprint, Durable::no},
    {"blueprint/delete", Access::admin, delete_blueprint, Durable::no},
    {"blueprint/substitute", Access::admin, substitute_blueprint, Durable::no},
};
constexpr Commands kBlueprintCommands = kBlueprintCommandRows;

}  // namespace hearth::api

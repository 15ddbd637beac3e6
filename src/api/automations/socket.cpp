// SPDX-License-Identifier: Apache-2.0
// automation/config, script/config, validate_config, test_condition, execute_script, subscribe_trigger.
#include "api/automations/ask.h"
#include "api/gateway/bus_feed.h"
#include "api/gateway/message_reader.h"
#include "api/rows.h"

namespace hearth::api {
namespace {

void send_config(const CommandCall& call, CommandReply reply, std::string_view domain) {
  std::string entity_id;
  MessageReader in(call.message);
  in.required("entity_id", entity_id);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  ask_automations(call, std::move(reply),
                  [entity_id, domain = std::string(domain) + "."](Automations& all, const SharedReply& answer) {
                    auto found = all.config(entity_id);
                    if (!found || !entity_id.starts_with(domain))
                      return answer->send(not_there("There is no " + entity_id + "."));
                    answer->send(base::to_json(json::object{{"config", std::move(*found)}}));
                  });
}

// The value of the key in its new or its old spelling; null if both are absent.
const json::value* find_either(const json::object& message, std::string_view key, std::string_view old_key) {
  const json::value* const found = message.if_contains(key);
  return found ? found : message.if_contains(old_key);
}

// Fails with not_found.
void automation_config(const CommandCall& call, CommandReply reply) {
  send_config(call, std::move(reply), "automation");
}

// Fails with not_found.
void script_config(const CommandCall& call, CommandReply reply) {
  send_config(call, std::move(reply), "script");
}

void list_missed(const CommandCall& call, CommandReply reply) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  ask_automations(call, std::move(reply), [](Automations& all, const SharedReply& answer) {
    answer->send(base::to_json(json::value(all.missed())));
  });
}

void validate_config(const CommandCall& call, CommandReply reply) {
  using Check = std::string (Automations::*)(const json::value&);
  struct Part {
    std::string key;
    json::value value;
    Check check;
  };
  std::vector<Part> parts;
  MessageReader in(call.message);
  for (const auto& [key, check] :
       std::initializer_list<std::pair<const char*, Check>>{{"triggers", &Automations::check_triggers},
                                                            {"trigger", &Automations::check_triggers},
                                                            {"conditions", &Automations::check_conditions},
                                                            {"condition", &Automations::check_conditions},
                                                            {"actions", &Automations::check_actions},
                                                            {"action", &Automations::check_actions}}) {
    if (in.has(key)) parts.push_back({key, call.message.at(key), check});
  }
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  ask_automations(call, std::move(reply), [parts](Automations& all, const SharedReply& answer) {
    json::object result;
    for (const Part& part : parts) {
      const std::string error = (all.*part.check)(part.value);
      result[part.key] = json::object{{"valid", error.empty()},
                                      {"error", error.empty() ? json::value() : json::value(json::string(error))}};
    }
    answer->send(base::to_json(result));
  });
}

void test_condition(const CommandCall& call, CommandReply reply) {
  json::object variables;
  MessageReader in(call.message);
  in.optional("variables", variables);
  in.has("condition");
  in.has("conditions");
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  const json::value* const condition = find_either(call.message, "condition", "conditions");
  if (!condition)
    return reply.send(std::unexpected(CommandError(command_error::kInvalidFormat, "condition: is missing.")));
  ask_automations(call, std::move(reply),
                  [variables, condition = *condition](Automations& all, const SharedReply& answer) {
                    const auto holds = all.test_conditions(condition, variables);
                    if (!holds) return answer->send(std::unexpected(holds.error()));
                    answer->send(base::to_json(json::object{{"result", *holds}}));
                  });
}

void execute_script(const CommandCall& call, CommandReply reply) {
  json::object variables;
  MessageReader in(call.message);
  in.optional("variables", variables);
  in.has("sequence");
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  if (!call.message.contains("sequence"))
    return reply.send(std::unexpected(CommandError(command_error::kInvalidFormat, "sequence: is missing.")));
  ask_automations(call, std::move(reply),
                  [variables, context = call.context(), steps = call.message.at("sequence")](
                      Automations& all, const SharedReply& answer) {
                    all.execute(steps, variables, context, [answer, context](base::Result<json::value> response) {
                      if (!response) return answer->send(std::unexpected(response.error()));
                      std::string text = R"({"context":)";
                      core::write_json(text, context);
                      text += R"(,"response":)" + base::to_json(*response) + "}";
                      answer->send(std::move(text));
                    });
                  });
}

void subscribe_trigger(const CommandCall& call, CommandReply reply) {
  json::object variables;
  MessageReader in(call.message);
  in.optional("variables", variables);
  in.has("trigger");
  in.has("triggers");
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  const json::value* const triggers = find_either(call.message, "trigger", "triggers");
  if (!triggers)
    return reply.send(std::unexpected(CommandError(command_error::kInvalidFormat, "trigger: is missing.")));
  if (!call.parts.automations) return reply.send(no_automations());
  const std::size_t bytes = base::to_json(*triggers).size();
  if (auto room = call.connection.may_subscribe(bytes); !room) return reply.send(std::unexpected(room.error()));
  BusFeed::begin(call, std::move(reply), bytes,
                 [automations = call.parts.automations, triggers = *triggers, variables](BusFeed::Put put) {
                   return automations->watch_triggers(
                       triggers, variables, [put = std::move(put)](json::object event) { put(base::to_json(event)); });
                 });
}

}  // namespace

constexpr Command kAutomationCommandRows[] = {
    {"automation/config", Access::admin, automation_config, Durable::no},
    {"script/config", Access::admin, script_config, Durable::no},
    {"automation/missed", Access::admin, list_missed, Durable::no},
    {"validate_config", Access::user, validate_config, Durable::no},
    {"test_condition", Access::admin, test_condition, Durable::no},
    {"execute_script", Access::admin, execute_script, Durable::no},
    {"subscribe_trigger", Access::admin, subscribe_trigger, Durable::no},
};
constexpr Commands kAutomationCommands = kAutomationCommandRows;

}  // namespace hearth::api

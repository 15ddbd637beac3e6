// SPDX-License-Identifier: Apache-2.0
// trace/…, automation/config, script/config, validate_config, test_condition, execute_script, subscribe_trigger.
#include "api/automations/automations.h"
#include "api/commands.h"
#include "api/gateway/bus_feed.h"
#include "api/gateway/message_reader.h"
#include "api/records.h"

namespace hearth::api {
namespace {

std::unexpected<CommandError> not_found(std::string message) {
  return std::unexpected(CommandError(command_error::kNotFound, std::move(message)));
}

// Calls answer(automations, reply) on the bus thread. Fails with not_found if the hub has none, with unavailable if the
// bus is full.
template <class Answer>
void on_bus(const CommandCall& call, CommandReply reply, Answer answer) {
  if (!call.records.automations) return reply.send(not_found("This hub runs no automations."));
  const auto shared = std::make_shared<CommandReply>(std::move(reply));
  const std::size_t weight = core::EventBus::kSmallTask + base::to_json(call.message).size();
  const auto posted = call.home.post(weight, [automations = call.records.automations, shared,
                                              answer = std::move(answer)] { answer(*automations, shared); });
  if (!posted) shared->send(std::unexpected(posted.error()));
}

using SharedReply = std::shared_ptr<CommandReply>;

void send_config(const CommandCall& call, CommandReply reply, std::string_view domain) {
  std::string entity_id;
  MessageReader in(call.message);
  in.required("entity_id", entity_id);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  on_bus(call, std::move(reply),
         [entity_id, domain = std::string(domain) + "."](Automations& all, const SharedReply& answer) {
           auto found = all.config(entity_id);
           if (!found || !entity_id.starts_with(domain))
             return answer->send(not_found("There is no " + entity_id + "."));
           answer->send(base::to_json(json::object{{"config", std::move(*found)}}));
         });
}

// The value of the key in its new or its old spelling; null if both are absent.
const json::value* find_either(const json::object& message, std::string_view key, std::string_view old_key) {
  const json::value* const found = message.if_contains(key);
  return found ? found : message.if_contains(old_key);
}

}  // namespace

void trace_commands::contexts(const CommandCall& call, CommandReply reply) {
  std::optional<std::string> domain, item_id;
  MessageReader in(call.message);
  in.optional("domain", domain);
  in.optional("item_id", item_id);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  if (domain.has_value() != item_id.has_value()) {
    return reply.send(
        std::unexpected(CommandError(command_error::kInvalidFormat, "domain, item_id: expected both, or neither.")));
  }
  on_bus(call, std::move(reply), [domain, item_id](Automations& all, const SharedReply& answer) {
    json::object contexts = all.trace_contexts();
    if (domain) {
      json::object wanted;
      for (const auto& [id, run] : contexts) {
        if (run.at("domain") == json::string(*domain) && run.at("item_id") == json::string(*item_id)) wanted[id] = run;
      }
      contexts = std::move(wanted);
    }
    answer->send(base::to_json(contexts));
  });
}

void trace_commands::list(const CommandCall& call, CommandReply reply) {
  std::string domain, item_id;
  MessageReader in(call.message);
  in.required("domain", domain);
  in.optional("item_id", item_id);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  on_bus(call, std::move(reply), [domain, item_id](Automations& all, const SharedReply& answer) {
    answer->send(base::to_json(json::value(all.traces(domain, item_id))));
  });
}

void trace_commands::get(const CommandCall& call, CommandReply reply) {
  std::string domain, item_id, run_id;
  MessageReader in(call.message);
  in.required("domain", domain);
  in.required("item_id", item_id);
  in.required("run_id", run_id);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  on_bus(call, std::move(reply), [domain, item_id, run_id](Automations& all, const SharedReply& answer) {
    all.trace(domain, item_id, run_id, [answer](std::optional<std::string> json) {
      if (!json) return answer->send(not_found("There is no such trace."));
      answer->send(std::move(*json));
    });
  });
}

void automation_commands::automation_config(const CommandCall& call, CommandReply reply) {
  send_config(call, std::move(reply), "automation");
}

void automation_commands::script_config(const CommandCall& call, CommandReply reply) {
  send_config(call, std::move(reply), "script");
}

void automation_commands::missed(const CommandCall& call, CommandReply reply) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  on_bus(call, std::move(reply),
         [](Automations& all, const SharedReply& answer) { answer->send(base::to_json(json::value(all.missed()))); });
}

void automation_commands::validate(const CommandCall& call, CommandReply reply) {
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
  on_bus(call, std::move(reply), [parts](Automations& all, const SharedReply& answer) {
    json::object result;
    for (const Part& part : parts) {
      const std::string error = (all.*part.check)(part.value);
      result[part.key] = json::object{{"valid", error.empty()},
                                      {"error", error.empty() ? json::value() : json::value(json::string(error))}};
    }
    answer->send(base::to_json(result));
  });
}

void automation_commands::test_condition(const CommandCall& call, CommandReply reply) {
  json::object variables;
  MessageReader in(call.message);
  in.optional("variables", variables);
  in.has("condition");
  in.has("conditions");
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  const json::value* const condition = find_either(call.message, "condition", "conditions");
  if (!condition)
    return reply.send(std::unexpected(CommandError(command_error::kInvalidFormat, "condition: is missing.")));
  on_bus(call, std::move(reply), [variables, condition = *condition](Automations& all, const SharedReply& answer) {
    const auto holds = all.test_conditions(condition, variables);
    if (!holds) return answer->send(std::unexpected(holds.error()));
    answer->send(base::to_json(json::object{{"result", *holds}}));
  });
}

void automation_commands::execute(const CommandCall& call, CommandReply reply) {
  json::object variables;
  MessageReader in(call.message);
  in.optional("variables", variables);
  in.has("sequence");
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  if (!call.message.contains("sequence"))
    return reply.send(std::unexpected(CommandError(command_error::kInvalidFormat, "sequence: is missing.")));
  on_bus(call, std::move(reply),
         [variables, context = call.context(), steps = call.message.at("sequence")](Automations& all,
                                                                                    const SharedReply& answer) {
           all.execute(steps, variables, context, [answer, context](base::Result<json::value> response) {
             if (!response) return answer->send(std::unexpected(response.error()));
             std::string text = R"({"context":)";
             core::write_json(text, context);
             text += R"(,"response":)" + base::to_json(*response) + "}";
             answer->send(std::move(text));
           });
         });
}

void automation_commands::subscribe_trigger(const CommandCall& call, CommandReply reply) {
  json::object variables;
  MessageReader in(call.message);
  in.optional("variables", variables);
  in.has("trigger");
  in.has("triggers");
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  const json::value* const triggers = find_either(call.message, "trigger", "triggers");
  if (!triggers)
    return reply.send(std::unexpected(CommandError(command_error::kInvalidFormat, "trigger: is missing.")));
  if (!call.records.automations) return reply.send(not_found("This hub runs no automations."));
  const std::size_t bytes = base::to_json(*triggers).size();
  if (auto room = call.connection.may_subscribe(bytes); !room) return reply.send(std::unexpected(room.error()));
  BusFeed::begin(call, std::move(reply), bytes,
                 [automations = call.records.automations, triggers = *triggers, variables](BusFeed::Put put) {
                   return automations->watch_triggers(
                       triggers, variables, [put = std::move(put)](json::object event) { put(base::to_json(event)); });
                 });
}

}  // namespace hearth::api

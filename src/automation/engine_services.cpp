// SPDX-License-Identifier: Apache-2.0
// The services automation.* and script.*, except those of each script.
#include <fmt/format.h>

#include "automation/conversation_service.h"
#include "automation/engine.h"
#include "automation/given_variables.h"

namespace hearth::automation {
namespace {

core::ServiceDescription describe(std::string_view domain, std::string_view service, std::string_view name,
                                  std::string_view text) {
  core::ServiceDescription description;
  description.domain = domain;
  description.service = service;
  description.name = name;
  description.description = text;
  description.target_domains = {std::string(domain)};
  return description;
}

bool flag(const core::ServiceCall& call, std::string_view name, bool otherwise) {
  const json::value* const value = call.data().if_contains(name);
  return value ? value->as_bool() : otherwise;
}

json::object variables_of(const core::ServiceCall& call) {
  const json::value* const given = call.data().if_contains("variables");
  return given ? given->as_object() : json::object();
}

core::Field variables_field() {
  return {"variables", "Values for its templates.", core::Example::Json{R"({"brightness":80})"}, core::field::Object{}};
}

}  // namespace

void Engine::add_services(const configured::Reload& reload) {
  add_automation_services();
  add_script_services();
  for (const char* const domain : {"automation", "script"})
    registrations_.push_back(
        configured::add_reload(home_.hub, domain, "Reads the files of automations and scripts again.", reload));
  registrations_.push_back(add_conversation_service(home_));
}

base::Result<void> Engine::check_variables(const core::ServiceCall& call) {
  const json::object given = variables_of(call);
  for (const std::string& id : call.entity_ids()) {
    const Automation* const automation = find_automation(id);
    const Script* const script = find_script(id);
    if (!automation && !script) continue;
    auto may = check_given(automation ? automation->item() : script->item(), given, call.request().rights, home_.hub);
    if (!may) return may;
  }
  return {};
}

void Engine::add_automation_services() {
  const auto add = [this](core::ServiceDescription description, auto act) {
    registrations_.push_back(home_.hub.services.add(
        std::move(description), [this, act](const core::ServiceCall& call, const core::ServiceReply& reply) {
          if (auto may = check_variables(call); !may) return reply(std::unexpected(may.error()));
          for (const std::string& id : call.entity_ids()) {
            Automation* const automation = find_automation(id);
            if (!automation) continue;
            if (const base::Result<void> done = act(*automation, call); !done)
              return reply(std::unexpected(done.error()));
          }
          reply(json::value());
        }));
  };
  using Done = base::Result<void>;
  auto trigger = describe("automation", "trigger", "Trigger", "Runs automations now, also those that are off.");
  trigger.fields = {
      {"skip_condition", "Whether they run even if their conditions do not hold.", true, core::field::Boolean{}},
      variables_field()};
  add(std::move(trigger), [](Automation& automation, const core::ServiceCall& call) {
    return automation.trigger(call.context(), variables_of(call), flag(call, "skip_condition", true));
  });
  add(describe("automation", "turn_on", "Turn on", "Lets automations run again."),
      [](Automation& automation, const core::ServiceCall& call) -> Done {
        automation.turn_on(call.context());
        return {};
      });
  auto turn_off = describe("automation", "turn_off", "Turn off", "Keeps automations from running.");
  turn_off.fields = {{"stop_actions", "Whether what they do at the moment ends.", true, core::field::Boolean{}}};
  add(std::move(turn_off), [](Automation& automation, const core::ServiceCall& call) -> Done {
    automation.turn_off(call.context(), flag(call, "stop_actions", true));
    return {};
  });
  add(describe("automation", "toggle", "Toggle", "Turns automations on that are off, and off that are on."),
      [](Automation& automation, const core::ServiceCall& call) -> Done {
        if (automation.is_on())
          automation.turn_off(call.context(), true);
        else
          automation.turn_on(call.context());
        return {};
      });
}

void Engine::add_script_services() {
  const auto add = [this](core::ServiceDescription description, auto act) {
    registrations_.push_back(home_.hub.services.add(
        std::move(description), [this, act](const core::ServiceCall& call, const core::ServiceReply& reply) {
          if (auto may = check_variables(call); !may) return reply(std::unexpected(may.error()));
          for (const std::string& id : call.entity_ids()) {
            Script* const script = find_script(id);
            if (!script) continue;
            if (const base::Result<void> done = act(*script, call); !done) return reply(std::unexpected(done.error()));
          }
          reply(json::value());
        }));
  };
  const auto run = [](Script& script, const core::ServiceCall& call) {
    return script.run(variables_of(call), call.context(), nullptr);
  };
  auto turn_on = describe("script", "turn_on", "Run", "Runs scripts, without waiting for their end.");
  turn_on.fields = {variables_field()};
  add(std::move(turn_on), run);
  add(describe("script", "turn_off", "Stop", "Ends what scripts do."),
      [](Script& script, const core::ServiceCall& call) -> base::Result<void> {
        script.turn_off(call.context());
        return {};
      });
  auto toggle = describe("script", "toggle", "Toggle", "Runs scripts that do not run, and ends those that do.");
  toggle.fields = {variables_field()};
  add(std::move(toggle), [run](Script& script, const core::ServiceCall& call) -> base::Result<void> {
    if (!script.is_on()) return run(script, call);
    script.turn_off(call.context());
    return {};
  });
}

}  // namespace hearth::automation

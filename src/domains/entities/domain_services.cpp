// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/domain_services.h"

#include <fmt/format.h>

#include "base/log/log.h"
#include "domains/entities/thing.h"

namespace hearth::domains {

core::ServiceDescription describe(const Kind& kind, const Action& action) {
  core::ServiceDescription description;
  description.domain = kind.domain;
  description.service = action.service;
  description.name = action.name;
  description.description = action.description;
  for (const Input& input : action.fields) description.fields.push_back(input.field);
  description.target_domains = {std::string(kind.domain)};
  if (action.answers) description.response = core::ResponseSupport::only;
  return description;
}

bool goes_on_without(const core::ServiceCall& call, std::size_t index, base::Error& error) {
  if (error.code != base::ErrorCode::unsupported) return false;
  if (call.named(index)) {
    error.code = base::ErrorCode::invalid;
    return false;
  }
  base::log_info("services", "{}.{} leaves out {}: {}", call.request().domain, call.request().service,
                 call.entity_ids()[index], error.message);
  return true;
}

void DomainServices::add_all() {
  for (const Action& action : kind_.actions) {
    if (action.answers) {
      add_question(action);
      continue;
    }
    add<Thing>(action.service, [&action](Thing& thing, const json::object& data) -> Prepared {
      auto order = thing.order(action, data);
      if (!order) return std::unexpected(order.error());
      return [&thing, order = std::move(*order)] { thing.obey(order); };
    });
  }
}

void DomainServices::add_any(const Action& action, Prepare<Entity> prepare, const std::source_location& where) {
  registrations_.push_back(hub_.services.add(
      describe(kind_, action),
      [this, prepare = std::move(prepare)](const core::ServiceCall& call, core::ServiceReply reply) {
        run(call, prepare, std::move(reply));
      },
      where));
}

void DomainServices::add_question(const Action& action, const std::source_location& where) {
  registrations_.push_back(hub_.services.add(
      describe(kind_, action),
      [this, &action](const core::ServiceCall& call, const core::ServiceReply& reply) {
        auto answered = answers(call, action);
        if (!answered) return reply(std::unexpected(answered.error()));
        reply(std::move(*answered));
      },
      where));
}

Entity* DomainServices::reach(const core::ServiceCall& call, const std::string& entity_id) const {
  Entity* const entity = entities_.find(entity_id);
  if (entity && entity->available()) return entity;
  base::log_warning("services", "{}.{} leaves out {}: {}", kind_.domain, call.request().service, entity_id,
                    entity ? "it is unavailable" : "no integration drives it");
  return nullptr;
}

base::Result<json::object> DomainServices::answers(const core::ServiceCall& call, const Action& action) const {
  json::object all;
  for (std::size_t i = 0; i < call.entity_ids().size(); ++i) {
    const std::string& id = call.entity_ids()[i];
    Entity* const entity = reach(call, id);
    if (!entity) continue;
    const auto& thing = static_cast<const Thing&>(*entity);
    auto order = thing.order(action, call.data());
    if (!order) {
      if (goes_on_without(call, i, order.error())) continue;
      return std::unexpected(std::move(order.error()));
    }
    base::Result<json::object> answer = base::fail(base::ErrorCode::internal, fmt::format("{} failed to answer.", id));
    entity->ask([&] { answer = thing.answer(*order); });
    if (!answer) return answer;
    all[id] = std::move(*answer);
  }
  return all;
}

void DomainServices::run(const core::ServiceCall& call, const Prepare<Entity>& prepare,
                         core::ServiceReply reply) const {
  std::vector<std::pair<std::string, Command>> commands;
  for (std::size_t i = 0; i < call.entity_ids().size(); ++i) {
    const std::string& id = call.entity_ids()[i];
    Entity* const entity = reach(call, id);
    if (!entity) continue;
    entity->set_caller(call.request().rights);
    auto command = prepare(*entity, call.data());
    if (!command) {
      if (goes_on_without(call, i, command.error())) continue;
      return reply(std::unexpected(std::move(command.error())));
    }
    commands.emplace_back(id, std::move(*command));
  }
  base::Result<void> done;
  LaterAnswers::Commands given(entities_.answers(), std::move(reply));
  for (const auto& [id, command] : commands) {
    // Looked up again: one device's command may have removed another's entity.
    Entity* const entity = entities_.find(id);
    if (!entity) continue;
    if (given.give(*entity, [&] { return entity->command(call.context(), command); }) || !done) continue;
    done = base::fail(base::ErrorCode::internal, fmt::format("{} failed at the command.", id));
  }
  given.end(std::move(done));
}

}  // namespace hearth::domains

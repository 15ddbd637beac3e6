// SPDX-License-Identifier: Apache-2.0
#include "automation/script.h"

#include <fmt/format.h>

#include <algorithm>

#include "automation/given_variables.h"
#include "automation/values/context_value.h"
#include "template/home/state_value.h"

namespace hearth::automation {

using templates::Value;

Script::Script(std::shared_ptr<const Item> item, Home& home, domains::EntityTable& entities)
    : item_(std::move(item)), home_(home), entities_(entities) {}

base::Result<void> Script::start() {
  const auto registry = home_.hub.registry.snapshot();
  const core::RegisteredEntity* const known = registry->find_entity("script", "script", item_->unique_id);
  auto shown = ItemEntity::restored(known ? home_.hub.states.find(known->entity_id) : nullptr);
  shown.on = false;
  shown.error = item_->error;
  const auto added = entities_.add(std::make_unique<ItemEntity>(item_, std::move(shown)));
  if (!added) return std::unexpected(added.error());
  entity_ = *added;
  runs_ = std::make_unique<Runs>(item_, home_, [this] { show_runs(); }, [this] { return entity_id(); });
  conditions_elsewhere_ = keep_conditions(*item_, home_);
  add_service();
  return {};
}

void Script::replace(std::shared_ptr<const Item> item) {
  service_ = {};
  runs_->cancel();
  runs_.reset();
  item_ = std::move(item);
  runs_ = std::make_unique<Runs>(item_, home_, [this] { show_runs(); }, [this] { return entity_id(); });
  conditions_elsewhere_ = keep_conditions(*item_, home_);
  entity_->apply(item_);
  entities_.describe(*entity_, ItemEntity::info_of(*item_));
  show(core::Context::create(home_.hub.clock.now()));
  add_service();
}

void Script::withdraw() {
  service_ = {};
  runs_->cancel();
  runs_.reset();
  home_.traces.forget(fmt::format("script.{}", item_->unique_id));
  const std::string id(entity_id());
  const auto gone = entities_.withdraw(id);
  static_cast<void>(home_.hub.states.remove(id, core::Context::create(home_.hub.clock.now())));
}

void Script::add_service() {
  core::ServiceDescription description;
  description.domain = "script";
  description.service = item_->object_id;
  description.name = item_->alias;
  description.description = item_->error.empty() ? item_->description : "A script with errors.";
  description.has_target = false;
  description.stands_for = item_->unique_id;
  description.hands_on = true;
  description.response = core::ResponseSupport::optional;
  for (const ScriptField& field : item_->fields) {
    core::Field described;
    described.name = field.name;  // of the item, which the handler below keeps
    described.description = field.description;
    description.fields.push_back(described);
    description.written_fields[field.name] = field.written;
  }
  service_ = home_.hub.services.add(
      std::move(description), [this, item = item_](const core::ServiceCall& call, const core::ServiceReply& reply) {
        if (auto may = check_given(*item, call.data(), call.request().rights, home_.hub); !may)
          return reply(std::unexpected(may.error()));
        const auto begun =
            run(call.data(), call.context(), [reply](const Run::Result* result) { reply(answer_of(result)); });
        if (!begun) reply(std::unexpected(begun.error()));
      });
}

base::Result<void> Script::run(const json::object& given, const core::Context& by, Ended ended,
                               std::optional<Caller> caller, Trace* of_caller) {
  if (!item_->error.empty()) return base::fail(base::ErrorCode::invalid, item_->error);
  if (auto room = check_room_for_run(home_); !room) return room;
  // Runs side by side may be about as deep as there may be of them.
  const std::size_t most =
      item_->mode == Mode::parallel ? std::clamp(item_->max, kMaxDepth, kMaxParallelDepth) : kMaxDepth;
  if (home_.cause_chain.count(by.id, this) >= most)
    return base::fail(base::ErrorCode::invalid, fmt::format("{} calls itself more than {} deep", entity_id(), most));
  // A queued one would wait for ever, a restarted one would end the run that asks for it.
  const bool one_at_a_time = item_->mode == Mode::queued || item_->mode == Mode::restart;
  if (caller && one_at_a_time && home_.cause_chain.is_awaited_by(by.id, this)) {
    return base::fail(base::ErrorCode::invalid,
                      fmt::format("{} calls itself and would wait for its own end, as its mode is {}; script.turn_on "
                                  "does not wait",
                                  entity_id(), to_string(item_->mode)));
  }
  core::Context context = core::Context::create(home_.hub.clock.now(), by.user_id);
  context.parent_id = by.id;
  templates::Variables variables;
  for (const auto& [name, value] : given) variables.emplace_back(name, Value::from_json(json::value(value)));
  variables.emplace_back("this", templates::state_value(home_.hub.states.find(entity_id())));
  variables.emplace_back("context", context_value(context));
  const Renderer renderer = home_.renderer();
  // Defaults, which what the caller gives replaces.
  for (const auto& [name, data] : item_->variables) {
    if (given.contains(name)) continue;
    auto value = data.render(renderer, variables);
    if (!value) return std::unexpected(std::move(value.error()));
    variables.emplace_back(name, defined_value(std::move(*value)));
  }
  home_.cause_chain.add(context, this, caller.has_value());
  home_.hub.bus.fire("script_started",
                     base::to_json(json::object{{"name", item_->alias}, {"entity_id", std::string(entity_id())}}),
                     core::Origin::local, context);
  const auto now = home_.hub.clock.now();
  const auto trace = home_.traces.begin(*item_, context, "", now);
  if (of_caller) of_caller->add_child("script", item_->unique_id, context.id);
  Runs::Order order{context, std::move(variables), std::move(ended), std::move(caller), trace};
  if (runs_->begin(std::move(order), Runs::Tell::later) == Runs::Begun::dropped) {
    if (!trace) return {};
    trace->finish(item_->mode == Mode::single ? Execution::failed_single : Execution::failed_max_runs, "", now);
    home_.traces.end(*item_, *trace);
    return {};
  }
  auto shown = entity_->shown();
  shown.last_triggered = now;
  shown.current = runs_->current();
  shown.on = shown.current > 0;
  entity_->show(std::move(shown), context);
  runs_->answer();
  return {};
}

void Script::turn_off(const core::Context& context) {
  runs_->cancel();
  show(context);
  runs_->answer();
}

void Script::show_runs() {
  const core::Context* const ended = runs_->ended_context();
  show(ended ? *ended : core::Context::create(home_.hub.clock.now()));
}

void Script::show(const core::Context& context) {
  auto shown = entity_->shown();
  shown.error = item_->error;
  shown.current = runs_->current();
  shown.on = shown.current > 0;
  entity_->show(std::move(shown), context);
}

base::Result<json::value> answer_of(const Run::Result* result) {
  if (!result || result->asked || result->end != Run::End::failed)
    return result && result->response.is_object() ? result->response : json::value(json::object());
  return base::fail(base::ErrorCode::invalid, result->text);
}

}  // namespace hearth::automation

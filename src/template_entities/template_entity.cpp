// SPDX-License-Identifier: Apache-2.0
#include "template_entities/template_entity.h"

#include <fmt/format.h>

#include "automation/values/context_value.h"
#include "base/log/log_scope.h"
#include "core/values/entity_id.h"
#include "domains/entities/kinds.h"
#include "template/home/state_value.h"
#include "template_entities/broken_entity.h"
#include "template_entities/light_entity.h"
#include "template_entities/thing_entity.h"

namespace hearth::template_entities {
std::unique_ptr<TemplateEntity> TemplateEntity::create(std::shared_ptr<const Plan> plan, const EntityPlan& entity,
                                                       automation::Home& home, domains::EntityTable& entities) {
  if (!plan->error.empty() || !entity.error.empty())
    return std::make_unique<BrokenEntity>(std::move(plan), entity, home, entities);
  if (entity.form->kind == &domains::kLight)
    return std::make_unique<LightEntity>(std::move(plan), entity, home, entities);
  return std::make_unique<ThingEntity>(std::move(plan), entity, home, entities);
}

TemplateEntity::TemplateEntity(std::shared_ptr<const Plan> plan, const EntityPlan& entity, automation::Home& home,
                               domains::EntityTable& entities)
    : plan_(std::move(plan)), entity_(entity), home_(home), entities_(entities) {
  for (const auto& [key, item] : entity_.steps)
    runs_.emplace(item->unique_id, std::make_unique<automation::Runs>(item, home, [] {}));
}

core::StatePtr TemplateEntity::last_state() const {
  const auto registry = home_.hub.registry.snapshot();
  const core::RegisteredEntity* const known =
      registry->find_entity(std::string(kIntegration), std::string(entity_.form->domain()), entity_.unique_id);
  return known ? home_.hub.states.find(known->entity_id) : nullptr;
}

templates::Variables TemplateEntity::own_variables(templates::Variables variables,
                                                   const automation::Moment& moment) const {
  const core::StatePtr state = shown_ && !entity_id().empty() ? moment.find(entity_id()) : last_state();
  variables.emplace_back("this", templates::state_value(state));
  return variables;
}

base::Result<templates::Variables> TemplateEntity::all_variables(templates::Variables variables,
                                                                 const automation::Moment& moment,
                                                                 templates::Dependencies* seen) const {
  auto all = own_variables(std::move(variables), moment);
  if (!by_triggers()) {  // those have run through the block's own
    auto common = with_variables(plan_->variables, moment, std::move(all), seen);
    if (!common) return common;
    all = std::move(*common);
  }
  return with_variables(entity_.variables, moment, std::move(all), seen);
}

void TemplateEntity::follow() {
  const auto render = [this](const automation::Moment& moment,
                             templates::Dependencies& seen) -> base::Result<templates::Value> {
    auto variables = all_variables({}, moment, &seen);
    if (!variables) {
      result_ = std::unexpected(variables.error());
      return std::unexpected(std::move(variables.error()));
    }
    seen_variables_ = std::move(*variables);
    result_ = template_entities::render(entity_, moment, seen_variables_, &seen);
    if (!result_) return std::unexpected(result_.error());
    return templates::Value();
  };
  live_ = std::make_unique<automation::LiveTemplate>(
      home_, render,
      [this](const base::Result<templates::Value>&, const core::Event* event, const automation::Moment& moment) {
        on_change(event, moment);
      });
}

void TemplateEntity::on_change(const core::Event* event, const automation::Moment& moment) {
  const core::StateChange* const change = event ? event->state_change() : nullptr;
  if (!change || change->entity_id() != entity_id())
    own_changes_ = 0;
  else if (++own_changes_ > kMostOwnChanges)
    return complain("its own state changes it, again and again");
  take_result(result_, seen_variables_, event ? &event->context : nullptr, moment);
}

base::Result<void> TemplateEntity::start() {
  const automation::Moment now = home_.now();
  const core::StatePtr last = last_state();
  const bool broken = !plan_->error.empty() || !entity_.error.empty();
  if (!by_triggers() && !broken) follow();
  std::string name;
  if (live_ && result_) {
    name = result_->name;
  } else if (const auto text = entity_.name.render_text(
                 now.renderer(), all_variables({}, now, nullptr).value_or(templates::Variables()))) {
    name = *text;
  } else if (const json::object attributes = last ? last->attributes() : json::object();
             const json::value* const shown = attributes.if_contains("friendly_name")) {
    if (shown->is_string()) name = shown->get_string();
  }
  std::string object_id = entity_.object_id.empty() ? core::slugify(name) : entity_.object_id;
  if (object_id.empty()) object_id = core::slugify(entity_.unique_id);
  auto entity = make({.integration = std::string(kIntegration),
                      .unique_id = entity_.unique_id,
                      .object_id = object_id,
                      .name = name.empty() ? object_id : name,
                      .device_class = entity_.device_class},
                     last.get(), live_ && result_ ? &*result_ : nullptr);
  shown_ = entity.get();
  if (live_) take_result(result_, seen_variables_, nullptr, now);
  const auto added = entities_.add(std::move(entity));
  if (added) return {};
  shown_ = nullptr;
  live_.reset();
  return std::unexpected(added.error());
}

void TemplateEntity::withdraw() {
  live_.reset();
  runs_.clear();
  if (shown_) const auto gone = entities_.withdraw(entity_id());
  shown_ = nullptr;
}

void TemplateEntity::show(const templates::Variables& variables, const core::Context* cause,
                          const automation::Moment& moment) {
  if (!shown_) return;
  const auto all = all_variables(variables, moment, nullptr);
  if (!all) return take_result(std::unexpected(all.error()), {}, cause, moment);
  take_result(template_entities::render(entity_, moment, *all, nullptr), *all, cause, moment);
}

void TemplateEntity::take_result(const base::Result<Rendering>& result, const templates::Variables& variables,
                                 const core::Context* cause, const automation::Moment& moment) {
  if (!result) {
    complain(result.error().message);
    return shown_->set_available(false);
  }
  complained_ = false;
  if (!result->name.empty() && result->name != shown_->info().name) rename(result->name);
  if (result->available)
    apply(*result, variables, cause, moment);  // before it is available, so that nobody sees its former value again
  else
    shown_->set_available(false);
  if (!complained_) complaint_.clear();  // otherwise the same is not said again
}

void TemplateEntity::rename(const std::string& name) {
  domains::EntityInfo info = shown_->info();
  info.name = name;
  if (!entity_id().empty()) entities_.describe(*shown_, std::move(info));
}

bool TemplateEntity::run(std::string_view key, templates::Variables data) {
  const auto steps = entity_.steps.find(key);
  if (steps == entity_.steps.end()) return false;
  const core::Context& by = shown_->command_context();
  core::Context context = core::Context::create(home_.hub.clock.now(), by.user_id);
  context.parent_id = by.id;
  data.emplace_back("context", automation::context_value(context));
  auto variables = all_variables(std::move(data), home_.now(), nullptr);
  if (!variables) {
    complain(variables.error().message);
    return true;
  }
  home_.cause_chain.add(context, this);
  runs_.at(steps->second->unique_id)
      ->begin({context, std::move(*variables), [this](const automation::Run::Result* result) {
                 if (result && awaited_ && shown_) repeat();
               }});
  return true;
}

const core::Context* TemplateEntity::cause_of_report(const core::Context* cause) {
  return std::exchange(awaited_, false) ? nullptr : cause;
}

void TemplateEntity::complain(std::string_view what) {
  complained_ = true;
  if (complaint_ == what) return;
  complaint_ = what;
  const base::LogScope own({.entity = entity_id()});
  std::string line = fmt::format("{} ({}): {}", entity_id().empty() ? entity_.id() : entity_id(), entity_.place, what);
  // With what was wrong, but without the value, which may be another one each time.
  said_.log_as(what.substr(0, 40), std::move(line));
}

json::object TemplateEntity::extra_of(const core::State& last) const {
  const json::object attributes = last.attributes();
  json::object extra;
  const auto keep = [&](std::string_view name) {
    if (const json::value* const value = attributes.if_contains(name)) extra[name] = *value;
  };
  if (entity_.icon) keep("icon");
  if (entity_.picture) keep("entity_picture");
  for (const auto& [name, data] : entity_.attributes) keep(name);
  return extra;
}

automation::Runs* TemplateEntity::runs(std::string_view item) const {
  const auto found = runs_.find(item);
  return found == runs_.end() ? nullptr : found->second.get();
}

void TemplateEntity::resume() {
  for (const auto& [item, runs] : runs_) runs->resume();
}

}  // namespace hearth::template_entities

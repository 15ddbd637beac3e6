// SPDX-License-Identifier: Apache-2.0
#include "template_entities/template_entities.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "base/log/log.h"

namespace hearth::template_entities {
namespace {

bool is_good(const Plan& plan) {
  return plan.error.empty() && std::ranges::all_of(plan.entities, [](const auto& each) { return each.error.empty(); });
}

// Takes the units that the configuration does not name. If a file cannot be read, its units go on unchanged.
std::vector<std::unique_ptr<Unit>> unnamed(std::vector<std::unique_ptr<Unit>>& former,
                                           const Configuration& configuration) {
  std::vector<std::unique_ptr<Unit>> taken;
  for (auto& unit : former) {
    const bool named =
        std::ranges::any_of(configuration.plans, [&](const auto& plan) { return plan->id == unit->plan().id; });
    if (!named) taken.push_back(std::move(unit));
  }
  std::erase(former, nullptr);
  return taken;
}

}  // namespace

TemplateEntities::TemplateEntities(automation::Home& home, domains::EntityTable& entities)
    : home_(home), entities_(entities) {
  home.restore_run = [this](std::string_view item, const json::object& stored) { return restore_run(item, stored); };
  started_ = home.hub.bus.listen(core::event_type::kPlatformStarted, [this](const core::Event&) {
    for (const auto& unit : units_) unit->resume();
  });
}

TemplateEntities::~TemplateEntities() = default;

void TemplateEntities::add_services(Reload reload) {
  core::ServiceDescription description;
  description.domain = kIntegration;
  description.service = "reload";
  description.name = "Reload";
  description.description = "Reads the files again; template entities that have not changed go on.";
  description.has_target = false;
  description.administrator = true;
  registrations_.push_back(home_.hub.services.add(
      description, [reload = std::move(reload)](const core::ServiceCall& call, core::ServiceReply reply) {
        reload(call.context(), std::move(reply));
      }));
}

std::unique_ptr<Unit> TemplateEntities::taken(Units& former, const Plan& plan) const {
  const auto same = std::ranges::find_if(former, [&](const auto& each) { return each && each->plan().id == plan.id; });
  if (same == former.end()) return nullptr;
  const bool unchanged = (*same)->plan().written == plan.written && (*same)->plan().error == plan.error;
  if (unchanged || (!is_good(plan) && (*same)->is_good())) return std::move(*same);
  return nullptr;
}

void TemplateEntities::apply(const Configuration& configuration) {
  std::vector<automation::Fault> faults;
  for (const std::string& error : configuration.faults) {
    // The place stays the same as long as the fault does.
    faults.push_back({"configuration " + error.substr(0, error.find(": ")), {}, {}, error});
    base::log_warning("template", "{}", error);
  }
  Units former = std::exchange(units_, {});
  std::vector<std::unique_ptr<Unit>> wanted;
  for (const auto& plan : configuration.plans) wanted.push_back(taken(former, *plan));
  std::erase(former, nullptr);
  Units kept;
  if (!configuration.complete) kept = unnamed(former, configuration);
  for (const auto& unit : former) unit->withdraw();
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto& plan = configuration.plans[i];
    if (!wanted[i]) {
      wanted[i] = std::make_unique<Unit>(plan, home_, entities_);
      for (const std::string& error : wanted[i]->start()) {
        faults.push_back({"template " + error.substr(0, error.find(": ")), {}, {}, error});
        base::log_warning("template", "{}", error);
      }
    }
    for (const EntityPlan& entity : plan->entities) {
      const std::string& error = plan->error.empty() ? entity.error : plan->error;
      if (error.empty()) continue;
      const auto& shown = wanted[i]->entities();
      const auto found =
          std::ranges::find_if(shown, [&](const auto& each) { return each->plan().unique_id == entity.unique_id; });
      const std::string entity_id(found == shown.end() ? std::string_view() : (*found)->entity_id());
      const auto name = entity.name.render_text(home_.renderer, {});
      faults.push_back({"template " + entity.id(), entity_id, name ? *name : entity.id(), error});
      base::log_warning("template", "{}", error);
    }
  }
  units_ = std::move(wanted);
  std::ranges::move(kept, std::back_inserter(units_));
  // The former ones end after the others have taken over the clocks of what has not changed.
  former.clear();
  clear_left(configuration.complete);
  faults_.publish(std::make_shared<const std::vector<automation::Fault>>(std::move(faults)));
}

void TemplateEntities::clear_left(bool complete) const {
  std::set<std::string, std::less<>> present;
  for (const auto& unit : units_) {
    for (const auto& each : unit->entities()) present.emplace(each->entity_id());
  }
  const auto registry = home_.hub.registry.snapshot();
  const auto context = core::Context::create(home_.hub.clock.now());
  for (const auto& [id, registered] : registry->entities) {
    if (registered.integration != kIntegration || present.contains(id)) continue;
    const core::StatePtr state = home_.hub.states.find(id);
    if (!state) continue;
    if (complete)
      static_cast<void>(home_.hub.states.remove(id, context));
    else
      static_cast<void>(home_.hub.states.set(core::EntityId::parse(id).value(),
                                             {core::kUnavailable, state->attributes_json(), context}));
  }
}

bool TemplateEntities::restore_run(std::string_view item, const json::object& stored) const {
  constexpr std::string_view kScript = "script.";
  if (!item.starts_with(kScript)) return false;
  item.remove_prefix(kScript.size());
  return std::ranges::any_of(units_, [&](const auto& unit) { return unit->restore_run(item, stored); });
}

void TemplateEntities::stop() {
  for (const auto& unit : units_) unit->withdraw();
  units_.clear();
  registrations_.clear();
}

}  // namespace hearth::template_entities

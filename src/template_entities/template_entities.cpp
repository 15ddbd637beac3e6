// SPDX-License-Identifier: Apache-2.0
#include "template_entities/template_entities.h"

#include <algorithm>
#include <set>

#include "base/log/log.h"
#include "configured/clear_left.h"

namespace hearth::template_entities {

TemplateEntities::TemplateEntities(automation::Home& home, domains::EntityTable& entities)
    : home_(home), entities_(entities) {
  home.run_owner = this;
  started_ = home.hub.bus.listen(core::event_type::kPlatformStarted, [this](const core::Event&) {
    for (const auto& [id, unit] : units_.all()) unit->resume();
  });
}

TemplateEntities::~TemplateEntities() = default;

void TemplateEntities::add_services(configured::Reload reload) {
  registrations_.push_back(configured::add_reload(
      home_.hub, kIntegration, "Reads the files again; template entities that have not changed go on.",
      std::move(reload)));
}

void TemplateEntities::apply(const Configuration& configuration) {
  std::vector<configured::Fault> faults = configured::report(configuration, "template");
  units_.apply(configuration.plans, configuration.complete, [&](const std::shared_ptr<const Plan>& plan) {
    auto unit = std::make_unique<Unit>(plan, home_, entities_);
    for (const std::string& error : unit->start()) {
      faults.push_back(configured::fault_at_place(error, "template"));
      base::log_warning("template", "{}", error);
    }
    return unit;
  });
  for (const auto& plan : configuration.plans) {
    for (const EntityPlan& entity : plan->entities) {
      const std::string& error = plan->error.empty() ? entity.error : plan->error;
      if (error.empty()) continue;
      const auto& shown = units_.find(plan->id)->entities();
      const auto found =
          std::ranges::find_if(shown, [&](const auto& each) { return each->plan().unique_id == entity.unique_id; });
      const std::string entity_id(found == shown.end() ? std::string_view() : (*found)->entity_id());
      const auto name = entity.name.render_text(home_.renderer(), {});
      faults.push_back({"template " + entity.id(), entity_id, name ? *name : entity.id(), error});
      base::log_warning("template", "{}", error);
    }
  }
  clear_left(configuration.complete);
  faults_.publish(std::move(faults));
}

void TemplateEntities::clear_left(bool complete) const {
  std::set<std::string, std::less<>> present;
  for (const auto& [id, unit] : units_.all()) {
    for (const auto& each : unit->entities()) present.emplace(each->entity_id());
  }
  configured::clear_left(home_.hub, complete, [&](const std::string& id, const core::RegisteredEntity& registered) {
    return registered.integration == kIntegration && !present.contains(id);
  });
}

bool TemplateEntities::restore_run(std::string_view item, const json::object& stored) {
  constexpr std::string_view kScript = "script.";
  if (!item.starts_with(kScript)) return false;
  item.remove_prefix(kScript.size());
  return std::ranges::any_of(units_.all(), [&](const auto& each) { return each.second->restore_run(item, stored); });
}

void TemplateEntities::stop() {
  for (const auto& [id, unit] : units_.all()) unit->withdraw();
  units_.clear();
  registrations_.clear();
}

}  // namespace hearth::template_entities

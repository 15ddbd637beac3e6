// SPDX-License-Identifier: Apache-2.0
#include "automation/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/log.h"

namespace hearth::automation {
namespace {

std::string domain_name(ItemKind kind) {
  return kind == ItemKind::script ? "script" : "automation";
}

}  // namespace

Engine::Engine(core::Hub& hub, domains::EntityTable& entities, Renderer::Imports imports)
    : home_(hub, std::move(imports)), entities_(entities) {
  home_.call_script = [this](const core::ServiceRequest& request, const core::ServiceRegistry::Done& done) {
    return call_script(request, done);
  };
  home_.stopped = [this] { publish_faults(); };
}

Engine::~Engine() = default;

template <class Work>
void Engine::follow(std::map<std::string, std::unique_ptr<Work>>& present,
                    const std::vector<std::shared_ptr<const Item>>& wanted, std::vector<Fault>& faults) {
  std::set<std::string> named;
  for (const auto& item : wanted) named.insert(item->unique_id);
  std::erase_if(present, [&](const auto& each) {
    if (named.contains(each.first)) return false;
    each.second->remove();
    return true;
  });
  for (const auto& item : wanted) {
    const auto known = present.find(item->unique_id);
    if (known == present.end()) {
      auto work = std::make_unique<Work>(item, home_, entities_);
      if (const auto started = work->start(); !started) {
        faults.push_back(
            {fmt::format("{}.{}", domain_name(item->kind), item->unique_id), {}, item->alias, started.error().message});
        continue;
      }
      present.emplace(item->unique_id, std::move(work));
    } else if (known->second->item().written != item->written &&
               (item->error.empty() || !known->second->item().error.empty())) {
      known->second->replace(item);
    }
    if (item->error.empty()) continue;
    const std::string entity_id(present.at(item->unique_id)->entity_id());
    faults.push_back({entity_id, entity_id, item->alias, item->error});
    base::log_warning("automation", "{}", item->error);
  }
}

void Engine::take(Configuration configuration) {
  std::vector<Fault> faults;
  for (const std::string& error : configuration.faults) {
    // The place stays the same as long as the fault does.
    faults.push_back({"configuration " + error.substr(0, error.find(": ")), {}, {}, error});
    base::log_warning("automation", "{}", error);
  }
  for (const std::string& warning : configuration.warnings) base::log_warning("automation", "{}", warning);
  clear_left("automation", configuration.automations, configuration.complete);
  clear_left("script", configuration.scripts, configuration.complete);
  follow(scripts_, configuration.scripts, faults);
  follow(automations_, configuration.automations, faults);
  found_ = std::move(faults);
  publish_faults();
}

void Engine::publish_faults() {
  std::vector<Fault> all = found_;
  for (const auto& [id, automation] : automations_) {
    if (automation->stopped().empty()) continue;
    const std::string entity_id(automation->entity_id());
    all.push_back({entity_id + " stopped", entity_id, automation->item().alias, automation->stopped()});
  }
  faults_.publish(std::make_shared<const std::vector<Fault>>(std::move(all)));
}

void Engine::clear_left(std::string_view domain, const std::vector<std::shared_ptr<const Item>>& items, bool complete) {
  const auto registry = home_.hub.registry.snapshot();
  const auto context = core::Context::create(home_.hub.clock.now());
  for (const auto& [id, registered] : registry->entities) {
    if (registered.integration != domain || registered.provided) continue;
    const bool named =
        std::ranges::any_of(items, [&](const auto& item) { return item->unique_id == registered.unique_id; });
    const core::StatePtr state = named ? nullptr : home_.hub.states.find(id);
    if (!state) continue;
    if (complete)
      static_cast<void>(home_.hub.states.remove(id, context));
    else
      static_cast<void>(home_.hub.states.set(core::EntityId::parse(id).value(),
                                             {core::kUnavailable, state->attributes_json(), context}));
  }
}

void Engine::stop() {
  // Their entities stay in the table, which outlives them; without watches and runs nothing happens any more.
  automations_.clear();
  scripts_.clear();
  registrations_.clear();
}

Automation* Engine::find_automation(std::string_view entity_id) const {
  const auto found =
      std::ranges::find_if(automations_, [&](const auto& each) { return each.second->entity_id() == entity_id; });
  return found == automations_.end() ? nullptr : found->second.get();
}

Script* Engine::find_script(std::string_view entity_id) const {
  const auto found =
      std::ranges::find_if(scripts_, [&](const auto& each) { return each.second->entity_id() == entity_id; });
  return found == scripts_.end() ? nullptr : found->second.get();
}

bool Engine::call_script(const core::ServiceRequest& request, const core::ServiceRegistry::Done& done) {
  const auto found = scripts_.find(request.service);
  if (found == scripts_.end()) return false;
  home_.hub.bus.fire(core::event_type::kCallService,
                     base::to_json(json::object{
                         {"domain", request.domain}, {"service", request.service}, {"service_data", request.data}}),
                     core::Origin::local, request.context);
  const auto ended = [done](const Run::Result* result) {
    auto answer = answer_of(result);
    if (!answer) return done(std::unexpected(std::move(answer.error())));
    done(core::CallOutcome{{}, std::move(*answer)});
  };
  const auto begun = found->second->run(request.data, request.context, ended, true);
  if (!begun) done(std::unexpected(begun.error()));
  return true;
}

}  // namespace hearth::automation

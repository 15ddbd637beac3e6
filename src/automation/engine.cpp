// SPDX-License-Identifier: Apache-2.0
#include "automation/engine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "automation/items/key_renames.h"
#include "automation/references.h"
#include "automation/store/keys.h"
#include "base/json/json_fields.h"
#include "base/log/log.h"
#include "base/memory_use.h"
#include "base/text/timestamp.h"
#include "configured/clear_left.h"
#include "domains/entities/thing.h"

namespace hearth::automation {
namespace {

using configured::Fault;

// The answer of a script's call to the run that waits for it.
std::function<void(const Run::Result*)> answering(core::ServiceRegistry::Done done) {
  return [done = std::move(done)](const Run::Result* result) {
    auto answer = answer_of(result);
    if (!answer) return done(std::unexpected(std::move(answer.error())));
    done(core::CallOutcome{{}, std::move(*answer)});
  };
}

}  // namespace

Engine::Engine(core::Hub& hub, domains::EntityTable& entities, Renderer::Imports imports, ClockIsSet clock_is_set)
    : clock_is_set_(std::move(clock_is_set)), home_(hub, std::move(imports), *this), entities_(entities) {}

Engine::~Engine() = default;

template <class Work>
void Engine::apply(InForce<Work>& in_force, const std::vector<std::shared_ptr<const Item>>& items, bool complete,
                   std::vector<Fault>& faults) {
  in_force.apply(items, complete, [&](const std::shared_ptr<const Item>& item) {
    auto work = std::make_unique<Work>(item, home_, entities_);
    if (const auto started = work->start(); !started) {
      faults.push_back(
          {fmt::format("{}.{}", domain_of(item->kind), item->unique_id), {}, item->alias, started.error().message});
      work.reset();
    }
    return work;
  });
  for (const auto& item : items) {
    const Work* const work = in_force.find(item->unique_id);
    if (!work || (item->error.empty() && item->outdated.empty())) continue;
    const std::string entity_id(work->entity_id());
    if (!item->outdated.empty()) {
      faults.push_back({entity_id + " blueprint", entity_id, item->alias, item->outdated, Fault::Kind::blueprint});
      base::log_warning("automation", "{} runs a former version of its blueprint: {}", item->alias, item->outdated);
      continue;
    }
    faults.push_back({entity_id, entity_id, item->alias, item->error});
    base::log_lines(base::LogLevel::warning, "automation", item->error);
  }
}

base::Result<json::array> Engine::calendar_events(const std::string& entity_id, base::Timestamp from,
                                                  base::Timestamp until) {
  domains::Entity* const entity = entities_.find(entity_id);
  const auto* const calendar = dynamic_cast<domains::Thing*>(entity);
  if (!calendar || calendar->kind().domain != "calendar")
    return base::fail(base::ErrorCode::not_found, fmt::format("There is no calendar {}.", entity_id));
  const auto& actions = calendar->kind().actions;
  const auto get = std::ranges::find(actions, "get_events", &domains::Action::service);
  const auto order =
      calendar->order(*get, {{"start_date_time", base::to_string(from)}, {"end_date_time", base::to_string(until)}});
  if (!order) return std::unexpected(order.error());
  base::Result<json::object> answer = base::fail(base::ErrorCode::internal, "The calendar failed to answer.");
  entity->ask([&] { answer = calendar->answer(*order); });
  if (!answer) return std::unexpected(answer.error());
  return std::move((*answer)["events"].as_array());
}

void Engine::apply(Configuration configuration) {
  std::vector<Fault> faults = configured::report(configuration, "automation");
  clear_left("automation", configuration.automations, configuration.complete);
  clear_left("script", configuration.scripts, configuration.complete);
  apply(scripts_, configuration.scripts, configuration.complete, faults);
  apply(automations_, configuration.automations, configuration.complete, faults);
  for (std::size_t order = 0; order < configuration.automations.size(); ++order) {
    if (Automation* const found = automations_.find(configuration.automations[order]->unique_id))
      found->set_order(order);
  }
  if (!home_.store.left().empty()) restore_runs();
  found_ = std::move(faults);
  references_.clear();
  reference_timer_ = home_.hub.bus.schedule(kReferenceTime, [this] { check_references(); });
  publish_faults();
  publish_named();
}

void Engine::publish_named() {
  std::vector<core::ItemReferences> named;
  for (const auto& [id, automation] : automations_.all())
    named.push_back({"automation", id, references_of(automation->item())});
  for (const auto& [id, script] : scripts_.all()) named.push_back({"script", id, references_of(script->item())});
  named_.publish(std::make_shared<const std::vector<core::ItemReferences>>(std::move(named)));
}

void Engine::check_references() {
  const auto before = std::exchange(references_, {});
  const auto add = [&](const auto& all) {
    for (const auto& [id, work] : all.all()) {
      const std::vector<std::string> missing = missing_of(references_of(work->item()), home_);
      if (missing.empty()) continue;
      const std::string entity_id(work->entity_id());
      references_.push_back({entity_id + " references", entity_id, work->item().alias,
                             fmt::format("{}", fmt::join(missing, ", ")), Fault::Kind::reference});
      if (std::ranges::find(before, references_.back()) == before.end())
        base::log_warning("automation", "{} refers to things that are missing: {}", work->item().alias,
                          references_.back().error);
    }
  };
  add(automations_);
  add(scripts_);
  if (references_ != before) publish_faults();
  // A missing thing may come: a device that is paired late, an area that somebody makes.
  if (!references_.empty()) reference_timer_ = home_.hub.bus.schedule(kReferenceAgain, [this] { check_references(); });
}

void Engine::publish_faults() {
  std::vector<Fault> all = found_;
  all.insert(all.end(), references_.begin(), references_.end());
  for (const auto& [id, automation] : automations_.all()) {
    if (automation->stopped().empty()) continue;
    const std::string entity_id(automation->entity_id());
    all.push_back({entity_id + " stopped", entity_id, automation->item().alias, automation->stopped()});
  }
  faults_.publish(std::move(all));
}

void Engine::clear_left(std::string_view domain, const std::vector<std::shared_ptr<const Item>>& items, bool complete) {
  std::set<std::string_view> named;
  for (const auto& item : items) named.insert(item->unique_id);
  configured::clear_left(home_.hub, complete, [&](const std::string&, const core::RegisteredEntity& registered) {
    return registered.integration == domain && !registered.provided && !named.contains(registered.unique_id);
  });
}

void Engine::stop() {
  // Their entities stay in the table, which outlives them; without watches and runs nothing happens any more. What was
  // under way stays in the journal.
  home_.store.stop();
  automations_.clear();
  scripts_.clear();
  one_off_steps_.stop();
  registrations_.clear();
  reference_timer_ = {};
}

template <class Work>
Work* Engine::find(const InForce<Work>& all, std::string_view domain, std::string_view entity_id) const {
  const auto registry = home_.hub.registry.snapshot();
  const core::RegisteredEntity* const entity = registry->entities.find(entity_id);
  if (!entity || entity->integration != domain) return nullptr;
  Work* const found = all.find(entity->unique_id);
  return found && found->entity_id() == entity_id ? found : nullptr;
}

Automation* Engine::find_automation(std::string_view entity_id) const {
  return find(automations_, "automation", entity_id);
}

Script* Engine::find_script(std::string_view entity_id) const {
  return find(scripts_, "script", entity_id);
}

bool Engine::call_script(const core::ServiceRequest& request, const Caller& caller, Trace* trace,
                         const core::ServiceRegistry::Done& done) {
  Script* const found = scripts_.find(request.service);
  if (!found) return false;
  home_.hub.bus.fire(core::event_type::kCallService,
                     base::to_json(json::object{
                         {"domain", request.domain}, {"service", request.service}, {"service_data", request.data}}),
                     core::Origin::local, request.context);
  const auto begun = found->run(request.data, request.context, answering(done), caller, trace);
  if (!begun) done(std::unexpected(begun.error()));
  return true;
}

void Engine::use(core::Journal& journal, const core::Journal::Entries& entries) {
  home_.store.use(journal, entries);
  home_.traces.use(&journal);
  home_.missed.use(&journal);
  home_.hub.states.snapshot()->for_each([&](const core::State& state) {
    if (!last_alive_ || state.last_updated() > *last_alive_) last_alive_ = state.last_updated();
  });
  started_ = home_.hub.bus.listen(core::event_type::kPlatformStarted, [this](const core::Event&) {
    for (const auto& [id, automation] : automations_.all()) automation->runs().resume();
    for (const auto& [id, script] : scripts_.all()) script->runs().resume();
    const auto alive = std::exchange(last_alive_, {});
    for (const auto& [id, automation] : automations_.all()) {
      if (alive && automation->is_on()) automation->catch_up(*alive, home_.hub.clock.now());
    }
  });
}

Runs* Engine::runs_of(std::string_view item, std::string_view fingerprint) const {
  const auto find = [&](const auto& all, std::string_view id) -> Runs* {
    auto* const found = all.find(id);
    return found && found->item().fingerprint == fingerprint ? &found->runs() : nullptr;
  };
  const auto dot = item.find('.');
  if (dot == std::string_view::npos) return nullptr;
  return item.starts_with("script.") ? find(scripts_, item.substr(dot + 1)) : find(automations_, item.substr(dot + 1));
}

std::vector<std::string> Engine::under_way(const base::Id& cause) const {
  std::vector<std::string> ids;
  for (const auto& [id, automation] : automations_.all()) {
    if (automation->runs().has_caused_by(cause)) ids.emplace_back(automation->entity_id());
  }
  return ids;
}

json::array Engine::missed() const {
  json::array rows;
  const auto& all = home_.missed.all();
  std::vector<std::size_t> newest(all.size());
  std::iota(newest.begin(), newest.end(), 0);
  // After a start those of one automation were noted before those of the next.
  std::ranges::sort(newest, std::greater(), [&](std::size_t number) { return std::pair(all[number].at, number); });
  for (const std::size_t number : newest) {
    const MissedRun* const run = &all[number];
    const std::string id = run->item.substr(run->item.find('.') + 1);
    const auto entity_of = [&](const auto& items) {
      const auto* const found = items.find(id);
      return found ? std::string(found->entity_id()) : std::string();
    };
    const std::string entity_id = run->item.starts_with("script.") ? entity_of(scripts_) : entity_of(automations_);
    if (entity_id.empty()) continue;  // it is gone
    rows.push_back(
        json::object{{"entity_id", entity_id},
                     {"at", base::to_string(run->at)},
                     {"trigger", run->trigger.empty() ? json::value() : json::value(json::string(run->trigger))},
                     {"why", run->why}});
  }
  return rows;
}

bool Engine::has_item(std::string_view item) const {
  const auto dot = item.find('.');
  const std::string id(item.substr(dot == std::string_view::npos ? item.size() : dot + 1));
  return item.starts_with("script.") ? scripts_.find(id) != nullptr : automations_.find(id) != nullptr;
}

json::object Engine::shown_in_traces(std::string_view domain, const std::string& item_id) const {
  const auto shown = [&](const auto& all) {
    const auto* const found = all.find(item_id);
    return found ? automation::shown_in_traces(found->item()) : json::object();
  };
  return domain == "script" ? shown(scripts_) : shown(automations_);
}

base::Result<json::value> Engine::config_of(std::string_view entity_id) const {
  if (const Automation* const automation = find_automation(entity_id)) return with_new_keys(automation->item());
  if (const Script* const script = find_script(entity_id)) return with_new_keys(script->item());
  return base::fail(base::ErrorCode::not_found, fmt::format("there is no {}", entity_id));
}

std::vector<std::string> Engine::secrets() const {
  std::vector<std::string> all;
  const auto add = [&](const auto& works) {
    for (const auto& [id, work] : works.all())
      all.insert(all.end(), work->item().secrets.begin(), work->item().secrets.end());
  };
  add(automations_);
  add(scripts_);
  return all;
}

void Engine::restore_runs() {
  struct Stored {
    std::string key;
    const json::object* entry;
  };
  std::vector<Stored> runs;
  for (const auto& [key, entry] : home_.store.left()) {
    if (keys::is_run(key)) runs.push_back({key, &entry});
  }
  std::ranges::sort(runs, {}, [](const Stored& each) { return base::number_at(*each.entry, "order"); });
  std::map<std::string, Runs*> by_run;
  for (const auto& [key, entry] : runs) {
    home_.skip_run_numbers(static_cast<std::uint64_t>(base::number_at(*entry, "order")));
    const std::string item = base::text_at(*entry, "item");
    Runs* const target = runs_of(item, base::text_at(*entry, "fingerprint"));
    std::function<void(const Run::Result*)> ended;
    // A caller began earlier, so it is there already.
    if (const auto caller = caller_from_stored(*entry)) {
      const auto runs_of_caller = by_run.find(keys::run(caller->run));
      Run* const waiting = runs_of_caller == by_run.end() ? nullptr : runs_of_caller->second->find(caller->run);
      if (auto done = waiting && target ? waiting->await_again(*caller) : nullptr) ended = answering(std::move(done));
    }
    std::vector<std::string> parts{key};
    const auto& left = home_.store.left();
    for (auto part = left.lower_bound(key + "/"); part != left.end() && part->first.starts_with(key + "/"); ++part)
      parts.push_back(part->first);
    std::string why = target ? "it cannot be read" : "the item is not there, or it has changed";
    try {
      if (target && target->restore(*entry, std::move(ended))) {
        by_run[key] = target;
        continue;
      }
      if (!target && home_.run_owner && home_.run_owner->restore_run(item, *entry)) continue;
    } catch (const std::exception& thrown) {
      why = thrown.what();
    }
    base::log_warning("automation", "a run of {} that was under way has ended with the hub: {}", item, why);
    for (const std::string& each : parts) home_.store.forget(each);
  }
  const auto show = [](const auto& all) {
    for (const auto& [id, work] : all.all()) {
      if (work->runs().current() > 0) work->show_runs();
    }
  };
  show(automations_);
  show(scripts_);
  for (const auto& [key, entry] : home_.store.left()) {
    if (key.starts_with(keys::kTraces)) {
      const std::string item = base::text_at(entry, "domain") + "." + base::text_at(entry, "item_id");
      home_.traces.restore(key, entry, has_item(item));
    } else if (key.starts_with(keys::kMissed)) {
      home_.missed.restore(key, entry);
    } else if (!keys::is_run(key) && !home_.store.is_of_others(key)) {
      home_.store.forget(key);  // of no trigger or run that there still is
    }
  }
  home_.store.clear();
  base::return_memory();  // of 10,000 runs, as much as they take themselves
}

}  // namespace hearth::automation

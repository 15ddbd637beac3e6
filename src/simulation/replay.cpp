// SPDX-License-Identifier: Apache-2.0
#include "simulation/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "automation/items/secrets.h"
#include "automation/references.h"
#include "domains/entities/local_time.h"
#include "simulation/faults.h"
#include "simulation/service_calls.h"
#include "simulation/world.h"

namespace hearth::simulation {
namespace {

core::Context context_of(const Past::Change& change, base::Timestamp now) {
  core::Context context = core::Context::create(now);
  if (!change.context_id.empty()) context.id = base::Id(change.context_id);
  if (!change.parent_id.empty()) context.parent_id = base::Id(change.parent_id);
  if (!change.user_id.empty()) context.user_id = base::Id(change.user_id);
  return context;
}

GivenStates states_of(const Past& past) {
  GivenStates states;
  for (const Past::Change& first : past.first) {
    const std::string& id = past.entities[first.entity];
    if (id.starts_with("script.") || !core::EntityId::parse(id)) continue;
    auto attributes = base::parse_json(first.attributes);
    const bool read = attributes && attributes->is_object();
    states[id] = {std::string(first.value), read ? std::move(attributes->get_object()) : json::object()};
  }
  return states;
}

// The ids of the named automations. Fails with not_found.
base::Result<std::set<std::string>> chosen(const World& world, const std::vector<std::string>& names) {
  std::set<std::string> ids;
  for (const std::string& name : names) {
    bool found = false;
    for (const auto& [id, state] : world.first_states()) {
      if (!id.starts_with("automation.")) continue;
      const json::object attributes = state->attributes();
      const json::value* const alias = attributes.if_contains("friendly_name");
      if (id != name && (!alias || *alias != json::value(json::string(name)))) continue;
      ids.insert(id);
      found = true;
    }
    if (!found) return base::fail(base::ErrorCode::not_found, fmt::format("There is no automation {}.", name));
  }
  return ids;
}

json::value sorted(const json::value& value) {
  if (!value.is_array() || !std::ranges::all_of(value.get_array(), [](const auto& each) { return each.is_string(); }))
    return value;
  std::vector<std::string> texts;
  for (const json::value& each : value.get_array()) texts.emplace_back(each.get_string());
  std::ranges::sort(texts);
  json::array all;
  for (const std::string& text : texts) all.emplace_back(text);
  return all;
}

// The items that the question is about; empty: all. Fails with not_found.
base::Result<std::set<std::string>> asked_for(const World& world, const Question& question) {
  if (question.edited.empty()) return chosen(world, question.names);
  std::string entity_id = world.entity_of("automation", question.edited);
  if (!entity_id.empty()) return std::set{std::move(entity_id)};
  return base::fail(base::ErrorCode::not_found, fmt::format("There is no automation {}.", question.edited));
}

// In steps, so that automations that never rest end it soon. Fails with full.
base::Result<void> advance(World& world, const ServiceCalls& service_calls, base::Timestamp time, std::size_t most) {
  constexpr base::Duration kStep = std::chrono::minutes(10);
  while (time > world.now() && !service_calls.is_full()) world.advance_to(std::min(time, world.now() + kStep));
  if (!service_calls.is_full()) return {};
  return base::fail(base::ErrorCode::full,
                    fmt::format("There would be more than {} runs and calls in that time.", most));
}

// The same for what does the same, whenever it does it.
std::string key_of(const Difference& difference) {
  std::string key = difference.automation + " ";
  if (difference.kind == Difference::Kind::run) return key + "runs: " + difference.trigger;
  std::map<std::string, json::value> fields;
  for (const auto& [name, value] : difference.data) {
    const bool one = name == "entity_id" && value.is_string();
    fields.emplace(name, one ? json::value(json::array{value}) : sorted(value));
  }
  key += difference.service;
  for (const auto& [name, value] : fields) key += " " + name + "=" + base::to_json(value);
  return key;
}

using Chosen = std::map<std::string, std::vector<const Difference*>>;

Chosen by_key(const ServiceCalls& service_calls, const std::set<std::string>& ids, base::Timestamp until) {
  Chosen all;
  for (const Difference& difference : service_calls.all()) {
    if ((ids.empty() || ids.contains(difference.automation)) && difference.at <= until)
      all[key_of(difference)].push_back(&difference);
  }
  return all;
}

// Since when history has all entities that the automations' triggers and conditions name.
base::Timestamp known_since(const Past& past, const Parts& parts, const World& world,
                            const std::set<std::string>& ids) {
  std::map<std::string_view, base::Timestamp> known;
  for (std::size_t place = 0; place < past.known_since.size(); ++place)
    known.emplace(past.entities[place], past.known_since[place]);
  base::Timestamp since = past.kept_since;
  for (const auto& item : parts.automations.automations) {
    if (!ids.empty() && !ids.contains(world.entity_of("automation", item->unique_id))) continue;
    automation::Item cause;
    cause.triggers = item->triggers;
    cause.conditions = item->conditions;
    for (const std::string& id : automation::references_of(cause).entities) {
      if (const auto found = known.find(id); found != known.end()) since = std::max(since, found->second);
    }
  }
  return std::clamp(since, past.from, past.until);
}

void count(const Chosen& chosen, std::size_t& runs, std::size_t& calls) {
  for (const auto& [key, all] : chosen) (all.front()->kind == Difference::Kind::run ? runs : calls) += all.size();
}

void compare(Comparison& comparison, const Chosen& would, const Chosen& was) {
  const auto add = [&](const Difference& difference, bool added) {
    comparison.differences.push_back(difference);
    comparison.differences.back().added = added;
  };
  std::set<std::string_view> keys;
  for (const auto* const side : {&would, &was})
    for (const auto& [key, all] : *side) keys.insert(key);
  static const std::vector<const Difference*> kNone;
  for (const std::string_view key : keys) {
    const auto a = would.find(std::string(key)), b = was.find(std::string(key));
    const auto& left = a == would.end() ? kNone : a->second;
    const auto& right = b == was.end() ? kNone : b->second;
    std::size_t i = 0, j = 0;
    while (i < left.size() || j < right.size()) {
      if (j == right.size() || (i < left.size() && left[i]->at + kSameMoment < right[j]->at))
        add(*left[i++], true);
      else if (i == left.size() || right[j]->at + kSameMoment < left[i]->at)
        add(*right[j++], false);
      else
        ++i, ++j;
    }
  }
  std::ranges::sort(comparison.differences, {}, [](const Difference& each) {
    return std::tuple(each.at, each.kind, each.added, std::string_view(each.automation));
  });
}

}  // namespace

base::Result<Comparison> replay(const Present& present, const Past& past, const Question& question) {
  Comparison comparison;
  comparison.time_zone = present.home.time_zone;
  comparison.from = past.from;
  Parts parts = parts_of(present.sections, present.imports);
  parts.registered = present.registered;
  comparison.faults = faults_of(parts);
  const std::set<std::string, std::less<>> recorded(past.entities.begin(), past.entities.end());
  ServiceCalls would(question.most), was(question.most);
  const auto reach = [&](World& world, base::Timestamp time) { return advance(world, would, time, question.most); };
  World world(parts, present.home, states_of(past), past.from, Recorded{recorded, would});
  const auto ids = asked_for(world, question);
  if (!ids) return std::unexpected(ids.error());
  comparison.known_since = known_since(past, parts, world, *ids);
  std::set<std::uint32_t> known_at_first;
  for (const Past::Change& first : past.first) known_at_first.insert(first.entity);
  would.keep_only(*ids);
  was.keep_only(*ids);
  while (true) {
    const auto slice = past.next();
    if (!slice) return std::unexpected(slice.error());
    if (!*slice) break;
    comparison.changes += (*slice)->changes.size();
    for (const Past::Change& change : (*slice)->changes) {
      if (auto reached = reach(world, change.at); !reached) return std::unexpected(reached.error());
      std::optional<World::RecordedState> state;
      if (!change.removed) state = {change.value, change.attributes};
      if (!known_at_first.contains(change.entity)) {
        const std::string_view value = change.removed ? std::string_view() : change.value;
        for (ServiceCalls* const service_calls : {&would, &was})
          service_calls->follow(past.entities[change.entity], value, change.at);
      }
      world.follow(past.entities[change.entity], state, context_of(change, world.now()));
    }
    for (const Past::Event& event : (*slice)->events) was.add(event);
    if (was.is_full()) {
      return base::fail(base::ErrorCode::full,
                        fmt::format("There were more than {} runs and calls in that time.", question.most));
    }
    if (question.progress) question.progress((*slice)->until);
  }
  if (auto reached = reach(world, past.until); !reached) return std::unexpected(reached.error());
  const Chosen simulated = by_key(would, *ids, past.until), done = by_key(was, *ids, past.until);
  count(simulated, comparison.runs, comparison.calls);
  count(done, comparison.recorded_runs, comparison.recorded_calls);
  for (const auto& [automation, runs] : was.left_out())
    if (ids->empty() || ids->contains(automation)) comparison.left_out += runs;
  compare(comparison, simulated, done);
  const std::vector<std::string> secrets = automation::secrets_of(parts.automations);
  for (Difference& each : comparison.differences) automation::mask_secrets(each.data, secrets);
  return comparison;
}

json::object to_json_object(const Comparison& comparison, std::size_t limit) {
  json::array differences, faults;
  for (const Difference& each : comparison.differences) {
    if (differences.size() == limit) break;
    json::object row{{"at", domains::local_time_text(each.at, comparison.time_zone)},
                     {"kind", each.added ? "added" : "removed"},
                     {"what", each.kind == Difference::Kind::run ? "run" : "call"},
                     {"automation", each.automation}};
    if (each.kind == Difference::Kind::run) {
      row["trigger"] = each.trigger;
    } else {
      row["service"] = each.service;
      row["data"] = each.data;
    }
    differences.push_back(std::move(row));
  }
  for (const std::string& fault : comparison.faults) faults.emplace_back(fault);
  const std::size_t left_off = comparison.differences.size() - differences.size();
  return {{"differences", std::move(differences)},
          {"known_since", domains::local_time_text(comparison.known_since, comparison.time_zone)},
          {"left_off", left_off},
          {"changes", comparison.changes},
          {"runs", comparison.runs},
          {"calls", comparison.calls},
          {"recorded_runs", comparison.recorded_runs},
          {"recorded_calls", comparison.recorded_calls},
          {"left_out", comparison.left_out},
          {"faults", std::move(faults)}};
}

std::string to_text(const Comparison& comparison) {
  std::string text;
  std::size_t added = 0;
  for (const Difference& each : comparison.differences) {
    if (each.added) ++added;
    const std::string what = each.kind == Difference::Kind::run ? "runs: " + each.trigger
                             : each.data.empty()                ? each.service
                                                                : each.service + " " + base::to_json(each.data);
    text += fmt::format("{} {} {} {}\n", each.added ? "+" : "-",
                        domains::local_time_text(each.at, comparison.time_zone), each.automation, what);
  }
  text += fmt::format("{} changes: {} runs and {} calls, recorded {} and {}; {} would be added, {} would be missing.\n",
                      comparison.changes, comparison.runs, comparison.calls, comparison.recorded_runs,
                      comparison.recorded_calls, added, comparison.differences.size() - added);
  if (comparison.known_since > comparison.from)
    text += fmt::format("History knows only what happened since {}.\n",
                        domains::local_time_text(comparison.known_since, comparison.time_zone));
  if (comparison.left_out > 0)
    text += fmt::format("{} recorded runs are left out: history does not keep what began them.\n", comparison.left_out);
  return text;
}

}  // namespace hearth::simulation

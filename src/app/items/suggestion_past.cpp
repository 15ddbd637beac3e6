// SPDX-License-Identifier: Apache-2.0
#include "app/items/suggestion_past.h"

#include <algorithm>

#include "core/values/words.h"
#include "recorder/history/entity_history.h"

namespace hearth::app {
namespace {

using suggestions::Past;
using suggestions::PastEntity;

constexpr core::Words kCauses{"binary_sensor person sensor"};
constexpr core::Words kEffects{"climate cover fan light lock switch"};

// A state on the way is that at its end: a cover that opens was opened.
std::string_view settled(std::string_view value) {
  if (value == "opening") return "open";
  if (value == "closing") return "closed";
  if (value == "locking") return "locked";
  if (value == "unlocking") return "unlocked";
  return value;
}

// Its role in a habit; nothing of it is both false. A group does the same as its members; settings and values that a
// device tells of itself are nobody's habit.
PastEntity entity_of(const core::Hub& hub, const std::string& entity_id) {
  PastEntity entity;
  entity.entity_id = entity_id;
  const core::StatePtr state = hub.states.find(entity_id);
  if (!state) return entity;
  const auto registry = hub.registry.snapshot();
  const core::RegisteredEntity* const registered = registry->entities.find(entity_id);
  if (registered && registered->entity_category) return entity;
  if (registered && registered->device_id) entity.device = *registered->device_id;
  const json::object attributes = state->attributes();
  const json::value* const members = attributes.if_contains("entity_id");
  const std::string_view domain = std::string_view(entity_id).substr(0, entity_id.find('.'));
  if (members && members->is_array()) return entity;
  const bool is_measured = attributes.contains("unit_of_measurement") || attributes.contains("state_class");
  entity.is_cause = kCauses.contains(domain) && !is_measured;
  entity.is_effect = kEffects.contains(domain);
  return entity;
}

}  // namespace

base::Result<Past> SuggestionPast::read(base::Timestamp from, base::Timestamp until) {
  Past past;
  past.zone = templates::Zone::of(hub_.config.load()->time_zone);
  const auto oldest = reader_.oldest();
  if (!oldest) return std::unexpected(oldest.error());
  past.from = std::min(std::max(from, *oldest), until);
  past.until = until;
  past.sunrises = sun_events(domains::SunEvent::rise, past.from, until);
  past.sunsets = sun_events(domains::SunEvent::set, past.from, until);
  if (auto done = read_runs(past.from, until); !done) return std::unexpected(done.error());
  const auto names = reader_.names();
  if (!names) return std::unexpected(names.error());
  std::size_t done = 0;
  for (const std::string& entity_id : **names) {
    if (stopped_() || read_ > kMostRead || kept_ > kMostKept) break;
    PastEntity entity = entity_of(hub_, entity_id);
    if (entity.is_cause || entity.is_effect) {
      if (auto read = read_entity(std::move(entity), past); !read) return std::unexpected(read.error());
    }
    progress_(static_cast<double>(++done) / static_cast<double>((*names)->size()));
  }
  return past;
}

std::vector<base::Timestamp> SuggestionPast::sun_events(domains::SunEvent event, base::Timestamp from,
                                                        base::Timestamp until) const {
  const auto home = hub_.config.load();
  const domains::Place place{home->latitude, home->longitude, static_cast<double>(home->elevation)};
  std::vector<base::Timestamp> times;
  auto next = domains::next_sun_event(event, from - std::chrono::days(1), place);
  for (; next && *next <= until; next = domains::next_sun_event(event, *next, place)) times.push_back(*next);
  return times;
}

base::Result<void> SuggestionPast::read_runs(base::Timestamp from, base::Timestamp until) {
  const auto done = reader_.events(from, until, [this](const recorder::HistoryReader::KeptEvent& event) {
    if (event.type == "automation_triggered")
      runs_.insert(std::hash<std::string_view>()(std::string_view(event.context.id)));
    return !stopped_() && runs_.size() < kMostRuns;
  });
  if (!done) return std::unexpected(done.error());
  return {};
}

base::Result<void> SuggestionPast::read_entity(PastEntity entity, Past& past) {
  recorder::EntityHistory history(entity.entity_id, {past.from, past.until});
  const auto keep = [&](const recorder::Change& change) {
    const std::string_view value = change.removed ? core::kUnavailable : settled(change.value);
    const auto known = std::ranges::find(entity.values, value);
    const auto place = static_cast<std::uint16_t>(known - entity.values.begin());
    if (!entity.changes.empty() && entity.changes.back().value == place && known != entity.values.end()) return;
    if (known == entity.values.end()) entity.values.emplace_back(value);
    const bool by_hand = change.parent_id.empty() && !runs_.contains(std::hash<std::string_view>()(change.context_id));
    entity.changes.push_back({change.updated, place, by_hand});
  };
  for (bool more = true; more && !stopped_();) {
    const auto piece = history.next(reader_);
    if (!piece) return std::unexpected(piece.error());
    if (piece->initial) keep(*piece->initial);
    for (const recorder::Change& change : piece->changes) {
      keep(change);
      if (entity.values.size() > kMostValues || entity.changes.size() > kMostOfOne) return {};
    }
    more = piece->more;
    read_ += piece->changes.size();
    if (read_ > kMostRead) break;
  }
  kept_ += entity.changes.size();
  if (!entity.changes.empty()) past.entities.push_back(std::move(entity));
  return {};
}

}  // namespace hearth::app

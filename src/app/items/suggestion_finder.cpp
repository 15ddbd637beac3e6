// SPDX-License-Identifier: Apache-2.0
#include "app/items/suggestion_finder.h"

#include <malloc.h>

#include <algorithm>
#include <system_error>

#include "app/items/suggestion_past.h"
#include "automation/config/parsing.h"
#include "automation/items/key_renames.h"
#include "base/text/timestamp.h"
#include "recorder/history_file_reader.h"
#include "suggestions/suggestions.h"

namespace hearth::app {
namespace {

using suggestions::Habit;

constexpr double kReading = 0.9;  // the share of the time that reading takes

// The automations of the configuration as they are written, by present keys.
std::vector<json::value> automations_of(const automation::Sections& sections) {
  std::vector<json::value> all;
  for (const base::ConfigNode& section : sections.automations) {
    for (const base::ConfigNode& item : automation::one_or_many(&section))
      all.push_back(automation::with_new_keys(automation::ItemKind::automation, automation::written_as(item)));
  }
  return all;
}

suggestions::Places places_of(const core::RegistryData& registry, const Habit& habit) {
  suggestions::Places places;
  if (const auto* const cause = registry.entities.find(habit.cause_entity))
    places.cause_device = cause->device_id.value_or("");
  const core::RegisteredEntity* const entity = registry.entities.find(habit.entity_id);
  if (!entity) return places;
  places.device = entity->device_id.value_or("");
  if (const core::Area* const area = registry.area_of(*entity)) places.area = area->id;
  return places;
}

}  // namespace

void SuggestionFinder::stop() {
  stopping_ = true;
  thread_.stop();
}

base::Result<void> SuggestionFinder::find(SearchPtr search, Progress progress, Found found) {
  if (!recorder_) return base::fail(base::ErrorCode::unavailable, "There is no history.");
  try {
    thread_.start();
  } catch (const std::system_error& error) {
    return base::fail(base::ErrorCode::unavailable, error.what());
  }
  const bool posted =
      thread_.post([this, search = std::move(search), progress = std::move(progress), found = std::move(found)] {
        if (search->over || stopping_) return;
        auto answered = answer(*search, progress);
        if (!search->over && !stopping_) found(std::move(answered));
        ::malloc_trim(0);  // what was read goes back to the system
      });
  if (!posted) return base::fail(base::ErrorCode::unavailable, "Others look for suggestions; try again later.");
  return {};
}

base::Result<json::object> SuggestionFinder::answer(const Search& search, const Progress& progress) const {
  const suggestions::Stopped stopped = [&] { return search.over || stopping_; };
  recorder::HistoryFileReader reader(*recorder_);
  if (auto opened = reader.open(); !opened) return std::unexpected(opened.error());
  const base::Timestamp now = hub_.clock.now();
  const auto past =
      SuggestionPast(hub_, reader, stopped, [&](double share) { progress(share * kReading); }).read(now - kSpan, now);
  if (!past) return std::unexpected(past.error());
  progress(kReading);
  const auto settings = load_();
  if (!settings) return std::unexpected(settings.error());
  const std::vector<json::value> automations = automations_of(settings->automations);
  const auto registry = hub_.registry.snapshot();
  json::array rows;
  for (const Habit& habit : suggestions::find(*past, stopped)) {
    const suggestions::Places places = places_of(*registry, habit);
    if (std::ranges::any_of(automations, [&](const json::value& item) { return does_already(item, habit, places); }))
      continue;
    json::object row = to_json_object(habit);
    row["dismissed"] = registry->find_item(api::kDismissedSuggestions, habit.id()) != nullptr;
    rows.push_back(std::move(row));
  }
  return json::object{
      {"from", base::to_string(past->from)}, {"until", base::to_string(past->until)}, {"suggestions", std::move(rows)}};
}

}  // namespace hearth::app

// SPDX-License-Identifier: Apache-2.0
#include "import_ha/report/report.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace hearth::import_ha {
namespace {

constexpr int kFormat = 1;

constexpr std::array<std::pair<Fate, std::string_view>, 4> kFates{{
    {Fate::carried, "carried"},
    {Fate::reserved, "reserved"},
    {Fate::left, "left"},
    {Fate::lost, "lost"},
}};

constexpr std::array<std::pair<Why, std::string_view>, 13> kReasons{{
    {Why::no_provider, "no_provider"},
    {Why::no_integration, "no_integration"},
    {Why::unknown_section, "unknown_section"},
    {Why::unknown_version, "unknown_version"},
    {Why::no_second_factor, "no_second_factor"},
    {Why::local_only, "local_only"},
    {Why::expired, "expired"},
    {Why::other_database, "other_database"},
    {Why::not_yet, "not_yet"},
    {Why::broken, "broken"},
    {Why::duplicate, "duplicate"},
    {Why::out_of_range, "out_of_range"},
    {Why::secret, "secret"},
}};

// Only what is not there in every thing.
void put(json::object& object, std::string_view key, const std::string& text) {
  if (!text.empty()) object[key] = text;
}

json::object json_of(const Thing& thing) {
  json::object object{{"what", thing.what}, {"id", thing.id}};
  put(object, "name", thing.name);
  object["fate"] = to_text(thing.fate);
  if (thing.why) object["why"] = to_text(*thing.why);
  if (thing.count != 1) object["count"] = thing.count;
  put(object, "role", thing.role);
  put(object, "text", thing.text);
  put(object, "platform", thing.platform);
  put(object, "file", thing.file);
  if (thing.line > 0) object["line"] = thing.line;
  put(object, "instead", thing.instead);
  put(object, "attention", thing.attention);
  put(object, "do", thing.todo);
  return object;
}

json::object json_of(const Report::Counts& counts) {
  return {{"found", counts.found()},
          {"carried", counts.carried},
          {"reserved", counts.reserved},
          {"left", counts.left},
          {"lost", counts.lost}};
}

json::object json_of(const Report::Source& source) {
  json::object object{{"kind", source.kind}, {"version", source.version}, {"running", source.running}};
  put(object, "running_sign", source.running_sign);
  object["schema"] = source.schema ? json::value(*source.schema) : json::value();
  object["fingerprint"] = source.fingerprint;
  return object;
}

}  // namespace

std::string_view to_text(Fate fate) {
  return std::ranges::find(kFates, fate, &std::pair<Fate, std::string_view>::first)->second;
}

std::string_view to_text(Why why) {
  return std::ranges::find(kReasons, why, &std::pair<Why, std::string_view>::first)->second;
}

std::string plural_of(std::string_view what) {
  std::string plural(what);
  if (plural.ends_with("y") && !plural.ends_with("ey"))
    plural.replace(plural.size() - 1, 1, "ies");
  else if (plural.ends_with("s"))
    plural += "es";
  else
    plural += 's';
  return plural;
}

void Report::add(Thing thing) {
  count(plural_of(thing.what), thing.fate, thing.count);
  things_.push_back(std::move(thing));
}

void Report::count(std::string_view plural, Fate fate, std::uint64_t number) {
  auto found = counts_.find(plural);
  if (found == counts_.end()) found = counts_.emplace(std::string(plural), Counts()).first;
  switch (fate) {
    case Fate::carried:
      found->second.carried += number;
      return;
    case Fate::reserved:
      found->second.reserved += number;
      return;
    case Fate::left:
      found->second.left += number;
      return;
    case Fate::lost:
      found->second.lost += number;
      return;
  }
}

void Report::note(std::string text) {
  if (std::ranges::find(notes_, text) == notes_.end()) notes_.push_back(std::move(text));
}

void Report::attend(std::string attention, std::string text, std::string todo) {
  attentions_.push_back({std::move(attention), std::move(text), std::move(todo)});
}

void Report::add(Automation automation) {
  automations_.push_back(std::move(automation));
}

void Report::finish_step(std::string step, double seconds) {
  steps_.push_back({std::move(step), seconds});
}

std::uint64_t Report::lost() const {
  return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const auto& each) { return sum + each.second.lost; });
}

const Thing* Report::find(std::string_view what, std::string_view id) const {
  const auto found =
      std::ranges::find_if(things_, [&](const Thing& thing) { return thing.what == what && thing.id == id; });
  return found == things_.end() ? nullptr : &*found;
}

json::object Report::to_json() const {
  json::object object{{"format", kFormat}, {"source", json_of(source)}, {"dry_run", dry_run}};
  double took = 0;
  json::array steps, things, automations, attentions;
  for (const Step& step : steps_) {
    took += step.seconds;
    steps.push_back(json::object{{"step", step.name}, {"took_s", step.seconds}});
  }
  object["took_s"] = took;
  object["steps"] = std::move(steps);
  json::object counts;
  for (const auto& [plural, each] : counts_) counts[plural] = json_of(each);
  object["counts"] = std::move(counts);
  for (const Attention& each : attentions_)
    attentions.push_back(json::object{{"attention", each.attention}, {"text", each.text}, {"do", each.todo}});
  object["attentions"] = std::move(attentions);
  object["notes"] = json::array(notes_.begin(), notes_.end());
  for (const Thing& thing : things_) things.push_back(json_of(thing));
  object["items"] = std::move(things);
  for (const Automation& each : automations_) {
    json::array errors;
    for (const auto& error : each.errors) errors.push_back(json::object{{"line", error.line}, {"text", error.text}});
    automations.push_back(
        json::object{{"id", each.id}, {"entity_id", each.entity_id}, {"was", each.was}, {"errors", errors}});
  }
  object["automations"] = std::move(automations);
  return object;
}

}  // namespace hearth::import_ha

// SPDX-License-Identifier: Apache-2.0
#include "simulation/expectations.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/text/number.h"
#include "domains/entities/local_time.h"

namespace hearth::simulation {
namespace {

using base::Timestamp;

std::optional<double> number_of(const json::value& value) {
  if (value.is_number()) return value.to_number<double>();
  return value.is_string() ? base::parse_number(value.get_string()) : std::nullopt;
}

std::set<std::string> entities_of(const json::value& value) {
  std::set<std::string> all;
  const auto add = [&](const json::value& item) {
    if (!item.is_string()) return;
    const std::string text(item.get_string());
    for (std::size_t from = 0; from <= text.size();) {
      const std::size_t comma = std::min(text.find(',', from), text.size());
      const std::size_t first = text.find_first_not_of(' ', from);
      if (first < comma) all.insert(text.substr(first, text.find_last_not_of(' ', comma - 1) + 1 - first));
      from = comma + 1;
    }
  };
  if (value.is_array()) std::ranges::for_each(value.get_array(), add);
  add(value);
  return all;
}

bool has(const json::object& wanted, const json::object& found) {
  return std::ranges::all_of(wanted, [&](const auto& each) {
    const json::value* const value = found.if_contains(each.key());
    if (!value) return each.value().is_null();
    if (each.key() == "entity_id") return std::ranges::includes(entities_of(*value), entities_of(each.value()));
    return is_like(each.value(), *value);
  });
}

bool is_so(const GivenState& wanted, const core::StatePtr& state) {
  if (!state) return false;
  if (!is_like(json::value(json::string(wanted.value)), json::value(json::string(state->value())))) return false;
  return wanted.attributes.empty() || has(wanted.attributes, state->attributes());
}

// Looks into what happened in one scenario.
class Judge {
 public:
  Judge(const Scenario& scenario, const std::vector<Happening>& happened, const FirstStates& first)
      : scenario_(scenario), happened_(happened), first_(first) {}

  std::vector<std::string> failures() const;

 private:
  bool fits(const Pattern& pattern, const Happening& happening) const;
  std::string expected_call(const Expectation& each) const;
  std::string expected_states(const Expectation& each) const;
  std::string unwanted(const Expectation& each) const;
  // The states in effect at any time from `from` to `to`; null: there is none.
  std::vector<core::StatePtr> states(const std::string& entity_id, Timestamp from, Timestamp to) const;
  std::string time_text(Timestamp time) const { return domains::local_time_text(time, scenario_.home.time_zone); }
  std::string text(const Pattern& pattern) const;

  const Scenario& scenario_;
  const std::vector<Happening>& happened_;
  const FirstStates& first_;
};

bool Judge::fits(const Pattern& pattern, const Happening& happening) const {
  const bool call = pattern.kind == Pattern::Kind::call;
  if (happening.kind != (call ? Happening::Kind::call : Happening::Kind::event) || happening.by_test) return false;
  return happening.name == pattern.name && has(pattern.data, happening.data);
}

std::string Judge::text(const Pattern& pattern) const {
  std::string text = fmt::format("{} {}", pattern.kind == Pattern::Kind::call ? "the call" : "the event", pattern.name);
  if (!pattern.data.empty()) text += " " + base::to_json(pattern.data);
  return text;
}

std::string Judge::expected_call(const Expectation& each) const {
  std::string others;
  std::size_t count = 0;
  for (const Happening& happening : happened_) {
    if (!fits(each.pattern, happening)) continue;
    if (!each.at) return {};
    const auto early = *each.at - happening.at;
    if (std::max(early, -early) <= each.within) return {};
    if (++count <= 3) others += (others.empty() ? "" : ", ") + time_text(happening.at);
  }
  std::string failure = fmt::format("{}: expected {}", each.place, text(each.pattern));
  if (each.at) failure += " at " + time_text(*each.at);
  if (count > 0) return failure + fmt::format("; found it at {}{}", others, count > 3 ? " …" : "");
  for (const Happening& happening : happened_) {
    const bool same = happening.name == each.pattern.name && !happening.by_test && !each.pattern.data.empty() &&
                      (happening.kind == Happening::Kind::call || happening.kind == Happening::Kind::event);
    if (same && ++count <= 3)
      others += fmt::format("{}{} with {}", others.empty() ? "" : ", ", time_text(happening.at),
                            base::to_json(happening.data));
  }
  return failure + (count > 0 ? "; found it at " + others : "; found none");
}

std::vector<core::StatePtr> Judge::states(const std::string& entity_id, Timestamp from, Timestamp to) const {
  const auto first = first_.find(entity_id);
  core::StatePtr state = first == first_.end() ? nullptr : first->second;
  std::vector<core::StatePtr> all;
  const bool instant = from == to;
  for (const Happening& happening : happened_) {
    if (happening.kind != Happening::Kind::state || happening.name != entity_id) continue;
    if (happening.at > to) break;
    // At one instant what counts is how all has ended then.
    if (!instant && happening.at >= from) all.push_back(state);
    state = happening.state;
  }
  all.push_back(state);
  return all;
}

std::string Judge::expected_states(const Expectation& each) const {
  const Timestamp at = each.at.value_or(scenario_.until);
  std::string failure;
  for (const auto& [entity_id, wanted] : each.pattern.states) {
    const auto found = states(entity_id, at - each.within, at + each.within);
    if (std::ranges::any_of(found, [&](const auto& state) { return is_so(wanted, state); })) continue;
    failure +=
        fmt::format("{}expected {} to be {}", failure.empty() ? each.place + ": " : "; ", entity_id, wanted.value);
    if (!wanted.attributes.empty()) failure += " with " + base::to_json(wanted.attributes);
    failure += " at " + time_text(at);
    if (!found.back()) {
      failure += "; there is no such entity then";
      continue;
    }
    failure += fmt::format("; found {}", found.back()->value());
    if (!wanted.attributes.empty()) failure += fmt::format(" with {}", found.back()->attributes_json());
  }
  return failure;
}

std::string Judge::unwanted(const Expectation& each) const {
  if (each.pattern.kind != Pattern::Kind::state) {
    const auto found = std::ranges::find_if(happened_, [&](const auto& one) { return fits(each.pattern, one); });
    if (found == happened_.end()) return {};
    return fmt::format("{}: {} must never be; found it at {}", each.place, text(each.pattern), time_text(found->at));
  }
  for (const auto& [entity_id, wanted] : each.pattern.states) {
    const auto first = first_.find(entity_id);
    if (first != first_.end() && is_so(wanted, first->second))
      return fmt::format("{}: {} must never be {}; it was at the start", each.place, entity_id, wanted.value);
    for (const Happening& happening : happened_) {
      const bool state = happening.kind == Happening::Kind::state && happening.name == entity_id;
      if (state && is_so(wanted, happening.state))
        return fmt::format("{}: {} must never be {}; found it at {}", each.place, entity_id, wanted.value,
                           time_text(happening.at));
    }
  }
  return {};
}

std::vector<std::string> Judge::failures() const {
  std::vector<std::string> all;
  const auto add = [&](std::string failure) {
    if (!failure.empty()) all.push_back(std::move(failure));
  };
  for (const Expectation& each : scenario_.expect)
    add(each.pattern.kind == Pattern::Kind::state ? expected_states(each) : expected_call(each));
  for (const Expectation& each : scenario_.never) add(unwanted(each));
  const auto calls = static_cast<std::size_t>(std::ranges::count_if(
      happened_, [](const Happening& each) { return each.kind == Happening::Kind::call && !each.by_test; }));
  if (scenario_.calls_total && *scenario_.calls_total != calls)
    add(fmt::format("calls_total: expected {}, found {}", *scenario_.calls_total, calls));
  return all;
}

}  // namespace

bool is_like(const json::value& wanted, const json::value& found) {
  if (wanted == found) return true;
  if (wanted.is_object() && found.is_object()) return has(wanted.get_object(), found.get_object());
  if (wanted.is_array() && found.is_array()) return std::ranges::equal(wanted.get_array(), found.get_array(), is_like);
  if (wanted.is_array()) return wanted.get_array().size() == 1 && is_like(wanted.get_array().front(), found);
  if (found.is_array()) return found.get_array().size() == 1 && is_like(wanted, found.get_array().front());
  const auto a = number_of(wanted), b = number_of(found);
  return a && b && *a == *b;
}

std::vector<std::string> failures_of(const Scenario& scenario, const std::vector<Happening>& happened,
                                     const FirstStates& first) {
  return Judge(scenario, happened, first).failures();
}

}  // namespace hearth::simulation

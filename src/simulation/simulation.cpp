// SPDX-License-Identifier: Apache-2.0
#include "simulation/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "automation/items/secrets.h"
#include "domains/entities/local_time.h"
#include "simulation/expectations.h"
#include "simulation/faults.h"
#include "simulation/world.h"

namespace hearth::simulation {
namespace {

Parts parts_with_steps(const Scenario& scenario, const Imports& imports) {
  Parts parts = parts_of(scenario.sections, imports);
  for (const Step& step : scenario.steps) {
    if (step.kind == Step::Kind::call) parts.services.push_back(step.name);
  }
  return parts;
}

base::Result<void> perform(World& world, const Step& step) {
  switch (step.kind) {
    case Step::Kind::set:
      return world.set(step.set);
    case Step::Kind::event:
      world.fire(step.name, step.data);
      return {};
    case Step::Kind::call:
      return world.call(step.name, step.data);
    case Step::Kind::restart:
      return world.restart(step.down, step.kill);
  }
  return {};
}

std::string_view kind_text(Happening::Kind kind) {
  switch (kind) {
    case Happening::Kind::call:
      return "call";
    case Happening::Kind::event:
      return "event";
    case Happening::Kind::state:
      return "state";
    case Happening::Kind::run:
      return "run";
  }
  return "";
}

std::string_view result_of(const Happening& run) {
  return run.result.empty() ? std::string_view("running") : std::string_view(run.result);
}

json::object to_json_object(const Happening& each, const std::string& time_zone) {
  json::object row{{"at", domains::local_time_text(each.at, time_zone)}, {"kind", kind_text(each.kind)}};
  switch (each.kind) {
    case Happening::Kind::call:
      row["service"] = each.name;
      row["data"] = each.data;
      break;
    case Happening::Kind::event:
      row["event_type"] = each.name;
      row["data"] = each.data;
      break;
    case Happening::Kind::state:
      row["entity_id"] = each.name;
      row["state"] = each.state ? json::value(each.state->value()) : json::value();
      row["attributes"] = each.state ? each.state->attributes() : json::object();
      break;
    case Happening::Kind::run:
      row["automation"] = each.name;
      row["trigger"] = each.trigger;
      row["result"] = result_of(each);
      if (!each.error.empty()) row["error"] = each.error;
      break;
  }
  if (each.by_test) row["by_test"] = true;
  return row;
}

std::string to_text(const Happening& each) {
  const std::string_view by = each.by_test ? " (by the test)" : "";
  switch (each.kind) {
    case Happening::Kind::call:
    case Happening::Kind::event:
      return fmt::format("{} {}{}{}", kind_text(each.kind), each.name,
                         each.data.empty() ? "" : " " + base::to_json(each.data), by);
    case Happening::Kind::state:
      return fmt::format("{} is {}{}", each.name, each.state ? each.state->value() : "gone", by);
    case Happening::Kind::run:
      return fmt::format("{} runs: {}: {}{}", each.name, each.trigger, result_of(each),
                         each.error.empty() ? "" : ": " + each.error);
  }
  return {};
}

}  // namespace

Outcome simulate(const Scenario& scenario, const Imports& imports) {
  Outcome outcome{scenario.name, scenario.home.time_zone, {}, {}};
  const Parts parts = parts_with_steps(scenario, imports);
  outcome.failures = faults_of(parts);
  World world(parts, scenario.home, scenario.states, scenario.time);
  for (const Step& step : scenario.steps) {
    if (step.at > scenario.until || world.timeline().is_full()) break;
    if (step.at < world.now()) {
      outcome.failures.push_back(step.place + ": the hub is down then");
      continue;
    }
    world.advance_to(step.at);
    if (const auto taken = perform(world, step); !taken)
      outcome.failures.push_back(fmt::format("{}: {}", step.place, taken.error().message));
  }
  if (world.now() < scenario.until) world.advance_to(scenario.until);
  std::ranges::copy(world.faults(), std::back_inserter(outcome.failures));
  if (world.timeline().is_full())
    outcome.failures.push_back(fmt::format("more than {} things happened; the rest is left out", Timeline::kMost));
  outcome.timeline = world.timeline().all();
  std::ranges::move(failures_of(scenario, outcome.timeline, world.first_states()),
                    std::back_inserter(outcome.failures));
  const std::vector<std::string> secrets = automation::secrets_of(parts.automations);
  for (Happening& each : outcome.timeline) automation::mask_secrets(each.data, secrets);
  for (std::string& failure : outcome.failures) failure = automation::without_secrets(std::move(failure), secrets);
  return outcome;
}

json::object to_json_object(const Outcome& outcome) {
  json::array failures, timeline;
  for (const std::string& failure : outcome.failures) failures.emplace_back(failure);
  for (const Happening& each : outcome.timeline) {
    if (each.shown) timeline.push_back(to_json_object(each, outcome.time_zone));
  }
  return {{"name", outcome.name},
          {"passed", outcome.passed()},
          {"failures", std::move(failures)},
          {"timeline", std::move(timeline)}};
}

std::string to_text(const Outcome& outcome) {
  std::string text = fmt::format("{}: {}\n", outcome.passed() ? "passed" : "FAILED", outcome.name);
  if (outcome.passed()) return text;
  for (const std::string& failure : outcome.failures) text += fmt::format("  {}\n", failure);
  constexpr std::size_t kShown = 200;
  std::size_t shown = 0;
  for (const Happening& each : outcome.timeline) {
    if (!each.shown) continue;
    if (++shown > kShown) {
      text += "    …\n";
      break;
    }
    text += fmt::format("    {} {}\n", domains::local_time_text(each.at, outcome.time_zone), to_text(each));
  }
  return text;
}

}  // namespace hearth::simulation

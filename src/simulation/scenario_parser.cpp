// SPDX-License-Identifier: Apache-2.0
#include "simulation/scenario_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "automation/config/parsing.h"
#include "core/values/entity_id.h"
#include "simulation/moments.h"

namespace hearth::simulation {
namespace {

using automation::note;
using automation::one_or_many;
using base::ConfigNode;
using base::ConfigReader;

// Reads one scenario.
class ScenarioReader {
 public:
  ScenarioReader(const ConfigNode& node, const core::HubConfig& home, base::Timestamp now)
      : in_(node), node_(node), now_(now) {
    scenario_.home = home;
  }

  base::Result<Scenario> read();

 private:
  void read_home();
  void read_steps();
  Step read_step(ConfigReader& in, const ConfigNode& node);
  std::vector<Expectation> read_expectations(std::string_view key, bool timed);
  std::optional<Pattern> read_pattern(ConfigReader& in, const ConfigNode& node);
  GivenStates read_states(ConfigReader& in, const ConfigNode* node);
  json::object read_data(ConfigReader& in);
  std::string read_name(ConfigReader& in, const ConfigNode& node, bool of_service);
  base::Timestamp read_at(ConfigReader& in, const ConfigNode& node);
  // Reads the section with its own keys, whose errors become those of the scenario.
  template <class Read>
  void within(const ConfigNode& node, Read&& read);

  ConfigReader in_;
  const ConfigNode& node_;
  const base::Timestamp now_;
  Scenario scenario_;
  templates::Zone zone_;
};

std::string place_of(const ConfigNode& node) {
  return fmt::format("{}:{}: {}", node.place().file ? *node.place().file : "", node.place().line, node.place().key);
}

// As people mean an unquoted on or yes.
std::optional<std::string> state_text(const ConfigNode& node) {
  if (!node.is_text()) return {};
  if (node.writing().plain) {
    if (const auto on = node.boolean()) return *on ? "on" : "off";
  }
  return node.text().value();
}

template <class Read>
void ScenarioReader::within(const ConfigNode& node, Read&& read) {
  ConfigReader in(node);
  read(in);
  if (const auto done = in.finish(0); !done) in_.report(node.place().line, done.error());
}

GivenStates ScenarioReader::read_states(ConfigReader& in, const ConfigNode* node) {
  GivenStates states;
  if (!node || node->is_empty()) return states;
  if (!node->is_map()) {
    note(in, *node, node->mismatch("entities with their states"));
    return states;
  }
  for (const ConfigNode::Entry& entry : node->entries()) {
    const auto id = core::EntityId::parse(entry.key);
    if (!id) {
      note(in, entry.value, entry.value.error("expected an entity such as light.hall"));
      continue;
    }
    GivenState& state = states[std::string(id->str())];
    if (auto text = state_text(entry.value)) {
      state.value = std::move(*text);
      continue;
    }
    const ConfigNode* const value = entry.value.find("state");
    auto text = value ? state_text(*value) : std::nullopt;
    if (!text) {
      note(in, entry.value, entry.value.mismatch("a state, or an object of state and attributes"));
      continue;
    }
    state.value = std::move(*text);
    within(entry.value, [&](ConfigReader& own) {
      own.find("state");
      const ConfigNode* const attributes = own.find("attributes");
      if (!attributes || attributes->is_empty()) return;
      state.replaces = true;
      if (attributes->is_map())
        state.attributes = automation::written_as(*attributes).as_object();
      else
        note(own, *attributes, attributes->mismatch("attributes with their values"));
    });
  }
  return states;
}

json::object ScenarioReader::read_data(ConfigReader& in) {
  const ConfigNode* const node = in.find("data");
  if (!node || node->is_empty()) return {};
  if (node->is_map()) return automation::written_as(*node).as_object();
  note(in, *node, node->mismatch("fields with their values"));
  return {};
}

std::string ScenarioReader::read_name(ConfigReader& in, const ConfigNode& node, bool of_service) {
  const auto text = node.text();
  if (text && !text->empty() && (!of_service || core::EntityId::parse(*text))) return *text;
  note(in, node, node.mismatch(of_service ? "a service such as light.turn_on" : "a type of events"));
  return {};
}

base::Timestamp ScenarioReader::read_at(ConfigReader& in, const ConfigNode& node) {
  const auto at = parse_moment(node, zone_, scenario_.time);
  if (at) return *at;
  note(in, node, at.error());
  return scenario_.time;
}

Step ScenarioReader::read_step(ConfigReader& in, const ConfigNode& node) {
  Step step;
  step.place = place_of(node);
  step.at = scenario_.time;
  if (const ConfigNode* const at = in.find("at")) step.at = read_at(in, *at);
  int actions = 0;
  if (const ConfigNode* const set = in.find("set")) {
    ++actions;
    step.set = read_states(in, set);
  }
  if (const ConfigNode* const event = in.find("event")) {
    ++actions;
    step.kind = Step::Kind::event;
    step.name = read_name(in, *event, false);
    step.data = read_data(in);
  }
  if (const ConfigNode* const call = in.find("call")) {
    ++actions;
    step.kind = Step::Kind::call;
    step.name = read_name(in, *call, true);
    step.data = read_data(in);
  }
  bool restart = false;
  in.boolean("restart", restart);
  in.boolean("kill", step.kill);
  if (restart || step.kill) {
    ++actions;
    step.kind = Step::Kind::restart;
    if (const ConfigNode* const down = in.find("down")) {
      if (const auto span = parse_span(*down))
        step.down = *span;
      else
        note(in, *down, span.error());
    }
  }
  if (actions != 1) note(in, node, "expected one of set, event, call, restart and kill");
  return step;
}

void ScenarioReader::read_steps() {
  const auto steps = one_or_many(in_.find("steps"));
  if (steps.size() > kMaxSteps) note(in_, node_, fmt::format("there are more than {} steps", kMaxSteps));
  std::multimap<base::Timestamp, Step> by_time;  // equal times in the order of the file
  for (const ConfigNode& node : steps.first(std::min(steps.size(), kMaxSteps))) {
    within(node, [&](ConfigReader& in) {
      Step step = read_step(in, node);
      by_time.emplace(step.at, std::move(step));
    });
  }
  for (auto& [at, step] : by_time) scenario_.steps.push_back(std::move(step));
}

std::optional<Pattern> ScenarioReader::read_pattern(ConfigReader& in, const ConfigNode& node) {
  Pattern pattern;
  int kinds = 0;
  if (const ConfigNode* const call = in.find("call")) {
    ++kinds;
    pattern.name = read_name(in, *call, true);
    pattern.data = read_data(in);
  }
  if (const ConfigNode* const event = in.find("event")) {
    ++kinds;
    pattern.kind = Pattern::Kind::event;
    pattern.name = read_name(in, *event, false);
    pattern.data = read_data(in);
  }
  if (const ConfigNode* const state = in.find("state")) {
    ++kinds;
    pattern.kind = Pattern::Kind::state;
    pattern.states = read_states(in, state);
  }
  if (kinds == 1) return pattern;
  note(in, node, "expected one of call, event and state");
  return {};
}

std::vector<Expectation> ScenarioReader::read_expectations(std::string_view key, bool timed) {
  constexpr base::Duration kUsual = std::chrono::seconds(1);
  std::vector<Expectation> all;
  const auto nodes = one_or_many(in_.find(key));
  if (nodes.size() > kMaxSteps) note(in_, node_, fmt::format("{}: there are more than {}", key, kMaxSteps));
  for (const ConfigNode& node : nodes.first(std::min(nodes.size(), kMaxSteps))) {
    within(node, [&](ConfigReader& in) {
      auto pattern = read_pattern(in, node);
      if (!pattern) return;
      const bool state = pattern->kind == Pattern::Kind::state;
      Expectation expectation{std::move(*pattern), {}, state ? base::Duration(0) : kUsual, place_of(node)};
      const ConfigNode* const at = timed ? in.find("at") : nullptr;
      if (at) expectation.at = read_at(in, *at);
      if (const ConfigNode* const within = at ? in.find("within") : nullptr) {
        if (const auto span = parse_span(*within))
          expectation.within = *span;
        else
          note(in, *within, span.error());
      }
      all.push_back(std::move(expectation));
    });
  }
  return all;
}

void ScenarioReader::read_home() {
  in_.text("name", scenario_.name);
  in_.number("latitude", scenario_.home.latitude, -90, 90);
  in_.number("longitude", scenario_.home.longitude, -180, 180);
  const auto known_zone = [](std::string_view text) -> std::optional<std::string> {
    const templates::Zone zone = templates::Zone::of(std::string(text));
    if (zone.kind != templates::Zone::Kind::named && text != "UTC") return {};
    return std::string(text);
  };
  in_.parsed("time_zone", scenario_.home.time_zone, "a time zone such as Europe/Berlin", known_zone);
  zone_ = templates::Zone::of(scenario_.home.time_zone);
  scenario_.time = now_;
  if (const ConfigNode* const time = in_.find("time")) {
    if (const auto moment = parse_moment(*time, zone_))
      scenario_.time = *moment;
    else
      note(in_, *time, moment.error());
  }
}

base::Result<Scenario> ScenarioReader::read() {
  read_home();
  if (const ConfigNode* const automations = in_.find("automations")) scenario_.automations = *automations;
  if (const ConfigNode* const config = in_.find("config"); config && !config->is_empty()) {
    if (config->is_map())
      scenario_.config = *config;
    else
      note(in_, *config, config->mismatch("keys such as input_boolean, with their values"));
  }
  scenario_.states = read_states(in_, in_.find("states"));
  read_steps();
  scenario_.expect = read_expectations("expect", true);
  scenario_.never = read_expectations("never", false);
  if (const ConfigNode* const total = in_.find("calls_total")) {
    if (const auto count = total->integer(0, 1'000'000))
      scenario_.calls_total = static_cast<std::size_t>(*count);
    else
      note(in_, *total, count.error());
  }
  scenario_.until = scenario_.time;
  for (const Step& step : scenario_.steps) scenario_.until = std::max(scenario_.until, step.at + step.down);
  for (const Expectation& each : scenario_.expect) {
    if (each.at) scenario_.until = std::max(scenario_.until, *each.at + each.within);
  }
  if (const ConfigNode* const until = in_.find("until")) scenario_.until = read_at(in_, *until);
  return in_.finish(std::move(scenario_));
}

}  // namespace

base::Result<std::vector<Scenario>> parse_scenarios(const ConfigNode& file, const core::HubConfig& home,
                                                    base::Timestamp now) {
  std::vector<Scenario> all;
  std::string errors;
  const auto nodes = one_or_many(&file);
  if (nodes.empty() || (nodes.size() == 1 && !nodes.front().is_map()))
    return std::unexpected(file.mismatch("a scenario, or a list of them"));
  if (nodes.size() > kMaxScenarios)
    return std::unexpected(file.error(fmt::format("there are more than {} scenarios", kMaxScenarios)));
  for (const ConfigNode& node : nodes) {
    auto scenario = node.is_map() ? ScenarioReader(node, home, now).read()
                                  : base::Result<Scenario>(std::unexpected(node.mismatch("a scenario")));
    if (scenario) {
      if (scenario->name.empty()) scenario->name = fmt::format("scenario {}", all.size() + 1);
      all.push_back(std::move(*scenario));
    } else {
      errors += (errors.empty() ? "" : "\n") + scenario.error().message;
    }
  }
  if (!errors.empty()) return base::fail(base::ErrorCode::invalid, std::move(errors));
  return all;
}

}  // namespace hearth::simulation

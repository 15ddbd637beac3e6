// SPDX-License-Identifier: Apache-2.0
// For tests: an engine that is fed values with their times, and a home with derived sensors.
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "automation/test_automations.h"
#include "derived/platforms.h"
#include "derived/sensors/derived_sensors.h"

namespace hearth::derived {

// One engine, without a home. Times are seconds since its start.
class TestEngine {
 public:
  // `written`: the platform's keys as JSON.
  TestEngine(std::string_view platform, std::string_view domain, std::string_view written,
             std::string_view zone = "Europe/Berlin")
      : zone_(templates::Zone::of(std::string(zone))) {
    automation::Sections sections;
    json::object item = base::parse_json(written).value().as_object();
    item["platform"] = platform;
    sections.platforms.emplace_back(std::string(domain), automation::test_node(json::array{std::move(item)}));
    const Configuration read = derived::parse_configuration(sections);
    for (const std::string& error : errors_of(read)) errors_ += error + "\n";
    if (!errors_.empty() || read.plans.empty()) return;
    plan_ = read.plans.front();
    engine_ = plan_->engine();
  }

  const std::string& errors() const { return errors_; }
  const Plan& plan() const { return *plan_; }
  Engine& engine() { return *engine_; }

  // The only source becomes so.
  void set(double at, std::string_view value, std::string_view attributes = "{}") {
    set(plan_->sources.front(), at, value, attributes);
  }
  void set(std::string_view id, double at, std::string_view value, std::string_view attributes = "{}",
           Reading::Why why = Reading::Why::change) {
    now_ = when(at);
    core::StatePtr& state = states_[std::string(id)];
    const core::StatePtr before = std::exchange(state, state_of(id, value, attributes));
    engine_->receive({.entity_id = id, .state = state.get(), .before = before.get(), .at = now_, .why = why});
  }
  void at(double at) { now_ = when(at); }
  void restore(std::string_view id, std::string_view value, std::string_view attributes = "{}") {
    engine_->restore(*state_of(id, value, attributes), moment());
  }

  Output show() { return engine_->show(moment()); }
  std::string value() {
    const Output shown = show();
    return !shown.available        ? "unavailable"
           : shown.value.is_null() ? "unknown"
           : shown.value.is_bool() ? (shown.value.get_bool() ? "on" : "off")
                                   : std::string(shown.value.as_string());
  }
  std::string attribute(std::string_view name) {
    const Output shown = show();
    const json::value* const found = shown.attributes.if_contains(name);
    return found ? base::to_json(*found) : "";
  }
  // Seconds since the start; -1 if never.
  double next() {
    const auto time = engine_->next(moment());
    return time ? std::chrono::duration<double>(*time - start_).count() : -1;
  }
  void begin_at(base::Timestamp start) { start_ = now_ = start; }
  base::Timestamp when(double seconds) const {
    return start_ + base::Duration(static_cast<std::int64_t>(seconds * 1e6));
  }
  Moment moment() const { return {now_, zone_, {52.5, 13.4, 0}}; }

 private:
  core::StatePtr state_of(std::string_view id, std::string_view value, std::string_view attributes) const {
    return core::State::create(core::EntityId::parse(id).value(), value, attributes, {now_, now_}, core::Context());
  }

  const templates::Zone zone_;
  std::string errors_;
  std::shared_ptr<const Plan> plan_;
  std::unique_ptr<Engine> engine_;
  std::map<std::string, core::StatePtr> states_;
  base::Timestamp start_{std::chrono::sys_days(std::chrono::year(2026) / 11 / 21)};
  base::Timestamp now_ = start_;
};

// A history that says what the test put in.
class TestHistory final : public HistoryQuestions {
 public:
  explicit TestHistory(core::Hub& hub) : hub_(hub) {}

  void ask(Question question, Answer answer) override {
    questions.push_back(question);
    std::vector<core::StatePtr> found;
    for (const core::StatePtr& state : states)
      if (state->entity_id() == question.entity_id) found.push_back(state);
    hub_.bus.post([answer = std::move(answer), found = std::move(found)] { answer(found); });
  }
  void add(std::string_view id, std::string_view value, base::Timestamp at) {
    states.push_back(core::State::create(core::EntityId::parse(id).value(), value, "{}", {at, at}, core::Context()));
  }

  std::vector<core::StatePtr> states;
  std::vector<Question> questions;

 private:
  core::Hub& hub_;
};

class TestDerived {
 public:
  TestDerived() {
    sensors.add_services([](const core::Context&, const core::ServiceReply& reply) { reply(json::value()); });
    bus().run_pending();
  }
  ~TestDerived() {
    automations.engine.stop();
    sensors.stop();
  }

  // Puts these platforms of a domain in force, and what stands under a key of its own.
  void apply(std::string_view domain, std::string_view platforms, std::string_view key = "",
             std::string_view keyed = "{}") {
    automation::Sections sections;
    sections.platforms.emplace_back(std::string(domain), automation::test_node(platforms));
    if (!key.empty()) sections.derived.emplace_back(std::string(key), automation::test_node(keyed));
    configuration = derived::parse_configuration(sections);
    sensors.apply(configuration);
    run();
  }
  void run() { bus().run_pending(); }
  core::EventBus& bus() { return automations.home.hub.bus; }
  void set(std::string_view id, std::string_view value, std::string_view attributes = "{}") {
    automations.set(id, value, attributes);
  }
  std::string value(std::string_view id) const { return automations.home.value(id); }
  std::string attribute(std::string_view id, std::string_view key) const { return automations.home.attribute(id, key); }
  std::string call(std::string_view service, std::string_view data) { return automations.call(service, data); }
  void advance(base::Duration time, base::Duration step = std::chrono::seconds(1)) { automations.advance(time, step); }
  // Its errors, each on a line.
  std::string errors() const {
    std::string all;
    for (const std::string& error : errors_of(configuration)) all += error + "\n";
    return all;
  }

  automation::TestAutomations automations;
  TestHistory history{automations.home.hub};
  DerivedSensors sensors{automations.engine.home(), automations.home.domains.entities(), history};
  Configuration configuration;
};

}  // namespace hearth::derived

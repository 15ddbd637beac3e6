// SPDX-License-Identifier: Apache-2.0
// For tests of the runner: an integration that does what a script says.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/connections/integration_runner.h"
#include "domains/entities/kinds.h"
#include "domains/entities/thing.h"
#include "domains/test_home.h"

namespace hearth::app {

using State = core::IntegrationStatus::State;

// The behaviour of a test's integration, and its observations.
struct Script {
  std::function<void()> on_create = [] {};
  std::function<base::Result<void>()> on_start = [] { return base::Result<void>(); };
  std::function<void()> on_stop = [] {};
  std::function<void()> on_command = [] {};
  int starts = 0, stops = 0, alive = 0, ticks = 0, unpaired = 0;
  std::function<void(domains::ConnectionHealth)> report;
};

inline core::ConnectionPtr only(const std::string& name) {
  return std::make_shared<const core::Connection>(
      core::Connection{.entry_id = core::fixed_entry_id(name, ""), .domain = name, .title = name});
}

// One of many connections of the integration `bridge`.
inline core::Connection one_of_many(const std::string& unique_id) {
  return {.entry_id = core::fixed_entry_id("bridge", unique_id),
          .domain = "bridge",
          .title = "Bridge " + unique_id,
          .unique_id = unique_id,
          .source = core::Connection::Source::user};
}

class Scripted final : public domains::Integration, public domains::ThingDevice {
 public:
  Scripted(const domains::IntegrationHome& home, std::string name, Script& script)
      : home_(home), name_(std::move(name)), script_(script) {
    script_.on_create();
    ++script_.alive;
  }
  ~Scripted() override { --script_.alive; }

  base::Result<void> start() override {
    ++script_.starts;
    domains::EntityInfo info{.integration = name_, .unique_id = "relay", .object_id = name_, .name = name_};
    if (const core::Connection& connection = *home_.connection; !connection.unique_id.empty()) {
      info.integration = connection.domain;
      info.unique_id = connection.unique_id;
      info.entry_id = connection.entry_id;
    }
    relay_ = home_.domains.entities()
                 .add(std::make_unique<domains::Thing>(domains::kSwitch, std::move(info), domains::Abilities(), this))
                 .value();
    relay_->report({.value = true});
    timer_ = home_.bus.schedule(std::chrono::seconds(1), [this] { ++script_.ticks; });
    home_.bus.post([this] { ++script_.ticks; });
    subscription_ = home_.bus.listen("bell", [this](const core::Event&) { ++script_.ticks; });
    script_.report = home_.report;
    return script_.on_start();
  }
  void unpair() override { ++script_.unpaired; }
  void stop() override {
    ++script_.stops;
    script_.on_stop();
  }
  void act(const domains::Action& action, const json::object& data) override {
    script_.on_command();
    relay_->report(domains::outcome(relay_->kind(), action, data));
  }

 private:
  domains::IntegrationHome home_;
  const std::string name_;
  Script& script_;
  domains::Thing* relay_ = nullptr;
  core::Timer timer_;
  core::Subscription subscription_;
};

class IntegrationRunnerTest : public testing::Test {
 protected:
  ~IntegrationRunnerTest() override { runner.stop(); }

  void add(const std::string& name, Script& script) {
    runner.add(only(name), [&script, name](const domains::IntegrationHome& place) {
      return std::make_unique<Scripted>(place, name, script);
    });
  }
  void start() {
    runner.start();
    home.hub.bus.run_pending();
  }
  void add_many(const std::string& unique_id, Script& script) {
    runner.add(std::make_shared<const core::Connection>(one_of_many(unique_id)),
               [&script, unique_id](const domains::IntegrationHome& place) {
                 return std::make_unique<Scripted>(place, unique_id, script);
               });
  }
  core::IntegrationStatus status(std::size_t index = 0) { return home.hub.integrations.load()->at(index); }

  Script first, second;
  domains::TestHome home;
  IntegrationRunner runner{home.hub, home.domains};
};

}  // namespace hearth::app

// SPDX-License-Identifier: Apache-2.0
// For tests: a home with template entities, given as JSON, whose clock and bus move only when the test says so.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "automation/test_automations.h"
#include "template_entities/template_entities.h"

namespace hearth::template_entities {

class TestTemplates {
 public:
  TestTemplates() { bus().run_pending(); }
  ~TestTemplates() {
    automations.engine.stop();
    entities.stop();
  }

  // Puts these blocks in force, and these platforms of a domain.
  void apply(std::string_view blocks, std::string_view domain = "", std::string_view platforms = "[]") {
    automation::Sections sections;
    sections.templates.push_back(automation::test_node(blocks));
    if (!domain.empty()) sections.platforms.emplace_back(std::string(domain), automation::test_node(platforms));
    configuration = template_entities::parse_configuration(sections);
    entities.apply(configuration);
    if (!std::exchange(started_, true)) automations.engine.apply({});
    run();
  }
  // After what is to be restored has been: the home is up.
  void start() {
    automations.home.hub.run_state = core::RunState::running;
    automations.home.hub.bus.fire(core::event_type::kPlatformStarted, "{}", core::Origin::local,
                                  core::Context::create(automations.home.clock.now()));
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
  void advance(base::Duration time) { automations.advance(time); }
  std::string noted() { return automations.noted(); }
  // Its errors, each on a line.
  std::string errors() const {
    std::string all;
    for (const std::string& error : errors_of(configuration)) all += error + "\n";
    return all;
  }

  automation::TestAutomations automations;
  TemplateEntities entities{automations.engine.home(), automations.home.domains.entities()};
  Configuration configuration;

 private:
  bool started_ = false;
};

}  // namespace hearth::template_entities

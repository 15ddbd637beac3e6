// SPDX-License-Identifier: Apache-2.0
// Answers the questions of the API about automations. Bus thread only.
#pragma once

#include "api/automations/automations.h"
#include "automation/config/part_check.h"
#include "automation/engine.h"
#include "automation/items/secrets.h"

namespace hearth::app {

class AutomationRecords final : public api::Automations {
 public:
  explicit AutomationRecords(automation::Engine& engine) : engine_(engine) {}

  std::shared_ptr<const std::vector<core::ItemReferences>> named() override { return engine_.named(); }
  base::Result<json::value> config(std::string_view entity_id) override { return engine_.config_of(entity_id); }
  json::array traces(std::string_view domain, std::string_view item_id) override {
    return engine_.traces().list(domain, item_id);
  }
  void trace(std::string_view domain, const std::string& item_id, const std::string& run_id,
             std::function<void(std::optional<std::string> json)> read) override;
  json::object trace_contexts() override { return engine_.traces().contexts(); }
  base::Result<void> set_breakpoint(const Breakpoint& breakpoint) override {
    return debugger().set({breakpoint.item, breakpoint.run, breakpoint.node});
  }
  bool clear_breakpoint(const Breakpoint& breakpoint) override {
    return debugger().clear({breakpoint.item, breakpoint.run, breakpoint.node});
  }
  json::array breakpoints() override { return debugger().list(); }
  std::shared_ptr<void> watch_breakpoints(std::function<void(json::object stopped)> stopped) override {
    return debugger().listen(std::move(stopped));
  }
  base::Result<void> debug(Debug what, const std::string& item, const std::string& run) override;
  json::array missed() override { return engine_.missed(); }
  void hide_secrets(json::value& value) override { automation::mask_secrets(value, engine_.secrets()); }
  std::string check_triggers(const json::value& triggers) override { return automation::check_triggers(triggers); }
  std::string check_conditions(const json::value& conditions) override {
    return automation::check_conditions(conditions);
  }
  std::string check_actions(const json::value& actions) override { return automation::check_actions(actions); }
  base::Result<bool> test_conditions(const json::value& conditions, const json::object& variables) override {
    return engine_.one_off_steps().test(conditions, variables);
  }
  base::Result<std::shared_ptr<void>> watch_triggers(const json::value& triggers, const json::object& variables,
                                                     std::function<void(json::object event)> fired) override {
    return engine_.one_off_steps().watch(triggers, variables, std::move(fired));
  }
  void execute(const json::value& steps, const json::object& variables, const core::Context& context,
               std::function<void(base::Result<json::value> response)> ended) override {
    engine_.one_off_steps().run(steps, variables, context, std::move(ended));
  }

 private:
  automation::Debugger& debugger() { return engine_.home().debugger; }

  automation::Engine& engine_;
};

}  // namespace hearth::app

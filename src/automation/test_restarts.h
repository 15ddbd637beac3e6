// SPDX-License-Identifier: Apache-2.0
// For tests: a home whose hub stops and starts again, with the journal of its runs and clocks.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "automation/test_automations.h"
#include "automation/test_journal.h"

namespace hearth::automation {

struct Restarts : testing::Test {
  // A hub of this configuration begins, with what the one before has left.
  void start(std::string_view automations, std::string_view scripts = "{}") {
    automations_ = automations;
    scripts_ = scripts;
    begin({}, {}, {});
  }
  // The hub ends, and another begins after that time.
  void restart(base::Duration down = base::Duration(0)) {
    std::vector<core::StatePtr> states;
    home->home.hub.states.snapshot()->for_each(
        [&](const core::State& state) { states.push_back(home->home.hub.states.find(state.entity_id())); });
    const auto now = home->home.clock.now() + down;
    const auto entries = journal.entries;
    notes = noted();
    home.reset();
    EXPECT_EQ(journal.entries, entries);  // an end of the hub changes nothing
    begin(now, states, entries);
  }
  std::string noted() {
    std::string now = home->noted(), before = std::exchange(notes, {});
    return before.empty() || now.empty() ? before + now : before + " " + now;
  }

  core::EventBus* bus = nullptr;
  TestJournal journal{bus};
  std::unique_ptr<TestAutomations> home;
  std::string notes;
  std::function<bool(const core::State&)> awaited;

 private:
  void begin(std::optional<base::Timestamp> now, std::vector<core::StatePtr> states,
             const core::Journal::Entries& entries) {
    home = std::make_unique<TestAutomations>();
    bus = &home->home.hub.bus;
    if (now) home->home.clock.set(*now);
    home->home.hub.states.restore(std::move(states), awaited);
    core::Journal::Entries at_start = entries;
    std::erase_if(at_start, [](const auto& entry) { return entry.first.starts_with(core::Journal::kArchive); });
    home->engine.use(journal, at_start);
    home->apply(automations_, scripts_);
    home->home.hub.run_state = core::RunState::running;
    home->home.hub.bus.fire(core::event_type::kPlatformStarted, "{}", core::Origin::local,
                            core::Context::create(home->home.clock.now()));
    home->run();
  }

  std::string automations_, scripts_;
};

// A script `test` of these steps.
inline std::string script_of(std::string_view steps, std::string_view more = "") {
  return fmt::format(R"({{"test": {{"sequence": [{}]{}{}}}}})", steps, more.empty() ? "" : ", ", more);
}

}  // namespace hearth::automation

// SPDX-License-Identifier: Apache-2.0
// Finds in a stream of events the runs of automations, and the calls that they make, directly or by scripts. One
// thread.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/bus/event_bus.h"
#include "core/trigger_cause.h"
#include "simulation/replay.h"

namespace hearth::simulation {

class ServiceCalls final : public core::EventListener {
 public:
  // Takes one more than `most`, and then no further ones.
  explicit ServiceCalls(std::size_t most) : most_(most) {}

  void on_event(const core::EventPtr& event) override;
  void add(const Past::Event& event);

  // A state of an entity whose state at the start of the span is not known. Runs that the first one begins are left
  // out: it may have been so before.
  void follow(const std::string& entity_id, std::string_view value, base::Timestamp at);

  const std::vector<Difference>& all() const { return all_; }
  // There are more than `most`.
  bool is_full() const { return count_ > most_; }
  // From here on it keeps those of these automations only; of all if there are none. All count.
  void keep_only(std::set<std::string> automations) { kept_ = std::move(automations); }
  // Runs that began by what history does not keep: events, webhooks, messages, people, and what was before a first
  // state. Neither they nor their calls are among all.
  const std::map<std::string, std::size_t, std::less<>>& left_out() const { return left_out_; }

 private:
  struct Run {
    std::string automation, trigger;  // the latter for people
  };
  struct FirstState {
    std::string value;
    std::optional<base::Timestamp> until = {};  // null: it is still so
  };
  void keep(Difference difference);
  bool is_of_first_state(const core::TriggerCause& trigger, base::Timestamp at) const;

  const std::size_t most_;
  std::set<std::string> kept_;
  std::size_t count_ = 0;
  std::vector<Difference> all_;
  std::map<std::string, FirstState, std::less<>> first_;      // by entity
  std::map<std::string, Run, std::less<>> runs_;              // by context; empty if it is left out
  std::map<std::string, std::size_t, std::less<>> left_out_;  // by automation
};

}  // namespace hearth::simulation

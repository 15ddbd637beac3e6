// SPDX-License-Identifier: Apache-2.0
// The history of a simulated home for derived sensors: the last states of their sources, in memory. It outlives the
// hubs of the home, as a history on a disk does. One thread.
#pragma once

#include <deque>
#include <map>
#include <string>

#include "core/hub.h"
#include "derived/history_questions.h"
#include "derived/plan.h"

namespace hearth::simulation {

class SimulatedHistory final : public derived::HistoryQuestions {
 public:
  static constexpr std::size_t kMostStates = 100'000;  // of each source; then the oldest is forgotten

  // Hears what happens in this hub from now on, until leave(). Both must outlive that.
  void follow(core::Hub& hub, const derived::Configuration& sensors);
  void leave();

  void ask(Question question, Answer answer) override;

 private:
  struct Known {
    base::Timestamp at;
    core::StatePtr state;  // null: there was none
  };

  void add(const std::string& entity_id, base::Timestamp at, core::StatePtr state);

  core::Hub* hub_ = nullptr;
  std::map<std::string, std::deque<Known>, std::less<>> states_;
  core::EntityListeners::Listening changes_;
};

}  // namespace hearth::simulation

// SPDX-License-Identifier: Apache-2.0
// Asks the home's history about an entity, off the bus thread. Bus thread only.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/states/state.h"

namespace hearth::derived {

class HistoryQuestions {
 public:
  struct Question {
    std::string entity_id;
    base::Timestamp from, until;
    std::size_t most = 0;  // of the last states
  };
  // Oldest first: the state at `from`, if there was one, and those since. Without attributes. An entity that was
  // removed has the state unavailable.
  using Answer = std::function<void(std::vector<core::StatePtr> states)>;

  virtual ~HistoryQuestions() = default;
  // Calls `answer` on the bus thread, later; with nothing if history cannot be read.
  virtual void ask(Question question, Answer answer) = 0;
};

}  // namespace hearth::derived

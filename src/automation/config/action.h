// SPDX-License-Identifier: Apache-2.0
// The actions of an item, as the configuration says them: blocks of steps, which may hold blocks. A block's path
// identifies it within its item and stays the same as long as the item does: `action`, `action/0/choose/1/sequence`.
// Immutable.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "automation/config/condition.h"

namespace hearth::automation {

struct Step;

struct Block {
  std::string path;
  std::vector<Step> steps;
};

struct CallStep {
  Data service;  // domain.service
  Data target, data, entity_id;
  std::string response_variable;
};

struct DelayStep {
  DurationData duration;
};

// Until a template is true, or one of the triggers fires.
struct WaitStep {
  std::optional<Data> condition;
  std::vector<Trigger> triggers;
  std::optional<DurationData> timeout;
  bool continue_on_timeout = true;
  bool since_previous = false;  // what fires from the begin of the step before counts, too
  // Null unless the triggers have limited_templates: then they are read anew when the wait begins.
  std::shared_ptr<const base::ConfigNode> written = {};
};

struct EventStep {
  Data type, data;
};

struct ChooseStep {
  struct Choice {
    std::vector<Condition> conditions;
    Block block;
  };
  std::vector<Choice> choices;  // `if` is one choice
  std::optional<Block> otherwise;
};

struct RepeatStep {
  std::optional<Data> count, items;
  std::vector<Condition> while_;
  std::optional<std::vector<Condition>> until;  // there, and empty: one round
  Block block;
};

struct ParallelStep {
  std::vector<Block> branches;
};

struct SequenceStep {
  Block block;
};

struct StopStep {
  Data reason;
  bool error = false;
  std::string response_variable;
};

struct ConditionStep {
  Condition condition;
};

struct VariablesStep {
  NamedData variables;
};

// The answer to the person who began the run by a sentence; nothing of its own if it is null.
struct SayStep {
  Data text;
};

struct Step {
  using Kind = std::variant<CallStep, DelayStep, WaitStep, EventStep, ChooseStep, RepeatStep, ParallelStep,
                            SequenceStep, StopStep, ConditionStep, VariablesStep, SayStep>;
  std::string alias;
  std::optional<Data> enabled;  // absent: it is
  bool continue_on_error = false;
  Kind kind;
};

// A block of steps by its path, and the loop whose body it is. Null if there is none.
struct FoundBlock {
  const Block* block = nullptr;
  const RepeatStep* repeat = nullptr;
};
FoundBlock find_block(const Block& root, std::string_view path);

// As messages name the place: actions[0].repeat.sequence of action/0/repeat/sequence.
std::string key_of_path(std::string_view path);

}  // namespace hearth::automation

// SPDX-License-Identifier: Apache-2.0
// The whole state of a run, as values: an interpreter advances it step by step, and it can be stored between any two
// steps. A strand is a sequence of steps under way, with a stack of the blocks it is in; parallel steps make further
// strands. Watches and timers of a wait hang on it by a handle, and are made anew after a restart. Bus thread only.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "automation/config/action.h"
#include "core/bus/context.h"
#include "template/values/environment.h"

namespace hearth::automation {

enum class RunEnd { finished, stopped, failed };

struct RunResult {
  RunEnd end = RunEnd::finished;
  std::string text;                        // of `stop`, or the error
  json::value response;                    // of `stop`; null if there is none
  bool asked = false;                      // a step `stop` ended it
  templates::Variables variables = {};     // as they were after the last step, if it finished
  std::optional<std::string> spoken = {};  // of set_conversation_response
};

struct Watching;  // watches and timers of a wait

struct Loop {
  std::int64_t index = 1;       // of the present round
  std::int64_t count = -1;      // of rounds; negative: nobody knows
  templates::Value items = {};  // a list or a tuple
  std::int64_t since_wait = 0;  // rounds
};

// A wait that counts what fires during the step before it.
struct Ahead {
  std::optional<templates::Value> fired = {};  // first, before the wait began
  std::shared_ptr<Watching> watching = {};
};

struct Frame {
  const Block* block;
  std::size_t next = 0;  // step
  templates::Variables variables = {};
  const RepeatStep* repeat = nullptr;  // whose body it is; null for other blocks
  Loop loop = {};
  templates::Variables round = {};    // `repeat`, of the present round of the loop
  std::shared_ptr<Ahead> ahead = {};  // of the step `next`; null if it needs none

  // Sets the variable `repeat`, after the loop has been set or counted on.
  void set_round();
};

// A strand waits for this; the number tells a late answer from that of a former wait.
struct Wait {
  std::uint64_t number = 0;
  std::optional<base::Timestamp> deadline = {};  // of a delay or a timeout
  bool acts = false;                             // a call or an event: must not be done twice
  bool attached = false;                         // after a restart: the script that it calls goes on, too
  std::shared_ptr<Ahead> ahead = {};             // instead of watches of its own
  std::shared_ptr<Watching> watching = {};
};

// How one of the branches of a parallel step has ended, which counts when the others have, too. `may_go_on`: a block
// around it with continue_on_error goes on nevertheless.
struct Ending {
  RunResult result;
  bool may_go_on = false;
};

struct Strand {
  int number = 0;
  int parent = -1;                    // that waits for its end; negative: none
  int children = 0;                   // that it waits for
  bool starts_children = false;       // right now: it goes on by itself if they end at once
  bool passes = false;                // the breakpoint that it stood at
  std::optional<Ending> ending = {};  // of the first of its children that did not just finish
  std::vector<Frame> stack = {};
  std::shared_ptr<Ahead> ahead = {};  // of the step at work
  std::optional<Wait> wait = {};      // none: it is at work, or waits for its children

  void enter(const Block& block) { stack.push_back({&block}); }
  // Of a strand with a step that has begun.
  const Step& step() const { return stack.back().block->steps[stack.back().next - 1]; }
  std::string path() const;
  // After an error of its step: leaves the blocks up to the first with continue_on_error. False if there is none.
  bool leave_failed();
};

struct RunState {
  Strand& add_strand(int parent, const Block& block);
  Strand* find(int strand);
  Strand* parent_of(const Strand& strand);

  // The variables for templates of the strand's innermost block, with what is assigned meanwhile. Valid until a block
  // is entered or left.
  templates::VariablesView seen(const Strand& strand) const;
  // Where a name lives that is not known yet: in the block at the top of the stack, in the branch of a parallel step
  // (then it is not looked for outside of that) or in the whole run.
  enum class Scope { block, branch, run };
  void assign(Strand& strand, Scope scope, const std::string& name, templates::Value value);

  core::Context context = {};
  templates::Variables variables = {};  // of the whole run
  std::map<int, Strand> strands = {};   // by number
  int last_strand = 0;
  std::uint64_t last_wait = 0;
  std::optional<std::string> spoken = {};

 private:
  // Null if the strand does not know the name.
  templates::Variables* known_in(Strand& strand, const std::string& name);
};

}  // namespace hearth::automation

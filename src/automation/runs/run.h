// SPDX-License-Identifier: Apache-2.0
// One run of an item: an interpreter whose whole state is values. A strand is a sequence of steps under way, with a
// stack of the blocks it is in; parallel steps make further strands. What a strand waits for, until when, and the
// variables of each block say how it goes on: a run can be written down while it waits.
//
// Bus thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "automation/home/home.h"
#include "automation/items/item.h"
#include "automation/runs/run_entries.h"
#include "automation/triggers/live_template.h"
#include "automation/triggers/trigger_watch.h"
#include "core/services/service_registry.h"

namespace hearth::automation {

class Run {
 public:
  static constexpr std::size_t kStepsAtOnce = 500;                           // then others of the bus have their turn
  static constexpr std::int64_t kMaxRounds = 100'000, kManyRounds = 10'000;  // of while and until without a wait
  static constexpr std::size_t kMaxEvents = 1'000;                           // fired within a second
  static constexpr std::size_t kMaxStrands = 1'000;

  enum class End { finished, stopped, failed };
  struct Result {
    End end = End::finished;
    std::string text;                        // of `stop`, or the error
    json::value response;                    // of `stop`; null if there is none
    bool asked = false;                      // a step `stop` ended it
    templates::Variables variables = {};     // as they were after the last step, if it finished
    std::optional<std::string> spoken = {};  // of set_conversation_response
  };

  // Posts the task to the bus for this run; the task is not run if the run has ended by then. Callbacks go on
  // through it, because they may come within another call of the bus.
  using Post = std::function<void(std::function<void(Run& run)> task)>;

  // All must outlive it, except the item, which it keeps. `variables` are those of the whole run.
  Run(std::shared_ptr<const Item> item, Home& home, core::Context context, templates::Variables variables, Post post);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  void start();

  // Before it starts; null: nowhere.
  void note_in(std::shared_ptr<Trace> trace) { trace_ = std::move(trace); }
  const std::shared_ptr<Trace>& trace() const { return trace_; }

  // What its head in the journal says besides the run itself.
  void describe(json::object description) { description_ = std::move(description); }
  // The journal has nothing of it any more.
  void forget() { entries_.forget(); }
  // Of a head in the journal; other entries are taken from home.stored. It does nothing before resume(), which goes on
  // where it was. A call that was under way is not made again. Null if the item has no such steps. `post` and the
  // others as above.
  static std::unique_ptr<Run> restored(std::shared_ptr<const Item> item, Home& home, const json::object& stored,
                                       Post post);
  void resume();
  // A call of a script that the run waited for goes on. Returns what to call when it has ended; null if it does not
  // wait for it.
  core::ServiceRegistry::Done await_again(const Caller& caller);
  // Writes down what it did last, if that is not there yet. After each task.
  void settle() {
    if (has_acted_ && !result_) note();
  }

  // Ends it before it is done, from a task of its own.
  void abort(std::string reason) { finish({End::stopped, std::move(reason), {}}); }
  // Ends it because one of its tasks has thrown.
  void fail(std::string_view thrown);

  // Null while it is under way. Check after each call.
  const std::optional<Result>& result() const { return result_; }
  const core::Context& context() const { return context_; }

 private:
  struct Loop {
    std::int64_t index = 1;       // of the present round
    std::int64_t count = -1;      // of rounds; negative: nobody knows
    templates::Value items = {};  // a list or a tuple
    std::int64_t since_wait = 0;  // rounds
  };
  // The triggers of a wait that counts what fires during the step before it.
  struct Ahead {
    std::vector<Trigger> triggers = {};  // if they are not those of the step
    std::vector<std::unique_ptr<TriggerWatch>> watches = {};
    std::optional<templates::Value> fired = {};       // first, before the wait began
    std::function<void(templates::Value)> then = {};  // since it has begun
  };
  struct Frame {
    const Block* block;
    std::size_t next = 0;  // step
    templates::Variables variables = {};
    const RepeatStep* repeat = nullptr;  // whose body it is; null for other blocks
    Loop loop = {};
    templates::Variables round = {};    // `repeat`, of the present round of the loop
    std::shared_ptr<Ahead> ahead = {};  // of the step `next`; null if it needs none
  };
  // What a strand waits for; the number tells a late answer from that of a former wait.
  struct Wait {
    std::uint64_t number = 0;
    std::optional<base::Timestamp> deadline;  // of a delay or a timeout
    bool acts = false;                        // a call or an event: must not be done twice
    bool attached = false;                    // after a restart: the script that it calls goes on, too
    core::Timer timer;
    std::vector<Trigger> triggers;  // if they are not those of the step
    std::vector<std::unique_ptr<TriggerWatch>> watches;
    std::shared_ptr<Ahead> ahead;  // instead of watches
    std::unique_ptr<LiveTemplate> condition;
  };
  // How one of the branches of a parallel step has ended, which counts when the others have, too. `may_go_on`: a block
  // around it with continue_on_error goes on nevertheless.
  struct Ending {
    Result result;
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
    std::unique_ptr<Wait> wait = {};    // null: it is at work, or waits for its children
  };
  enum class Next { step, enter, wait };  // go on with the next step, with a block that was entered, later
  struct Doing;                           // a step at work

  void advance(int number);
  Next perform(Strand& strand, const Step& step);
  void enter(Strand& strand, const Block& block) { strand.stack.push_back({&block}); }
  // Whether the loop at the top of the stack has a first, or another, round.
  bool first_round(Strand& strand);
  bool next_round(Strand& strand);
  void leave(Strand& strand);
  // All children have ended. False if that ends the run, because of how one has ended.
  bool join(Strand& strand);
  // The strand ends, and with it the run, when those that run beside it have ended.
  void end(Strand& strand, Ending ending);
  // After an error of its step: leaves the blocks up to the first with continue_on_error. False if there is none.
  bool goes_on(Strand& strand);
  void log_error(const std::string& text);
  // The home as its steps see it, noted in its trace.
  Moment now() const { return home_.now(trace_.get()); }
  // Whether all hold; one that cannot be checked does not, and is logged.
  bool hold(std::span<const Condition> conditions, const templates::VariablesView& variables,
            const std::string& path) const;
  Wait& begin_wait(Strand& strand, std::optional<base::Duration> time);
  void set_deadline(Strand& strand, base::Duration left);
  // Waits for the triggers or the template of the step.
  base::Result<void> watch(Strand& strand, const WaitStep& step, const templates::VariablesView& seen);
  // Arms the triggers of the step at `frame.next`, if it is a wait that counts what fires before it begins.
  void look_ahead(const Strand& strand, Frame& frame);
  // Does what others notice: later, when the journal says that it has begun.
  Next act(Strand& strand, std::function<void(Run& run, Strand& strand)> deed);
  core::ServiceRegistry::Done answer_to(const Strand& strand) const;
  // Whether the strand stands at a breakpoint from now on, before its next step.
  bool stops(Strand& strand);
  // Writes the run down.
  void note();
  // A strand that was written down goes on.
  void resume(int strand);
  const Step& step_of(const Strand& strand) const;
  static std::string path_of(const Strand& strand);
  // The wait is over, if it is still this one: sets `wait`, and goes on.
  void end_wait(int strand, std::uint64_t number, bool completed, templates::Value trigger);
  // The variable `wait`; without a trigger if it was for a template.
  void set_wait(Strand& strand, bool completed, std::optional<base::Duration> left,
                std::optional<templates::Value> trigger);
  void called(int strand, std::uint64_t number, base::Result<core::CallOutcome> outcome);
  void child_ended(int parent);
  bool may_fire();
  void finish(Result result);
  // Sets the variable `repeat`, after the loop has been set or counted on.
  static void set_round(Frame& body);
  // The variables for templates of the strand's innermost block, with what is assigned meanwhile. Valid until a block
  // is entered or left.
  templates::VariablesView seen(const Strand& strand) const;
  // Where a name lives that is not known yet: in the block at the top of the stack, in the branch of a parallel step
  // (then it is not looked for outside of that) or in the whole run.
  enum class Scope { block, branch, run };
  void assign(Strand& strand, Scope scope, const std::string& name, templates::Value value);
  // Null if the strand does not know the name.
  templates::Variables* known_in(Strand& strand, const std::string& name);
  Strand* parent_of(const Strand& strand);

  // As it is, for the journal.
  json::object stored();
  json::object stored(const Strand& strand);
  // False if the item has no such steps.
  bool restore(const json::object& stored, Strand& strand);

  const std::shared_ptr<const Item> item_;
  Home& home_;
  const core::Context context_;
  templates::Variables variables_;
  const Post post_;
  std::map<int, Strand> strands_;
  int last_strand_ = 0;
  std::uint64_t last_wait_ = 0;
  base::SteadyTime second_{};
  std::size_t events_ = 0;  // within that second
  std::optional<Result> result_;
  std::optional<std::string> spoken_;
  json::object description_;
  std::shared_ptr<Trace> trace_;
  RunEntries entries_;
  bool too_large_ = false;  // for the journal, at some time
  bool has_acted_ = false;  // since it was written down
};

}  // namespace hearth::automation

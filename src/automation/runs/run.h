// SPDX-License-Identifier: Apache-2.0
// One run of an item: interprets its steps over a RunState. Bus thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "automation/home/home.h"
#include "automation/items/item.h"
#include "automation/runs/run_entries.h"
#include "automation/runs/run_state.h"
#include "core/services/service_registry.h"

namespace hearth::automation {

class Run {
 public:
  static constexpr std::size_t kStepsAtOnce = 500;                           // then others of the bus have their turn
  static constexpr std::int64_t kMaxRounds = 100'000, kManyRounds = 10'000;  // of while and until without a wait
  static constexpr std::size_t kMaxEvents = 1'000;                           // fired within a second
  static constexpr std::size_t kMaxStrands = 1'000;

  using End = RunEnd;
  using Result = RunResult;

  // Posts the task to the bus for this run; the task is not run if the run has ended by then. Callbacks go on
  // through it, because they may come within another call of the bus.
  using Post = std::function<void(std::function<void(Run& run)> task)>;

  // All must outlive it, except the item, which it keeps. The state has the context and the variables of the whole run.
  Run(std::shared_ptr<const Item> item, Home& home, RunState state, Post post);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  void start();

  // Before it starts; null: nowhere.
  void note_in(std::shared_ptr<Trace> trace) { trace_ = std::move(trace); }
  const std::shared_ptr<Trace>& trace() const { return trace_; }

  // Its head in the journal says this besides the run itself.
  void describe(json::object description) { description_ = std::move(description); }
  // The journal has nothing of it any more.
  void forget() { entries_.forget(); }
  // Of a head in the journal; other entries are extracted from home.store. It does nothing before resume(), which goes
  // on where it was. A call that was under way is not made again. Null if the item has no such steps. `post` and the
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
  const core::Context& context() const { return state_.context; }

 private:
  using Scope = RunState::Scope;
  enum class Next { step, enter, wait };  // go on with the next step, with a block that was entered, later
  struct Doing;                           // a step at work

  void advance(int number);
  Next perform(Strand& strand, const Step& step);
  // True if the loop at the top of the stack has a first, or another, round.
  bool first_round(Strand& strand);
  bool next_round(Strand& strand);
  void leave(Strand& strand);
  // All children have ended. False if that ends the run, because of how one has ended.
  bool join(Strand& strand);
  // The strand ends, and with it the run, when those that run beside it have ended.
  void end(Strand& strand, Ending ending);
  void log_error(const std::string& text);
  // The home as its steps see it, noted in its trace.
  Moment now() const { return home_.now(trace_.get()); }
  // True if all hold; one that cannot be checked does not, and is logged.
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
  // True if the strand stands at a breakpoint from now on, before its next step.
  bool stops(Strand& strand);
  // Writes the run down.
  void note();
  // A strand that was written down goes on.
  void resume(int strand);
  // The strand, if it still waits and it is still this wait; null otherwise.
  Strand* waiting(int strand, std::uint64_t wait);
  // The wait is over, if it is still this one: sets `wait`, and goes on.
  void end_wait(int strand, std::uint64_t number, bool completed, templates::Value trigger);
  // The variable `wait`; without a trigger if it was for a template.
  void set_wait(Strand& strand, bool completed, std::optional<base::Duration> left,
                std::optional<templates::Value> trigger);
  void called(int strand, std::uint64_t number, base::Result<core::CallOutcome> outcome);
  void child_ended(int parent);
  bool may_fire();
  void finish(Result result);

  const std::shared_ptr<const Item> item_;
  Home& home_;
  RunState state_;
  const Post post_;
  base::SteadyTime second_{};
  std::size_t events_ = 0;  // within that second
  std::optional<Result> result_;
  json::object description_;
  std::shared_ptr<Trace> trace_;
  RunEntries entries_;
  bool too_large_ = false;  // for the journal, at some time
  bool has_acted_ = false;  // since it was written down
};

}  // namespace hearth::automation

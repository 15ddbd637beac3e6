// SPDX-License-Identifier: Apache-2.0
#include "automation/runs/run.h"

#include <fmt/format.h>

#include <algorithm>

#include "automation/conditions/condition_check.h"
#include "automation/config/parsing.h"
#include "automation/items/secrets.h"
#include "automation/triggers/live_template.h"
#include "automation/triggers/trigger_watch.h"
#include "base/log/log.h"

namespace hearth::automation {
namespace {

using templates::Value;
using templates::VariablesView;

// The triggers that the step waits for: its own, or those that `read` then has.
base::Result<const std::vector<Trigger>*> triggers_of(const WaitStep& step, const Renderer& renderer,
                                                      const VariablesView& seen, std::vector<Trigger>& read) {
  if (!step.written) return &step.triggers;
  auto made = parse_triggers(step.written.get(), seen, renderer);
  if (!made) return std::unexpected(std::move(made.error()));
  read = std::move(*made);
  return &read;
}

}  // namespace

// Of a wait, or of one ahead.
struct Watching {
  core::Timer timer = {};
  std::vector<Trigger> triggers = {};  // if they are not those of the step
  std::vector<std::unique_ptr<TriggerWatch>> watches = {};
  std::unique_ptr<LiveTemplate> condition = {};
  std::function<void(Value)> fired = {};  // of one ahead, since the wait has begun
};

// Of a Wait or an Ahead.
template <class Part>
static Watching& watching_of(Part& part) {
  if (!part.watching) part.watching = std::make_shared<Watching>();
  return *part.watching;
}

Run::Run(std::shared_ptr<const Item> item, Home& home, RunState state, Post post)
    : item_(std::move(item)),
      home_(home),
      state_(std::move(state)),
      post_(std::move(post)),
      entries_(home.store, state_.context.id) {
  ++home_.runs;
}

Run::~Run() {
  --home_.runs;
  home_.debugger.forget(std::string(context().id.str()));
}

void Run::start() {
  const int first = state_.add_strand(-1, item_->actions).number;
  note();
  advance(first);
}

void Run::advance(int number) {
  for (std::size_t steps = 0; !result_; ++steps) {
    Strand* const found = state_.find(number);
    if (!found) return;
    Strand& strand = *found;
    if (strand.stack.empty()) return leave(strand);
    if (steps == kStepsAtOnce) return post_([number](Run& run) { run.advance(number); });
    Frame& frame = strand.stack.back();
    if (frame.next >= frame.block->steps.size()) {
      if (frame.repeat && (next_round(strand) || strand.stack.empty())) continue;
      if (strand.parent < 0 && strand.stack.size() == 1)
        state_.variables.insert(state_.variables.begin(), frame.variables.begin(), frame.variables.end());
      strand.stack.pop_back();
      continue;
    }
    if (home_.debugger.is_active() && !strand.passes && stops(strand)) return;
    strand.passes = false;
    // Counted before it begins: a block that it enters returns to the step after it.
    const Step& step = frame.block->steps[frame.next++];
    strand.ahead = std::move(frame.ahead);
    look_ahead(strand, frame);
    if (perform(strand, step) == Next::wait) return;
  }
}

bool Run::stops(Strand& strand) {
  const Frame& frame = strand.stack.back();
  const std::string item = fmt::format("{}.{}", domain_of(item_->kind), item_->unique_id), run(context().id.str()),
                    node = fmt::format("{}/{}", frame.block->path, frame.next);
  if (!home_.debugger.stops_at(item, run, node)) return false;
  note();
  const auto go_on = [post = post_, number = strand.number] {
    post([number](Run& stopped) {
      Strand* const found = stopped.result_ ? nullptr : stopped.state_.find(number);
      if (!found) return;
      found->passes = true;
      stopped.advance(number);
    });
  };
  const auto end = [post = post_] { post([](Run& stopped) { stopped.abort("ended in the debugger"); }); };
  home_.debugger.stop(item, run, node, {go_on, end});
  return true;
}

void Run::leave(Strand& strand) {
  const int parent = strand.parent;
  state_.strands.erase(strand.number);
  if (parent >= 0) return child_ended(parent);
  Result finished;
  finished.variables = std::move(state_.variables);
  finish(std::move(finished));
}

void Run::child_ended(int parent) {
  Strand* const found = state_.find(parent);
  if (!found || --found->children > 0 || found->starts_children) return;
  if (join(*found)) advance(parent);
}

bool Run::join(Strand& strand) {
  auto ending = std::exchange(strand.ending, {});
  if (!ending) return true;
  if (ending->may_go_on && strand.leave_failed()) {
    log_error(ending->result.text);
    return true;
  }
  end(strand, std::move(*ending));
  return !result_;
}

void Run::end(Strand& strand, Ending ending) {
  if (strand.parent < 0) return finish(std::move(ending.result));
  auto& first = state_.strands.at(strand.parent).ending;
  // An error tells more than an end that was asked for.
  const bool is_error = ending.result.end == End::failed;
  if (!first || (is_error && first->result.end != End::failed)) first = std::move(ending);
  strand.stack.clear();
}

bool Run::hold(std::span<const Condition> conditions, const VariablesView& variables, const std::string& path) const {
  const auto holds = all_hold(conditions, now(), variables, path);
  if (!holds) home_.complain(item_->alias, "a condition cannot be checked: " + holds.error().message);
  return holds && *holds;
}

void Run::log_error(const std::string& text) {
  home_.complain(item_->alias, "goes on after an error: " + text);
}

bool Run::first_round(Strand& strand) {
  const Frame& body = strand.stack.back();
  if (body.loop.count >= 0) return body.loop.count > 0;
  return body.repeat->while_.empty() || hold(body.repeat->while_, state_.seen(strand), body.block->path + "/while");
}

bool Run::next_round(Strand& strand) {
  Frame& body = strand.stack.back();
  const RepeatStep& step = *body.repeat;
  const bool counted = body.loop.count >= 0;
  // Sees the variables of the round that has ended.
  if (step.until && hold(*step.until, state_.seen(strand), body.block->path + "/until")) return false;
  ++body.loop.index;
  body.set_round();
  body.next = 0;
  body.ahead.reset();
  body.variables.clear();
  if (counted) return body.loop.index <= body.loop.count;
  if (++body.loop.since_wait == kManyRounds)
    base::log_warning("automation", "{}: {} repeats without a wait, {} times by now", item_->alias,
                      key_of_path(body.block->path), kManyRounds);
  if (body.loop.since_wait > kMaxRounds) {
    end(strand,
        {{End::failed,
          fmt::format("{} repeats without a wait, more than {} times", key_of_path(body.block->path), kMaxRounds),
          {}}});
    return false;
  }
  return step.while_.empty() || hold(step.while_, state_.seen(strand), body.block->path + "/while");
}

Strand* Run::waiting(int number, std::uint64_t wait) {
  Strand* const found = result_ ? nullptr : state_.find(number);
  return found && found->wait && found->wait->number == wait ? found : nullptr;
}

Wait& Run::begin_wait(Strand& strand, std::optional<base::Duration> time) {
  for (Frame& frame : strand.stack) frame.loop.since_wait = 0;
  strand.wait.emplace();
  strand.wait->number = ++state_.last_wait;
  if (time) {
    strand.wait->deadline = home_.hub.clock.now() + *time;
    set_deadline(strand, *time);
  }
  return *strand.wait;
}

void Run::set_deadline(Strand& strand, base::Duration left) {
  watching_of(*strand.wait).timer =
      home_.hub.bus.schedule(left, [post = post_, number = strand.number, wait = strand.wait->number] {
        post([number, wait](Run& run) { run.end_wait(number, wait, false, {}); });
      });
}

base::Result<void> Run::watch(Strand& strand, const WaitStep& step, const VariablesView& seen) {
  Wait& wait = *strand.wait;
  Watching& watching = watching_of(wait);
  const auto over = [post = post_, number = strand.number, waiting = wait.number](Value trigger) {
    post([number, waiting, trigger = std::move(trigger)](Run& run) { run.end_wait(number, waiting, true, trigger); });
  };
  if (step.condition) {
    const auto look = [over](const base::Result<Value>& value, const core::Event*, const Moment&) {
      if (value && counts_as_true(*value)) over({});
    };
    watching.condition = std::make_unique<LiveTemplate>(home_, *step.condition, seen.copied(), look);
    look(watching.condition->value(), nullptr, home_.now());  // it may have become true meanwhile
  }
  wait.ahead = std::move(strand.ahead);
  if (wait.ahead) {
    watching_of(*wait.ahead).fired = over;
    return {};
  }
  const auto triggers = triggers_of(step, now().renderer(), seen, watching.triggers);
  if (!triggers) return std::unexpected(triggers.error());
  for (const Trigger& trigger : **triggers) {
    if (!trigger.enabled) continue;
    watching.watches.push_back(TriggerWatch::create(
        trigger, home_, seen.copied(), "", [over](const Firing& firing, const Moment&) { over(firing.trigger); }));
  }
  return {};
}

void Run::look_ahead(const Strand& strand, Frame& frame) {
  if (frame.next >= frame.block->steps.size()) return;
  const auto* const wait = std::get_if<WaitStep>(&frame.block->steps[frame.next].kind);
  if (!wait || !wait->since_previous) return;
  const auto made = frame.ahead ? frame.ahead : std::make_shared<Ahead>();
  const VariablesView all = state_.seen(strand);
  Watching& watching = watching_of(*made);
  const auto triggers = triggers_of(*wait, now().renderer(), all, watching.triggers);
  if (!triggers) return;  // the wait says why when it begins
  frame.ahead = made;
  for (const Trigger& trigger : **triggers) {
    if (!trigger.enabled) continue;
    const auto fired = [&ahead = *made, post = post_](const Firing& firing, const Moment&) {
      if (ahead.watching->fired) return ahead.watching->fired(firing.trigger);
      if (ahead.fired) return;
      ahead.fired = firing.trigger;
      post([](Run& run) { run.note(); });
    };
    watching.watches.push_back(TriggerWatch::create(trigger, home_, all.copied(), "", fired));
  }
}

Run::Next Run::act(Strand& strand, std::function<void(Run& run, Strand& strand)> deed) {
  Wait& wait = begin_wait(strand, {});
  wait.acts = true;
  note();
  const auto begin = [post = post_, number = strand.number, waiting = wait.number, deed = std::move(deed)] {
    post([number, waiting, deed](Run& run) {
      if (Strand* const found = run.waiting(number, waiting)) deed(run, *found);
    });
  };
  if (item_->durable)
    home_.store.when_written(begin);
  else
    begin();
  return Next::wait;
}

core::ServiceRegistry::Done Run::answer_to(const Strand& strand) const {
  return [post = post_, number = strand.number, wait = strand.wait->number](base::Result<core::CallOutcome> outcome) {
    post([number, wait, outcome = std::move(outcome)](Run& run) { run.called(number, wait, outcome); });
  };
}

bool Run::may_fire() {
  const auto now = home_.hub.clock.steady_now();
  if (now - second_ >= std::chrono::seconds(1)) {
    second_ = now;
    events_ = 0;
  }
  return ++events_ <= kMaxEvents;
}

void Run::fail(std::string_view thrown) {
  const std::string text = without_secrets(fmt::format("an unexpected error: {}", thrown), item_->secrets);
  if (trace_) trace_->add_error(text);
  finish({End::failed, text, {}});
}

void Run::finish(Result result) {
  if (result_) return;
  result_ = std::move(result);
  result_->spoken = state_.spoken;
}

}  // namespace hearth::automation

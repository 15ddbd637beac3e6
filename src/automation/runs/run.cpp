// SPDX-License-Identifier: Apache-2.0
#include "automation/runs/run.h"

#include <fmt/format.h>

#include <algorithm>

#include "automation/conditions/condition_check.h"
#include "automation/config/parsing.h"
#include "automation/items/secrets.h"
#include "base/log/log.h"

namespace hearth::automation {
namespace {

using templates::Value;
using templates::Variables;
using templates::VariablesView;

Value repeat_value(const RepeatStep& step, std::int64_t index, std::int64_t count, const Value& items) {
  templates::Dict repeat;
  repeat.set("index", Value(index));
  repeat.set("first", Value(index == 1));
  if (count >= 0) repeat.set("last", Value(index == count));
  if (step.items && index <= templates::length_of(items).value_or(0))
    repeat.set("item", templates::item_of(items, Value(index - 1)));
  return Value::dict(std::move(repeat));
}

void set_in(Variables& variables, const std::string& name, Value value) {
  const auto found = std::ranges::find(variables, name, &Variables::value_type::first);
  if (found == variables.end())
    variables.emplace_back(name, std::move(value));
  else
    found->second = std::move(value);
}

// The triggers that the step waits for: its own, or those that `read` then has.
base::Result<const std::vector<Trigger>*> triggers_of(const WaitStep& step, const Renderer& renderer,
                                                      const VariablesView& seen, std::vector<Trigger>& read) {
  if (!step.written) return &step.triggers;
  auto made = parse_triggers(step.written.get(), seen, renderer);
  if (!made) return std::unexpected(std::move(made.error()));
  read = std::move(*made);
  return &read;
}

bool has(const Variables& variables, const std::string& name) {
  return std::ranges::find(variables, name, &Variables::value_type::first) != variables.end();
}

}  // namespace

Run::Run(std::shared_ptr<const Item> item, Home& home, core::Context context, Variables variables, Post post)
    : item_(std::move(item)),
      home_(home),
      context_(std::move(context)),
      variables_(std::move(variables)),
      post_(std::move(post)),
      entries_(home, context_.id) {
  ++home_.runs;
}

Run::~Run() {
  --home_.runs;
  home_.debugger.forget(std::string(context_.id.str()));
}

void Run::start() {
  Strand& first = strands_[++last_strand_];
  first.number = last_strand_;
  enter(first, item_->actions);
  note();
  advance(first.number);
}

void Run::advance(int number) {
  for (std::size_t steps = 0; !result_; ++steps) {
    const auto found = strands_.find(number);
    if (found == strands_.end()) return;
    Strand& strand = found->second;
    if (strand.stack.empty()) return leave(strand);
    if (steps == kStepsAtOnce) return post_([number](Run& run) { run.advance(number); });
    Frame& frame = strand.stack.back();
    if (frame.next >= frame.block->steps.size()) {
      if (frame.repeat && (next_round(strand) || strand.stack.empty())) continue;
      if (strand.parent < 0 && strand.stack.size() == 1)
        variables_.insert(variables_.begin(), frame.variables.begin(), frame.variables.end());
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
  const std::string item = fmt::format("{}.{}", domain_of(item_->kind), item_->unique_id), run(context_.id.str()),
                    node = fmt::format("{}/{}", frame.block->path, frame.next);
  if (!home_.debugger.stops_at(item, run, node)) return false;
  note();
  const auto go_on = [post = post_, number = strand.number] {
    post([number](Run& stopped) {
      const auto found = stopped.strands_.find(number);
      if (stopped.result_ || found == stopped.strands_.end()) return;
      found->second.passes = true;
      stopped.advance(number);
    });
  };
  const auto end = [post = post_] { post([](Run& stopped) { stopped.abort("ended in the debugger"); }); };
  home_.debugger.stop(item, run, node, {go_on, end});
  return true;
}

void Run::leave(Strand& strand) {
  const int parent = strand.parent;
  strands_.erase(strand.number);
  if (parent >= 0) return child_ended(parent);
  Result finished;
  finished.variables = std::move(variables_);
  finish(std::move(finished));
}

void Run::child_ended(int parent) {
  const auto found = strands_.find(parent);
  if (found == strands_.end() || --found->second.children > 0 || found->second.starts_children) return;
  if (join(found->second)) advance(parent);
}

bool Run::join(Strand& strand) {
  auto ending = std::exchange(strand.ending, {});
  if (!ending) return true;
  if (ending->may_go_on && goes_on(strand)) {
    log_error(ending->result.text);
    return true;
  }
  end(strand, std::move(*ending));
  return !result_;
}

void Run::end(Strand& strand, Ending ending) {
  if (strand.parent < 0) return finish(std::move(ending.result));
  auto& first = strands_.at(strand.parent).ending;
  // An error tells more than an end that was asked for.
  const bool is_error = ending.result.end == End::failed;
  if (!first || (is_error && first->result.end != End::failed)) first = std::move(ending);
  strand.stack.clear();
}

bool Run::goes_on(Strand& strand) {
  for (std::size_t depth = strand.stack.size(); depth > 0; --depth) {
    const Frame& frame = strand.stack[depth - 1];
    if (!frame.block->steps[frame.next - 1].continue_on_error) continue;
    while (strand.stack.size() > depth) strand.stack.pop_back();
    return true;
  }
  return false;
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
  return body.repeat->while_.empty() || hold(body.repeat->while_, seen(strand), body.block->path + "/while");
}

bool Run::next_round(Strand& strand) {
  Frame& body = strand.stack.back();
  const RepeatStep& step = *body.repeat;
  const bool counted = body.loop.count >= 0;
  // Sees the variables of the round that has ended.
  if (step.until && hold(*step.until, seen(strand), body.block->path + "/until")) return false;
  ++body.loop.index;
  set_round(body);
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
  return step.while_.empty() || hold(step.while_, seen(strand), body.block->path + "/while");
}

void Run::set_round(Frame& body) {
  body.round = {{"repeat", repeat_value(*body.repeat, body.loop.index, body.loop.count, body.loop.items)}};
}

VariablesView Run::seen(const Strand& strand) const {
  VariablesView all;
  for (const Strand* each = &strand; each;) {
    for (auto frame = each->stack.rbegin(); frame != each->stack.rend(); ++frame) {
      all.add_outer(frame->variables);
      if (frame->repeat) all.add_outer(frame->round);
    }
    const auto parent = each->parent < 0 ? strands_.end() : strands_.find(each->parent);
    each = parent == strands_.end() ? nullptr : &parent->second;
  }
  all.add_outer(variables_);
  return all;
}

Run::Strand* Run::parent_of(const Strand& strand) {
  const auto parent = strand.parent < 0 ? strands_.end() : strands_.find(strand.parent);
  return parent == strands_.end() ? nullptr : &parent->second;
}

Variables* Run::known_in(Strand& strand, const std::string& name) {
  for (auto frame = strand.stack.rbegin(); frame != strand.stack.rend(); ++frame) {
    if (has(frame->variables, name)) return &frame->variables;
  }
  return strand.parent < 0 && has(variables_, name) ? &variables_ : nullptr;
}

void Run::assign(Strand& strand, Scope scope, const std::string& name, Value value) {
  Strand* outermost = &strand;
  Variables* known = known_in(strand, name);
  while (Strand* const parent = known || scope == Scope::branch ? nullptr : parent_of(*outermost)) {
    outermost = parent;
    known = known_in(*parent, name);
  }
  if (!known) known = &(scope == Scope::block ? strand.stack.back() : outermost->stack.front()).variables;
  set_in(*known, name, std::move(value));
}

std::string Run::path_of(const Strand& strand) {
  const Frame& frame = strand.stack.back();
  return fmt::format("{}/{}", frame.block->path, frame.next - 1);
}

const Step& Run::step_of(const Strand& strand) const {
  const Frame& frame = strand.stack.back();
  return frame.block->steps[frame.next - 1];
}

Run::Wait& Run::begin_wait(Strand& strand, std::optional<base::Duration> time) {
  for (Frame& frame : strand.stack) frame.loop.since_wait = 0;
  strand.wait = std::make_unique<Wait>();
  strand.wait->number = ++last_wait_;
  if (time) {
    strand.wait->deadline = home_.hub.clock.now() + *time;
    set_deadline(strand, *time);
  }
  return *strand.wait;
}

void Run::set_deadline(Strand& strand, base::Duration left) {
  strand.wait->timer = home_.hub.bus.schedule(left, [post = post_, number = strand.number, wait = strand.wait->number] {
    post([number, wait](Run& run) { run.end_wait(number, wait, false, {}); });
  });
}

base::Result<void> Run::watch(Strand& strand, const WaitStep& step, const VariablesView& seen) {
  Wait& wait = *strand.wait;
  const auto over = [post = post_, number = strand.number, waiting = wait.number](Value trigger) {
    post([number, waiting, trigger = std::move(trigger)](Run& run) { run.end_wait(number, waiting, true, trigger); });
  };
  if (step.condition) {
    const auto look = [over](const base::Result<Value>& value, const core::Event*, const Moment&) {
      if (value && counts_as_true(*value)) over({});
    };
    wait.condition = std::make_unique<LiveTemplate>(home_, *step.condition, seen.copied(), look);
    look(wait.condition->value(), nullptr, home_.now());  // it may have become true meanwhile
  }
  wait.ahead = std::move(strand.ahead);
  if (wait.ahead) {
    wait.ahead->then = over;
    return {};
  }
  const auto triggers = triggers_of(step, now().renderer(), seen, wait.triggers);
  if (!triggers) return std::unexpected(triggers.error());
  for (const Trigger& trigger : **triggers) {
    if (!trigger.enabled) continue;
    wait.watches.push_back(TriggerWatch::create(trigger, home_, seen.copied(), "",
                                                [over](const Firing& firing, const Moment&) { over(firing.trigger); }));
  }
  return {};
}

void Run::look_ahead(const Strand& strand, Frame& frame) {
  if (frame.next >= frame.block->steps.size()) return;
  const auto* const wait = std::get_if<WaitStep>(&frame.block->steps[frame.next].kind);
  if (!wait || !wait->since_previous) return;
  const auto made = frame.ahead ? frame.ahead : std::make_shared<Ahead>();
  const VariablesView all = seen(strand);
  const auto triggers = triggers_of(*wait, now().renderer(), all, made->triggers);
  if (!triggers) return;  // the wait says why when it begins
  frame.ahead = made;
  for (const Trigger& trigger : **triggers) {
    if (!trigger.enabled) continue;
    const auto fired = [&ahead = *frame.ahead, post = post_](const Firing& firing, const Moment&) {
      if (ahead.then) return ahead.then(firing.trigger);
      if (ahead.fired) return;
      ahead.fired = firing.trigger;
      post([](Run& run) { run.note(); });
    };
    frame.ahead->watches.push_back(TriggerWatch::create(trigger, home_, all.copied(), "", fired));
  }
}

Run::Next Run::act(Strand& strand, std::function<void(Run& run, Strand& strand)> deed) {
  Wait& wait = begin_wait(strand, {});
  wait.acts = true;
  note();
  const auto begin = [post = post_, number = strand.number, waiting = wait.number, deed = std::move(deed)] {
    post([number, waiting, deed](Run& run) {
      const auto found = run.strands_.find(number);
      if (run.result_ || found == run.strands_.end()) return;
      if (found->second.wait && found->second.wait->number == waiting) deed(run, found->second);
    });
  };
  if (home_.journal && item_->durable)
    home_.journal->when_written(begin);
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
  result_->spoken = spoken_;
}

}  // namespace hearth::automation

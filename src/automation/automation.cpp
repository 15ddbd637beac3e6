// SPDX-License-Identifier: Apache-2.0
#include "automation/automation.h"

#include <fmt/format.h>

#include <algorithm>

#include "automation/conditions/condition_check.h"
#include "automation/config/parsing.h"
#include "automation/items/secrets.h"
#include "automation/store/keys.h"
#include "automation/triggers/trigger_cause.h"
#include "automation/values/context_value.h"
#include "base/json/json_fields.h"
#include "base/log/log.h"
#include "base/log/log_scope.h"
#include "template/home/state_value.h"

namespace hearth::automation {
namespace {

using templates::Value;

core::Context child_of(const core::Context* cause, base::Timestamp now) {
  core::Context context = core::Context::create(now);
  if (cause) context.parent_id = cause->id;
  return context;
}

// Empty if it was none.
std::string trigger_id_of(const templates::Variables& variables) {
  const auto trigger = std::ranges::find(variables, "trigger", &templates::Variables::value_type::first);
  const Value id = trigger == variables.end() ? Value() : templates::attribute_of(trigger->second, "id");
  return id.is_text() ? std::string(id.text()) : std::string();
}

}  // namespace

Automation::Automation(std::shared_ptr<const Item> item, Home& home, domains::EntityTable& entities)
    : item_(std::move(item)), home_(home), entities_(entities) {}

Automation::~Automation() = default;

base::Result<void> Automation::start() {
  const auto registry = home_.hub.registry.snapshot();
  const core::RegisteredEntity* const known = registry->find_entity("automation", "automation", item_->unique_id);
  auto shown = ItemEntity::restored(known ? home_.hub.states.find(known->entity_id) : nullptr);
  shown.error = item_->error;
  if (item_->initial_state) shown.on = *item_->initial_state;
  const auto added = entities_.add(std::make_unique<ItemEntity>(item_, std::move(shown)));
  if (!added) return std::unexpected(added.error());
  entity_ = *added;
  runs_ = std::make_unique<Runs>(item_, home_, [this] { show_runs(); }, [this] { return entity_id(); });
  conditions_elsewhere_ = keep_conditions(*item_, home_);
  if (const auto stored = home_.store.extract(keys::stopped(item_->unique_id)))
    stopped_ = base::text_at(*stored, "why");
  if (is_on()) {
    report_stopped("");
    arm();
  }
  return {};
}

void Automation::replace(std::shared_ptr<const Item> item) {
  asked_ = std::make_shared<int>();
  runs_->cancel();
  // The former watches and their item last until others have taken over the clocks of what has not changed.
  const auto former_item = std::exchange(item_, std::move(item));
  const auto former = disarm();
  runs_ = std::make_unique<Runs>(item_, home_, [this] { show_runs(); }, [this] { return entity_id(); });
  conditions_elsewhere_ = keep_conditions(*item_, home_);
  entity_->apply(item_);
  entities_.describe(*entity_, ItemEntity::info_of(*item_));
  show(core::Context::create(home_.hub.clock.now()));
  // Events that wait in the bus count: they came while the automation was there.
  if (is_on()) arm(home_.hub.bus.last_delivered());
}

void Automation::withdraw() {
  disarm();
  report_stopped("");
  runs_->cancel();
  runs_.reset();
  conditions_elsewhere_.clear();
  home_.traces.forget(fmt::format("automation.{}", item_->unique_id));
  const std::string id(entity_id());
  const auto gone = entities_.withdraw(id);
  static_cast<void>(home_.hub.states.remove(id, core::Context::create(home_.hub.clock.now())));
}

void Automation::arm(std::optional<std::uint64_t> since) {
  const auto former = disarm();
  if (!item_->error.empty()) return;
  const base::LogScope own({.entity = entity_id()});
  const Moment now = home_.now();
  // Triggers see the automation as it was when they were armed, and these.
  templates::Variables seen{{"this", templates::state_value(now.find(entity_id()))}};
  trigger_variables_.clear();
  for (const auto& [name, data] : item_->trigger_variables) {
    templates::Dependencies asked;
    auto value = data.render(now.renderer(), seen, &asked);
    if (value && asked.beyond_lists) value = base::fail(base::ErrorCode::invalid, std::string(kBeyondLists));
    if (!value)
      home_.complain(item_->alias, "trigger_variables: " + without_secrets(value.error().message, item_->secrets));
    trigger_variables_.emplace_back(name, value ? std::move(*value) : Value());
    seen.insert(seen.begin(), trigger_variables_.back());
  }
  std::vector<std::string_view> places;
  armed_.triggers = present_triggers(seen);
  for (const Trigger& trigger : *armed_.triggers) {
    if (!trigger.enabled) continue;
    const std::size_t same = std::ranges::count(places, trigger.fingerprint);
    places.push_back(trigger.fingerprint);
    try {
      armed_.watches.push_back(TriggerWatch::create(
          trigger, home_, seen, fmt::format("{}/{}/{}", item_->unique_id, trigger.fingerprint, same),
          [this, &trigger](Firing firing, const Moment& moment) { on_fire(trigger, std::move(firing), moment); },
          since));
      armed_.watches.back()->report_jumps(kMostMissed, [this](std::vector<TriggerWatch::MissedTime> times) {
        if (is_on() && entity_->enabled()) make_up_for_jump(std::move(times));
      });
    } catch (const std::exception& thrown) {
      base::log_error("automation", "{}: triggers[{}] does not work: {}", item_->alias, trigger.index, thrown.what());
    }
  }
}

void Automation::on_fire(const Trigger& trigger, Firing firing, const Moment& moment) {
  if (!is_on() || !entity_->enabled()) return;
  const std::string own_id(entity_id());
  const base::LogScope own({.entity = own_id});
  if (firing.cause && !stays_below_rate(*firing.cause)) return;
  const core::Context context = child_of(firing.cause ? &*firing.cause : nullptr, home_.hub.clock.now());
  const base::LogScope caused({.context = context.id});
  const auto trace = home_.traces.begin(*item_, context, firing.source, home_.hub.clock.now());
  attempt(trace, [&] { ask_for_run(trigger, std::move(firing), moment.noted_in(trace.get()), context, trace); });
}

void Automation::attempt(const std::shared_ptr<Trace>& trace, const std::function<void()>& work) {
  try {
    work();
  } catch (const std::exception& thrown) {
    const std::string text = without_secrets(fmt::format("an unexpected error: {}", thrown.what()), item_->secrets);
    base::log_error("automation", "{} does not run: {}", item_->alias, text);
    if (!trace || trace->execution() != Execution::running || runs_->find(trace->run_id())) return;
    trace->add_error(text);
    end_trace(trace, Execution::error, text);
  }
}

void Automation::ask_for_run(const Trigger& trigger, Firing firing, const Moment& moment, const core::Context& context,
                             const std::shared_ptr<Trace>& trace) {
  templates::Variables variables{
      {"trigger", firing.trigger}, {"this", this_value(moment)}, {"context", context_value(context)}};
  if (trace) {
    trace->enter(fmt::format("trigger/{}", trigger.index), home_.hub.clock.now());
    for (const auto& [name, value] : variables) trace->add_variable(name, value);
  }
  const auto refuse = [&](Execution how, const std::string& failure) {
    const std::string error = without_secrets(failure, item_->secrets);
    if (!error.empty()) home_.complain(item_->alias + " does not run", error);
    end_trace(trace, how, error);
  };
  variables.insert(variables.end(), trigger_variables_.begin(), trigger_variables_.end());
  for (const auto& [name, data] : trigger.variables) {
    auto value = data.render(moment.renderer(), variables);
    if (!value) return refuse(Execution::error, value.error().message);
    variables.insert(variables.begin(), {name, defined_value(std::move(*value))});
  }
  auto whole = with_own(std::move(variables), trigger.variables, moment);
  if (!whole) return refuse(Execution::error, whole.error().message);
  if (!conditions_hold(moment, *whole)) return refuse(Execution::failed_conditions, "");
  home_.run_queue.add(
      {moment.event(), firing.due, order_, firing.cause || firing.due ? trigger.index : 0},
      [this, asked = std::weak_ptr(asked_), cause = trigger_cause(trigger, firing), state = firing.state,
       answer = std::move(firing.answer), variables = std::move(*whole), context, trace]() mutable {
        if (asked.expired()) return;
        home_.store.keep(state);
        std::function<void(const Run::Result*)> ended;
        if (answer) {
          ended = [answer = std::move(answer)](const Run::Result* result) {
            if (result) answer->give(result->spoken);
          };
        }
        attempt(trace, [&] { run(cause, {context, std::move(variables), std::move(ended), {}, trace}); });
      });
}

Automation::Armed Automation::disarm() {
  jumped_over_.clear();
  return std::exchange(armed_, {});
}

std::shared_ptr<const std::vector<Trigger>> Automation::present_triggers(const templates::Variables& seen) const {
  if (!item_->late_triggers) return {item_, &item_->triggers};
  auto read = parse_triggers(item_->late_triggers.get(), seen, home_.now().renderer());
  if (!read)
    home_.complain(item_->alias,
                   "its triggers do not work: " + without_secrets(std::move(read.error().message), item_->secrets));
  return std::make_shared<const std::vector<Trigger>>(read ? std::move(*read) : std::vector<Trigger>());
}

bool Automation::stays_below_rate(const core::Context& cause) {
  if (home_.cause_chain.count(cause.id, this) == 0) return true;
  const auto now = home_.hub.clock.steady_now();
  while (!own_runs_.empty() && now - own_runs_.front() >= kRateTime) own_runs_.pop_front();
  own_runs_.push_back(now);
  if (own_runs_.size() <= item_->max_rate) return true;
  own_runs_.clear();
  asked_ = std::make_shared<int>();
  report_stopped(
      fmt::format("began more than {} runs within a second by its own changes, and was turned off", item_->max_rate));
  base::log_warning("automation", "{} {}", item_->alias, stopped_);
  // This is called by a watch, which must not be destroyed meanwhile.
  auto shown = entity_->shown();
  shown.on = false;
  runs_->cancel();
  shown.current = 0;
  entity_->show(std::move(shown), core::Context::create(home_.hub.clock.now()));
  runs_->answer();
  return false;
}

void Automation::report_stopped(std::string why) {
  if (stopped_ == why) return;
  stopped_ = std::move(why);
  if (stopped_.empty())
    home_.store.forget(keys::stopped(item_->unique_id));
  else
    home_.store.put(keys::stopped(item_->unique_id), base::to_json(json::object{{"why", stopped_}}));
  home_.ports->stopped_changed();
}

base::Result<templates::Variables> Automation::with_own(templates::Variables variables, const NamedData& of_trigger,
                                                        const Moment& moment) const {
  const auto has = [](const NamedData& all, const std::string& name) {
    return std::ranges::find(all, name, &NamedData::value_type::first) != all.end();
  };
  for (const auto& [name, data] : item_->variables) {
    if (has(of_trigger, name) || has(item_->trigger_variables, name)) continue;
    auto value = data.render(moment.renderer(), variables);
    if (!value) return std::unexpected(std::move(value.error()));
    // In front, where they are found first: a later one sees them, and wins over the former ones.
    variables.insert(variables.begin(), {name, defined_value(std::move(*value))});
  }
  return variables;
}

bool Automation::conditions_hold(const Moment& moment, const templates::VariablesView& variables) const {
  const auto holds = all_hold(item_->conditions, moment, variables, "condition");
  if (!holds) home_.complain(item_->alias, "a condition cannot be checked: " + holds.error().message);
  return holds && *holds;
}

Value Automation::this_value(const Moment& moment) const {
  const Value state = templates::state_value(moment.find(entity_id()));
  return late_.count() > 0 ? late_this(state, late_) : state;
}

void Automation::end_trace(const std::shared_ptr<Trace>& trace, Execution how, std::string error) {
  if (!trace) return;
  trace->finish(how, std::move(error), home_.hub.clock.now());
  home_.traces.end(*item_, *trace);
}

void Automation::run(const core::TriggerCause& cause, Runs::Order order) {
  const core::Context context = order.context;
  const auto trace = order.trace;
  const std::string trigger_id = trigger_id_of(order.variables);
  home_.cause_chain.add(context, this);
  const auto now = home_.hub.clock.now();
  json::object data{{"name", item_->alias}, {"entity_id", std::string(entity_id())}};
  cause.write(data);
  home_.hub.bus.fire("automation_triggered", base::to_json(data), core::Origin::local, context);
  if (runs_->begin(std::move(order), Runs::Tell::later) == Runs::Begun::dropped) {
    home_.missed.add({"automation." + item_->unique_id, now, trigger_id, "dropped"});
    return end_trace(trace, item_->mode == Mode::single ? Execution::failed_single : Execution::failed_max_runs, "");
  }
  auto shown = entity_->shown();
  shown.last_triggered = now;
  shown.current = runs_->current();
  entity_->show(std::move(shown), context);
  runs_->answer();
}

base::Result<void> Automation::trigger(const core::Context& by, const json::object& given, bool skip_conditions) {
  if (!item_->error.empty()) return base::fail(base::ErrorCode::invalid, item_->error);
  if (auto room = check_room_for_run(home_); !room) return room;
  core::Context context = child_of(&by, home_.hub.clock.now());
  context.user_id = by.user_id;
  templates::Dict trigger;
  trigger.set("platform", Value());
  Firing firing{Value::dict(std::move(trigger)), "by hand"};
  templates::Variables variables{{"trigger", firing.trigger},
                                 {"this", templates::state_value(home_.hub.states.find(entity_id()))},
                                 {"context", context_value(context)}};
  variables.insert(variables.end(), trigger_variables_.begin(), trigger_variables_.end());
  NamedData from_caller;
  for (const auto& [name, value] : given) {
    from_caller.emplace_back(name, Data());
    variables.insert(variables.begin(), {std::string(name), Value::from_json(json::value(value))});
  }
  const auto trace = home_.traces.begin(*item_, context, "", home_.hub.clock.now());
  const Moment now = home_.now(trace.get());
  if (trace) trace->enter("trigger", home_.hub.clock.now());
  auto whole = with_own(std::move(variables), from_caller, now);
  if (!whole) {
    end_trace(trace, Execution::error, whole.error().message);
    return std::unexpected(std::move(whole.error()));
  }
  if (!skip_conditions && !conditions_hold(now, *whole)) {
    end_trace(trace, Execution::failed_conditions, "");
    return {};
  }
  run({.source = firing.source}, {std::move(context), std::move(*whole), {}, {}, trace});
  return {};
}

void Automation::turn_on(const core::Context& context) {
  if (is_on()) return;
  report_stopped("");
  own_runs_.clear();
  auto shown = entity_->shown();
  shown.on = true;
  entity_->show(std::move(shown), context);
  arm();
}

void Automation::turn_off(const core::Context& context, bool stop_runs) {
  disarm();
  if (stop_runs) {
    asked_ = std::make_shared<int>();
    runs_->cancel();
  }
  auto shown = entity_->shown();
  shown.on = false;
  shown.current = runs_->current();
  entity_->show(std::move(shown), context);
  runs_->answer();
}

void Automation::show_runs() {
  show(core::Context::create(home_.hub.clock.now()));
}

void Automation::show(const core::Context& context) {
  auto shown = entity_->shown();
  shown.error = item_->error;
  shown.current = runs_->current();
  entity_->show(std::move(shown), context);
}

}  // namespace hearth::automation

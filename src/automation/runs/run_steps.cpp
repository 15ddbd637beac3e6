// SPDX-License-Identifier: Apache-2.0
// The code of each kind of step.
#include <fmt/format.h>

#include <algorithm>

#include "automation/conditions/condition_check.h"
#include "automation/config/action_parser.h"
#include "automation/items/secrets.h"
#include "automation/runs/run.h"
#include "base/log/log.h"
#include "core/values/entity_id.h"
#include "template/home/state_value.h"

namespace hearth::automation {

using templates::Value;
using templates::VariablesView;

// A template that fails is an error of the step; `continue_on_error`, of the step or of a block around it, ignores it.
struct Run::Doing {
  Run& run;
  Strand& strand;
  const Step& step;
  VariablesView seen;
  std::string path;
  Moment now;

  Next failed(const std::string& text) const { return ends_by(without_secrets(text, run.item_->secrets), true); }
  Next fatal(const std::string& text) const { return ends_by(without_secrets(text, run.item_->secrets), false); }
  Next ends_by(const std::string& text, bool may_go_on) const {
    if (run.trace_) run.trace_->add_error(text);
    if (may_go_on && strand.leave_failed()) {
      run.log_error(text);
      return Next::step;
    }
    return end({{End::failed, text, {}}, may_go_on});
  }
  Next end(Ending ending) const {
    run.end(strand, std::move(ending));
    return run.result_ ? Next::wait : Next::step;
  }

  // For the trace, which the conditions of the step may have moved on.
  void show(json::object result) const {
    if (!run.trace_) return;
    run.trace_->select(path);
    run.trace_->add_result(std::move(result));
  }

  Next operator()(const CallStep& call) const;
  Next operator()(const DelayStep& delay) const {
    const auto time = delay.duration.evaluate(now.renderer(), seen);
    if (!time) return fatal(time.error().message);
    if (time->count() == 0) return Next::step;
    show({{"delay", std::chrono::duration<double>(*time).count()}});
    run.begin_wait(strand, *time);
    if (run.trace_) run.trace_->rest();
    run.note();
    return Next::wait;
  }
  Next operator()(const WaitStep& wait) const;
  Next operator()(const EventStep& event) const;
  Next operator()(const ChooseStep& choose) const {
    for (std::size_t index = 0; index < choose.choices.size(); ++index) {
      const ChooseStep::Choice& choice = choose.choices[index];
      const bool is_if = choice.block.path.ends_with("/then");
      const std::string at = is_if ? path + "/if" : fmt::format("{}/choose/{}/conditions", path, index);
      if (!run.hold(choice.conditions, seen, at)) continue;
      show({{"choice", is_if ? json::value("then") : json::value(index)}});
      strand.enter(choice.block);
      return Next::enter;
    }
    if (choose.otherwise) {
      show({{"choice", choose.otherwise->path.ends_with("/else") ? "else" : "default"}});
      strand.enter(*choose.otherwise);
    }
    return Next::enter;
  }
  Next operator()(const RepeatStep& repeat) const;
  Next operator()(const ParallelStep& parallel) const;
  Next operator()(const SequenceStep& sequence) const {
    strand.enter(sequence.block);
    return Next::enter;
  }
  Next operator()(const StopStep& stop) const;
  Next operator()(const ConditionStep& condition) const {
    const auto holds = check_entered(condition.condition, now, seen, path);
    if (!holds) run.home_.complain(run.item_->alias, "a condition cannot be checked: " + holds.error().message);
    if (holds && *holds) return Next::step;
    if (strand.parent < 0 && strand.stack.size() == 1) {
      run.finish({End::stopped, "a condition does not hold", {}});
      return Next::wait;
    }
    strand.stack.back().next = strand.stack.back().block->steps.size();
    return Next::step;
  }
  Next operator()(const SayStep& say) const {
    const auto text = say.text.render_text(now.renderer(), seen);
    if (!text) return failed(text.error().message);
    show({{"conversation_response", *text}});
    const bool is_none = say.text.is_constant() && say.text.constant().is_null();
    run.state_.spoken = is_none ? std::optional<std::string>() : *text;
    return Next::step;
  }
  Next operator()(const VariablesStep& variables) const {
    for (const auto& [name, data] : variables.variables) {
      auto value = data.render(now.renderer(), seen);  // those before it, too
      if (!value) return failed(value.error().message);
      if (run.trace_) run.trace_->add_variable(name, *value);
      run.state_.assign(strand, Scope::block, name, defined_value(std::move(*value)));
    }
    return Next::step;
  }
};

Run::Next Run::perform(Strand& strand, const Step& step) {
  Doing doing{*this, strand, step, state_.seen(strand), strand.path(), now()};
  if (trace_) trace_->enter(doing.path, home_.hub.clock.now());
  if (step.enabled) {
    const auto enabled = step.enabled->render(doing.now.renderer(), doing.seen);
    if (!enabled) return doing.failed(enabled.error().message);
    if (!counts_as_true(*enabled)) return Next::step;
  }
  return std::visit(doing, step.kind);
}

Run::Next Run::Doing::operator()(const CallStep& call) const {
  const Renderer& renderer = now.renderer();
  const auto name = call.service.render_text(renderer, seen);
  if (!name) return failed(name.error().message);
  if (!is_service_name(json::string(*name)))
    return fatal(fmt::format("action: expected a service such as light.turn_on, the template gave {}", *name));
  auto target = call.target.render_json(renderer, seen), data = call.data.render_json(renderer, seen),
       entity_id = call.entity_id.render_json(renderer, seen);
  for (const auto* const part : {&target, &data, &entity_id}) {
    if (!*part) return failed(part->error().message);
  }
  if (!data->is_object() && !data->is_null()) return failed("data: expected keys with values");
  if (!target->is_object() && !target->is_null()) return failed("target: expected keys with values");

  core::ServiceRequest request;
  const auto dot = name->find('.');
  request.domain = core::lower_case(std::string_view(*name).substr(0, dot));
  request.service = core::lower_case(std::string_view(*name).substr(dot + 1));
  if (auto* const object = data->if_object()) request.data = std::move(*object);
  // An empty target names nothing, which is not the same as none.
  if (target->is_object() && !target->get_object().empty()) request.data["target"] = std::move(*target);
  if (auto* const id = entity_id->if_string()) *id = now.entity_id_of(std::string(*id));
  if (!entity_id->is_null()) request.data["entity_id"] = std::move(*entity_id);
  request.context = run.context();
  request.return_response = !call.response_variable.empty();
  request.wait = base::Duration(0);  // for the handler, not for the devices
  // A service call would not wait for a script that takes longer than a minute.
  const bool to_script = request.domain == "script";
  const auto service = run.home_.hub.services.find(request.domain, request.service);
  if (!service) return fatal(fmt::format("there is no service {}.{}", request.domain, request.service));
  // A printed value of a template is a text there.
  for (const core::Field& field : service->description.fields) {
    json::value* const given = request.data.if_contains(field.name);
    if (given && given->is_bool() && std::holds_alternative<core::field::Text>(field.type))
      *given = json::string(given->get_bool() ? "True" : "False");
  }
  if (run.trace_) {
    run.trace_->note_call();
    json::object params{{"domain", request.domain}, {"service", request.service}, {"service_data", request.data}};
    show({{"params", std::move(params)}, {"running_script", to_script}});
  }
  return run.act(strand, [to_script, request = std::move(request)](Run& whole, Strand& at) {
    const auto answer = whole.answer_to(at);
    if (whole.trace_) whole.trace_->select(at.path());
    const Caller caller{whole.context().id, at.number, at.wait->number};
    if (to_script && whole.home_.ports->call_script(request, caller, whole.trace_.get(), answer)) return;
    whole.home_.hub.services.call(request, answer);
  });
}

void Run::called(int number, std::uint64_t wait, base::Result<core::CallOutcome> outcome) {
  Strand* const found = waiting(number, wait);
  if (!found) return;
  Strand& strand = *found;
  strand.wait.reset();
  has_acted_ = true;
  const Step& step = strand.step();
  const auto& call = std::get<CallStep>(step.kind);
  if (trace_) trace_->select(strand.path());
  if (!outcome) {
    Doing{*this, strand, step, {}, strand.path(), now()}.failed(outcome.error().message);
  } else {
    for (const core::StatePtr& state : outcome->changed) home_.store.keep(state);
    if (!call.response_variable.empty()) {
      Value response = Value::from_json(std::move(outcome->response));
      if (trace_) trace_->add_variable(call.response_variable, response);
      state_.assign(strand, Scope::run, call.response_variable, std::move(response));
    }
  }
  advance(number);
}

Run::Next Run::Doing::operator()(const WaitStep& wait) const {
  std::optional<base::Duration> timeout;
  if (wait.timeout) {
    const auto time = wait.timeout->evaluate(now.renderer(), seen);
    if (!time) return fatal(time.error().message);
    timeout = *time;
  }
  if (wait.condition) {
    const auto holds = wait.condition->render(now.renderer(), seen);
    // As one that is not true yet.
    if (!holds) run.home_.complain(run.item_->alias, holds.error().message);
    if (!holds && run.trace_) run.trace_->add_error(holds.error().message);
    if (holds && counts_as_true(*holds)) {
      run.set_wait(strand, true, timeout, {});
      return Next::step;
    }
  }
  if (strand.ahead && strand.ahead->fired) {
    run.set_wait(strand, true, timeout, std::move(strand.ahead->fired));
    return Next::step;
  }
  run.begin_wait(strand, timeout);
  if (const auto watched = run.watch(strand, wait, seen); !watched) {
    strand.wait.reset();
    return failed(watched.error().message);
  }
  if (run.trace_) run.trace_->rest();
  run.note();
  return Next::wait;
}

void Run::set_wait(Strand& strand, bool completed, std::optional<base::Duration> left, std::optional<Value> trigger) {
  templates::Dict result;
  result.set("completed", Value(completed));
  result.set("remaining", left ? Value(std::chrono::duration<double>(*left).count()) : Value());
  if (trigger) result.set("trigger", std::move(*trigger));
  Value wait = Value::dict(std::move(result));
  if (trace_) trace_->add_variable("wait", wait);
  state_.assign(strand, Scope::branch, "wait", std::move(wait));
}

void Run::end_wait(int number, std::uint64_t wait, bool completed, Value trigger) {
  Strand* const found = waiting(number, wait);
  if (!found) return;
  Strand& strand = *found;
  const auto deadline = strand.wait->deadline;
  strand.wait.reset();
  if (trace_) trace_->select(strand.path());
  if (const auto* const waited = std::get_if<WaitStep>(&strand.step().kind)) {
    std::optional<base::Duration> left;
    if (deadline) left = completed ? std::max(base::Duration(0), *deadline - home_.hub.clock.now()) : base::Duration(0);
    set_wait(strand, completed, left, waited->condition ? std::optional<Value>() : std::move(trigger));
    if (!completed && !waited->continue_on_timeout) end(strand, {{End::stopped, "the time of a wait has run out", {}}});
  }
  advance(number);
}

Run::Next Run::Doing::operator()(const EventStep& event) const {
  const auto type = event.type.render_text(now.renderer(), seen);
  if (!type) return failed(type.error().message);
  const auto data = event.data.render_json(now.renderer(), seen);
  if (!data) return failed(data.error().message);
  constexpr std::size_t kMaxType = 64;
  if (type->empty() || type->size() > kMaxType) return fatal("event: expected a type of 1 to 64 bytes");
  if (!data->is_object() && !data->is_null()) return failed("event_data: expected keys with values");
  const std::string text = data->is_object() ? base::to_json(data->get_object()) : "{}";
  if (auto fits = core::check_event_data(text.size(), run.home_.hub.limits); !fits) return failed(fits.error().message);
  if (!run.may_fire()) return fatal(fmt::format("more than {} events within a second", kMaxEvents));
  show({{"event", *type}, {"event_data", *data}});
  return run.act(strand, [type = *type, text](Run& whole, Strand& at) {
    // As a client's: no part of the hub takes it for one of its own.
    whole.home_.hub.bus.fire(type, text, core::Origin::local, whole.context(), core::FiredBy::client);
    at.wait.reset();
    whole.has_acted_ = true;
    whole.advance(at.number);
  });
}

Run::Next Run::Doing::operator()(const RepeatStep& repeat) const {
  Frame body{&repeat.block};
  body.repeat = &repeat;
  if (repeat.count) {
    const auto count = repeat.count->render(now.renderer(), seen);
    if (!count) return failed(count.error().message);
    const auto number = templates::as_double(native_value(*count));
    if (!number || !(std::abs(*number) < 1e9))
      return failed(fmt::format("count: expected a whole number, got {}", templates::to_text(*count)));
    body.loop.count = std::max<std::int64_t>(0, static_cast<std::int64_t>(*number));
  } else if (repeat.items) {
    const auto items = repeat.items->render(now.renderer(), seen);
    if (!items) return failed(items.error().message);
    const Value list = templates::unfolded(*items);
    if (!list.get<templates::List>() && !list.get<templates::Tuple>()) return failed("for_each: expected a list");
    body.loop.items = list;
    body.loop.count = templates::length_of(list).value_or(0);
  }
  body.set_round();
  strand.stack.push_back(std::move(body));
  if (!run.first_round(strand)) strand.stack.pop_back();
  return Next::enter;
}

Run::Next Run::Doing::operator()(const ParallelStep& parallel) const {
  if (parallel.branches.empty()) return Next::step;
  if (run.state_.strands.size() + parallel.branches.size() > kMaxStrands)
    return fatal(fmt::format("more than {} steps at once", kMaxStrands));
  const int parent = strand.number;
  strand.children = static_cast<int>(parallel.branches.size());
  std::vector<int> begun;
  for (const Block& branch : parallel.branches) {
    begun.push_back(run.state_.add_strand(parent, branch).number);
  }
  strand.starts_children = true;
  for (const int number : begun) run.advance(number);
  strand.starts_children = false;
  if (strand.children > 0) return Next::wait;
  return run.join(strand) ? Next::step : Next::wait;
}

Run::Next Run::Doing::operator()(const StopStep& stop) const {
  const auto reason = stop.reason.render_text(now.renderer(), seen);
  if (!reason) return failed(reason.error().message);
  show({{"stop", *reason}, {"error", stop.error}});
  Result result{stop.error ? End::failed : End::stopped, *reason, {}, true};
  if (!stop.response_variable.empty()) {
    const Value* const found = seen.find(stop.response_variable);
    if (!found) return fatal(fmt::format("response_variable: there is no {}", stop.response_variable));
    result.response = json_of(*found);
  }
  return end({std::move(result)});
}

}  // namespace hearth::automation

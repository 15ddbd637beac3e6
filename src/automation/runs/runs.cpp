// SPDX-License-Identifier: Apache-2.0
#include "automation/runs/runs.h"

#include <fmt/format.h>

#include <algorithm>

#include "automation/values/stored_value.h"
#include "base/json/json_fields.h"
#include "base/log/log.h"
#include "base/log/log_scope.h"

namespace hearth::automation {

base::Result<void> check_room_for_run(const Home& home) {
  if (home.runs < Home::kMaxRuns) return {};
  return base::fail(base::ErrorCode::throttled, fmt::format("More than {} runs are under way.", Home::kMaxRuns));
}

Runs::Runs(std::shared_ptr<const Item> item, Home& home, std::function<void()> changed,
           std::function<std::string_view()> entity_id)
    : item_(std::move(item)),
      home_(home),
      changed_(std::move(changed)),
      entity_id_(std::move(entity_id)),
      alive_(std::make_shared<Runs*>(this)) {}

Runs::~Runs() {
  cancel();
  answer();
}

void Runs::answer() {
  for (const Running& each : std::exchange(ended_, {})) {
    try {
      if (each.ended) each.ended(each.run ? &*each.run->result() : nullptr);
    } catch (const std::exception& failure) {
      base::log_error("automation", "the end of a run of {} could not be reported to its caller: {}", item_->alias,
                      failure.what());
    }
  }
}

Runs::Begun Runs::begin(Order order, Tell tell) {
  const bool limited = item_->mode == Mode::queued || item_->mode == Mode::parallel;
  if (home_.runs >= Home::kMaxRuns) return drop(order, "too many runs are under way in the home");
  if (item_->mode == Mode::single && current() > 0) return drop(order, "it is already running");
  if (limited && current() >= item_->max) return drop(order, "as many as allowed are running");
  if (item_->mode == Mode::restart) cancel();
  if (item_->mode == Mode::queued && current() > 0) {
    put_in_queue(std::move(order));
    return Begun::queued;
  }
  start(std::move(order));
  if (tell == Tell::at_once) answer();
  return Begun::started;
}

Runs::Begun Runs::drop(Order& order, std::string_view why) {
  switch (item_->if_exceeded) {
    case IfExceeded::silent:
      break;
    case IfExceeded::debug:
      base::log_debug("automation", "{} does not run: {}", item_->alias, why);
      break;
    case IfExceeded::info:
      base::log_info("automation", "{} does not run: {}", item_->alias, why);
      break;
    case IfExceeded::warning:
      home_.complain(item_->alias + " does not run", why);
      break;
    case IfExceeded::error:
      home_.complain(item_->alias + " does not run", why, base::RepeatedLog::Severity::error);
      break;
  }
  if (order.ended) order.ended(nullptr);
  return Begun::dropped;
}

Run::Post Runs::post_to(std::uint64_t number) {
  return [&bus = home_.hub.bus, alive = std::weak_ptr(alive_), number](std::function<void(Run&)> task) {
    bus.post([alive, number, task = std::move(task)] {
      if (const auto self = alive.lock()) (*self)->enter(number, task);
    });
  };
}

json::object Runs::description(const Order& order) const {
  json::object all{{"item", fmt::format("{}.{}", domain_of(item_->kind), item_->unique_id)},
                   {"fingerprint", item_->fingerprint},
                   {"order", home_.next_run_number()}};
  if (order.caller) {
    all["caller"] = json::object{
        {"run", json::string(order.caller->run.str())}, {"strand", order.caller->strand}, {"wait", order.caller->wait}};
  }
  return all;
}

void Runs::put_in_queue(Order order) {
  if (order.trace) order.trace->rest();
  if (home_.store.is_durable()) {
    json::object entry = description(order);
    if (order.trace) entry["trace"] = order.trace->stored();
    entry["context"] = to_stored(order.context);
    entry["variables"] = to_stored(order.variables);
    entry["queued"] = true;
    std::string text = base::to_json(entry);
    if (text.size() <= core::Journal::kMaxEntryBytes) home_.store.put(keys::run(order.context.id), std::move(text));
  }
  queue_.push_back(std::move(order));
}

void Runs::start(Order order) {
  const std::uint64_t number = ++last_number_;
  core::Counters& counters = home_.hub.counters;
  (item_->kind == ItemKind::script ? counters.script_runs : counters.automation_runs).increase();
  json::object described = home_.store.is_durable() ? description(order) : json::object();
  auto made = std::make_unique<Run>(item_, home_, RunState{std::move(order.context), std::move(order.variables)},
                                    post_to(number));
  made->describe(std::move(described));
  made->note_in(std::move(order.trace));
  running_.emplace(number, Running{std::move(made), std::move(order.ended)});
  attempt(number, [](Run& begun) { begun.start(); });
  settle(number);
}

bool Runs::restore(const json::object& stored, std::function<void(const Run::Result* result)> ended) {
  if (stored.contains("queued")) {
    core::Context context = context_from_stored(base::value_at(stored, "context"));
    auto trace = home_.traces.go_on(*item_, context, base::value_at(stored, "trace"), {}, home_.hub.clock.now());
    queue_.push_back({std::move(context), variables_from_stored(base::value_at(stored, "variables")), std::move(ended),
                      caller_from_stored(stored), std::move(trace)});
    return true;
  }
  const std::uint64_t number = ++last_number_;
  auto run = Run::restored(item_, home_, stored, post_to(number));
  if (!run) return false;
  json::object described;
  for (const char* const key : {"item", "fingerprint", "order", "caller"}) {
    if (const json::value* const value = stored.if_contains(key)) described[key] = *value;
  }
  run->describe(std::move(described));
  running_.emplace(number, Running{std::move(run), std::move(ended)});
  restored_.push_back(number);
  return true;
}

void Runs::resume() {
  for (const std::uint64_t number : std::exchange(restored_, {})) enter(number, [](Run& run) { run.resume(); });
  start_queued();
  answer();
}

void Runs::end_trace(const std::shared_ptr<Trace>& trace, Execution how, std::string error) {
  // A run that the end of the hub cuts off goes on.
  if (!trace || home_.store.is_stopping()) return;
  trace->finish(how, std::move(error), home_.hub.clock.now());
  home_.traces.end(*item_, *trace);
}

Run* Runs::find(const base::Id& id) const {
  const auto found =
      std::ranges::find_if(running_, [&](const auto& each) { return each.second.run->context().id == id; });
  return found == running_.end() ? nullptr : found->second.run.get();
}

bool Runs::has_caused_by(const base::Id& context_id) const {
  const auto caused = [&](const core::Context& context) { return context.parent_id == context_id; };
  return std::ranges::any_of(running_, [&](const auto& each) { return caused(each.second.run->context()); }) ||
         std::ranges::any_of(queue_, [&](const Order& order) { return caused(order.context); });
}

void Runs::attempt(std::uint64_t number, const std::function<void(Run& run)>& task) {
  const auto found = running_.find(number);
  if (found == running_.end()) return;
  // Copies, because both may go meanwhile.
  const std::string entity_id(entity_id_ ? entity_id_() : std::string_view());
  const base::Id context_id = found->second.run->context().id;
  const base::LogScope of_run({entity_id, context_id});
  try {
    task(*found->second.run);
  } catch (const std::exception& thrown) {
    if (const auto still = running_.find(number); still != running_.end()) still->second.run->fail(thrown.what());
  }
}

void Runs::enter(std::uint64_t number, const std::function<void(Run& run)>& task) {
  attempt(number, task);
  attempt(number, [](Run& run) { run.settle(); });
  if (!settle(number)) return;
  start_queued();
  changed_();
  answer();
}

bool Runs::settle(std::uint64_t number) {
  const auto found = running_.find(number);
  if (found == running_.end()) return true;
  if (!found->second.run->result()) return false;
  // Callers that wait for its end are told of it, whatever fails here.
  ended_.push_back(std::move(found->second));
  running_.erase(found);
  Run& run = *ended_.back().run;
  const Run::Result& result = *run.result();
  run.forget();
  const bool failed = result.end == Run::End::failed;
  const bool aborted = failed ? result.asked : result.end == Run::End::stopped && !result.asked;
  end_trace(run.trace(),
            aborted  ? Execution::aborted
            : failed ? Execution::error
                     : Execution::finished,
            failed ? result.text : "");
  if (failed) {
    core::Counters& counters = home_.hub.counters;
    (item_->kind == ItemKind::script ? counters.failed_script_runs : counters.failed_automation_runs).increase();
    const base::LogScope of_run({entity_id_ ? entity_id_() : std::string_view(), run.context().id});
    home_.complain(item_->alias, result.text, base::RepeatedLog::Severity::error);
  }
  return true;
}

void Runs::start_queued() {
  while (running_.empty() && !queue_.empty()) {
    Order next = std::move(queue_.front());
    queue_.pop_front();
    start(std::move(next));
  }
}

void Runs::cancel() {
  auto running = std::exchange(running_, {});
  auto queue = std::exchange(queue_, {});
  for (auto& [number, each] : running) {
    each.run->forget();
    end_trace(each.run->trace(), Execution::cancelled, "");
    ended_.push_back({nullptr, std::move(each.ended)});
  }
  for (Order& each : queue) {
    home_.store.forget(keys::run(each.context.id));
    end_trace(each.trace, Execution::cancelled, "");
    ended_.push_back({nullptr, std::move(each.ended)});
  }
}

std::optional<Caller> caller_from_stored(const json::object& stored) {
  const json::object* const caller = base::value_at(stored, "caller").if_object();
  if (!caller) return {};
  return Caller{base::id_at(*caller, "run").value_or(base::Id()), static_cast<int>(base::number_at(*caller, "strand")),
                static_cast<std::uint64_t>(base::number_at(*caller, "wait"))};
}

}  // namespace hearth::automation

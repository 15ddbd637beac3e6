// SPDX-License-Identifier: Apache-2.0
#include "app/integration_runner.h"

#include <algorithm>
#include <ranges>

#include "base/json/json.h"
#include "base/log/log.h"
#include "base/text/utf8.h"

namespace hearth::app {
namespace {

using State = core::IntegrationStatus::State;

constexpr std::size_t kMaxError = 1'000;  // bytes

// Runs it; returns its error or exception as text.
std::string error_of(const std::function<base::Result<void>()>& work) {
  std::string error;
  try {
    const auto done = work();
    if (done) return {};
    error = done.error().message;
  } catch (const std::exception& thrown) {
    error = thrown.what();
  } catch (...) {
    error = "something that is no exception was thrown";
  }
  return error.empty() ? "it does not say why" : base::utf8_excerpt(base::utf8_repaired(error), kMaxError);
}

}  // namespace

struct IntegrationRunner::One {
  Create create;
  core::IntegrationStatus status;
  base::Duration delay = kFirstRetry;  // before the next attempt
  core::Timer retry;
  std::unique_ptr<domains::IntegrationBus> bus;
  std::unique_ptr<domains::Integration> integration;  // destroyed first
};

IntegrationRunner::IntegrationRunner(core::Hub& hub, domains::Domains& domains) : hub_(hub), domains_(domains) {
  domains_.failures().on_failure([this](std::string_view) { publish(); });
}

IntegrationRunner::~IntegrationRunner() {
  domains_.failures().on_failure(nullptr);
}

void IntegrationRunner::add(std::string name, Create create) {
  add_one(std::move(name), std::move(create));
}

IntegrationRunner::One& IntegrationRunner::add_one(std::string name, Create create) {
  auto one = std::make_unique<One>();
  one->create = std::move(create);
  one->status.name = std::move(name);
  one->status.since = hub_.clock.now();
  return *all_.emplace_back(std::move(one));
}

void IntegrationRunner::start() {
  for (const auto& one : all_) start(*one);
  running_ = true;
}

void IntegrationRunner::stop() {
  running_ = false;
  for (const auto& one : all_ | std::views::reverse) stop(*one);
}

void IntegrationRunner::put(std::string name, Create create, const Change& change) {
  if (!running_) return;
  const auto found = std::ranges::find(all_, name, [](const auto& one) -> auto& { return one->status.name; });
  One& one = found == all_.end() ? add_one(std::move(name), create) : **found;
  one.create = std::move(create);
  one.retry = {};
  one.delay = kFirstRetry;
  if (one.integration) {
    bool changed = false;
    const std::string error = error_of([&] {
      changed = change(*one.integration);
      return base::Result<void>();
    });
    if (changed) return set_state(one, State::running);
    if (!error.empty())
      base::log_warning("integrations", "{} cannot apply its new options while it runs, so it is restarted: {}",
                        one.status.name, error);
    take_down(one);
  }
  start(one);
}

void IntegrationRunner::remove(std::string_view name) {
  if (!running_) return;
  const auto found = std::ranges::find(all_, name, [](const auto& one) -> auto& { return one->status.name; });
  if (found == all_.end()) return;
  One& one = **found;
  one.retry = {};
  take_down(one);
  set_state(one, State::stopped);
  all_.erase(found);
  publish();
  if (on_change_) on_change_();
}

void IntegrationRunner::start(One& one) {
  const bool had_failed = one.status.attempts > 0;
  set_state(one, State::starting);
  if (std::string error = try_start(one); !error.empty()) {
    take_down(one);
    return retry_later(one, std::move(error));
  }
  one.status.attempts = 0;
  one.delay = kFirstRetry;
  set_state(one, State::running);
  if (had_failed) base::log_info("integrations", "{} has started after all", one.status.name);
  if (running_ && on_change_) on_change_();
}

std::string IntegrationRunner::try_start(One& one) {
  return error_of([&] {
    one.bus = std::make_unique<domains::IntegrationBus>(hub_, domains_.failures(), one.status.name);
    one.integration = one.create({hub_, domains_, *one.bus});
    return one.integration->start();
  });
}

void IntegrationRunner::take_down(One& one) {
  call_stop(one);
  domains_.entities().release(one.status.name);
  one.integration.reset();
  one.bus.reset();
}

void IntegrationRunner::retry_later(One& one, std::string error) {
  ++one.status.attempts;
  base::log_error("integrations", "{} does not start: {}; the next try is in {} s", one.status.name, error,
                  std::chrono::duration_cast<std::chrono::seconds>(one.delay).count());
  one.status.error = std::move(error);
  one.status.retry_at = hub_.clock.now() + one.delay;
  one.retry = hub_.bus.schedule(one.delay, [this, &one] { start(one); });
  one.delay = std::min(2 * one.delay, kLongestRetry);
  set_state(one, State::failed);
}

void IntegrationRunner::stop(One& one) {
  one.retry = {};
  call_stop(one);
  set_state(one, State::stopped);
}

void IntegrationRunner::call_stop(One& one) {
  if (!one.integration) return;
  const std::string error = error_of([&] {
    one.integration->stop();
    return base::Result<void>();
  });
  if (!error.empty()) base::log_error("integrations", "{} does not stop as it should: {}", one.status.name, error);
}

void IntegrationRunner::set_state(One& one, State state) {
  if (state != State::failed) {
    one.status.error.clear();
    one.status.retry_at.reset();
  }
  one.status.state = state;
  one.status.since = hub_.clock.now();
  publish();
  hub_.bus.fire(core::IfFull::pass, core::event_type::kIntegrationUpdated,
                base::to_json(json::object{{"integration", one.status.name}, {"state", core::to_string(state)}}),
                core::Origin::local, core::Context::create(hub_.clock.now()));
}

void IntegrationRunner::publish() {
  auto list = std::make_shared<core::IntegrationList>();
  for (const auto& one : all_) {
    const auto failures = domains_.failures().of(one->status.name);
    one->status.failures = failures.count;
    one->status.last_failure = failures.last;
    list->push_back(one->status);
  }
  hub_.integrations.publish(std::move(list));
}

}  // namespace hearth::app

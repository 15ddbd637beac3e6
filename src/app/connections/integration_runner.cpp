// SPDX-License-Identifier: Apache-2.0
#include "app/connections/integration_runner.h"

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

void IntegrationRunner::add(core::ConnectionPtr connection, Create create) {
  add_one(std::move(connection), std::move(create));
}

IntegrationRunner::One& IntegrationRunner::add_one(core::ConnectionPtr connection, Create create) {
  auto one = std::make_unique<One>();
  one->create = std::move(create);
  one->status.name = connection->domain;
  one->status.connection = std::move(connection);
  one->status.since = hub_.clock.now();
  return *all_.emplace_back(std::move(one));
}

IntegrationRunner::Place IntegrationRunner::place_of(std::string_view entry_id) {
  return std::ranges::find_if(all_, [&](const auto& one) { return one->status.connection->entry_id == entry_id; });
}

void IntegrationRunner::found(std::string_view entry_id, const domains::Discovered& device) {
  const auto place = place_of(entry_id);
  if (place == all_.end() || !(*place)->integration) return;
  const std::string error = error_of([&] {
    (*place)->integration->found(device);
    return base::Result<void>();
  });
  if (!error.empty()) {
    base::log_error("integrations", "{} failed when its device was found: {}", (*place)->status.connection->title,
                    error);
  }
}

core::ConnectionPtr IntegrationRunner::find(std::string_view entry_id) const {
  for (const auto& one : all_)
    if (one->status.connection->entry_id == entry_id) return one->status.connection;
  return {};
}

domains::Integration* IntegrationRunner::running(std::string_view entry_id) const {
  for (const auto& one : all_)
    if (one->status.connection->entry_id == entry_id) return one->integration.get();
  return nullptr;
}

void IntegrationRunner::start() {
  for (const auto& one : all_) {
    if (one->status.connection->disabled)
      set_state(*one, State::stopped);
    else
      start(*one);
  }
  running_ = true;
}

void IntegrationRunner::stop() {
  running_ = false;
  for (const auto& one : all_ | std::views::reverse) stop(*one);
}

void IntegrationRunner::put(core::ConnectionPtr connection, Create create, const Change& change) {
  if (!running_) return;
  const auto found = place_of(connection->entry_id);
  One& one = found == all_.end() ? add_one(connection, create) : **found;
  one.create = std::move(create);
  one.status.connection = std::move(connection);
  one.retry = {};
  one.delay = kFirstRetry;
  if (one.integration && !one.status.connection->disabled) {
    bool changed = false;
    const std::string error = error_of([&] {
      changed = change(*one.integration);
      return base::Result<void>();
    });
    if (changed) return set_state(one, State::running);
    if (!error.empty())
      base::log_warning("integrations", "{} cannot apply its new options while it runs, so it is restarted: {}",
                        one.status.connection->title, error);
  }
  take_down(one);
  if (one.status.connection->disabled)
    set_state(one, State::stopped);
  else
    start(one);
}

void IntegrationRunner::describe(core::ConnectionPtr connection) {
  const auto found = running_ ? place_of(connection->entry_id) : all_.end();
  if (found == all_.end()) return;
  One& one = **found;
  const bool was_disabled = one.status.connection->disabled;
  one.status.connection = std::move(connection);
  if (one.status.connection->disabled == was_disabled) {
    publish();
    tell(one);
    return;
  }
  if (was_disabled) return start(one);
  one.retry = {};
  take_down(one);
  set_state(one, State::stopped);
  if (on_change_) on_change_();
}

bool IntegrationRunner::reload(std::string_view entry_id) {
  const auto found = running_ ? place_of(entry_id) : all_.end();
  if (found == all_.end() || (*found)->status.connection->disabled) return false;
  One& one = **found;
  one.retry = {};
  one.delay = kFirstRetry;
  take_down(one);
  start(one);
  return true;
}

void IntegrationRunner::remove(std::string_view entry_id, bool for_good) {
  if (!running_) return;
  const auto found = place_of(entry_id);
  if (found == all_.end()) return;
  One& one = **found;
  one.retry = {};
  call_stop(one);
  if (for_good && one.integration) {
    const std::string error = error_of([&] {
      one.integration->unpair();
      return base::Result<void>();
    });
    if (!error.empty())
      base::log_error("integrations", "{} cannot be told that it was removed: {}", one.status.connection->title, error);
  }
  clear(one);
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
  if (one.status.state == State::starting) set_state(one, State::running);
  if (had_failed) base::log_info("integrations", "{} has started after all", one.status.connection->title);
  if (running_ && on_change_) on_change_();
}

std::string IntegrationRunner::try_start(One& one) {
  return error_of([&] {
    one.bus = std::make_unique<domains::IntegrationBus>(hub_, domains_.failures(), one.status.name);
    one.integration = one.create({.hub = hub_,
                                  .domains = domains_,
                                  .bus = *one.bus,
                                  .connection = one.status.connection,
                                  .report = [this, &one](auto health) { heard(one, std::move(health)); },
                                  .raise =
                                      [this, &one](auto issues) {
                                        if (one.status.issues == issues) return;
                                        one.status.issues = std::move(issues);
                                        publish();
                                      },
                                  .reactor = reactor_,
                                  .http = http_});
    return one.integration->start();
  });
}

void IntegrationRunner::take_down(One& one) {
  call_stop(one);
  clear(one);
}

void IntegrationRunner::clear(One& one) {
  domains_.entities().release(*one.status.connection);
  one.integration.reset();
  one.bus.reset();
  one.status.issues.clear();
}

void IntegrationRunner::retry_later(One& one, std::string error) {
  ++one.status.attempts;
  base::log_error("integrations", "{} does not start: {}; the next try is in {} s", one.status.connection->title, error,
                  std::chrono::duration_cast<std::chrono::seconds>(one.delay).count());
  one.status.retry_at = hub_.clock.now() + one.delay;
  one.retry = hub_.bus.schedule(one.delay, [this, &one] { start(one); });
  one.delay = std::min(2 * one.delay, kLongestRetry);
  set_state(one, State::failed, std::move(error));
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
  if (!error.empty())
    base::log_error("integrations", "{} does not stop as it should: {}", one.status.connection->title, error);
}

void IntegrationRunner::heard(One& one, domains::ConnectionHealth health) {
  using enum domains::ConnectionHealth::State;
  const State state = health.state == ready     ? State::running
                      : health.state == waiting ? State::waiting
                                                : State::needs_person;
  std::string reason = base::utf8_excerpt(base::utf8_repaired(health.reason), kMaxError);
  if (one.status.state == state && one.status.error == reason) return;
  if (state == State::running)
    base::log_info("integrations", "{} is connected", one.status.connection->title);
  else if (state == State::waiting && one.status.state == State::starting)
    base::log_info("integrations", "{}: {}", one.status.connection->title, reason);
  else
    base::log_warning("integrations", "{}: {}", one.status.connection->title, reason);
  set_state(one, state, std::move(reason));
}

void IntegrationRunner::set_state(One& one, State state, std::string error) {
  if (state != State::failed) one.status.retry_at.reset();
  one.status.error = std::move(error);
  one.status.state = state;
  one.status.since = hub_.clock.now();
  publish();
  tell(one);
}

void IntegrationRunner::tell(const One& one) {
  hub_.bus.fire(core::IfFull::pass, core::event_type::kIntegrationUpdated,
                base::to_json(json::object{{"integration", one.status.name},
                                           {"entry_id", one.status.connection->entry_id},
                                           {"state", core::to_string(one.status.state)}}),
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

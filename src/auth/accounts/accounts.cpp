// SPDX-License-Identifier: Apache-2.0
#include "auth/accounts/accounts.h"

#include <algorithm>
#include <exception>
#include <memory>

#include "base/log/log.h"

namespace hearth::auth {

Accounts::~Accounts() {
  stop();
}

base::Result<void> Accounts::open(const std::filesystem::path& file) {
  auto store = AccountStore::open(file, clock_, limits_);
  if (!store) return std::unexpected(std::move(store.error()));
  store_.emplace(std::move(*store));
  auto loader = AccountLoader::open(file);
  if (!loader) return std::unexpected(std::move(loader.error()));
  loader_.emplace(std::move(*loader));
  last_poll_ = clock_.now();
  last_flush_ = next_purge_ = clock_.steady_now();
  return {};
}

void Accounts::on_change(std::function<void()> callback) {
  callbacks_.push_back(std::move(callback));
}

base::Result<void> Accounts::start() {
  if (auto first = poll(); !first) return first;
  running_ = true;
  thread_.start();
  return {};
}

void Accounts::stop() {
  running_ = false;
  if (!thread_.stop()) return;
  send_held(base::SteadyTime::max());
  if (auto flushed = flush(); !flushed) base::log_error("auth", "{}", flushed.error().message);
}

bool Accounts::post(Task&& task, Queue queue) {
  if (!running_) return false;
  const auto kept = std::make_shared<Task>(std::move(task));
  if (thread_.post([this, kept] { run_task(std::move(*kept)); }, queue == Queue::authenticated ? 0 : 1)) return true;
  task = std::move(*kept);
  return false;
}

base::Result<void> Accounts::publish_changes() {
  auto accounts = loader_->load_if_changed();
  const bool changed = accounts && accounts->has_value();
  if (changed) {
    any_users_.store((*accounts)->any_users, std::memory_order_relaxed);
    if ((*accounts)->everything) any_passkeys_.store((*accounts)->any_passkeys, std::memory_order_relaxed);
    authenticator_.publish(std::move(**accounts));
  }
  const base::Timestamp now = clock_.coarse_now();  // the clock that checks expiry, too
  const bool expired = authenticator_.any_expired(last_poll_, now);
  last_poll_ = now;
  if (changed || expired) {
    for (const auto& callback : callbacks_) callback();
  }
  // Tokens expire even while the database is unreadable.
  if (!accounts) return std::unexpected(std::move(accounts.error()));
  return {};
}

base::Result<void> Accounts::poll() {
  if (auto published = publish_changes(); !published) return published;
  return write_what_is_due().value_or(base::Result<void>());
}

std::optional<base::Result<void>> Accounts::write_what_is_due() {
  if (auto purged = purge(); !purged) return purged;
  if (clock_.steady_now() - last_flush_ < kFlushInterval) return {};
  last_flush_ = clock_.steady_now();
  return flush();
}

base::Result<void> Accounts::purge() {
  const base::SteadyTime steady = clock_.steady_now();
  if (steady < next_purge_) return {};
  next_purge_ = steady + kPurgeInterval;
  // A clock that was set since the last look, or is wrong since the start, would end the sessions of everybody for
  // good.
  const base::Timestamp now = clock_.now();
  const base::Timestamp expected = looked_at_ + std::chrono::floor<base::Duration>(steady - looked_at_steady_);
  const bool sure =
      looked_at_ != base::Timestamp() && now - expected < kSureOfTheClock && expected - now < kSureOfTheClock;
  looked_at_ = now;
  looked_at_steady_ = steady;
  return sure ? store_->purge_expired() : base::Result<void>();
}

base::Result<void> Accounts::flush() {
  if (auto flushed = flush_(*store_); !flushed) return flushed;
  auto uses = authenticator_.drain_uses();
  if (uses.empty()) return {};
  for (const TokenUse& use : uses) on_use_(use);
  auto written = loader_->note_uses(uses);
  if (!written) authenticator_.put_back_uses(std::move(uses));
  return written;
}

base::Duration Accounts::between_tasks() {
  if (!std::exchange(polled_, false)) poll_and_log();
  const base::SteadyTime now = clock_.steady_now();
  send_held(now);
  base::Duration pause = kInterval;
  for (const Held& one : held_) pause = std::min(pause, one.due - now);
  return pause;
}

void Accounts::run_task(Task task) {
  Reply reply = task(*store_);
  task = nullptr;
  poll_and_log();
  polled_ = true;
  if (reply.hold.count() > 0 && held_.size() < kMaxHeld)
    held_.push_back({clock_.steady_now() + reply.hold, std::move(reply.send)});
  else
    send(reply.send);
}

void Accounts::send_held(base::SteadyTime until) {
  for (auto one = held_.begin(); one != held_.end();) {
    if (one->due > until) {
      ++one;
      continue;
    }
    auto words = std::move(one->send);
    one = held_.erase(one);
    send(words);
  }
}

void Accounts::send(std::move_only_function<void()>& words) {
  try {
    if (words) words();
  } catch (const std::exception& thrown) {
    base::log_error("auth", "a reply failed: {}", thrown.what());
  }
}

void Accounts::poll_and_log() {
  const auto run = [](auto&& part) -> decltype(part()) {
    try {
      return part();
    } catch (const std::exception& thrown) {
      return base::fail(base::ErrorCode::internal, thrown.what());
    }
  };
  const base::SteadyTime now = clock_.steady_now();
  const base::Result<void> read = run([this] { return publish_changes(); });
  reading_.note(read, now);
  if (!read) return;
  if (const auto written = run([this] { return write_what_is_due(); })) writing_.note(*written, now);
}

}  // namespace hearth::auth

// SPDX-License-Identifier: Apache-2.0
#include "auth/accounts.h"

#include <algorithm>
#include <exception>

#include "base/log.h"

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
  {
    base::MutexLock lock(mutex_);
    running_ = true;
  }
  thread_ = std::thread([this] { run(); });
  return {};
}

void Accounts::stop() {
  if (!thread_.joinable()) return;
  {
    base::MutexLock lock(mutex_);
    running_ = false;
  }
  wake_.notify_one();
  thread_.join();
  if (auto flushed = flush_uses(); !flushed) base::log_error("auth", "{}", flushed.error().message);
  std::deque<Task> dropped, dropped_strangers;
  {
    base::MutexLock lock(mutex_);
    dropped.swap(tasks_);
    dropped_strangers.swap(strangers_);
  }
}

bool Accounts::post(Task&& task, Line line) {
  {
    base::MutexLock lock(mutex_);
    auto& waiting = line == Line::known ? tasks_ : strangers_;
    if (!running_ || waiting.size() >= (line == Line::known ? kMaxTasks : kMaxStrangers)) return false;
    waiting.push_back(std::move(task));
  }
  wake_.notify_one();
  return true;
}

base::Result<void> Accounts::publish_changes() {
  auto accounts = loader_->load_if_changed();
  const bool changed = accounts && accounts->has_value();
  if (changed) {
    any_users_.store((*accounts)->any_users, std::memory_order_relaxed);
    authenticator_.publish(std::move(**accounts));
  }
  const base::Timestamp now = clock_.coarse_now();  // as those who then ask which have expired
  const bool expired = authenticator_.any_expired(last_poll_, now);
  last_poll_ = now;
  if (changed || expired) {
    for (const auto& callback : callbacks_) callback();
  }
  // Tokens expire even while the database cannot be read.
  if (!accounts) return std::unexpected(std::move(accounts.error()));
  return {};
}

base::Result<void> Accounts::poll() {
  if (auto published = publish_changes(); !published) return published;
  if (auto purged = purge(); !purged) return purged;
  if (clock_.steady_now() - last_flush_ < kFlushInterval) return {};
  last_flush_ = clock_.steady_now();
  return flush_uses();
}

base::Result<void> Accounts::purge() {
  if (clock_.steady_now() < next_purge_) return {};
  next_purge_ = clock_.steady_now() + kPurgeInterval;
  return store_->purge_expired();
}

base::Result<void> Accounts::flush_uses() {
  auto uses = authenticator_.take_uses();
  if (uses.empty()) return {};
  auto written = loader_->note_uses(uses);
  if (!written) authenticator_.put_back_uses(std::move(uses));
  return written;
}

void Accounts::run() {
  for (;;) {
    Task task;
    {
      base::MutexLock lock(mutex_);
      if (running_ && tasks_.empty() && strangers_.empty()) wake_.wait_for(mutex_, pause());
      if (!running_) break;
      task = next_task();
    }
    if (task) {
      run_task(std::move(task));
    } else {
      poll_and_log();
    }
    say_held(clock_.steady_now());
  }
  say_held(base::SteadyTime::max());
}

Accounts::Task Accounts::next_task() {
  if (tasks_.empty() && strangers_.empty()) return {};
  const bool stranger = tasks_.empty() || (strangers_turn_ && !strangers_.empty());
  strangers_turn_ = !stranger;
  auto& line = stranger ? strangers_ : tasks_;
  Task task = std::move(line.front());
  line.pop_front();
  return task;
}

void Accounts::run_task(Task task) {
  Reply reply;
  try {
    reply = task(*store_);
    task = nullptr;
    poll_and_log();
    if (reply.hold.count() > 0 && held_.size() < kMaxHeld) {
      held_.push_back({clock_.steady_now() + reply.hold, std::move(reply.say)});
      return;
    }
  } catch (const std::exception& thrown) {
    base::log_error("auth", "a task failed: {}", thrown.what());
    return;
  }
  say(reply.say);
}

void Accounts::say_held(base::SteadyTime until) {
  for (auto one = held_.begin(); one != held_.end();) {
    if (one->due > until) {
      ++one;
      continue;
    }
    auto words = std::move(one->say);
    one = held_.erase(one);
    say(words);
  }
}

void Accounts::say(std::move_only_function<void()>& words) {
  try {
    if (words) words();
  } catch (const std::exception& thrown) {
    base::log_error("auth", "a reply failed: {}", thrown.what());
  }
}

std::chrono::microseconds Accounts::pause() const {
  std::chrono::microseconds pause = kInterval;
  for (const Held& one : held_) pause = std::min(pause, one.due - clock_.steady_now());
  return std::max(pause, std::chrono::microseconds(0));
}

void Accounts::poll_and_log() {
  std::string failure;
  try {
    if (auto done = poll(); !done) failure = done.error().message;
  } catch (const std::exception& thrown) {
    failure = thrown.what();
  }
  if (!failure.empty() && failure != last_failure_) base::log_error("auth", "{}", failure);
  last_failure_ = std::move(failure);
}

}  // namespace hearth::auth

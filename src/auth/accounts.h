// SPDX-License-Identifier: Apache-2.0
// The accounts of a running hub. One thread of their own does all that waits for the database or for a password's hash:
// it runs the tasks that others post, keeps the Authenticator up to date with the database, whichever process changes
// it, and writes down when tokens were used.
//
// open, on_change, start, stop and the destructor: one thread at a time. post and any_users: any thread.
//
// Tasks wait in two lines, which take turns: whoever has shown a token, a code or a refresh token stands in one,
// strangers who give a password in the other, so that guessing passwords, some 50 ms each, holds nobody else up for
// longer than one of them. At most kMaxTasks and kMaxStrangers wait there; beyond, post refuses, and its caller says
// 503.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "auth/account_loader.h"
#include "auth/account_store.h"
#include "auth/authenticator.h"
#include "base/clock.h"
#include "base/result.h"
#include "base/task_thread.h"

namespace hearth::auth {

class Accounts {
 public:
  static constexpr std::chrono::milliseconds kInterval{300};
  static constexpr std::chrono::seconds kFlushInterval{5};
  static constexpr std::chrono::minutes kPurgeInterval{10};
  static constexpr std::size_t kMaxTasks = 64;
  static constexpr std::size_t kMaxStrangers = 32;
  static constexpr std::size_t kMaxHeld = 1'024;  // replies held back; beyond, they are not

  // What a task has to say. It is said on the accounts' thread, or on the one that stops it, after what the task
  // changed was published: a token works from the moment its owner has it. It must not block.
  struct Reply {
    std::move_only_function<void()> say;
    base::Duration hold{0};  // how long to hold it back at least: guessing passwords is slow work
  };
  // Runs on the accounts' thread; may take its time.
  using Task = std::move_only_function<Reply(AccountStore&)>;

  // The authenticator and the clock must outlive it.
  Accounts(Authenticator& authenticator, const base::Clock& clock, AccountLimits limits = {})
      : authenticator_(authenticator), clock_(clock), limits_(limits) {}
  ~Accounts();
  Accounts(const Accounts&) = delete;
  Accounts& operator=(const Accounts&) = delete;

  // Once, first.
  base::Result<void> open(const std::filesystem::path& file);
  // Before start. The callback runs on the accounts' thread until stop returns, each time that somebody may have lost
  // or won a right: after a change was published, and when a token has expired. Open streams ask still_valid then.
  void on_change(std::function<void()> callback);

  // Publishes the accounts before it returns.
  base::Result<void> start();
  // Finishes the task under way, ends the thread, says what is held back and writes the last uses. Tasks that still
  // wait are dropped.
  void stop();

  enum class Line { known, strangers };
  // False, and the task is left as it was, if the line is full or the thread does not run.
  bool post(Task&& task, Line line = Line::known);

  // Whether anybody has an account, active or not. As of the last look.
  bool any_users() const { return any_users_.load(std::memory_order_relaxed); }

  // One look, as the thread takes it; without start, as tests do, on the calling thread.
  base::Result<void> poll();

 private:
  struct Held {
    base::SteadyTime due;
    std::move_only_function<void()> say;
  };

  // For how long the thread may sleep.
  base::Duration between_tasks();
  void poll_and_log();
  void run_task(Task task);
  void say_held(base::SteadyTime until);
  void say(std::move_only_function<void()>& words);
  base::Result<void> publish_changes();
  base::Result<void> flush_uses();
  base::Result<void> purge();

  Authenticator& authenticator_;
  const base::Clock& clock_;
  const AccountLimits limits_;
  std::optional<AccountLoader> loader_;
  std::optional<AccountStore> store_;
  std::vector<std::function<void()>> callbacks_;
  std::atomic<bool> any_users_{false};
  std::vector<Held> held_;  // at most kMaxHeld
  base::Timestamp last_poll_;
  base::SteadyTime last_flush_;
  base::SteadyTime next_purge_;
  std::string last_failure_;  // so that one that lasts is logged once
  bool polled_ = false;       // by a task, since the last look between tasks
  std::atomic<bool> running_{false};
  base::TaskThread thread_{"accounts", "auth", {kMaxTasks, kMaxStrangers}, [this] { return between_tasks(); }};
};

}  // namespace hearth::auth

// SPDX-License-Identifier: Apache-2.0
// The accounts of a running hub. A thread of its own does all that waits for the database or a password hash: it runs
// posted tasks, keeps the Authenticator up to date with the database, whichever process changes it, and writes when
// tokens were used.
//
// open, on_change, start, stop and the destructor: one thread at a time. post, any_users and any_passkeys: any thread.
//
// Tasks wait in two queues that take turns: one for clients that have shown a token, a code or a refresh token, the
// other for clients that send a password, so that guessing passwords, some 50 ms each, delays others by one guess at
// most. The queues hold kMaxTasks and kMaxPasswordTasks; beyond, post refuses, and the caller answers 503.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "auth/accounts/account_loader.h"
#include "auth/accounts/account_store.h"
#include "auth/accounts/lasting_failure.h"
#include "auth/authenticator.h"
#include "base/clock.h"
#include "base/result.h"
#include "base/threads/task_thread.h"

namespace hearth::auth {

class Accounts {
 public:
  static constexpr std::chrono::milliseconds kInterval{300};
  static constexpr std::chrono::seconds kFlushInterval{5};
  static constexpr std::chrono::minutes kPurgeInterval{10};
  // Nothing is purged if the clock went by that much more or less than the steady one since the last look.
  static constexpr std::chrono::minutes kSureOfTheClock{5};
  static constexpr std::size_t kMaxTasks = 64;
  static constexpr std::size_t kMaxPasswordTasks = 32;
  static constexpr std::size_t kMaxHeld = 1'024;  // replies held back; further ones are sent at once

  // A task's reply. It runs on the accounts' thread, or on the one that stops it, after the task's changes are
  // published: a token works from the moment its owner has it. It must not block.
  struct Reply {
    std::move_only_function<void()> send;
    base::Duration hold{0};  // the least time to delay it: against guessing passwords
  };
  // Runs on the accounts' thread; may take long.
  using Task = std::move_only_function<Reply(AccountStore&)>;

  // The authenticator and the clock must outlive this.
  Accounts(Authenticator& authenticator, const base::Clock& clock, AccountLimits limits = {})
      : authenticator_(authenticator), clock_(clock), limits_(limits) {}
  ~Accounts();
  Accounts(const Accounts&) = delete;
  Accounts& operator=(const Accounts&) = delete;

  // Call once, before anything else.
  base::Result<void> open(const std::filesystem::path& file);
  // Call before start. The callback runs on the accounts' thread until stop returns, each time that somebody may have
  // gained or lost a right: after a change is published, and after a token expires. Open streams then check
  // still_valid.
  void on_change(std::function<void()> callback);

  // Call before start. `flush` runs on the accounts' thread at each kFlushInterval and at the end, to write what other
  // threads have noted.
  void on_flush(std::function<base::Result<void>(AccountStore&)> flush) { flush_ = std::move(flush); }

  // Call before start. `use` is called on the accounts' thread for each use that is written.
  void on_use(std::function<void(const TokenUse&)> use) { on_use_ = std::move(use); }

  // Publishes the accounts before it returns.
  base::Result<void> start();
  // Finishes the running task, ends the thread, sends held replies and writes the last uses. Drops tasks that still
  // wait.
  void stop();

  enum class Queue { authenticated, passwords };
  // False, with the task untouched, if the queue is full or the thread does not run.
  bool post(Task&& task, Queue queue = Queue::authenticated);

  // True if any account exists, active or not, as of the last poll.
  bool any_users() const { return any_users_.load(std::memory_order_relaxed); }
  // Likewise, whether anybody has a passkey.
  bool any_passkeys() const { return any_passkeys_.load(std::memory_order_relaxed); }

  // Polls once, as the thread does; tests call it without start.
  base::Result<void> poll();

 private:
  struct Held {
    base::SteadyTime due;
    std::move_only_function<void()> send;
  };

  // How long the thread may sleep.
  base::Duration between_tasks();
  void poll_and_log();
  void run_task(Task task);
  void send_held(base::SteadyTime until);
  void send(std::move_only_function<void()>& words);
  base::Result<void> publish_changes();
  // Null if nothing was due.
  std::optional<base::Result<void>> write_what_is_due();
  base::Result<void> flush();
  base::Result<void> purge();

  Authenticator& authenticator_;
  const base::Clock& clock_;
  const AccountLimits limits_;
  std::optional<AccountLoader> loader_;
  std::optional<AccountStore> store_;
  std::vector<std::function<void()>> callbacks_;
  std::function<base::Result<void>(AccountStore&)> flush_ = [](AccountStore&) { return base::Result<void>(); };
  std::function<void(const TokenUse&)> on_use_ = [](const TokenUse&) {};
  std::atomic<bool> any_users_{false};
  std::atomic<bool> any_passkeys_{false};
  std::vector<Held> held_;  // at most kMaxHeld
  base::Timestamp last_poll_;
  base::SteadyTime last_flush_;
  base::SteadyTime next_purge_;
  base::Timestamp looked_at_;  // the clock at the last purge, and at that moment the steady one
  base::SteadyTime looked_at_steady_;
  LastingFailure reading_{"accounts can be read again"}, writing_{"accounts can be saved again"};
  bool polled_ = false;  // by a task, since the last poll between tasks
  std::atomic<bool> running_{false};
  base::TaskThread thread_{"accounts", "auth", {kMaxTasks, kMaxPasswordTasks}, [this] { return between_tasks(); }};
};

}  // namespace hearth::auth

// SPDX-License-Identifier: Apache-2.0
// Keeps an Authenticator up to date with the database, whichever process changes it, and writes down when tokens were
// used.
//
// A thread of its own looks every kInterval. start, stop and the destructor: one thread at a time.
#pragma once

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "auth/account_loader.h"
#include "auth/authenticator.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "base/result.h"

namespace hearth::auth {

class AccountWatcher {
 public:
  static constexpr std::chrono::milliseconds kInterval{300};
  static constexpr std::chrono::seconds kFlushInterval{5};

  // The authenticator and the clock must outlive it.
  static base::Result<std::unique_ptr<AccountWatcher>> open(const std::filesystem::path& file,
                                                            Authenticator& authenticator, const base::Clock& clock);
  ~AccountWatcher();
  AccountWatcher(const AccountWatcher&) = delete;
  AccountWatcher& operator=(const AccountWatcher&) = delete;

  // Before start. The callback runs on the watcher's thread until stop returns, each time that somebody may have lost
  // or won a right: after a change was published, and when a token has expired. Open streams ask still_valid then.
  void on_change(std::function<void()> callback);

  // Publishes the accounts before it returns.
  base::Result<void> start();
  // Joins the thread and writes the last uses.
  void stop();

  // One look, as the thread takes it; without start, as tests do, on the calling thread.
  base::Result<void> poll();

 private:
  AccountWatcher(AccountLoader loader, Authenticator& authenticator, const base::Clock& clock);
  void run();
  void poll_and_log();
  base::Result<void> flush_uses();

  AccountLoader loader_;
  Authenticator& authenticator_;
  const base::Clock& clock_;
  std::vector<std::function<void()>> callbacks_;
  base::Timestamp last_poll_;
  base::SteadyTime last_flush_;
  std::string last_failure_;  // so that one that lasts is logged once

  base::Mutex mutex_;
  std::condition_variable_any wake_;
  bool stopping_ __attribute__((guarded_by(mutex_))) = false;
  std::thread thread_;
};

}  // namespace hearth::auth

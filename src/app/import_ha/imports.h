// SPDX-License-Identifier: Apache-2.0
// Moves in from another hub for people who ask the hub: takes backups, and runs `hearth import-ha` in a process of its
// own, one at a time. A finished import waits for the hub's next start, which completes it (import_ha/import.h).
#pragma once

#include <atomic>
#include <deque>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "api/imports/imports.h"
#include "app/import_ha/import_progress.h"
#include "app/import_ha/import_uploads.h"
#include "app/settings/settings.h"
#include "base/mutex.h"
#include "base/threads/task_thread.h"
#include "core/hub.h"

namespace hearth::app {

class Imports final : public api::Imports {
 public:
  static constexpr std::size_t kMostTries = 5;  // of passphrases, in kTriesTime
  static constexpr std::chrono::seconds kTriesTime{60};

  struct Home {
    std::filesystem::path folder;
    std::vector<std::string> folders;                // that may be imported
    std::span<const KnownIntegration> integrations;  // of this program
    std::function<bool()> has_users;                 // any thread
    std::function<void()> restart;                   // any thread
    std::string failure = {};  // why the import that was prepared before this start was not completed; or empty
  };
  // The hub must outlive it.
  Imports(Home home, const core::Hub& hub);
  // Ends what is under way, which the same order goes on with later.
  ~Imports() override { stop(); }
  // Once. Main thread.
  void stop();

  base::Result<std::unique_ptr<Upload>> upload(std::string_view name) override { return uploads_.upload(name); }
  void list(Done done) override;
  void remove(std::string name, Finished done) override;
  base::Result<std::shared_ptr<void>> look(Order order, Done done) override;
  base::Result<void> start(Order order) override;
  std::chrono::seconds retry_after() override;
  std::shared_ptr<void> follow(Put put) override { return progress_.follow(std::move(put)); }
  void cancel(Finished done) override;
  json::object state() override { return progress_.to_json(); }
  void report(Done done) override;
  void mark_done(std::string id, Finished done) override;
  base::Result<void> restart() override;

 private:
  // Where the source is. Fails with not_found.
  base::Result<std::filesystem::path> place_of(const std::string& source) const;
  // A right to try this passphrase. Fails with throttled.
  base::Result<void> admit(const Order& order);
  base::Result<void> begin(ImportProgress::State state, const Order& order);
  // That thread only.
  base::Result<json::object> run(const Order& order, bool dry_run, const std::function<bool()>& is_wanted);
  void import(const Order& order, bool first_start);
  void restart_when_told();
  ImportProgress::State resting() const;
  // The report of the last import, or of the one that is ready; null if there is none.
  base::Result<std::optional<json::object>> last_report() const;
  base::Result<json::array> still_to_do(const json::object& report) const;

  const Home home_;
  const core::Hub& hub_;
  std::atomic<bool> stopping_{false}, cancelled_{false};
  ImportProgress progress_;
  base::Mutex mutex_;
  std::deque<std::chrono::steady_clock::time_point> tries_ __attribute__((guarded_by(mutex_)));
  ImportUploads uploads_;
  base::TaskThread thread_{"import", "import", {4}};  // begins with the first
};

}  // namespace hearth::app

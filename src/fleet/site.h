// SPDX-License-Identifier: Apache-2.0
// A home as a site of a fleet: publishes its log, its states and its registry, and answers the calls of portals. The
// home works without the fleet: only the threads of this class wait for the engine.
//
// Queues: kMaxCalls calls are under way, kMaxAnswers answers are remembered, kMaxResends parts of the log wait to be
// sent again; further ones are refused.
#pragma once

#include <atomic>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "base/threads/task_thread.h"
#include "core/hub.h"
#include "fleet/link.h"
#include "fleet/site_call.h"
#include "recorder/follower.h"

namespace hearth::fleet {

struct SiteOptions {
  std::string name;       // a slug: is_site_name
  core::PolicyPtr calls;  // what portals may do here; null: everything that a user may
  std::function<bool(std::string_view entity_id)> published = {};  // whose states portals see; null: everybody's
};

class Site {
 public:
  static constexpr base::Duration kAliveInterval = std::chrono::seconds(10);
  static constexpr base::Duration kSnapshotInterval = std::chrono::hours(1);
  static constexpr base::Duration kRegistryPause = std::chrono::seconds(1);  // after a change, more may come
  static constexpr std::size_t kMaxCalls = 1'000, kMaxAnswers = 1'000, kMaxResends = 64;
  static constexpr std::size_t kMaxBatch = 2'000;  // entries

  // The folder is the home's; the hub must outlive this.
  Site(core::Hub& hub, std::filesystem::path folder, SiteOptions options, std::unique_ptr<SiteLink> link);
  ~Site() { stop(); }
  Site(const Site&) = delete;
  Site& operator=(const Site&) = delete;

  // The receiver of a follower of the log; this must outlive it.
  std::unique_ptr<recorder::FollowerTarget> target();
  // How far that follower is. Before start.
  void watch(const recorder::Follower& follower) { follower_ = &follower; }
  // The bus runs.
  void start();
  // Before the bus stops.
  void stop();

  // Any thread.
  std::vector<std::string> weaknesses() const { return link_->weaknesses(); }
  // Why the last snapshot or registry could not be published; empty if it was.
  std::string failure() const;

 private:
  class Target;
  struct Answered {
    std::vector<SiteLink::Reply> waiting;  // until there is an answer
    std::string answer;
    base::SteadyTime at;
  };

  void leave_out_unpublished(recorder::TailPart& part) const;
  // Publishes the part of the log; in two halves if it is too large for one message. `again` ends the messages' ids:
  // empty if the engine is to leave out what it has.
  base::Result<void> publish(std::int64_t after, const recorder::TailPart& part, std::string_view again = "");
  base::Duration work();
  void publish_alive();
  base::Result<void> publish_snapshot();
  // `again`: also if it is the one that was published last.
  base::Result<void> publish_registry(const core::RegistryData& data, bool again);
  base::Result<void> resend(const Resend& range);
  void note(const base::Result<void>& done);

  void receive(std::string text, SiteLink::Reply reply);
  void receive(SiteCall call, base::SteadyTime came, const SiteLink::Reply& reply);  // bus thread
  void answered(const std::string& key, const base::Result<core::CallOutcome>& outcome);
  void forget_old_answers();

  core::Hub& hub_;
  const std::filesystem::path history_;
  const SiteOptions options_;
  const std::unique_ptr<SiteLink> link_;
  const recorder::Follower* follower_ = nullptr;

  base::Mutex publishing_;  // what is published keeps the order in which it was read; held while the engine keeps it
  std::atomic<std::int64_t> published_{0};  // the log up to this number

  mutable base::Mutex mutex_;
  std::deque<Resend> resends_ __attribute__((guarded_by(mutex_)));
  bool wants_snapshot_ __attribute__((guarded_by(mutex_))) = true;
  std::string failure_ __attribute__((guarded_by(mutex_)));

  // The thread's own.
  base::SteadyTime alive_at_{}, snapshot_at_{}, retry_at_{};
  std::uint64_t registry_version_ = 0;          // published
  std::string registry_;                        // its bytes
  std::optional<base::SteadyTime> changed_at_;  // the registry has, and is not published

  // The bus thread's own.
  std::map<std::string, Answered, std::less<>> answers_;  // by the call's key
  std::deque<std::string> answered_keys_;                 // oldest first
  std::size_t calls_ = 0;                                 // under way

  base::TaskThread thread_;  // last: it uses the others
};

}  // namespace hearth::fleet

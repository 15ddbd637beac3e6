// SPDX-License-Identifier: Apache-2.0
// A hub as the portal of a fleet: it has the states of all sites, and calls services there. Any number of portals serve
// one fleet, each for itself.
//
// Threads: `fleet-read` reads the engine; `fleet` owns the mirrors of the sites, and writes their states. Queues: two
// chunks of messages are under way; at most kMaxTasks tasks of the fleet's thread wait, further ones are refused.
#pragma once

#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "base/threads/task_thread.h"
#include "core/hub.h"
#include "core/services/provider.h"
#include "fleet/link.h"
#include "fleet/site_call.h"
#include "fleet/site_mirror.h"

namespace hearth::fleet {

// One site, for people.
struct SiteStatus {
  std::string site;
  std::string name;          // for people
  std::string version = {};  // of its hub
  bool reachable = false;
  bool silent = false;                        // for kSilence: its entities are unavailable, and it is not asked
  std::optional<base::Timestamp> heard = {};  // when it last said that it is there
  std::int64_t behind = 0;                    // seconds: what it has not published yet, by its own word
  std::int64_t clock_off = 0;                 // seconds: its clock before (positive) or after the portal's
  std::int64_t issues = 0;                    // that it has at home
  std::size_t entities = 0;
  base::Timestamp newest{};   // the time there of the newest change that is here
  std::uint64_t refused = 0;  // changes and messages that were no good
  std::string problem = {};   // the last one
};

class Portal final : public core::Provider {
 public:
  static constexpr std::size_t kMaxSites = 10'000, kMaxTasks = 4'096;
  static constexpr std::size_t kChunk = 256;                                 // messages read at once
  static constexpr base::Duration kSilence = std::chrono::seconds(30);       // after it a site cannot be reached
  static constexpr base::Duration kAskAgain = std::chrono::seconds(60);      // for a snapshot
  static constexpr base::Duration kCallPatience = std::chrono::seconds(20);  // beyond the call's own wait

  // The hub must outlive it.
  Portal(core::Hub& hub, std::unique_ptr<PortalLink> link);
  ~Portal() override { stop(); }
  Portal(const Portal&) = delete;
  Portal& operator=(const Portal&) = delete;

  // The bus runs, the states are restored.
  void start();
  // Before the bus stops.
  void stop();

  void call(const core::ServiceRequest& request, const std::vector<std::string>& entity_ids,
            core::ServiceReply reply) override;

  // Any thread.
  std::vector<SiteStatus> sites() const;
  std::vector<core::Issue> issues() const;
  PortalLink& link() { return *link_; }
  // Takes a site out of the portal for good, unless it is heard again. `done` is called on the bus thread; fails with
  // not_found, and with conflict while the site can be reached.
  void forget(const std::string& site, std::function<void(base::Result<void>)> done);
  // Asks the site for a part of its log again.
  void ask_again(const std::string& site, Resend range);

 private:
  struct Site {
    Site(core::Hub& hub, const std::string& name) : mirror(hub, name), status{.site = name, .name = name} {}
    SiteMirror mirror;
    SiteStatus status;
    base::SteadyTime heard{};
    std::optional<base::SteadyTime> asked = {};  // for a snapshot
    bool forgotten = false;                      // what comes of it is left, until it is heard
  };

  // The reading thread.
  base::Duration read();
  base::Result<void> read_next();
  base::Result<void> begin_reading();
  void hand_over(std::vector<Message> messages, bool late);

  // The fleet's thread.
  base::Duration check();
  void know_former_sites();
  Site* find_or_add(std::string_view name);
  void receive(const Message& message, bool late);
  base::Result<void> take_log(Site& site, const Message& message, bool late);
  base::Result<void> take_snapshot(Site& site, const Message& message);
  base::Result<void> take_registry(Site& site, const Message& message);
  base::Result<void> forget_now(const std::string& name);
  void take_alive(const std::string& name, const std::string& payload);
  void ask_for_snapshot(Site& site);
  void publish_statuses();

  // Any thread.
  bool is_silent(std::string_view site) const;
  void answered(const std::string& site, std::map<std::string, std::string> ids, const core::ServiceReply& reply,
                base::Result<std::string> text);
  void reply_on_bus(const core::ServiceReply& reply, base::Result<json::value> response);

  core::Hub& hub_;
  const std::unique_ptr<PortalLink> link_;

  // The reading thread's own.
  std::unique_ptr<FleetReader> reader_;
  std::string engine_;         // whose places these are
  bool knows_engine_ = false;  // whether it is that one still
  std::uint64_t place_ = 0;
  bool at_end_ = false;  // nothing waited after the last read: what comes meanwhile is read together
  std::future<void> handed_over_;
  std::string read_failure_;

  // The fleet's thread's own.
  std::map<std::string, Site, std::less<>> sites_;
  base::SteadyTime started_{};

  mutable base::Mutex mutex_;
  std::vector<SiteStatus> statuses_ __attribute__((guarded_by(mutex_)));
  std::string failure_ __attribute__((guarded_by(mutex_)));  // of reading
  FleetReader* reading_ __attribute__((guarded_by(mutex_))) = nullptr;
  bool stopping_ __attribute__((guarded_by(mutex_))) = false;

  base::TaskThread fold_, reads_;  // they use the others
  const base::Handle provides_;    // entities of all sites
};

}  // namespace hearth::fleet

// SPDX-License-Identifier: Apache-2.0
// Reads the home there, of one connection after the other: who it is, its registries, services and states, and what
// changes of them. Thread `net` only.
//
// A hub that has just started is not complete: until it says that it runs, its pictures say that they are not whole.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "integrations/home_assistant/connection/commands.h"
#include "integrations/home_assistant/connection/registry_listing.h"
#include "integrations/home_assistant/connection/session_options.h"
#include "integrations/home_assistant/connection/state_feed.h"

namespace hearth::integrations::home_assistant {

class HomeReader {
 public:
  static constexpr base::Duration kStartAgain = std::chrono::seconds(2), kStart = std::chrono::minutes(10);
  // Between a change of a registry and its listing, and between two listings.
  static constexpr base::Duration kListAfter = std::chrono::milliseconds(50), kListEach = std::chrono::seconds(2);
  static constexpr base::Duration kServicesAfter = std::chrono::milliseconds(500),
                                  kServicesEach = std::chrono::seconds(5);
  static constexpr std::size_t kMaxEvent = 1024 * 1024;  // bytes; a longer one is not told

  struct Ends {
    std::function<void(News news)> tell;
    std::function<void(std::string why)> fail;  // the hub there answers something else than it should
    std::function<base::Timestamp()> time;
    std::function<std::vector<std::string>()> missing;  // commands that it has not known until now
  };
  HomeReader(Commands& commands, const SessionOptions& options, Ends ends);

  // The token was accepted; the connection has ended.
  void begin();
  void end();
  StateFeed& states() { return states_; }

  void on_time();
  // When on_time should be called; null if nothing waits.
  std::optional<base::SteadyTime> next() const;

 private:
  void ask_first(json::object command, Commands::IfLate if_late, std::function<void(const Incoming&)> take);
  void ask_config();
  void take_config(const Incoming& answer);
  void run();
  void list();
  void list_soon();
  void ask_services();
  void ask_names(std::string language);
  void services_soon();
  void follow_registries();
  void follow_changes();
  void follow_events(const std::string& type);
  // Tells what may be told by now.
  void proceed();

  Commands& commands_;
  const SessionOptions& options_;
  const Ends ends_;
  RegistryListing listing_;
  StateFeed states_;
  OtherHub hub_;
  std::size_t first_missing_ = 0;  // answers before Opened
  bool opened_ = false, running_ = false, running_told_ = false, picture_told_ = false;
  bool listed_ = false;         // once
  bool listing_whole_ = false;  // the present or last listing began while the hub there ran
  bool stale_ = false;          // a registry has changed since the last listing began
  std::optional<Registries> registries_;
  std::optional<std::vector<OtherService>> naming_, services_;
  base::SteadyTime began_ = {};
  std::optional<base::SteadyTime> config_at_, list_at_, services_at_;
  base::SteadyTime listed_at_ = {}, services_asked_ = {};
};

}  // namespace hearth::integrations::home_assistant

// SPDX-License-Identifier: Apache-2.0
// The services rest_command.<name>, which send requests of the configuration to other servers. Only those may call one
// who may control all of the home, or whose policy names it as if it were an entity. Bus thread only, except where
// noted.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "automation/home/home.h"
#include "base/log/repeated_log.h"
#include "building_blocks/rest_commands/rest_plan_parser.h"
#include "net/http/http_client.h"

namespace hearth::building_blocks {

class RestCommands {
 public:
  // Both must outlive it.
  RestCommands(automation::Home& home, net::HttpClient& http) : home_(home), http_(http) {}
  ~RestCommands() = default;
  RestCommands(const RestCommands&) = delete;
  RestCommands& operator=(const RestCommands&) = delete;

  // rest_command.reload. Once, while the bus does not run.
  void add_services(configured::Reload reload);
  // Puts the configuration in force. Requests under way go on; a broken one leaves the last good one in force.
  void apply(const RestConfiguration& configuration);
  // Ends all, and requests under way.
  void stop();

  // Any thread.
  std::shared_ptr<const std::vector<configured::Fault>> faults() const { return services_.faults(); }

 private:
  void call(const RestPlan& plan, const core::ServiceCall& call, const core::ServiceReply& reply);

  automation::Home& home_;
  net::HttpClient& http_;
  NamedServices<RestPlan> services_{home_.hub, kRestCommand};
  base::RepeatedLog log_{kRestCommand};
  std::map<std::uint64_t, base::Handle> under_way_;
  std::uint64_t last_ = 0;
};

}  // namespace hearth::building_blocks

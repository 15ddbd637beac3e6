// SPDX-License-Identifier: Apache-2.0
// A host on the network: whether it answers, and, for a switch, how it is woken and put to sleep. Bus thread only.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "automation/items/item.h"
#include "automation/runs/runs.h"
#include "building_blocks/hosts/echo.h"
#include "building_blocks/hosts/host_lookup.h"
#include "building_blocks/hosts/magic_packet.h"
#include "building_blocks/polled/source.h"

namespace hearth::building_blocks {

class HostSource final : public Source {
 public:
  struct Options {
    std::string host;  // empty: nobody is asked
    EchoOptions echo;
    std::optional<WakeTarget> wake;
    std::shared_ptr<const automation::Item> turn_off;  // steps; null: nothing turns it off
  };

  // The environment must outlive it.
  HostSource(const PolledEnvironment& environment, std::shared_ptr<const Options> options);

  // The text is on or off; as JSON the times of the answers.
  void fetch(Done done) override;
  void command(std::size_t entity, const domains::Action& action, const json::object& data, Commanded done) override;

 private:
  const PolledEnvironment& environment_;
  const std::shared_ptr<const Options> options_;
  const std::shared_ptr<HostLookup> lookup_;
  std::unique_ptr<automation::Runs> runs_;                                        // null: there are no steps
  const std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);  // expires with this
};

// {"round_trip_time_avg": …, "round_trip_time_max": …, "round_trip_time_mdev": …, "round_trip_time_min": …}; empty if
// there is no answer.
json::object round_trip_times(const Echoes& echoes);

}  // namespace hearth::building_blocks

// SPDX-License-Identifier: Apache-2.0
// Stores the last values that entities had before they became unavailable, so that they survive a restart: states do
// not have them. In the home's registry, written within a second. Bus thread only.
//
// Bounds: kMaxBytes for an entity; a longer value is stored without attributes. There is one value for each entity.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "core/states/state.h"
#include "domains/integration.h"

namespace hearth::integrations::mqtt {

class LastValues {
 public:
  static constexpr std::size_t kMaxBytes = 4'096;
  static constexpr base::Duration kDelay = std::chrono::seconds(1);

  explicit LastValues(const domains::IntegrationHome& home);

  // The entity of this key was in the state `before`, and is in the state `now` without a value.
  void keep(std::string_view key, const core::State& before, const core::State& now);
  // The state before `now`. Null if it is not known.
  core::StatePtr find(std::string_view key, const core::State& now) const;
  void forget(std::string_view key);
  // Writes what is due.
  void stop();

 private:
  // A change costs as much as its item is long, so there are many small ones.
  static constexpr std::size_t kShards = 256;
  // Items that are written before others have their turn on the bus.
  static constexpr std::size_t kAtOnce = 8;

  void note(std::size_t shard);
  void write(std::size_t most);

  core::Hub& hub_;
  domains::IntegrationBus& bus_;
  std::array<json::object, kShards> values_;
  std::set<std::size_t> due_;
  core::Timer timer_;
};

}  // namespace hearth::integrations::mqtt

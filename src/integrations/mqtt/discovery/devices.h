// SPDX-License-Identifier: Apache-2.0
// The devices of discovery in the home's registry: joins what several messages say about one device, with what another
// integration has said of it, and removes a device that has neither parts nor entities any more. Bus thread only.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "domains/integration.h"
#include "integrations/mqtt/components/device.h"

namespace hearth::integrations::mqtt {

class Devices {
 public:
  // A device without parts and entities stays so long: one that is renamed is described anew within some seconds, and
  // keeps its area and what people have called it.
  static constexpr base::Duration kEmptyTime = std::chrono::seconds(10);
  // Beyond so many that wait for that, a new one is none; beyond so many areas none is made for a device.
  static constexpr std::size_t kMaxEmpty = 10'000, kMaxAreas = 1'000;

  explicit Devices(const domains::IntegrationHome& home);

  // Registers the device, or what is new about it. Returns it as registered; without an id if there are too many.
  core::Device put(const DeviceDescription& description);
  // A part of a description belongs to the device, or does not any more. An empty id: to none.
  void join(const std::string& id);
  void leave(const std::string& id);
  // All messages of the last run have been put: devices without parts are empty.
  void settle();
  // Forgets none any more.
  void stop() { sweeping_ = {}; }

 private:
  using Mark = std::pair<std::string, std::string>;

  const core::Device* find(const core::RegistryData& registry, const core::Device& device) const;
  void take_over(const core::RegistryData& registry, core::Device& device) const;
  void remember(const core::Device& device);
  // The devices that have named it as their way into the network.
  void connect(const core::Device& device);
  // The device names the identifier as its way, and no device has it yet.
  void wait_for(const std::string& id, const std::string& identifier);
  void stop_waiting(const std::string& id);
  void note_empty(const std::string& id);
  void sweep();
  void forget(const core::Texts& ids);

  core::Hub& hub_;
  domains::IntegrationBus& bus_;
  std::map<std::string, std::size_t, std::less<>> parts_;  // how many each device has; none is not listed
  std::map<std::string, base::SteadyTime> empty_since_;
  core::Timer sweeping_;
  bool is_sweeping_ = false;                                           // while some are empty
  std::map<Mark, std::string> by_identifier_, by_connection_;          // device ids
  std::map<std::string, std::set<std::string>, std::less<>> waiting_;  // device ids by the identifier that is missing
  std::map<std::string, std::string> waits_for_;                       // and the reverse
};

}  // namespace hearth::integrations::mqtt

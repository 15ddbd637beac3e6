// SPDX-License-Identifier: Apache-2.0
// Looks in the network for devices of the integrations: what announces itself over mDNS becomes a flow that awaits a
// person, or is told to the connection that has it. Bus thread only.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/connections/integrations.h"
#include "base/handle.h"
#include "core/hub.h"
#include "net/mdns/instance.h"

namespace hearth::app {

class Discovery {
 public:
  // Present devices are told again at this pace, so that their flows do not end.
  static constexpr std::chrono::minutes kAgain{30};
  static constexpr std::size_t kMostDevices = 2'000;  // further ones are not told again

  using Found = std::function<void(std::string_view domain, domains::Discovered device)>;
  using Changed = std::function<void(const std::vector<net::MdnsChange>& changes)>;
  // Calls `changed` until the handle's end, as net::Mdns::browse does.
  using Browse = std::function<base::Handle(std::vector<std::string> types, Changed changed)>;

  // All must outlive this.
  Discovery(core::Hub& hub, Integrations integrations, Found found)
      : hub_(hub), integrations_(integrations), found_(std::move(found)) {}

  void start(const Browse& browse);
  void stop();

 private:
  void heard(const std::vector<net::MdnsChange>& changes);
  void tell(const net::MdnsInstance& service) const;
  void tell_again();

  core::Hub& hub_;
  const Integrations integrations_;
  const Found found_;
  std::map<std::pair<std::string, std::string>, net::MdnsInstance> present_;  // by type and name
  base::Handle browsing_;
  core::Timer again_;
};

}  // namespace hearth::app

// SPDX-License-Identifier: Apache-2.0
// Announces the hub in the network, so that clients find it: as _home-assistant._tcp, over mDNS.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/bus/event_bus.h"
#include "core/hub.h"
#include "net/mdns/mdns.h"

namespace hearth::app {

// True if other machines can reach one of these addresses; none means all of this machine.
bool reaches_network(const std::vector<std::string>& listen_hosts);
// http://192.168.1.5:8123; `scheme`: http or https.
std::string own_url(std::string_view scheme, const std::vector<std::string>& listen_hosts, std::uint16_t port);
// `first_url` is the own_url that the home has instead of an internal_url; `url` is the one of this moment.
net::MdnsService announced_service(const core::HubConfig& home, std::uint16_t port, std::string_view first_url,
                                   const std::string& url);

class Announcement {
 public:
  // Begins at once. The hub's configuration is published, and its port is known. `mdns` must outlive it.
  Announcement(net::Mdns& mdns, core::Hub& hub, const std::vector<std::string>& listen_hosts, std::string first_url);

 private:
  const core::Subscription changes_;
  const base::Handle announced_;
};

}  // namespace hearth::app

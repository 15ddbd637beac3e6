// SPDX-License-Identifier: Apache-2.0
// Where others reach this machine.
#pragma once

#include <string>
#include <vector>

namespace hearth::app {

// The host part of an address for the hub: the first of the hosts it listens on, in brackets where it is IPv6; where it
// listens on all, the machine's first address that is not loopback, else 127.0.0.1.
std::string reachable_host(const std::vector<std::string>& listen_hosts);

}  // namespace hearth::app

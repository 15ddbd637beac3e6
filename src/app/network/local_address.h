// SPDX-License-Identifier: Apache-2.0
// The address at which others reach this machine.
#pragma once

#include <string>
#include <vector>

namespace hearth::app {

// The host of the hub's own URL: the first host it listens on, in brackets if it is IPv6; if it listens on all
// addresses, the machine's first one that is not loopback, otherwise 127.0.0.1.
std::string reachable_host(const std::vector<std::string>& listen_hosts);

}  // namespace hearth::app

// SPDX-License-Identifier: Apache-2.0
// Shared by the workers of a server. Each member says who may call it; the server owns it.
#pragma once

#include <vector>

#include "base/net/ip_network.h"
#include "http/complaints.h"
#include "http/connection_table.h"
#include "http/memory_budget.h"
#include "http/messages/limits.h"

namespace hearth::http {

struct Commons {
  // `trusted_proxies` must outlive this.
  Commons(const Limits& limits, const std::vector<base::IpNetwork>& trusted_proxies)
      : receiving(limits.receiving_bytes), connections(limits.prefix_connections, trusted_proxies) {}

  MemoryBudget receiving;  // bodies and messages
  ConnectionTable connections;
  Complaints about_proxies;      // proxies that are not trusted
  Complaints about_connections;  // too many connections
};

}  // namespace hearth::http

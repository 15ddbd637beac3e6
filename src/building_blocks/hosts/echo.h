// SPDX-License-Identifier: Apache-2.0
// Asks a host on the network for an answer: by ICMP, if the system lets the hub send it (net.ipv4.ping_group_range), or
// by a TCP connection. Any thread that may wait.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "net/reactor/resolver.h"

namespace hearth::building_blocks {

struct EchoOptions {
  int count = 3;                                                 // of requests, one after the other
  std::optional<int> port = {};                                  // for a connection, if there is no answer by ICMP
  std::chrono::milliseconds patience = std::chrono::seconds(1);  // with each request
  bool icmp = true;  // false: by connections only, as where ICMP is not permitted
};

struct Echoes {
  std::vector<double> milliseconds;  // of each answer; empty: the host is not there
};

// Fails with unavailable if the hub cannot ask, or is not wanted any more. A refused connection is an answer.
base::Result<Echoes> ask_for_echo(const net::Address& address, const EchoOptions& options,
                                  const std::function<bool()>& is_wanted);

}  // namespace hearth::building_blocks

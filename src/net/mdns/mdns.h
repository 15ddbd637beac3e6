// SPDX-License-Identifier: Apache-2.0
// mDNS of this machine (RFC 6762): answers for a service and for the machine's addresses, on all of its networks. What
// later looks for services of others uses the same responder, as a machine needs only one.
//
// Thread `mdns` does all of it. It outlives missing networks, and follows the machine's addresses; failing is logged,
// and tried again. Nothing waits for it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "net/mdns/service.h"

namespace hearth::net {

// False in builds without libavahi-core.
bool has_mdns();

struct MdnsOptions {
  // One label, the machine's name in .local for this program: unique in the network.
  std::string host;
  // Only these of the machine's addresses are told; empty: all. Never those of loopback.
  std::vector<std::string> addresses = {};
  // Called on the thread: at its start, when the machine's addresses have changed, and after refresh.
  std::function<MdnsService()> service;
};

class Mdns {
 public:
  // Begins at once.
  explicit Mdns(MdnsOptions options);
  // Tells the network that the service ends.
  ~Mdns();
  Mdns(const Mdns&) = delete;
  Mdns& operator=(const Mdns&) = delete;

  // Any thread. What `service` returns has changed.
  void refresh();

 private:
  class Responder;

  const std::unique_ptr<Responder> responder_;
};

}  // namespace hearth::net

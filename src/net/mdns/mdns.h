// SPDX-License-Identifier: Apache-2.0
// mDNS of this machine (RFC 6762): one responder, by which the hub announces a service and its addresses, and finds
// services of others.
//
// Thread `mdns` does all of it; it begins with the first announcement or browser. It outlives missing networks, and
// follows the machine's addresses; failing is logged, and tried again. Nobody waits for it.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/handle.h"
#include "net/mdns/instance.h"
#include "net/mdns/service.h"
#include "net/reactor/bus_queue.h"

namespace hearth::net {

// False in builds without libavahi-core.
bool has_mdns();

struct MdnsOptions {
  // One label, the machine's name in .local for this program: unique in the network.
  std::string host;
  // The names of the interfaces that it uses; empty: all except loopback.
  std::vector<std::string> interfaces = {};
};

struct MdnsAnnouncement {
  // Only these of the machine's addresses are told; empty: all. Never those of loopback.
  std::vector<std::string> addresses = {};
  // Called on the thread: at the start, when the machine's addresses have changed, and after refresh.
  std::function<MdnsService()> service;
};

class Mdns {
 public:
  explicit Mdns(MdnsOptions options);
  // Tells the network that the service ends.
  ~Mdns();
  Mdns(const Mdns&) = delete;
  Mdns& operator=(const Mdns&) = delete;

  // Any thread. Until the handle's end, of which the network is told; waits for the thread then, because the function
  // may use what ends next. One at a time.
  [[nodiscard]] base::Handle announce(MdnsAnnouncement announcement);
  // Any thread. What `service` returns has changed.
  void refresh();

  // The changes, of each instance once; on the bus thread.
  using Changed = std::function<void(const std::vector<MdnsChange>& changes)>;
  // Bus thread, as the handle's end. Calls `changed` with the instances of the types that are there, and with each
  // change, at most once a second of one instance (net/mdns/instance_table.h). A full bus is tried again.
  [[nodiscard]] base::Handle browse(std::vector<std::string> types, PostToBus post, Changed changed);

  // For a resolver: asks the network for names below .local if the thread runs, at most for kLookupTime, and the system
  // for all others and if nobody answers. It may be called after the end of this, too.
  static constexpr std::chrono::seconds kLookupTime{6};
  Lookup lookup() const;

 private:
  class Responder;
  struct Door;  // to the responder, open until the end

  static Addresses ask(const std::shared_ptr<Door>& door, const std::string& host);

  const std::shared_ptr<Door> door_;
};

}  // namespace hearth::net

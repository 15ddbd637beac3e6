// SPDX-License-Identifier: Apache-2.0
// libavahi-core on a thread of its own.
#pragma once

#include <avahi-common/simple-watch.h>
#include <avahi-core/core.h>
#include <avahi-core/publish.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "net/mdns/machine_addresses.h"
#include "net/mdns/mdns.h"

namespace hearth::net {

class Mdns::Responder {
 public:
  explicit Responder(MdnsOptions options);
  // Ends the thread.
  ~Responder();

  // Any thread.
  void refresh();

 private:
  template <auto Free>
  struct Freed {
    void operator()(auto* object) const { Free(object); }
  };
  using Server = std::unique_ptr<AvahiServer, Freed<&avahi_server_free>>;
  using Poll = std::unique_ptr<AvahiSimplePoll, Freed<&avahi_simple_poll_free>>;
  using Texts = std::unique_ptr<AvahiStringList, Freed<&avahi_string_list_free>>;

  // All that follows: the thread only.
  void run();
  void watch(int descriptor, AvahiWatchCallback callback);
  void open();
  // Ends the server, and has another one begin later.
  void fail(std::string_view why);
  // Looks soon at the machine's addresses and the service, at once for several changes.
  void look_soon();
  void look();
  void server_changed(AvahiServer* server, AvahiServerState state);
  void addresses_changed(AvahiEntryGroupState state);
  void service_changed(AvahiEntryGroupState state);
  void rename_host(AvahiServer* server);
  void publish_addresses(AvahiServer* server);
  void publish_service(AvahiServer* server);
  Texts texts() const;
  const AvahiPoll* api() const { return avahi_simple_poll_get(poll_.get()); }
  void after(std::chrono::milliseconds time, AvahiTimeout*& timer, AvahiTimeoutCallback callback);

  const MdnsOptions options_;
  const int wake_;  // an eventfd
  std::atomic<bool> stopping_{false};

  AddressChanges changes_;
  Poll poll_;
  AvahiTimeout* look_timer_ = nullptr;   // freed with the poll
  AvahiTimeout* retry_timer_ = nullptr;  // likewise
  Server server_;
  AvahiSEntryGroup* address_group_ = nullptr;  // freed with the server
  AvahiSEntryGroup* service_group_ = nullptr;  // likewise
  std::vector<MachineAddress> addresses_;
  MdnsService service_;
  std::string name_;                    // the service's, with its suffix
  std::string announced_;               // the last name that the log has
  std::optional<std::string> failure_;  // within a callback of the server that cannot go on
  std::chrono::milliseconds pause_{};   // before the next try
  std::thread thread_;                  // last: it uses all others
};

}  // namespace hearth::net

// SPDX-License-Identifier: Apache-2.0
// libavahi-core on a thread of its own.
#pragma once

#include <avahi-common/simple-watch.h>
#include <avahi-core/core.h>
#include <avahi-core/publish.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "net/mdns/avahi_browsing.h"
#include "net/mdns/avahi_objects.h"
#include "net/mdns/machine_addresses.h"
#include "net/mdns/mdns.h"

namespace hearth::net {

class Mdns::Responder {
 public:
  using Order = std::move_only_function<void(Responder&)>;

  explicit Responder(const MdnsOptions& options);
  // Ends the thread.
  ~Responder();

  // Any thread. Carried out on the thread, in order. False if it has ended, because poll has failed.
  bool order(Order order);

  // The rest is for the thread only.
  void announce(MdnsAnnouncement announcement);
  void withdraw();
  // Looks soon at the machine's addresses and the service, at once for several changes.
  void look_soon();
  AvahiBrowsing& browsing() { return *browsing_; }

 private:
  using Server = std::unique_ptr<AvahiServer, AvahiFreed<&avahi_server_free>>;
  using Poll = std::unique_ptr<AvahiSimplePoll, AvahiFreed<&avahi_simple_poll_free>>;

  void run();
  void serve();
  void carry_out_orders();
  void wake();
  void watch(int descriptor, AvahiWatchCallback callback);
  void open();
  // Ends the server, and has another one begin later.
  void fail(std::string_view why);
  void look();
  void look_up_announced();
  void server_changed(AvahiServer* server, AvahiServerState state);
  void addresses_changed(AvahiEntryGroupState state);
  void service_changed(AvahiEntryGroupState state);
  void rename_host(AvahiServer* server);
  void publish_addresses(AvahiServer* server);
  void publish_service(AvahiServer* server);
  AvahiTexts texts() const;
  bool server_runs() const { return server_ && avahi_server_get_state(server_.get()) == AVAHI_SERVER_RUNNING; }
  const AvahiPoll* api() const { return avahi_simple_poll_get(poll_.get()); }

  const MdnsOptions& options_;
  const int wake_;  // an eventfd
  std::atomic<bool> stopping_{false};
  base::Mutex mutex_;
  std::vector<Order> orders_ __attribute__((guarded_by(mutex_)));
  bool ended_ __attribute__((guarded_by(mutex_))) = false;

  AddressChanges changes_;
  Poll poll_;
  AvahiTimer look_timer_, retry_timer_;
  Server server_;
  std::optional<AvahiBrowsing> browsing_;
  std::optional<MdnsAnnouncement> announcement_;
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

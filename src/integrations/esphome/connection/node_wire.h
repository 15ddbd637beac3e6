// SPDX-License-Identifier: Apache-2.0
// The wire to a node over TCP: a link of the thread `net`, as the bus thread sees it. Bus thread only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "domains/entities/integration_bus.h"
#include "integrations/esphome/session/wire.h"
#include "net/link/link.h"
#include "net/reactor/bus_queue.h"
#include "net/reactor/on_net.h"

namespace hearth::integrations::esphome {

class LinkEnd;

class NodeWire final : public Wire {
 public:
  class Events {
   public:
    virtual ~Events() = default;
    virtual void on_connected() = 0;
    virtual void on_bytes(std::string_view bytes) = 0;
    // An attempt has failed, or the connection is lost; the link tries again by itself.
    virtual void on_lost(const net::Failure& why) = 0;
  };

  // Begins to connect. All must outlive this. Throws std::runtime_error if the reactor takes no task.
  NodeWire(net::Reactor& reactor, const domains::IntegrationBus& bus, net::LinkOptions options, Events& events);
  ~NodeWire() override;

  void send(std::string bytes) override;
  // The link tries again after a pause, with `why` in on_lost.
  void close(const std::string& why) override;
  // The node tells its states: the next pause is the shortest.
  void set_ready();
  // Closes after what was sent. Nothing more happens until retry_now.
  void stop();
  void retry_now();

 private:
  friend class LinkEnd;
  struct Arrival {
    enum class Kind { connected, bytes, lost };
    Kind kind;
    std::uint64_t connection;  // its number
    std::string bytes;
    net::Failure why = {};
  };

  void deliver(net::BusQueue<Arrival>::Batch batch);

  Events& events_;
  std::uint64_t connection_ = 0;  // the present one's number; what is meant for an earlier one is not sent
  net::BusQueue<Arrival> arrivals_;
  net::OnNet<LinkEnd> link_;
};

}  // namespace hearth::integrations::esphome

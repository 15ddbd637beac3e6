// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/connection/node_wire.h"

#include <utility>

#include "integrations/esphome/connection/link_end.h"

namespace hearth::integrations::esphome {

NodeWire::NodeWire(net::Reactor& reactor, const domains::IntegrationBus& bus, net::LinkOptions options, Events& events)
    : events_(events),
      arrivals_(bus.poster(), [this](net::BusQueue<Arrival>::Batch batch) { deliver(std::move(batch)); }),
      link_(reactor, [&reactor, options = std::move(options), sender = arrivals_.sender()]() mutable {
        return std::make_unique<LinkEnd>(reactor, std::move(options), std::move(sender));
      }) {}

NodeWire::~NodeWire() = default;

void NodeWire::send(std::string bytes) {
  link_.call([connection = connection_, bytes = std::move(bytes)](LinkEnd& link) { link.write(connection, bytes); });
}

void NodeWire::close(const std::string& why) {
  link_.call([connection = connection_, why](LinkEnd& link) { link.close(connection, why); });
}

void NodeWire::set_ready() {
  link_.call([connection = connection_](LinkEnd& link) { link.set_ready(connection); });
}

void NodeWire::stop() {
  link_.call([](LinkEnd& link) { link.stop(); });
}

void NodeWire::retry_now() {
  link_.call([](LinkEnd& link) { link.retry_now(); });
}

// A batch that says `lost` cannot be: the link is paused long before.
void NodeWire::deliver(net::BusQueue<Arrival>::Batch batch) {
  for (Arrival& arrival : batch.items) {
    switch (arrival.kind) {
      case Arrival::Kind::connected:
        connection_ = arrival.connection;
        events_.on_connected();
        break;
      case Arrival::Kind::bytes:
        events_.on_bytes(arrival.bytes);
        break;
      case Arrival::Kind::lost:
        events_.on_lost(arrival.why);
        break;
    }
  }
}

}  // namespace hearth::integrations::esphome

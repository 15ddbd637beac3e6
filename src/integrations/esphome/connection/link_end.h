// SPDX-License-Identifier: Apache-2.0
// The end of a node's wire on the thread `net`, which alone uses it.
#pragma once

#include <memory>

#include "integrations/esphome/connection/node_wire.h"

namespace hearth::integrations::esphome {

class LinkEnd final : private net::Link::Handler {
 public:
  LinkEnd(net::Reactor& reactor, net::LinkOptions options, net::BusSender<NodeWire::Arrival> arrivals);

  // Of the connection with this number; no effect if another has followed.
  void write(std::uint64_t connection, std::string_view bytes);
  void close(std::uint64_t connection, std::string why);
  void set_ready(std::uint64_t connection);
  void stop() { link_->stop(); }
  void retry_now() { link_->retry_now(); }

 private:
  using Arrival = NodeWire::Arrival;

  void on_connected() override;
  void on_bytes(std::string_view bytes) override;
  void on_lost(const net::Failure& why, std::chrono::milliseconds retry_in) override;
  void put(Arrival arrival);

  net::BusSender<Arrival> arrivals_;
  std::uint64_t connection_ = 0;
  std::unique_ptr<net::Link> link_;
};

}  // namespace hearth::integrations::esphome

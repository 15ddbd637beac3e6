// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/connection/link_end.h"

#include <utility>

namespace hearth::integrations::esphome {

LinkEnd::LinkEnd(net::Reactor& reactor, net::LinkOptions options, net::BusSender<Arrival> arrivals)
    : arrivals_(std::move(arrivals)) {
  arrivals_.start(reactor, [this] { link_->resume_reading(); });
  link_ = net::make_link(reactor, std::move(options), *this);
}

void LinkEnd::write(std::uint64_t connection, std::string_view bytes) {
  if (connection == connection_) link_->write(bytes);
}

void LinkEnd::close(std::uint64_t connection, std::string why) {
  if (connection == connection_) link_->fail({net::Reason::unknown, std::move(why)});
}

void LinkEnd::set_ready(std::uint64_t connection) {
  if (connection == connection_) link_->set_ready();
}

void LinkEnd::on_connected() {
  ++connection_;
  put({Arrival::Kind::connected, connection_, {}});
}

void LinkEnd::on_bytes(std::string_view bytes) {
  put({Arrival::Kind::bytes, connection_, std::string(bytes)});
}

void LinkEnd::on_lost(const net::Failure& why, std::chrono::milliseconds) {
  put({Arrival::Kind::lost, connection_, {}, why});
}

void LinkEnd::put(Arrival arrival) {
  const std::size_t bytes = sizeof(Arrival) + arrival.bytes.size() + arrival.why.message.size();
  if (!arrivals_.put(std::move(arrival), bytes)) link_->pause_reading();
}

}  // namespace hearth::integrations::esphome

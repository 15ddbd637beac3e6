// SPDX-License-Identifier: Apache-2.0
#include "net/link/udp_link.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/ip/udp.hpp>
#include <cerrno>
#include <utility>

namespace hearth::net {

void UdpLink::open() {
  lookup_ = reactor().resolver().resolve(
      target().host, [this](std::expected<Addresses, Failure> found) { connect(std::move(found)); });
}

void UdpLink::connect(std::expected<Addresses, Failure> found) {
  if (!found) return lose(found.error());
  if (found->empty()) return lose({Reason::invalid_host, fmt::format("the host {} has no address", name())});
  const boost::asio::ip::udp::endpoint peer(found->front(), target().port);
  const int socket = ::socket(peer.protocol().family(), SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket < 0) return lose_with_errno("cannot be reached");
  if (::connect(socket, peer.data(), static_cast<socklen_t>(peer.size())) != 0) {
    const int error = errno;
    ::close(socket);
    errno = error;
    return lose_with_errno("cannot be reached");
  }
  opened(socket);
}

}  // namespace hearth::net

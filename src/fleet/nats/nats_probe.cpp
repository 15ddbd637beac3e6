// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <system_error>

#include "fleet/nats/nats_session.h"

namespace hearth::fleet {
namespace {

constexpr std::chrono::milliseconds kProbePatience{5000};

// 0, or what went wrong.
int probe(const addrinfo& place) {
  const int socket = ::socket(place.ai_family, place.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, place.ai_protocol);
  if (socket < 0) return errno;
  int error = ::connect(socket, place.ai_addr, place.ai_addrlen) == 0 ? 0 : errno;
  if (error == EINPROGRESS) {
    pollfd wait{.fd = socket, .events = POLLOUT, .revents = 0};
    socklen_t size = sizeof(error);
    if (::poll(&wait, 1, static_cast<int>(kProbePatience.count())) <= 0)
      error = ETIMEDOUT;
    else
      ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size);
  }
  ::close(socket);
  return error;
}

}  // namespace

base::Result<void> probe_nats_server(const NatsAddress& address) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* places = nullptr;
  const int failed = ::getaddrinfo(address.host.c_str(), address.port.c_str(), &hints, &places);
  std::string why = failed ? ::gai_strerror(failed) : "it has no address";
  bool found = false;
  for (const addrinfo* place = failed ? nullptr : places; place && !found; place = place->ai_next) {
    const int error = probe(*place);
    found = error == 0;
    why = std::generic_category().message(error);
  }
  if (!failed) ::freeaddrinfo(places);
  if (found) return {};
  return base::fail(base::ErrorCode::unavailable,
                    fmt::format("The NATS server {} cannot be reached: {}.", address.url, why));
}

}  // namespace hearth::fleet

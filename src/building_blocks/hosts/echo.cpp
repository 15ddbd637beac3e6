// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/hosts/echo.h"

#include <fmt/format.h>
#include <netinet/icmp6.h>
#include <netinet/in.h>
#include <netinet/ip_icmp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <span>
#include <string>

#include "base/threads/descriptor.h"

namespace hearth::building_blocks {
namespace {

using base::Descriptor;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLookEvery{200};
constexpr std::size_t kHeader = 8;  // bytes of an echo request of either version, before its data

struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t size = 0;

  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
};

SocketAddress socket_address(const net::Address& address, int port) {
  SocketAddress made;
  if (address.is_v4()) {
    sockaddr_in v4{};
    v4.sin_family = AF_INET;
    v4.sin_port = htons(static_cast<std::uint16_t>(port));
    v4.sin_addr.s_addr = htonl(address.to_v4().to_uint());
    std::memcpy(&made.storage, &v4, sizeof v4);
    made.size = sizeof v4;
  } else {
    sockaddr_in6 v6{};
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(static_cast<std::uint16_t>(port));
    const auto bytes = address.to_v6().to_bytes();
    std::memcpy(&v6.sin6_addr, bytes.data(), bytes.size());
    v6.sin6_scope_id = static_cast<std::uint32_t>(address.to_v6().scope_id());
    std::memcpy(&made.storage, &v6, sizeof v6);
    made.size = sizeof v6;
  }
  return made;
}

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

std::unexpected<base::Error> not_wanted() {
  return base::fail(base::ErrorCode::unavailable, "the hub stops");
}

enum class Ready { yes, late, unwanted };

Ready wait_for(int socket, short events, Clock::time_point deadline, const std::function<bool()>& is_wanted) {
  while (true) {
    if (is_wanted && !is_wanted()) return Ready::unwanted;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) return Ready::late;
    pollfd ready{socket, events, 0};
    if (::poll(&ready, 1, static_cast<int>(std::min(left, kLookEvery).count())) > 0) return Ready::yes;
  }
}

// True for the answer to the request with this number and data.
bool is_answer(std::span<const unsigned char> packet, bool v4, std::uint16_t number,
               std::span<const unsigned char> data) {
  const unsigned char wanted = v4 ? ICMP_ECHOREPLY : ICMP6_ECHO_REPLY;
  return packet.size() == kHeader + data.size() && packet[0] == wanted && ((packet[6] << 8) | packet[7]) == number &&
         std::ranges::equal(packet.subspan(kHeader), data);
}

base::Result<Echoes> by_icmp(int socket, const net::Address& address, const EchoOptions& options,
                             const std::function<bool()>& is_wanted) {
  Echoes echoes;
  const SocketAddress to = socket_address(address, 0);
  for (std::uint16_t number = 1; number <= options.count; ++number) {
    const auto begin = Clock::now();
    // The moment tells late answers to other requests from the one to this.
    const auto data = std::bit_cast<std::array<unsigned char, sizeof(std::int64_t)>>(
        static_cast<std::int64_t>(begin.time_since_epoch().count()));
    std::array<unsigned char, kHeader + data.size()> request{};
    request[0] = address.is_v4() ? ICMP_ECHO : ICMP6_ECHO_REQUEST;
    request[6] = static_cast<unsigned char>(number >> 8);
    request[7] = static_cast<unsigned char>(number & 0xFF);
    std::ranges::copy(data, request.begin() + kHeader);
    // An error, such as that no way leads there, means that the host is not there.
    if (::sendto(socket, request.data(), request.size(), MSG_DONTWAIT, to.get(), to.size) < 0) continue;
    while (true) {
      const Ready ready = wait_for(socket, POLLIN, begin + options.patience, is_wanted);
      if (ready == Ready::unwanted) return not_wanted();
      if (ready == Ready::late) break;
      std::array<unsigned char, 512> packet;
      const ssize_t bytes = ::recv(socket, packet.data(), packet.size(), MSG_DONTWAIT);
      if (bytes < 0 && errno != EAGAIN && errno != EINTR) break;
      if (bytes <= 0 || !is_answer({packet.data(), static_cast<std::size_t>(bytes)}, address.is_v4(), number, data))
        continue;
      echoes.milliseconds.push_back(milliseconds_since(begin));
      break;
    }
  }
  return echoes;
}

base::Result<Echoes> by_connection(const net::Address& address, const EchoOptions& options,
                                   const std::function<bool()>& is_wanted) {
  Echoes echoes;
  const SocketAddress to = socket_address(address, *options.port);
  for (int number = 0; number < options.count; ++number) {
    const Descriptor socket(
        ::socket(address.is_v4() ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (!socket.is_open())
      return base::fail(base::ErrorCode::unavailable,
                        fmt::format("the host cannot be asked: {}", std::strerror(errno)));
    const auto begin = Clock::now();
    int error = ::connect(socket.number(), to.get(), to.size) == 0 ? 0 : errno;
    if (error == EINPROGRESS) {
      const Ready ready = wait_for(socket.number(), POLLOUT, begin + options.patience, is_wanted);
      if (ready == Ready::unwanted) return not_wanted();
      if (ready == Ready::late) continue;
      socklen_t size = sizeof error;
      ::getsockopt(socket.number(), SOL_SOCKET, SO_ERROR, &error, &size);
    }
    if (error == 0 || error == ECONNREFUSED) echoes.milliseconds.push_back(milliseconds_since(begin));
  }
  return echoes;
}

}  // namespace

base::Result<Echoes> ask_for_echo(const net::Address& address, const EchoOptions& options,
                                  const std::function<bool()>& is_wanted) {
  int why = 0;
  if (options.icmp) {
    const Descriptor socket(address.is_v4() ? ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, IPPROTO_ICMP)
                                            : ::socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, IPPROTO_ICMPV6));
    why = errno;
    if (socket.is_open()) {
      auto echoes = by_icmp(socket.number(), address, options, is_wanted);
      if (!echoes || !echoes->milliseconds.empty() || !options.port) return echoes;
    }
  }
  if (options.port) return by_connection(address, options, is_wanted);
  return base::fail(base::ErrorCode::unavailable,
                    fmt::format("the hub may not send ICMP here ({}): set net.ipv4.ping_group_range of the system, or "
                                "give a port that a connection is tried to",
                                why == 0 ? "it is turned off" : std::strerror(why)));
}

}  // namespace hearth::building_blocks

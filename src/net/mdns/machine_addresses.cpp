// SPDX-License-Identifier: Apache-2.0
#include "net/mdns/machine_addresses.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

namespace hearth::net {
namespace {

// Empty if it is of another family.
std::string address_text(const sockaddr* address) {
  char text[INET6_ADDRSTRLEN];
  const void* bytes = nullptr;
  if (address && address->sa_family == AF_INET)
    bytes = &reinterpret_cast<const sockaddr_in*>(address)->sin_addr;
  else if (address && address->sa_family == AF_INET6)
    bytes = &reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr;
  return bytes && ::inet_ntop(address->sa_family, bytes, text, sizeof text) ? text : std::string();
}

bool is_link_local(const sockaddr* address) {
  return address->sa_family == AF_INET6 &&
         IN6_IS_ADDR_LINKLOCAL(&reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr);
}

}  // namespace

std::vector<MachineAddress> machine_addresses(std::span<const std::string> only) {
  std::vector<MachineAddress> addresses, link_local;
  ifaddrs* raw = nullptr;
  if (::getifaddrs(&raw) != 0) return addresses;
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> all(raw, &::freeifaddrs);
  for (const ifaddrs* at = raw; at; at = at->ifa_next) {
    if ((at->ifa_flags & IFF_LOOPBACK) || !(at->ifa_flags & IFF_UP)) continue;
    MachineAddress found{static_cast<int>(::if_nametoindex(at->ifa_name)), address_text(at->ifa_addr)};
    if (found.interface == 0 || found.address.empty()) continue;
    if (!only.empty() && std::ranges::find(only, found.address) == only.end()) continue;
    (is_link_local(at->ifa_addr) ? link_local : addresses).push_back(std::move(found));
  }
  for (MachineAddress& each : link_local) {
    const bool only_one = std::ranges::find(addresses, each.interface, &MachineAddress::interface) == addresses.end();
    if (only_one) addresses.push_back(std::move(each));
  }
  std::ranges::sort(addresses);
  return addresses;
}

AddressChanges::AddressChanges()
    : socket_(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE)) {
  sockaddr_nl changes{};
  changes.nl_family = AF_NETLINK;
  changes.nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR;
  if (socket_ >= 0 && ::bind(socket_, reinterpret_cast<const sockaddr*>(&changes), sizeof changes) != 0) {
    ::close(socket_);
    socket_ = -1;
  }
}

AddressChanges::~AddressChanges() {
  if (socket_ >= 0) ::close(socket_);
}

bool AddressChanges::drain() {
  char bytes[4096];
  bool complete = true;
  for (;;) {
    if (::recv(socket_, bytes, sizeof bytes, 0) >= 0 || errno == EINTR) continue;
    if (errno != ENOBUFS) return complete;
    complete = false;
  }
}

}  // namespace hearth::net

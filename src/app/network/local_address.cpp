// SPDX-License-Identifier: Apache-2.0
#include "app/network/local_address.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

#include <memory>

namespace hearth::app {
namespace {

std::string first_interface_address() {
  ifaddrs* raw = nullptr;
  if (getifaddrs(&raw) != 0) return "127.0.0.1";
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> all(raw, &freeifaddrs);
  for (const ifaddrs* at = all.get(); at; at = at->ifa_next) {
    if (!at->ifa_addr || at->ifa_addr->sa_family != AF_INET) continue;
    if ((at->ifa_flags & IFF_LOOPBACK) || !(at->ifa_flags & IFF_RUNNING)) continue;
    char text[INET_ADDRSTRLEN];
    const auto& address = reinterpret_cast<const sockaddr_in*>(at->ifa_addr)->sin_addr;
    if (inet_ntop(AF_INET, &address, text, sizeof text)) return text;
  }
  return "127.0.0.1";
}

}  // namespace

std::string reachable_host(const std::vector<std::string>& listen_hosts) {
  const bool everywhere = listen_hosts.empty() || listen_hosts.front() == "0.0.0.0" || listen_hosts.front() == "::";
  if (everywhere) return first_interface_address();
  const std::string& host = listen_hosts.front();
  return host.find(':') == std::string::npos ? host : "[" + host + "]";
}

}  // namespace hearth::app

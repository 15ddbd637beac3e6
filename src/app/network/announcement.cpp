// SPDX-License-Identifier: Apache-2.0
#include "app/network/announcement.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <iterator>
#include <utility>

#include "app/network/local_address.h"

namespace hearth::app {
namespace {

constexpr char kServiceType[] = "_home-assistant._tcp";

bool is_any(const std::string& host) {
  return host == "0.0.0.0" || host == "::";
}

bool is_loopback(const std::string& host) {
  boost::system::error_code none;
  return boost::asio::ip::make_address(host, none).is_loopback();
}

net::MdnsAnnouncement to_announce(core::Hub& hub, const std::vector<std::string>& listen_hosts, std::string first_url) {
  net::MdnsAnnouncement announcement{.service = {}};
  if (std::ranges::none_of(listen_hosts, is_any)) {
    std::ranges::copy_if(listen_hosts, std::back_inserter(announcement.addresses), std::not_fn(is_loopback));
  }
  announcement.service = [&hub, listen_hosts, first_url = std::move(first_url)] {
    const std::string_view scheme = std::string_view(first_url).substr(0, first_url.find(':'));
    return announced_service(*hub.config.load(), hub.port, first_url, own_url(scheme, listen_hosts, hub.port));
  };
  return announcement;
}

}  // namespace

bool reaches_network(const std::vector<std::string>& listen_hosts) {
  return listen_hosts.empty() || !std::ranges::all_of(listen_hosts, is_loopback);
}

std::string own_url(std::string_view scheme, const std::vector<std::string>& listen_hosts, std::uint16_t port) {
  return fmt::format("{}://{}:{}", scheme, reachable_host(listen_hosts), port);
}

net::MdnsService announced_service(const core::HubConfig& home, std::uint16_t port, std::string_view first_url,
                                   const std::string& url) {
  // Clients take an empty one as "none". A home without one has the other in its place.
  const std::string& internal = home.internal_url == first_url ? url : home.internal_url;
  const std::string external = home.external_url == home.internal_url ? std::string() : home.external_url;
  std::string name = net::service_name(home.location_name);
  if (name.empty()) name = core::HubConfig().location_name;
  return {.name = std::move(name),
          .type = kServiceType,
          .port = port,
          .texts = {{"location_name", home.location_name},
                    {"uuid", home.uuid},
                    {"version", home.version},
                    {"internal_url", internal},
                    {"external_url", external},
                    {"base_url", external.empty() ? internal : external},
                    {"requires_api_password", "True"}}};
}

Announcement::Announcement(net::Mdns& mdns, core::Hub& hub, const std::vector<std::string>& listen_hosts,
                           std::string first_url)
    : changes_(hub.bus.listen(core::event_type::kCoreConfigUpdated, [&mdns](const core::Event&) { mdns.refresh(); })),
      announced_(mdns.announce(to_announce(hub, listen_hosts, std::move(first_url)))) {}

}  // namespace hearth::app

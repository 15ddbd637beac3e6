// SPDX-License-Identifier: Apache-2.0
#include "api/gateway/foreign_page.h"

#include <algorithm>

#include "base/net/ip_network.h"
#include "base/net/web_origin.h"

namespace hearth::api {
namespace {

bool is_own_page(const http::RequestHeaders& headers, const core::HubConfig& home) {
  const auto page = base::origin_authority(headers.origin);
  if (!page) return false;
  return page == base::parse_authority(headers.host, base::default_port(headers.origin)) ||
         page == base::origin_authority(home.internal_url) || page == base::origin_authority(home.external_url);
}

bool is_at_home(const boost::asio::ip::address& address) {
  if (address.is_loopback()) return true;
  constexpr std::string_view kPrivate[] = {"10.0.0.0/8",     "172.16.0.0/12", "192.168.0.0/16",
                                           "169.254.0.0/16", "fc00::/7",      "fe80::/10"};
  return std::ranges::any_of(
      kPrivate, [&](std::string_view network) { return base::IpNetwork::parse(network)->contains(address); });
}

bool is_name_of(std::string_view host, std::string_view url) {
  const auto own = base::origin_authority(url);
  return own && own->host == host;
}

}  // namespace

std::optional<http::Response> refuse_foreign_page(const http::RequestHeaders& headers, const core::HubConfig& home,
                                                  const http::ServerOptions& options) {
  if (headers.has_origin && options.allows_origin(headers.origin)) return {};
  const std::string& site = headers.sec_fetch_site;
  const bool is_near = site.empty() || site == "same-origin" || site == "same-site" || site == "none";
  if (is_near && (!headers.has_origin || is_own_page(headers, home))) return {};
  return http::Response::message(403,
                                 "This page is not the hub's own. If it may call the hub, list its origin in http: "
                                 "cors_allowed_origins; if it is the hub's, by another address, set home: internal_url "
                                 "or external_url.");
}

bool may_be_foreign(const http::Request& request, const core::HubConfig& home) {
  if (!is_at_home(request.client)) return true;
  const auto host = base::parse_authority(request.headers.host, 0);
  if (!host) return true;
  return !base::is_home_name(host->host) && !is_name_of(host->host, home.internal_url) &&
         !is_name_of(host->host, home.external_url);
}

}  // namespace hearth::api

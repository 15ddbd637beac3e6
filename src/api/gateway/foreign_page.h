// SPDX-License-Identifier: Apache-2.0
// Refuses requests that a browser makes for another site's page (contract, Weight, and strangers: Origin, Host, first
// user). Otherwise any page that somebody in the home opens could use the endpoints that need no token. Any thread.
#pragma once

#include <optional>

#include "core/values/hub_config.h"
#include "http/messages/request.h"
#include "http/messages/response.h"
#include "http/worker.h"

namespace hearth::api {

// 403 if the page is neither the hub's own, by the host and port of Host, internal_url or external_url, nor in
// cors_allowed_origins. The scheme is not compared: a proxy may have ended TLS. What is no browser's passes.
std::optional<http::Response> refuse_foreign_page(const http::RequestHeaders& headers, const core::HubConfig& home,
                                                  const http::ServerOptions& options);

// True if the request may come from outside: its address is neither loopback's nor a private network's, or the name in
// Host may be somebody else's who lets it point here (DNS rebinding), so that their page would count as the hub's own.
bool may_be_foreign(const http::Request& request, const core::HubConfig& home);

}  // namespace hearth::api

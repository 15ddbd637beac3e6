// SPDX-License-Identifier: Apache-2.0
// The OAuth client that a user logs in to: identified by the URL of its web page; the user is redirected to a URL of
// the same origin (IndieAuth §4.1, §4.2.2, without fetching the page). Any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace hearth::auth {

// `http://` or `https://`, a host, an optional port, path and query; no user, no fragment, no `.` or `..` segments.
// Fails with invalid.
base::Result<void> check_client_id(std::string_view client_id);

struct RedirectTarget {
  std::string source;  // for a Content-Security-Policy: `https://panel.example:8443`, `homeassistant:`
  std::string shown;   // for people: the origin, or what the client is
};
// Where the user goes after the login. Fails with invalid if the URL is malformed, or has another scheme, host or port
// than the client, unless it is an address of a companion app, which is known by both.
base::Result<RedirectTarget> check_redirect_uri(std::string_view redirect_uri, std::string_view client_id);

}  // namespace hearth::auth

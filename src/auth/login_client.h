// SPDX-License-Identifier: Apache-2.0
// The client that a user logs in to, as OAuth in this family has it: it is named by the address of its web page, and
// the user is sent back to an address at the same place (IndieAuth §4.1, §4.2.2, without fetching the page). Any
// thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace hearth::auth {

// `http://` or `https://`, a host, perhaps a port, a path and a query; no user, no fragment, no `.` or `..` segments.
// Fails with invalid.
base::Result<void> check_client_id(std::string_view client_id);

// Returns the redirect address's origin, `https://panel.example:8443`. Fails with invalid where it is none, or has
// another scheme, host or port than the client.
base::Result<std::string> check_redirect_uri(std::string_view redirect_uri, std::string_view client_id);

}  // namespace hearth::auth

// SPDX-License-Identifier: Apache-2.0
// The origin of a web page or a hub: scheme, host and port, as browsers send it in Origin (RFC 6454). Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/net/authority.h"

namespace hearth::base {

// Takes http:// or https://, a host, an optional port and an optional final slash. Returns the form that browsers send:
// lower case, without the slash and the default port. Null if the text is anything else.
std::optional<std::string> parse_web_origin(std::string_view text);

// The default port of the origin's scheme.
std::uint16_t default_port(std::string_view origin);
// The origin's host and port. Null if the text is no origin.
std::optional<Authority> origin_authority(std::string_view origin);

}  // namespace hearth::base

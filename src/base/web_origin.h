// SPDX-License-Identifier: Apache-2.0
// Where a web page or a hub is served: scheme, host and port, as browsers write it into Origin (RFC 6454). Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/authority.h"

namespace hearth::base {

// http:// or https://, a host and perhaps a port and a final slash; nothing more. In the form browsers send: lower
// case, without the slash and without the scheme's own port. Nothing where the text is something else.
std::optional<std::string> parse_web_origin(std::string_view text);

// The port that an address of its scheme has if it names none.
std::uint16_t default_port(std::string_view origin);
// Its host and port. Nothing if it is no origin.
std::optional<Authority> origin_authority(std::string_view origin);

}  // namespace hearth::base

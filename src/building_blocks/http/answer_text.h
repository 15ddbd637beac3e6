// SPDX-License-Identifier: Apache-2.0
// The texts of answers. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "net/http/http_message.h"

namespace hearth::building_blocks {

// The charset's name as charsets are known here, such as iso-8859-1; empty if it is not.
std::string known_charset(std::string_view name);

// As UTF-8: from the charset that the server names, if it is known, otherwise from `encoding`, which must be. Bytes
// that the charset does not have become U+FFFD.
std::string text_of(const net::HttpResponse& answer, std::string_view encoding = "utf-8");

}  // namespace hearth::building_blocks

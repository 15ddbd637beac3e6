// SPDX-License-Identifier: Apache-2.0
// Reads the time that a sensor of class timestamp gets as a text. Any thread.
#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace hearth::templates {

// In whole seconds of UTC, as clients compare these texts; otherwise what was expected instead. A time without a zone
// is none: nobody knows whose clocks showed it.
std::expected<std::string, std::string_view> zoned_time(std::string_view text);

}  // namespace hearth::templates

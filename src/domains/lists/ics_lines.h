// SPDX-License-Identifier: Apache-2.0
// The lines of an iCalendar that are of use here, before the library sees any. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hearth::domains::ics {

// Bytes of a line with its continuations; the rest of a longer one is dropped.
constexpr std::size_t kMaxLine = 64 * 1024;

// Calendars, events and to-dos with the properties that are read, so that the library's tree has two levels and knows
// no time zones, alarms or attachments. Takes time in proportion to the text. Empty if it is no iCalendar.
std::string relevant_lines(std::string_view text);

// The zone's name in the database of time zones. Takes those names, also after a prefix such as /freeassociation.org/,
// and the names that Windows and Outlook write. Null if nobody knows it.
std::optional<std::string> known_zone(std::string_view name);

}  // namespace hearth::domains::ics

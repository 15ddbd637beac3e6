// SPDX-License-Identifier: Apache-2.0
// Times and ids as the old database has them. Any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "storage/statement.h"

namespace hearth::import_ha {

using Id16 = std::array<std::uint8_t, 16>;

// Seconds since 1970, to the nearest microsecond, half to even. Null if it is no number or beyond the year 9999.
std::optional<base::Timestamp> time_of_seconds(double seconds);
// The column of seconds; if it is null, the one of text, `2023-01-02 03:04:05.678901`, in UTC. Null if neither has one.
std::optional<base::Timestamp> time_of_columns(const storage::Statement& row, int seconds, int text);

// Crockford's base 32, 26 characters.
std::array<char, 26> ulid_text(const Id16& id);
// 32 lower-case hexadecimal digits.
std::array<char, 32> hex_text(const Id16& id);
// Of a ULID, or of a UUID with or without dashes.
std::optional<Id16> parse_id16(std::string_view text);
// The column of 16 bytes; if it is null, the one of text.
std::optional<Id16> id_of_columns(const storage::Statement& row, int bytes, int text);

}  // namespace hearth::import_ha

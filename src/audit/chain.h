// SPDX-License-Identifier: Apache-2.0
// The hash chain: the hash of each row covers all of the row, and the hash of the row before. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "audit/entry.h"
#include "base/result.h"

namespace hearth::audit {

// SHA-256 as 64 hexadecimal digits over the hash of the row before (its digits; zeros for the first row) and, each as
// `length:text,`: number, time in microseconds since 1970, count, what, subject, user id, user, address, client,
// before, after. Numbers are decimal.
std::string hash_of(const Row& row, std::string_view hash_before);

// `number:hash`, as `hearth audit verify` prints it. parse_head fails with invalid.
std::string to_string(const Head& head);
base::Result<Head> parse_head(std::string_view text);

}  // namespace hearth::audit

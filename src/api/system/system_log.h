// SPDX-License-Identifier: Apache-2.0
// The last records of the log as REST and WebSocket show them. Any thread.
#pragma once

#include <span>

#include "base/json/json.h"
#include "base/log/log.h"
#include "base/result.h"
#include "core/values/words.h"

namespace hearth::api {

// `critical`, which other hubs of the family know, is the same as error here. Fails with invalid.
base::Result<base::LogLevel> parse_log_level(std::string_view name);
core::Words log_level_names();

// Newest first, from the level on; the same message once, with its count, where it was said last. `records` are in
// their order.
json::array log_entries(std::span<const base::LogRecordPtr> records, base::LogLevel least);

// A line each, oldest first.
std::string log_text(std::span<const base::LogRecordPtr> records);

}  // namespace hearth::api

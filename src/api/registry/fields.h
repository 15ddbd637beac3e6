// SPDX-License-Identifier: Apache-2.0
// What the commands of the registry share: fields that they read, and the codes of their errors. Any thread.
#pragma once

#include <optional>
#include <string_view>

#include "api/gateway/command.h"
#include "api/gateway/message_reader.h"
#include "core/registry_data.h"

namespace hearth::api {

// The labels or aliases under the key.
void read_texts(MessageReader& in, std::string_view key, std::optional<core::Texts>& value);
// Who disabled or hid it: null, user or integration. Fails with invalid where it is another.
base::Result<void> read_by(MessageReader& in, std::string_view key,
                           std::optional<std::optional<core::ChangedBy>>& value);

// The registry refuses a value with invalid_info; a device or entity that is not there is not_found.
std::unexpected<CommandError> registry_error(const base::Error& error);
// Of areas and floors: whatever is wrong, one that is not there too, is invalid_info (websocket.md).
std::unexpected<CommandError> area_error(const base::Error& error);

}  // namespace hearth::api

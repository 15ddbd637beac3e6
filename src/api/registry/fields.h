// SPDX-License-Identifier: Apache-2.0
// Shared by the commands of the registry: fields that they read, and the codes of their errors. Any thread.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <string_view>

#include "api/gateway/command.h"
#include "api/gateway/message_reader.h"
#include "core/registry/registry_data.h"

namespace hearth::api {

// The labels or aliases under the key.
void read_texts(MessageReader& in, std::string_view key, std::optional<core::Texts>& value);
// The one who disabled or hid it: null, user or integration. Fails with invalid if it is another.
base::Result<void> read_by(MessageReader& in, std::string_view key,
                           std::optional<std::optional<core::ChangedBy>>& value);

// The category's id for each scope that is named, or null.
base::Result<void> read_categories(MessageReader& in, std::optional<std::map<std::string, core::OptionalText>>& value);

// The options of options_domain, or null for none. Fails with invalid if one is named without the other.
base::Result<void> read_options(MessageReader& in,
                                std::optional<std::pair<std::string, std::optional<json::object>>>& value);

// Of commands that change an item of a collection: the id under the key, and the item's own fields.
base::Result<std::string> read_id(const CommandCall& call, std::string_view key);
json::object given_fields(const CommandCall& call, std::string_view id_key);
// The item with its id under the key, these of its fields, null if absent, and its times.
json::object item_answer(const core::Item& item, std::string_view id_key, std::initializer_list<std::string_view> keys);

// The registry refuses a value with invalid_info; a device or entity that is not there is not_found.
std::unexpected<CommandError> registry_error(const base::Error& error);
// Of areas and floors: whatever is wrong, one that is not there too, is invalid_info (websocket.md).
std::unexpected<CommandError> area_error(const base::Error& error);

}  // namespace hearth::api

// SPDX-License-Identifier: Apache-2.0
// Reads what an import shall do from a request or a command. Any thread.
#pragma once

#include "api/gateway/message_reader.h"
#include "api/imports/imports.h"

namespace hearth::api {

// The options and the passphrase; `in` reports what is wrong, except for what the check finds.
void read_import_options(MessageReader& in, Imports::Order& order, std::string& automations);
// Fails with invalid.
base::Result<void> check_import_options(const std::string& automations, Imports::Order& order);

}  // namespace hearth::api

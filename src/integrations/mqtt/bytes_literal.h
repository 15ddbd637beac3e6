// SPDX-License-Identifier: Apache-2.0
// Reads bytes as Python writes them, b'\x01\xff', which people use to put bytes into a text. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace hearth::integrations::mqtt {

// The bytes that such a literal stands for (Python's language reference, 2.4.1); any other text is itself. Fails with
// invalid if it begins like a literal and is none; the message is for the caller of a service.
base::Result<std::string> evaluated_bytes(std::string_view text);

}  // namespace hearth::integrations::mqtt

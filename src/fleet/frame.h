// SPDX-License-Identifier: Apache-2.0
// One frame of zstd with a checksum: how the payloads of a fleet are packed. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace hearth::fleet {

std::string pack_frame(std::string_view bytes);
// Fails with invalid if it is not exactly one frame, is damaged, or has more than `most` bytes; nothing larger is ever
// allocated. The message is a clause: "it is damaged".
base::Result<std::string> unpack_frame(std::string_view frame, std::size_t most);

}  // namespace hearth::fleet

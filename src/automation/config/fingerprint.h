// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace hearth::automation {

// 32 hexadecimal digits, the same for equal texts in every version of the program. Any thread.
std::string fingerprint_of(std::string_view text);

}  // namespace hearth::automation

// SPDX-License-Identifier: Apache-2.0
// Random ids without meaning.
#pragma once

#include <string>

namespace hearth::base {

// 32 hexadecimal digits in lower case, random. Any thread.
std::string make_random_id();

}  // namespace hearth::base

// SPDX-License-Identifier: Apache-2.0
// Makes ETags. Any thread.
#pragma once

#include <string>
#include <string_view>

namespace hearth::api {

// 32 hexadecimal digits that no other content has.
std::string digest_of(std::string_view content);

}  // namespace hearth::api

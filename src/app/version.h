// SPDX-License-Identifier: Apache-2.0
// The hub's calendar version, such as 2026.11.0; clients compare it.
#pragma once

#include <string_view>

namespace hearth::app {

std::string_view version();

}  // namespace hearth::app

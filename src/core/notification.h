// SPDX-License-Identifier: Apache-2.0
// Notes for people are the items of this collection (core/registry/collection.h).
#pragma once

#include <string_view>

namespace hearth::core {

constexpr std::string_view kNotifications = "notification";

}  // namespace hearth::core

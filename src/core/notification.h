// SPDX-License-Identifier: Apache-2.0
// Notes for people are the items of this collection (core/registry/collection.h).
#pragma once

#include <string_view>

namespace hearth::core {

constexpr std::string_view kNotifications = "notification";
// The field of a note that is for one person: others do not see it.
constexpr std::string_view kNoteUser = "user_id";

}  // namespace hearth::core

// SPDX-License-Identifier: Apache-2.0
// The hub's calendar version, such as 2026.11.0; clients compare it. Any thread.
#pragma once

#include <string_view>

namespace hearth::app {

std::string_view version();

// 2026.11.0 is the first (0) of November 2026.
struct VersionParts {
  int year;
  int month;
  int number;
};
VersionParts version_parts();

// Of the machine that the program is built for, as `uname -m` names it: x86_64, aarch64.
std::string_view architecture();

}  // namespace hearth::app

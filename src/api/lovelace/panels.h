// SPDX-License-Identifier: Apache-2.0
// The entries of the sidebar of pages made for this family of APIs: those that every home has, and its dashboards.
// Any thread.
#pragma once

#include <string_view>

namespace hearth::api {

// True if it is the first segment of the path of a page, or of anything else that the hub serves.
bool is_panel_path(std::string_view segment);

}  // namespace hearth::api

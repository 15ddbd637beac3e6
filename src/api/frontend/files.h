// SPDX-License-Identifier: Apache-2.0
// Helpers for files of a folder that are served as they are. Any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "http/messages/response.h"
#include "http/messages/target.h"

namespace hearth::api {

// A literal, by the path's ending in any case; application/octet-stream for an unknown one.
std::string_view content_type(std::string_view path);

// The segments from `first` on, joined by slashes; "/", which no file has, if one holds an encoded slash.
std::string joined(const http::Target& target, std::size_t first);

// 304. `tag`: quoted. `cache_control`: a literal.
http::Response not_modified(std::string_view tag, std::string_view cache_control);

}  // namespace hearth::api

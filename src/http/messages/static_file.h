// SPDX-License-Identifier: Apache-2.0
// A file embedded in the program, already compressed: served without a disk. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "http/messages/request.h"
#include "http/messages/response.h"

namespace hearth::http {

// The strings live as long as the program.
struct StaticFile {
  std::string_view path;  // of a decoded target: /assets/main-BkX2f9aQ.js
  std::string_view content_type;
  std::string_view digest;  // of the content; part of its entity tags
  bool immutable;           // other content would have another path
  std::string_view body;    // empty if it is only there as zstd: few clients want it
  std::string_view gzip;    // empty if it would not be smaller
  std::string_view zstd;    // likewise
};

// The body as it is; less than a millisecond for the largest file of the pages, some 400 kB.
std::string plain_body(const StaticFile& file);

// True if If-None-Match has the tag, by weak comparison (RFC 9110 §8.8.3.2): a proxy may have made it weak.
bool has_tag(std::string_view if_none_match, std::string_view tag);

// 200 with the body in the client's preferred encoding, or 304 if the client has that (RFC 9110 §13.1.2).
Response static_file(const StaticFile& file, const RequestHeaders& headers);

}  // namespace hearth::http

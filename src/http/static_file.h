// SPDX-License-Identifier: Apache-2.0
// A file that is part of the program, compressed beforehand: what a server without a disk serves. Any thread.
#pragma once

#include <string_view>

#include "http/request.h"
#include "http/response.h"

namespace hearth::http {

// The texts live as long as the program.
struct StaticFile {
  std::string_view path;  // of a request's target, decoded: /assets/main-BkX2f9aQ.js
  std::string_view content_type;
  std::string_view digest;  // of the content; its entity tags are made of it
  bool immutable;           // another content would have another path
  std::string_view body;
  std::string_view gzip;  // empty where it would save nothing
  std::string_view zstd;  // likewise
};

// 200 with the body in the encoding that the client likes best, or 304 where the client has that (RFC 9110 §13.1.2).
Response static_file(const StaticFile& file, const RequestHeaders& headers);

}  // namespace hearth::http

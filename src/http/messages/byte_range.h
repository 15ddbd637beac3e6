// SPDX-License-Identifier: Apache-2.0
// A part of a body that the client asks for (RFC 9110 §14). Any thread.
#pragma once

#include <cstdint>
#include <string_view>

#include "http/messages/request.h"
#include "http/messages/response.h"

namespace hearth::http {

struct ByteRange {
  enum class Kind {
    whole,  // no range is asked for, or none that is understood: several are not
    part,
    outside,  // no byte of it is there
  } kind = Kind::whole;
  std::uint64_t first = 0, length = 0;  // of a part

  bool operator==(const ByteRange&) const = default;
};

// Of the value of Range, for a body of so many bytes.
ByteRange parse_range(std::string_view range, std::uint64_t size);

// Makes an answer of 200 with a file one of 206 or 416 if a GET asks for a part of it; `tag` is its strong entity tag,
// which If-Range must have.
void answer_range(const Request& request, std::string_view tag, Response& response);

}  // namespace hearth::http

// SPDX-License-Identifier: Apache-2.0
#include "http/messages/byte_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "base/text/text.h"

namespace hearth::http {
namespace {

constexpr std::string_view kUnit = "bytes=", kSpace = " \t";

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
  return text.substr(0, text.find_last_not_of(kSpace) + 1);
}

// Null if it is no number; one that is too large is the largest.
std::optional<std::uint64_t> position(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || end != text.data() + text.size() || error == std::errc::invalid_argument) return {};
  return error == std::errc::result_out_of_range ? std::numeric_limits<std::uint64_t>::max() : number;
}

}  // namespace

ByteRange parse_range(std::string_view range, std::uint64_t size) {
  range = trimmed(range);
  if (range.size() < kUnit.size() || !base::equals_ignoring_case(range.substr(0, kUnit.size()), kUnit)) return {};
  range = trimmed(range.substr(kUnit.size()));
  const std::size_t dash = range.find('-');
  if (dash == std::string_view::npos) return {};
  const std::string_view before = range.substr(0, dash), behind = range.substr(dash + 1);
  const auto first = position(before), last = position(behind);
  if ((!before.empty() && !first) || (!behind.empty() && !last)) return {};
  if (!first) {
    // The last so many bytes.
    if (!last) return {};
    const std::uint64_t length = std::min(*last, size);
    return length == 0 ? ByteRange{ByteRange::Kind::outside} : ByteRange{ByteRange::Kind::part, size - length, length};
  }
  if (last && *last < *first) return {};
  if (*first >= size) return {ByteRange::Kind::outside};
  return {ByteRange::Kind::part, *first, std::min(last.value_or(size), size - 1) - *first + 1};
}

void answer_range(const Request& request, std::string_view tag, Response& response) {
  const RequestHeaders& headers = request.headers;
  response.with_header("Accept-Ranges", "bytes");
  if (request.method != Verb::get || headers.range.empty()) return;
  if (!headers.if_range.empty() && headers.if_range != tag) return;
  const std::uint64_t size = response.file->size();
  const ByteRange range = parse_range(headers.range, size);
  switch (range.kind) {
    case ByteRange::Kind::whole:
      return;
    case ByteRange::Kind::part:
      response.status = 206;
      response.part = {range.first, range.length};
      response.with_header("Content-Range",
                           fmt::format("bytes {}-{}/{}", range.first, range.first + range.length - 1, size));
      return;
    case ByteRange::Kind::outside: {
      Response refused = Response::message(416, fmt::format("The file has {} bytes.", size));
      refused.headers = std::move(response.headers);
      refused.with_header("Content-Range", fmt::format("bytes */{}", size));
      response = std::move(refused);
      return;
    }
  }
}

}  // namespace hearth::http

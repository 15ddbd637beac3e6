// SPDX-License-Identifier: Apache-2.0
#include "http/messages/request_parser.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/field.hpp>
#include <functional>

#include "base/text/text.h"

namespace hearth::http {
namespace {

class RequestErrorCategory final : public boost::system::error_category {
 public:
  const char* name() const noexcept override { return "hearth.http"; }
  std::string message(int value) const override {
    switch (static_cast<RequestError>(value)) {
      case RequestError::too_many_fields:
        return "too many header fields";
      case RequestError::host:
        return "exactly one Host field is expected";
      case RequestError::repeated_field:
        return "a field that may come once came twice";
      case RequestError::transfer_encoding:
        return "the only transfer coding understood is chunked";
      case RequestError::folded_line:
        return "a header field goes on in a second line";
    }
    return "unknown";
  }
};

}  // namespace

boost::system::error_code make_error_code(RequestError error) {
  static const RequestErrorCategory category;
  return {static_cast<int>(error), category};
}

RequestParser::RequestParser(Request& request, const Limits& limits)
    : request_(request), fields_left_(limits.header_fields), bytes_left_(limits.header_bytes) {
  header_limit(static_cast<std::uint32_t>(limits.header_bytes));
  body_limit(boost::none);  // the handler decides, when it has seen the head
}

std::size_t RequestParser::parse(std::string_view data, boost::system::error_code& error) {
  // With less than a whole end, Beast's parser fails an assertion.
  constexpr std::string_view kLastChunk = "0\r\n", kLastEnd = "0\r\n\r\n";
  if (head_done_ && chunked() && data.size() < kLastEnd.size() && data.starts_with(kLastChunk)) {
    error = boost::beast::http::error::need_more;
    return 0;
  }
  data_ = data;
  return put(boost::asio::buffer(data.data(), data.size()), error);
}

void RequestParser::count(std::size_t bytes, error_code& error) {
  if (bytes > bytes_left_) error = boost::beast::http::error::header_limit;
  bytes_left_ -= std::min(bytes, bytes_left_);
}

// Beast joins the lines of a folded field (RFC 9112 §5.2): its value is then not part of the input, or follows a line
// break.
bool RequestParser::folded(string_view name, string_view value) const {
  const std::less<const char*> before;
  const char* const name_end = name.data() + name.size();
  if (before(value.data(), name_end) || before(data_.data() + data_.size(), value.data())) return true;
  return std::any_of(name_end, value.data(), [](char c) { return c == '\n'; });
}

void RequestParser::on_request_impl(Verb method, string_view method_text, string_view target, int version,
                                    error_code& error) {
  constexpr std::size_t kRest = sizeof("  HTTP/1.1\r\n") - 1;
  count(method_text.size() + target.size() + kRest, error);
  request_.method = method;
  request_.method_text.append(method_text.data(), method_text.size());  // cheaper than assign: they are empty
  request_.target_text.append(target.data(), target.size());
  request_.http_1_0 = version < 11;
}

void RequestParser::on_field_impl(field name, string_view name_text, string_view value, error_code& error) {
  if (fields_left_-- == 0) {
    fields_left_ = 0;
    error = RequestError::too_many_fields;
    return;
  }
  count(name_text.size() + value.size() + sizeof(":\r\n") - 1, error);
  if (folded(name_text, value)) error = RequestError::folded_line;
  if (head_done_) return;
  RequestHeaders& headers = request_.headers;
  // Not inlined into each case: the code of a request should fit the L1 instruction cache.
  const auto keep_one = [&](std::string& to) __attribute__((noinline)) {
    if (!to.empty()) error = RequestError::repeated_field;
    to.append(value.data(), value.size());
  };
  const auto keep_list = [&](std::string& to) __attribute__((noinline)) {  // RFC 9110 §5.2: repeated lines are one list
    if (!to.empty()) to += ", ";
    to.append(value.data(), value.size());
  };
  switch (name) {
    case field::host:
      if (has_host_) error = RequestError::host;
      has_host_ = true;
      headers.host.append(value.data(), value.size());
      return;
    case field::authorization:
      return keep_one(headers.authorization);
    case field::connection:
      return keep_list(headers.connection);
    case field::upgrade:
      return keep_list(headers.upgrade);
    case field::sec_websocket_key:
      return keep_one(headers.sec_websocket_key);
    case field::sec_websocket_version:
      return keep_one(headers.sec_websocket_version);
    case field::content_type:
      return keep_one(headers.content_type);
    case field::cookie:  // RFC 6265 allows one; a proxy may split it over lines
      if (!headers.cookie.empty()) headers.cookie += "; ";
      headers.cookie.append(value.data(), value.size());
      return;
    case field::if_match:
      return keep_list(headers.if_match);
    case field::if_none_match:
      return keep_list(headers.if_none_match);
    case field::if_range:
      return keep_list(headers.if_range);
    case field::range:
      return keep_list(headers.range);
    case field::accept:
      return keep_list(headers.accept);
    case field::accept_encoding:
      return keep_list(headers.accept_encoding);
    case field::origin:
      headers.has_origin = true;
      return keep_one(headers.origin);
    case field::sec_fetch_site:
      return keep_one(headers.sec_fetch_site);
    case field::forwarded:
      headers.has_forwarded = true;
      return keep_list(headers.forwarded);
    case field::user_agent:
      if (headers.user_agent.empty())
        headers.user_agent.append(value.data(), std::min(value.size(), RequestHeaders::kMaxUserAgent));
      return;
    case field::access_control_request_method:
      return keep_one(headers.access_control_request_method);
    case field::access_control_request_headers:
      return keep_list(headers.access_control_request_headers);
    case field::expect:
      headers.expects_continue = base::equals_ignoring_case(value, "100-continue");
      return;
    case field::transfer_encoding:
      // RFC 9112 §6.1: anything except a lone `chunked` enables request smuggling.
      if (has_transfer_encoding_ || !base::equals_ignoring_case(value, "chunked"))
        error = RequestError::transfer_encoding;
      has_transfer_encoding_ = true;
      return;
    case field::unknown:
      if (base::equals_ignoring_case(name_text, "X-Forwarded-For")) {
        headers.has_x_forwarded_for = true;
        return keep_list(headers.x_forwarded_for);
      }
      if (base::equals_ignoring_case(name_text, "X-Forwarded-Proto")) return keep_one(headers.x_forwarded_proto);
      if (base::equals_ignoring_case(name_text, "Last-Event-ID")) return keep_one(headers.last_event_id);
      if (base::equals_ignoring_case(name_text, "X-First-User-Code")) return keep_one(headers.x_first_user_code);
      return;
    default:
      return;
  }
}

void RequestParser::on_header_impl(error_code& error) {
  head_done_ = true;
  if (!has_host_ && !request_.http_1_0) error = RequestError::host;
  if (has_transfer_encoding_ && request_.http_1_0) error = RequestError::transfer_encoding;
}

void RequestParser::on_body_init_impl(const boost::optional<std::uint64_t>& length, error_code&) {
  // The announced body is not there yet: reserve only a little.
  constexpr std::uint64_t kFirst = 64 * 1024;
  if (length) request_.body.reserve(static_cast<std::size_t>(std::min(*length, kFirst)));
}

std::size_t RequestParser::on_body_impl(string_view body, error_code&) {
  request_.body.append(body.data(), body.size());
  return body.size();
}

std::size_t RequestParser::on_chunk_body_impl(std::uint64_t, string_view body, error_code&) {
  request_.body.append(body.data(), body.size());
  return body.size();
}

}  // namespace hearth::http

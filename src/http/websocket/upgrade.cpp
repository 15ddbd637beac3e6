// SPDX-License-Identifier: Apache-2.0
#include "http/websocket/upgrade.h"

#include <algorithm>
#include <boost/beast/http/rfc7230.hpp>

namespace hearth::http {
namespace {

// 16 bytes in Base64.
bool is_key(std::string_view text) {
  constexpr std::size_t kDigits = 22;
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  return text.size() == kDigits + 2 && text.ends_with("==") && text.find_first_not_of(kAlphabet) == kDigits;
}

}  // namespace

std::optional<Response> refuse_upgrade(const Request& request) {
  using boost::beast::http::token_list;
  const RequestHeaders& headers = request.headers;
  if (request.method != Verb::get || request.http_1_0) {
    return Response::message(400, "A WebSocket is opened with a GET request of HTTP/1.1.");
  }
  if (!token_list(headers.upgrade).exists("websocket") || !token_list(headers.connection).exists("upgrade")) {
    return Response::message(400, "This is a WebSocket: Upgrade: websocket and Connection: Upgrade are expected.");
  }
  if (headers.sec_websocket_version != "13") {
    Response response = Response::message(426, "Sec-WebSocket-Version must be 13.");
    response.with_header("Upgrade", "websocket").with_header("Connection", "Upgrade");
    response.with_header("Sec-WebSocket-Version", "13");
    return response;
  }
  if (!is_key(headers.sec_websocket_key)) {
    return Response::message(400, "Sec-WebSocket-Key must be 16 bytes in Base64.");
  }
  return {};
}

}  // namespace hearth::http

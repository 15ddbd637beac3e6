// SPDX-License-Identifier: Apache-2.0
// A request as the session read it. Owned by one worker; valid until it is answered.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <boost/beast/http/verb.hpp>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "http/messages/body_sink.h"
#include "http/messages/target.h"

namespace hearth::http {

using Verb = boost::beast::http::verb;

// The header fields that the hub reads; empty if absent.
struct RequestHeaders {
  static constexpr std::size_t kMaxUserAgent = 255;

  std::string accept;
  std::string accept_encoding;
  std::string access_control_request_headers;
  std::string access_control_request_method;
  std::string authorization;
  std::string connection;
  std::string content_type;
  std::string cookie;
  std::string forwarded;
  std::string host;
  std::string if_match;
  std::string if_none_match;
  std::string if_range;
  std::string last_event_id;
  std::string origin;
  std::string range;
  std::string sec_fetch_site;
  std::string sec_websocket_key;
  std::string sec_websocket_version;
  std::string upgrade;
  std::string user_agent;  // at most kMaxUserAgent bytes of it
  std::string x_first_user_code;
  std::string x_forwarded_for;
  std::string x_forwarded_proto;
  bool has_forwarded = false;
  bool has_origin = false;
  bool has_x_forwarded_for = false;
  bool expects_continue = false;

  void clear();
};

struct Request {
  Verb method = Verb::unknown;
  std::string method_text;  // as sent: for methods without an enumerator
  std::string target_text;  // as sent
  Target target;
  bool http_1_0 = false;
  RequestHeaders headers;
  std::string body;
  boost::asio::ip::address client;  // the peer, or the client that a trusted proxy names
  bool over_tls = false;            // the client reached the hub, or a trusted proxy, by https
  bool leads_to_https = false;      // it came to the port that only leads to the one with TLS

  // The findings of the handler's check, for its handle: the route and the caller. The types are the handler's.
  static constexpr std::size_t kNoRoute = std::numeric_limits<std::size_t>::max();
  std::size_t route = kNoRoute;
  std::shared_ptr<const void> principal;  // null without credentials
  // Bytes; the handler may lower the server's limit, or raise it up to Limits::upload_bytes for a body with a sink.
  std::size_t body_limit = 0;
  bool large = false;              // whether the route takes such bodies, from whoever may send them
  std::shared_ptr<BodySink> sink;  // null: the body is kept in `body`

  void clear();
};

}  // namespace hearth::http

// SPDX-License-Identifier: Apache-2.0
#include "http/messages/request.h"

namespace hearth::http {

void RequestHeaders::clear() {
  for (std::string* text : {&accept,
                            &accept_encoding,
                            &access_control_request_headers,
                            &access_control_request_method,
                            &authorization,
                            &connection,
                            &content_type,
                            &cookie,
                            &forwarded,
                            &host,
                            &if_match,
                            &if_none_match,
                            &if_range,
                            &last_event_id,
                            &origin,
                            &range,
                            &sec_fetch_site,
                            &sec_websocket_key,
                            &sec_websocket_version,
                            &upgrade,
                            &user_agent,
                            &x_first_user_code,
                            &x_forwarded_for,
                            &x_forwarded_proto}) {
    text->clear();
  }
  has_forwarded = has_origin = has_x_forwarded_for = false;
  expects_continue = false;
}

void Request::clear() {
  constexpr std::size_t kKept = 64 * 1024;
  method = Verb::unknown;
  method_text.clear();
  target_text.clear();
  target.clear();
  http_1_0 = over_tls = leads_to_https = false;
  headers.clear();
  if (body.capacity() > kKept) std::string().swap(body);
  body.clear();
  route = kNoRoute;
  principal.reset();
  large = false;
  sink.reset();
}

}  // namespace hearth::http

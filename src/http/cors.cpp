// SPDX-License-Identifier: Apache-2.0
#include "http/cors.h"

#include <algorithm>

namespace hearth::http {

std::string join(const std::vector<Verb>& verbs) {
  std::string text;
  for (const Verb verb : verbs) {
    if (!text.empty()) text += ", ";
    const auto name = boost::beast::http::to_string(verb);
    text.append(name.data(), name.size());
  }
  return text;
}

Response preflight(const Request& request, const ServerOptions& options, const std::vector<Verb>& allowed) {
  const RequestHeaders& headers = request.headers;
  if (!headers.has_origin || !options.allows_origin(headers.origin)) {
    return Response::message(403, "This origin is not in http: cors_allowed_origins.");
  }
  const Verb wanted = boost::beast::http::string_to_verb(headers.access_control_request_method);
  if (std::find(allowed.begin(), allowed.end(), wanted) == allowed.end()) {
    return Response::message(403, "This path does not know the method " + headers.access_control_request_method + ".");
  }
  Response response = Response::json("{}");
  response.with_header("Access-Control-Allow-Methods", headers.access_control_request_method);
  if (!headers.access_control_request_headers.empty()) {
    response.with_header("Access-Control-Allow-Headers", headers.access_control_request_headers);
  }
  response.with_header("Access-Control-Max-Age", "600");
  return response;
}

}  // namespace hearth::http

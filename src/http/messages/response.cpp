// SPDX-License-Identifier: Apache-2.0
#include "http/messages/response.h"

#include "base/json/json.h"

namespace hearth::http {

Response Response::json(std::string body, int status) {
  Response response;
  response.status = status;
  response.text = std::move(body);
  return response;
}

Response Response::shared(std::shared_ptr<const void> owner, std::string_view body, int status) {
  Response response;
  response.status = status;
  response.owner = std::move(owner);
  response.view = body;
  return response;
}

Response Response::kept(BodyFilePtr file, Encoding encoding) {
  Response response;
  response.file = std::move(file);
  response.negotiated = true;
  if (encoding != Encoding::identity) response.with_header("Content-Encoding", to_string(encoding));
  return response;
}

Response Response::message(int status, std::string_view text) {
  std::string body = R"({"message":)";
  base::write_json_string(body, text);
  body += '}';
  return json(std::move(body), status);
}

namespace {

// The message, and how programs find a translation of what another home has said.
Response message_of(int status, const base::Error& error) {
  Response made = Response::message(status, error.message);
  if (!error.said || error.said->key.empty()) return made;
  made.text.pop_back();
  const auto add = [&](std::string_view key, std::string_view text) {
    made.text += key;
    base::write_json_string(made.text, text);
  };
  add(R"(,"translation_domain":)", error.said->domain);
  add(R"(,"translation_key":)", error.said->key);
  made.text += R"(,"translation_placeholders":{)";
  for (const auto& [name, value] : error.said->placeholders) {
    if (made.text.back() != '{') made.text += ',';
    add("", name);
    add(":", value);
  }
  made.text += "}}";
  return made;
}

}  // namespace

Response Response::error(const base::Error& error) {
  switch (error.code) {
    case base::ErrorCode::invalid:
    case base::ErrorCode::unsupported:
    case base::ErrorCode::pin_needed:
    case base::ErrorCode::pin_wrong:
      return message_of(400, error);
    case base::ErrorCode::unauthorized:
      return std::move(message_of(401, error).with_header("WWW-Authenticate", "Bearer"));
    case base::ErrorCode::forbidden:
      return message_of(403, error);
    case base::ErrorCode::not_found:
      return message_of(404, error);
    case base::ErrorCode::conflict:
      return message_of(409, error);
    case base::ErrorCode::throttled:
      return message_of(429, error);
    case base::ErrorCode::unreachable:
    case base::ErrorCode::unavailable:
      return message_of(503, error);
    case base::ErrorCode::failed_elsewhere:
      return message_of(502, error);
    case base::ErrorCode::full:
      return message_of(507, error);
    case base::ErrorCode::internal:
      return message_of(500, error);
  }
  return message(500, "Internal error.");
}

Response& Response::with_header(std::string_view name, std::string_view value) {
  headers.append(name).append(": ").append(value).append("\r\n");
  return *this;
}

std::string_view reason_phrase(int status) {
  switch (status) {
    case 100:
      return "Continue";
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 206:
      return "Partial Content";
    case 303:
      return "See Other";
    case 304:
      return "Not Modified";
    case 308:
      return "Permanent Redirect";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 409:
      return "Conflict";
    case 412:
      return "Precondition Failed";
    case 413:
      return "Content Too Large";
    case 416:
      return "Range Not Satisfiable";
    case 426:
      return "Upgrade Required";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 502:
      return "Bad Gateway";
    case 503:
      return "Service Unavailable";
    case 507:
      return "Insufficient Storage";
    default:
      return "Unknown";
  }
}

}  // namespace hearth::http

// SPDX-License-Identifier: Apache-2.0
#include "api/login_page.h"

#include <fmt/format.h>
#include <sodium.h>

#include <array>

namespace hearth::api {
namespace {

constexpr std::string_view kStyle =
    "body{font:1rem/1.5 system-ui,sans-serif;margin:0;background:#f4f5f7;color:#1c1e21}"
    "main{max-width:22rem;margin:12vh auto 0;padding:1.5rem 2rem 2rem;background:#fff;border-radius:.75rem}"
    "h1{font-size:1.4rem}label{display:block;margin-top:1rem}"
    "input{box-sizing:border-box;width:100%;padding:.6rem;font:inherit;border:1px solid #767b84;border-radius:.4rem}"
    "button{width:100%;margin-top:1.5rem;padding:.7rem;font:inherit;font-weight:600;color:#fff;background:#0b5cad;"
    "border:0;border-radius:.4rem}[role=alert]{color:#a3160f}code{overflow-wrap:anywhere}"
    "@media(prefers-color-scheme:dark){body{background:#15171a;color:#e8eaed}main{background:#22252a}"
    "input{background:#15171a;color:inherit}[role=alert]{color:#ff9c94}}";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string style_source() {
  std::array<unsigned char, crypto_hash_sha256_BYTES> hash;
  crypto_hash_sha256(hash.data(), reinterpret_cast<const unsigned char*>(kStyle.data()), kStyle.size());
  std::array<char, sodium_base64_ENCODED_LEN(crypto_hash_sha256_BYTES, sodium_base64_VARIANT_ORIGINAL)> text;
  sodium_bin2base64(text.data(), text.size(), hash.data(), hash.size(), sodium_base64_VARIANT_ORIGINAL);
  return fmt::format("'sha256-{}'", text.data());
}

// `form_targets`: the origins that a form here may lead to; browsers ask for redirects, too.
http::Response page(int status, std::string_view home, std::string_view content, std::string_view form_targets) {
  http::Response response;
  response.status = status;
  response.content_type = "text/html; charset=utf-8";
  response.text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Log in to {0}</title>\n"
      "<style>{1}</style>\n</head>\n<body>\n<main>\n<h1>{0}</h1>\n{2}</main>\n</body>\n</html>\n",
      escaped(home), kStyle, content);
  response.with_header("Cache-Control", "no-store");
  response.with_header("Content-Security-Policy",
                       fmt::format("default-src 'none'; style-src {}; form-action {}; frame-ancestors 'none'; "
                                   "base-uri 'none'",
                                   style_source(), form_targets));
  return response;
}

std::string hidden(std::string_view name, std::string_view value) {
  return fmt::format("<input type=\"hidden\" name=\"{}\" value=\"{}\">\n", name, escaped(value));
}

}  // namespace

http::Response login_page(const LoginPage& shown, int status) {
  const AuthorizationRequest& request = shown.request;
  std::string content =
      fmt::format("<p>Log in to go on to <strong>{}</strong>.</p>\n", escaped(request.redirect_origin));
  if (!shown.problem.empty()) content += fmt::format("<p role=\"alert\">{}</p>\n", escaped(shown.problem));
  content += "<form method=\"post\" action=\"/auth/authorize\">\n";
  content += hidden("response_type", "code");
  content += hidden("client_id", request.client_id);
  content += hidden("redirect_uri", request.redirect_uri);
  if (request.state) content += hidden("state", *request.state);
  if (!request.challenge.empty()) {
    content += hidden("code_challenge", request.challenge);
    content += hidden("code_challenge_method", "S256");
  }
  content += hidden("form_token", shown.form_token);
  content += fmt::format(
      "<label for=\"username\">Username</label>\n"
      "<input id=\"username\" name=\"username\" value=\"{}\" autocomplete=\"username\" autocapitalize=\"none\" "
      "spellcheck=\"false\" required autofocus>\n"
      "<label for=\"password\">Password</label>\n"
      "<input id=\"password\" name=\"password\" type=\"password\" autocomplete=\"current-password\" required>\n"
      "<button type=\"submit\">Log in</button>\n</form>\n",
      escaped(shown.username));
  return page(status, shown.home, content, "'self' " + request.redirect_origin);
}

http::Response no_user_page(std::string_view home) {
  return page(200, home,
              "<p>There is nobody yet who could log in. Make the first user in another terminal, on the machine of "
              "the hub:</p>\n<p><code>hearth user add me --admin</code></p>\n<p>Then load this page again.</p>\n",
              "'none'");
}

http::Response throttled_page(std::string_view home, std::chrono::seconds retry_after) {
  http::Response response =
      page(429, home,
           fmt::format("<p role=\"alert\">Too many failed logins from this address. Try again in {} seconds.</p>\n",
                       retry_after.count()),
           "'none'");
  response.with_header("Retry-After", std::to_string(retry_after.count()));
  return response;
}

}  // namespace hearth::api

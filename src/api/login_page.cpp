// SPDX-License-Identifier: Apache-2.0
#include "api/login_page.h"

#include <fmt/format.h>
#include <sodium.h>

#include <array>

namespace hearth::api {
namespace {

constexpr std::string_view kStyle =
    ":root{color-scheme:light dark;"
    "--page:#eef0f4;--card:#fff;--field:#fff;--line:#8a909a;--text:#1c1e21;--quiet:#5a616b;"
    "--accent:#0b5cad;--over:#094b8e;--alert:#a3160f;--alert-back:#fdeceb}"
    "@media(prefers-color-scheme:dark){:root{"
    "--page:#131518;--card:#202327;--field:#17191c;--line:#717882;--text:#e8eaed;--quiet:#a7adb6;"
    "--accent:#1f6fc4;--over:#185a9f;--alert:#ffb4ae;--alert-back:#3b2322}}"
    "*{box-sizing:border-box}"
    "body{display:flex;min-height:100vh;margin:0;padding:1rem;font:1rem/1.5 system-ui,sans-serif;color:var(--text);"
    "background:var(--page)}"
    "main{width:100%;max-width:24rem;margin:auto;padding:2rem;background:var(--card);border-radius:1rem;"
    "box-shadow:0 1px 2px #0002,0 8px 32px #0001}"
    "h1{margin:0;font-size:1.5rem;line-height:1.25;overflow-wrap:anywhere}"
    "p{margin:.5rem 0 0;color:var(--quiet)}strong,code{color:var(--text);overflow-wrap:anywhere}"
    "[role=alert]{margin-top:1rem;padding:.6rem .8rem;border-radius:.5rem;"
    "color:var(--alert);background:var(--alert-back)}"
    "label{display:block;margin:1.25rem 0 .35rem;font-weight:500}"
    "input,button{width:100%;padding:.65rem .75rem;font:inherit;border-radius:.5rem}"
    "input{color:inherit;background:var(--field);border:1px solid var(--line)}"
    "button{margin-top:1.75rem;font-weight:600;color:#fff;background:var(--accent);border:0;cursor:pointer}"
    "button:hover{background:var(--over)}"
    ":focus-visible{outline:2px solid var(--accent);outline-offset:2px}";

constexpr std::string_view kFocus = " autofocus";

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
      "spellcheck=\"false\" required{}>\n"
      "<label for=\"password\">Password</label>\n"
      "<input id=\"password\" name=\"password\" type=\"password\" autocomplete=\"current-password\" required{}>\n"
      "<button type=\"submit\">Log in</button>\n</form>\n",
      escaped(shown.username), shown.username.empty() ? kFocus : "", shown.username.empty() ? "" : kFocus);
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

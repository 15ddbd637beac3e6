// SPDX-License-Identifier: Apache-2.0
#include "api/accounts/login_page.h"

#include <fmt/format.h>

#include "auth/factors/totp.h"
#include "base/digest.h"
#include "base/text/html.h"

namespace hearth::api {
namespace {

// The colours of the pages: web/src/styles/page.css.
constexpr std::string_view kStyle =
    ":root{color-scheme:light dark;"
    "--page:#f6f3ee;--glow:#fbe5d8;--card:#fff;--edge:#ddd5ca;--line:#8c8075;--text:#241f1b;--quiet:#635a51;"
    "--accent:#b4430f;--on-accent:#fff;--alert:#fce4e1}"
    "@media(prefers-color-scheme:dark){:root{"
    "--page:#171412;--glow:#4a2713;--card:#221e1b;--edge:#3d3630;--line:#8f8378;--text:#f3ede6;--quiet:#b8aca0;"
    "--accent:#ff9d5c;--on-accent:#2a1103;--alert:#46201c}}"
    "*{box-sizing:border-box}"
    "body{display:flex;min-height:100vh;margin:0;padding:1.5rem 1rem;font:1rem/1.45 system-ui,sans-serif;"
    "color:var(--text);background:radial-gradient(60rem 40rem at 50% -10%,var(--glow),transparent 75%) var(--page)}"
    "main{width:100%;max-width:26rem;margin:auto;padding:2rem;background:var(--card);border:1px solid var(--edge);"
    "border-radius:16px;box-shadow:0 8px 40px #28190a3d}"
    "svg{display:block;width:3.2rem;height:3.2rem;margin:0 auto 1rem}"
    "h1{margin:0;font-size:1.6rem;line-height:1.25;text-align:center;overflow-wrap:anywhere}"
    "p{margin:.5rem 0 0;color:var(--quiet)}strong,code{color:var(--text);overflow-wrap:anywhere}"
    "[role=alert]{margin-top:1rem;padding:.7rem .9rem;border-radius:10px;color:var(--text);background:var(--alert)}"
    "label{display:block;margin:1rem 0 .3rem;font-weight:550}"
    "input,button{width:100%;min-height:2.75rem;padding:.45rem .75rem;font:inherit;border-radius:10px}"
    "input{color:inherit;background:var(--card);border:1px solid var(--line)}"
    "button{margin-top:1.5rem;font-weight:600;color:var(--on-accent);background:var(--accent);border:0;cursor:pointer}"
    "button:hover{filter:brightness(1.08)}"
    ":focus-visible{outline:3px solid var(--accent);outline-offset:2px}";

// web/public/favicon.svg, in the page itself: its policy allows no images.
constexpr std::string_view kLogo =
    "<svg viewBox=\"0 0 48 48\" aria-hidden=\"true\"><rect width=\"48\" height=\"48\" rx=\"12\" fill=\"#b4430f\"/>"
    "<path d=\"M24 9 8 22v17h32V22z\" fill=\"none\" stroke=\"#fff\" stroke-width=\"3.4\" stroke-linejoin=\"round\"/>"
    "<path d=\"M24 20c1 4 5.5 5.5 5.5 10a5.5 5.5 0 0 1-11 0c0-2.5 1.5-3.8 2.3-5.5.6 1 1.2 1.5 2 1.8.8-2 "
    ".2-4.3 1.2-6.3z\" fill=\"#ffd8a8\"/></svg>\n";

constexpr std::string_view kFocus = " autofocus";

std::string style_source() {
  return fmt::format("'sha256-{}'", base::sha256_base64(kStyle));
}

// `form_targets`: the sources that a form here may lead to; browsers ask for redirects, too.
http::Response page(int status, std::string_view home, std::string_view content, std::string_view form_targets) {
  http::Response response;
  response.status = status;
  response.content_type = "text/html; charset=utf-8";
  response.text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      // Without it browsers would not say in Origin that the form is our own page's (Fetch standard, HTTP-network
      // fetch).
      "<meta name=\"referrer\" content=\"same-origin\">\n<title>Log in to {0}</title>\n"
      "<style>{1}</style>\n</head>\n<body>\n<main>\n{3}<h1>{0}</h1>\n{2}</main>\n</body>\n</html>\n",
      base::html_escaped(home), kStyle, content, kLogo);
  response.with_header("Content-Security-Policy",
                       fmt::format("default-src 'none'; style-src {}; form-action {}; frame-ancestors 'none'; "
                                   "base-uri 'none'",
                                   style_source(), form_targets));
  return response;
}

std::string hidden(std::string_view name, std::string_view value) {
  return fmt::format("<input type=\"hidden\" name=\"{}\" value=\"{}\">\n", name, base::html_escaped(value));
}

// The problem, if there is one, and the beginning of a form that goes on with the request.
std::string form_head(const LoginPage& shown) {
  const AuthorizationRequest& request = shown.request;
  std::string content;
  if (!shown.problem.empty()) content += fmt::format("<p role=\"alert\">{}</p>\n", base::html_escaped(shown.problem));
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
  return content;
}

}  // namespace

http::Response login_page(const LoginPage& shown, int status) {
  std::string content =
      fmt::format("<p>Log in to go on to <strong>{}</strong>.</p>\n", base::html_escaped(shown.request.redirect.shown));
  content += form_head(shown);
  content += fmt::format(
      "<label for=\"username\">Username</label>\n"
      "<input id=\"username\" name=\"username\" value=\"{}\" autocomplete=\"username\" autocapitalize=\"none\" "
      "spellcheck=\"false\" required{}>\n"
      "<label for=\"password\">Password</label>\n"
      "<input id=\"password\" name=\"password\" type=\"password\" autocomplete=\"current-password\" required{}>\n"
      "<button type=\"submit\">Log in</button>\n</form>\n",
      base::html_escaped(shown.username), shown.username.empty() ? kFocus : "", shown.username.empty() ? "" : kFocus);
  return page(status, shown.home, content, "'self' " + shown.request.redirect.source);
}

http::Response code_page(const LoginPage& shown, std::string_view login, const auth::LoginFlows::Passed& passed,
                         int status) {
  std::string content;
  if (passed.secret.empty()) {
    content = "<p>The password is right. Now the code of your authenticator app, or a recovery code.</p>\n";
  } else {
    content = fmt::format(
        "<p>This home asks for a second factor. Add it to an authenticator app: <a href=\"{}\">open the app</a>, or "
        "type this key there:</p>\n<p><code>{}</code></p>\n<p>Then the app shows a code.</p>\n",
        base::html_escaped(auth::otpauth_url(passed.secret, shown.home, passed.name)), auth::to_base32(passed.secret));
  }
  content += form_head(shown);
  content += hidden("login", login);
  content += fmt::format(
      "<label for=\"code\">Code</label>\n<input id=\"code\" name=\"code\" autocomplete=\"one-time-code\" "
      "autocapitalize=\"none\" spellcheck=\"false\" required{}>\n<button type=\"submit\">Log in</button>\n</form>\n",
      kFocus);
  return page(status, shown.home, content, "'self' " + shown.request.redirect.source);
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

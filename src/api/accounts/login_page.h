// SPDX-License-Identifier: Apache-2.0
// The page on which a user logs in to a client: forms that are complete without scripts. Any thread.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "api/accounts/authorization_request.h"
#include "auth/login_flows.h"
#include "http/messages/response.h"

namespace hearth::api {

struct LoginPage {
  std::string_view home;  // its name
  const AuthorizationRequest& request;
  std::string_view form_token;  // the form's half of what the cookie has, too
  std::string_view problem;     // empty where there is none yet
  std::string_view username;    // as it was typed before
};

http::Response login_page(const LoginPage& page, int status = 200);
// After the password: asks for the code of an authenticator app, and shows how to set one up where that is due. `login`
// is the flow that has passed so far.
http::Response code_page(const LoginPage& page, std::string_view login, const auth::LoginFlows::Passed& passed,
                         int status = 200);
// Where there is nobody yet who could log in.
http::Response no_user_page(std::string_view home);
// For an address that is banned.
http::Response throttled_page(std::string_view home, std::chrono::seconds retry_after);

}  // namespace hearth::api

// SPDX-License-Identifier: Apache-2.0
#include "http/cors.h"

#include <gtest/gtest.h>

namespace hearth::http {
namespace {

class PreflightTest : public testing::Test {
 protected:
  PreflightTest() {
    options_.cors_allowed_origins = {"https://panel.example"};
    request_.headers.has_origin = true;
    request_.headers.origin = "https://panel.example";
    request_.headers.access_control_request_method = "POST";
    request_.headers.access_control_request_headers = "authorization, content-type";
  }

  Response ask() const { return preflight(request_, options_, {Verb::get, Verb::head, Verb::post}); }

  ServerOptions options_;
  Request request_;
};

TEST_F(PreflightTest, EchoesMethodAndHeadersForAnAllowedOrigin) {
  const Response response = ask();
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.headers,
            "Access-Control-Allow-Methods: POST\r\nAccess-Control-Allow-Headers: authorization, content-type\r\n"
            "Access-Control-Max-Age: 600\r\n");
}

TEST_F(PreflightTest, RefusesOtherOrigins) {
  for (const char* origin :
       {"https://evil.example", "http://panel.example", "https://panel.example.evil", "null", ""}) {
    request_.headers.origin = origin;
    EXPECT_EQ(ask().status, 403) << origin;
  }
  request_.headers.has_origin = false;
  EXPECT_EQ(ask().status, 403);
}

TEST_F(PreflightTest, RefusesEverybodyByDefault) {
  options_.cors_allowed_origins.clear();
  EXPECT_EQ(ask().status, 403);
  request_.headers.origin.clear();
  EXPECT_EQ(ask().status, 403);
}

TEST_F(PreflightTest, RefusesMethodsThatThePathDoesNotHave) {
  for (const char* method : {"DELETE", "BREW\xFF", "", "post"}) {
    request_.headers.access_control_request_method = method;
    const Response response = ask();
    EXPECT_EQ(response.status, 403) << method;
    EXPECT_EQ(response.headers, "");
  }
}

}  // namespace
}  // namespace hearth::http

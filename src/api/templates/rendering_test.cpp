// SPDX-License-Identifier: Apache-2.0
// Renderings that take long, while their thread has not begun: nobody else waits for them.
#include "api/templates/rendering.h"

#include <gtest/gtest.h>

#include <deque>

#include "api/test_home.h"
#include "base/testing/wait_until.h"
#include "http/test_websocket.h"

namespace hearth::api {
namespace {

// Takes all the time that it may, however quick the machine is.
constexpr std::string_view kEndless = "{% set t = 'a' * 500000 %}{{ t | regex_search('(?=(?=a*)a*c)') }}";

class RenderingTest : public testing::Test {
 protected:
  RenderingTest() {
    home_.api.serve({.configuration = &configuration_, .templates = &templates_});
    home_.start();
  }
  ~RenderingTest() override { templates_.stop(); }

  static std::string body(std::string_view source) { return base::to_json(json::object{{"template", source}}); }
  std::string request(std::string_view source) const {
    return TestHome::request("POST", "/api/template", home_.admin, body(source));
  }
  // On each worker.
  void expect_that_others_are_served() {
    for (int round = 0; round < 6; ++round)
      EXPECT_EQ(home_.ask("POST", "/api/template", home_.admin, body("{{ 1 + 1 }}")).body, "2");
  }

  TestHome home_;
  base::TaskThread configuration_{"configuration", "config", {8}};
  base::TaskThread templates_{"templates", "template", kMostWaitingRenderings};
};

TEST_F(RenderingTest, AnAnswerThatTakesLongComesFromItsThread) {
  http::TestClient client(home_.server.port());
  client.send(request(kEndless));
  expect_that_others_are_served();
  templates_.start();
  const auto answer = client.read_answer();
  EXPECT_EQ(answer.status, 400);
  EXPECT_NE(answer.body.find(R"("kind":"limit")"), std::string::npos) << answer.body;
}

TEST_F(RenderingTest, RefusesMoreThanMayWait) {
  std::deque<http::TestClient> clients;
  for (std::size_t i = 0; i <= kMostWaitingRenderings[0]; ++i)
    clients.emplace_back(home_.server.port()).send(request(kEndless));
  // The last to come is told, whichever it is.
  base::wait_until([&] { return std::ranges::any_of(clients, &http::TestClient::readable); });
  for (http::TestClient& client : clients) {
    if (!client.readable()) continue;
    const auto answer = client.read_answer();
    EXPECT_EQ(answer.status, 503);
    EXPECT_NE(answer.body.find("Try again soon"), std::string::npos) << answer.body;
  }
  expect_that_others_are_served();
}

TEST_F(RenderingTest, ALiveTemplateThatTakesLongIsAnsweredFromThere) {
  http::WebSocketClient client(home_.server.port());
  client.open("/api/websocket", http::text_frame(R"({"type":"auth","access_token":")" + home_.admin + R"("})"));
  client.read_text();
  client.read_text();
  const auto send = [&](int id, std::string_view source) {
    client.send(
        http::text_frame(base::to_json(json::object{{"id", id}, {"type", "render_template"}, {"template", source}})));
  };
  send(1, kEndless);
  send(2, "{{ states('light.a') }}");
  EXPECT_EQ(client.read_text(), R"({"id":2,"type":"result","success":true,"result":null})");
  EXPECT_NE(client.read_text().find(R"("result":"unknown")"), std::string::npos);
  // A change meanwhile reaches the templates that have been rendered.
  home_.set("light.a", "on");
  EXPECT_NE(client.read_text().find(R"("result":"on")"), std::string::npos);
  templates_.start();
  const std::string answer = client.read_text();
  EXPECT_NE(answer.find(R"("id":1,"type":"result","success":false)"), std::string::npos) << answer;
  EXPECT_NE(answer.find("template_error"), std::string::npos) << answer;
  // Its id is free of any subscription.
  client.send(http::text_frame(R"({"id":3,"type":"unsubscribe_events","subscription":1})"));
  EXPECT_NE(client.read_text().find("not_found"), std::string::npos);
}

TEST_F(RenderingTest, AClientMayGoWhileItsTemplatesWait) {
  {
    http::WebSocketClient client(home_.server.port());
    client.open("/api/websocket", http::text_frame(R"({"type":"auth","access_token":")" + home_.admin + R"("})"));
    client.read_text();
    client.read_text();
    for (int id = 1; id <= 3; ++id) {
      client.send(http::text_frame(
          base::to_json(json::object{{"id", id}, {"type", "render_template"}, {"template", kEndless}})));
    }
    client.send(http::text_frame(R"({"id":4,"type":"unsubscribe_events","subscription":2})"));
    client.read_text();
  }
  http::TestClient waiting(home_.server.port());
  waiting.send(request(kEndless));
  templates_.start();
  EXPECT_EQ(waiting.read_answer().status, 400);
  expect_that_others_are_served();
}

}  // namespace
}  // namespace hearth::api

// SPDX-License-Identifier: Apache-2.0
#include "core/webhooks.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace hearth::core {
namespace {

class WebhooksTest : public testing::Test {
 protected:
  WebhooksTest() {
    events_ = bus_.listen("webhook_received",
                          [this](const Event& event) { received_.push_back(std::get<std::string>(event.data)); });
  }

  // A webhook that answers with its method and body.
  WebhookRegistration echo(std::string id) {
    return webhooks_
        .add(std::move(id), "app", "Phone",
             [this](const WebhookCall& call, const WebhookReply& reply) {
               ++runs_;
               reply(WebhookAnswer{call.method + " " + call.body, "text/plain"});
             })
        .value();
  }
  // The answer's body; what went wrong; or that nothing came.
  std::string call(std::string id, std::string body = "") {
    std::string text = "nothing";
    webhooks_.call({.id = std::move(id), .method = "POST", .body = std::move(body)},
                   [&](const base::Result<WebhookAnswer>& answer) {
                     text = answer ? "[" + answer->body + "]" : "failed: " + answer.error().message;
                   });
    bus_.run_pending();
    return text;
  }

  base::ManualClock clock_;
  EventBus bus_{clock_};
  Webhooks webhooks_{bus_, clock_};
  Subscription events_;
  std::vector<std::string> received_;
  int runs_ = 0;
};

TEST_F(WebhooksTest, LetsTheHandlerAnswer) {
  const auto registration = echo("secret");
  EXPECT_EQ(call("secret", "not { JSON"), "[POST not { JSON]");
  EXPECT_EQ(received_, std::vector<std::string>{R"({"domain":"app","name":"Phone","method":"POST"})"});
}

TEST_F(WebhooksTest, AnswersUnknownIdsWithoutTheBus) {
  const auto registration = echo("secret");
  EXPECT_EQ(call("secre", "x"), "[]");
  EXPECT_EQ(call("", "x"), "[]");
  EXPECT_EQ(runs_, 0);
  EXPECT_TRUE(received_.empty());
}

TEST_F(WebhooksTest, EndsWithItsRegistration) {
  std::string text = "nothing";
  {
    const auto registration = echo("secret");
    webhooks_.call({.id = "secret", .method = "GET"},
                   [&](const base::Result<WebhookAnswer>& answer) { text = answer ? answer->body : "failed"; });
  }
  bus_.run_pending();  // the call was under way
  EXPECT_EQ(text, "");
  EXPECT_EQ(call("secret"), "[]");
  EXPECT_EQ(runs_, 0);
}

TEST_F(WebhooksTest, HasEachIdOnce) {
  const auto first = echo("secret");
  const auto second = webhooks_.add("secret", "app", "Other", [](const WebhookCall&, const WebhookReply&) {});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, base::ErrorCode::conflict);
  EXPECT_EQ(call("secret", "1"), "[POST 1]");
}

TEST_F(WebhooksTest, SurvivesAHandlerThatThrows) {
  const auto registration = webhooks_.add(
      "secret", "app", "Phone", [](const WebhookCall&, const WebhookReply&) { throw std::runtime_error("x"); });
  EXPECT_EQ(call("secret"), "failed: The webhook failed.");
}

}  // namespace
}  // namespace hearth::core

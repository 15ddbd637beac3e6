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

  // A webhook that notes its calls.
  base::Handle note(std::string id) {
    return webhooks_
        .add(std::move(id), "app", "Phone",
             [this](const WebhookCall& call) { calls_.push_back(call.method + ' ' + call.body); })
        .value();
  }
  bool call(std::string id, std::string body = "") {
    return webhooks_.call({.id = std::move(id), .method = "POST", .body = std::move(body)}).has_value();
  }

  base::ManualClock clock_;
  EventBus bus_{clock_};
  Webhooks webhooks_{bus_, clock_};
  Subscription events_;
  std::vector<std::string> received_, calls_;
};

TEST_F(WebhooksTest, CallsTheHandler) {
  const auto registration = note("secret");
  EXPECT_TRUE(call("secret", "not { JSON"));
  bus_.run_pending();
  EXPECT_EQ(calls_, std::vector<std::string>{"POST not { JSON"});
  EXPECT_EQ(received_, std::vector<std::string>{R"({"domain":"app","name":"Phone","method":"POST"})"});
}

TEST_F(WebhooksTest, CallsNobodyForUnknownIds) {
  const auto registration = note("secret");
  EXPECT_TRUE(call("secre", "x"));
  EXPECT_TRUE(call("", "x"));
  bus_.run_pending();
  EXPECT_TRUE(calls_.empty());
  EXPECT_TRUE(received_.empty());
}

// A stranger sees no difference, even when the bus is full.
TEST_F(WebhooksTest, RefusesKnownAndUnknownIdsAlikeIfTheBusIsFull) {
  const auto registration = note("secret");
  while (call("secret")) {
  }
  EXPECT_FALSE(call("unknown"));
  bus_.run_pending();
  EXPECT_TRUE(call("unknown"));
  EXPECT_TRUE(call("secret"));
  bus_.run_pending();
  calls_.clear();
  while (call("unknown")) {
  }
  EXPECT_FALSE(call("secret"));
}

TEST_F(WebhooksTest, EndsWithItsRegistration) {
  {
    const auto registration = note("secret");
    EXPECT_TRUE(call("secret"));
  }
  bus_.run_pending();  // the call was under way
  EXPECT_TRUE(call("secret"));
  bus_.run_pending();
  EXPECT_TRUE(calls_.empty());
}

TEST_F(WebhooksTest, HasEachIdOnce) {
  const auto first = note("secret");
  const auto second = webhooks_.add("secret", "app", "Other", [](const WebhookCall&) {});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, base::ErrorCode::conflict);
  EXPECT_TRUE(call("secret", "1"));
  bus_.run_pending();
  EXPECT_EQ(calls_, std::vector<std::string>{"POST 1"});
}

TEST_F(WebhooksTest, SurvivesAHandlerThatThrows) {
  const auto bad = webhooks_.add("bad", "app", "Phone", [](const WebhookCall&) { throw std::runtime_error("x"); });
  const auto good = note("secret");
  EXPECT_TRUE(call("bad"));
  EXPECT_TRUE(call("secret"));
  bus_.run_pending();
  EXPECT_EQ(calls_.size(), 1u);
}

}  // namespace
}  // namespace hearth::core

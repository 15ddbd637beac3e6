// SPDX-License-Identifier: Apache-2.0
#include "core/services/pending_calls.h"

#include <gtest/gtest.h>

#include "core/states/state_machine.h"

namespace hearth::core {
namespace {

using std::chrono::seconds;

// Calls without services: the test acts as the handler.
class PendingCallsTest : public testing::Test {
 protected:
  PendingCalls::Begun begin() {
    ServiceRequest request;
    request.context = Context::create(clock_.now());
    return calls_.begin(std::move(request), {.entity_ids = {"light.a"}, .named = 1},
                        [this](base::Result<CallOutcome> outcome) { outcomes_.push_back(std::move(outcome)); });
  }
  void set(std::string_view value, const Context& context) {
    states_.set(*EntityId::parse("light.a"), {value, "{}", context}).value();
  }
  std::size_t answers() {
    bus_.run_pending();
    return outcomes_.size();
  }

  base::ManualClock clock_;
  EventBus bus_{clock_};
  StateMachine states_{bus_};
  PendingCalls calls_{bus_};
  std::vector<base::Result<CallOutcome>> outcomes_;
};

TEST_F(PendingCallsTest, EndWhenTheHandlerHasAnsweredAndAllReportsAreThere) {
  const auto call = begin();
  const Context& context = call.call->context();
  calls_.expect_report(context, "light.a");
  set("on", context);
  calls_.reported(context, "light.a");
  EXPECT_EQ(0u, answers());
  call.reply(nullptr);
  ASSERT_EQ(1u, answers());
  EXPECT_EQ("on", outcomes_[0]->changed.at(0)->value());
  calls_.reported(context, "light.a");  // has no effect any more
  EXPECT_EQ(1u, answers());
}

TEST_F(PendingCallsTest, IgnoreReportsOfOtherCalls) {
  const auto call = begin(), other = begin();
  calls_.expect_report(call.call->context(), "light.a");
  calls_.expect_report(other.call->context(), "light.a");
  call.reply(nullptr);
  other.reply(nullptr);
  calls_.reported(other.call->context(), "light.a");
  EXPECT_EQ(1u, answers());
  clock_.advance(seconds(2));
  EXPECT_EQ(2u, answers());
}

TEST_F(PendingCallsTest, KeepTheRequestAfterTheyHaveEnded) {
  auto call = begin();
  call.reply(base::fail(base::ErrorCode::invalid, "no"));
  EXPECT_EQ(1u, answers());
  EXPECT_EQ("light.a", call.call->entity_ids().at(0));
}

TEST_F(PendingCallsTest, AreAnsweredIfTheHandlerDoesNot) {
  begin().reply = nullptr;
  ASSERT_EQ(1u, answers());
  EXPECT_EQ(base::ErrorCode::internal, outcomes_[0].error().code);
}

}  // namespace
}  // namespace hearth::core

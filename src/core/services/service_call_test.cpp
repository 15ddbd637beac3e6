// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <stdexcept>

#include "core/services/service_test_home.h"

namespace hearth::core {
namespace {

using std::chrono::seconds;
using Home = ServiceTestHome;

TEST(ServiceRegistry, FiresCallServiceBeforeTheHandlersEventsWithTheCallsContext) {
  Home home;
  std::vector<std::string> seen;
  auto request = home.request();
  const Context context = request.context;
  home.add([&](const ServiceCall& call, const ServiceReply& reply) {
    home.set("light.a", "on", call.context());
    reply(nullptr);
  });
  home.bus.run_pending();
  const auto all = home.bus.listen("*", [&](const Event& event) {
    seen.push_back(event.type);
    EXPECT_EQ(event.context, context);
    if (event.type != event_type::kCallService) return;
    EXPECT_EQ(std::get<std::string>(event.data),
              R"({"domain":"test","service":"run","service_data":{"entity_id":"light.a"}})");
  });
  home.call(std::move(request));
  EXPECT_EQ(seen, (std::vector<std::string>{"call_service", "state_changed"}));
}

TEST(ServiceRegistry, ShowsASecretToTheHandlerOnly) {
  Home home;
  home.description.fields = {{"code", "", nullptr, field::Text{}, false, true}};
  std::string told, got;
  home.add([&](const ServiceCall& call, const ServiceReply& reply) {
    got = call.data().at("code").as_string();
    reply(nullptr);
  });
  const auto calls =
      home.bus.listen(event_type::kCallService, [&](const Event& event) { told = std::get<std::string>(event.data); });
  home.call(home.request(R"({"entity_id":"light.a","code":"1234"})"));
  EXPECT_EQ("1234", got);
  EXPECT_EQ(R"({"domain":"test","service":"run","service_data":{"entity_id":"light.a","code":"…"}})", told);
}

TEST(ServiceRegistry, AnswersWithTheLastStateOfEachEntityInTheOrderOfFirstChange) {
  Home home;
  home.add([&](const ServiceCall& call, const ServiceReply& reply) {
    home.set("light.b", "1", call.context());
    home.set("light.a", "1", call.context());
    home.set("light.b", "2", call.context());
    reply(nullptr);
  });
  home.call(home.request());
  EXPECT_EQ(home.answer(), "light.b=2 light.a=1 ");
}

TEST(ServiceRegistry, AnswersWithChangesOfDescendingContextsAndNoOthers) {
  Home home;
  home.add([&](const ServiceCall& call, const ServiceReply& reply) {
    Context child = Context::create(home.clock.now());
    child.parent_id = call.context().id;
    Context grandchild = Context::create(home.clock.now());
    grandchild.parent_id = child.id;
    Context stranger = Context::create(home.clock.now());
    stranger.parent_id = "somebody else";
    home.set("light.a", "child", child);
    home.set("light.b", "grandchild", grandchild);
    home.set("switch.c", "stranger", stranger);
    reply(nullptr);
  });
  home.call(home.request());
  EXPECT_EQ(home.answer(), "light.a=child light.b=grandchild ");
}

TEST(ServiceRegistry, CountsChangesOfANestedCallForItsCaller) {
  Home home;
  home.add([&](const ServiceCall& call, const ServiceReply& reply) {
    auto inner = home.request();
    inner.service = "inner";
    inner.context = Context::create(home.clock.now());
    inner.context.parent_id = call.context().id;
    home.services.call(std::move(inner), [reply](const base::Result<CallOutcome>&) { reply(nullptr); });
  });
  home.description.service = "inner";
  const auto inner = home.services.add(home.description, [&](const ServiceCall& call, const ServiceReply& reply) {
    Context grandchild = Context::create(home.clock.now());
    grandchild.parent_id = call.context().id;
    home.set("light.b", "on", grandchild);
    reply(nullptr);
  });
  home.call(home.request());
  EXPECT_EQ(home.answer(), "light.b=on ");
}

TEST(ServiceRegistry, LeavesOutEntitiesThatWereRemoved) {
  Home home;
  home.add([&](const ServiceCall& call, const ServiceReply& reply) {
    home.set("light.a", "on", call.context());
    home.states.remove("light.a", call.context()).value();
    home.set("light.b", "on", call.context());
    reply(nullptr);
  });
  home.call(home.request());
  EXPECT_EQ(home.answer(), "light.b=on ");
}

TEST(ServiceRegistry, IgnoresAClientsEventNamedStateChanged) {
  Home home;
  home.add([&](const ServiceCall& call, const ServiceReply& reply) {
    home.bus.fire(event_type::kStateChanged, R"({"entity_id":"light.a"})", Origin::remote, call.context());
    reply(nullptr);
  });
  home.call(home.request());
  EXPECT_EQ(home.answer(), "");
}

TEST(ServiceRegistry, WaitsForTheCommandedDevicesToReport) {
  Home home;
  Context context;
  home.add([&](const ServiceCall& call, const ServiceReply& reply) {
    context = call.context();
    home.services.expect_report(context, "light.a");
    home.services.expect_report(context, "light.b");
    reply(nullptr);
  });
  home.call(home.request());
  EXPECT_EQ(home.answer(), "none yet");
  home.set("light.a", "on", context);
  home.services.reported(context, "light.a");
  home.bus.run_pending();
  EXPECT_EQ(home.answer(), "none yet");
  home.services.reported(context, "light.b");
  home.bus.run_pending();
  EXPECT_EQ(home.answer(), "light.a=on ");
}

TEST(ServiceRegistry, AnswersAtOnceIfTheDevicesReportedBeforeTheHandlerDid) {
  Home home;
  home.add([&](const ServiceCall& call, const ServiceReply& reply) {
    home.services.expect_report(call.context(), "light.a");
    home.set("light.a", "on", call.context());
    home.services.reported(call.context(), "light.a");
    reply(nullptr);
  });
  home.call(home.request());
  EXPECT_EQ(home.answer(), "light.a=on ");
}

TEST(ServiceRegistry, WaitsForDevicesCommandedUnderADescendingContext) {
  Home home;
  Context child;
  home.add([&](const ServiceCall& call, const ServiceReply& reply) {
    child = Context::create(home.clock.now());
    child.parent_id = call.context().id;
    home.services.expect_report(child, "light.a");
    reply(nullptr);
  });
  home.call(home.request());
  EXPECT_EQ(home.answer(), "none yet");
  home.set("light.a", "on", child);
  home.services.reported(child, "light.a");
  home.bus.run_pending();
  EXPECT_EQ(home.answer(), "light.a=on ");
}

TEST(ServiceRegistry, StopsWaitingForReportsAfterTheGivenTime) {
  Home home;
  home.add([&](const ServiceCall& call, const ServiceReply& reply) {
    home.services.expect_report(call.context(), "light.a");
    reply(nullptr);
  });
  auto request = home.request();
  request.wait = seconds(5);
  home.call(std::move(request));
  home.advance(seconds(4));
  EXPECT_EQ(home.answer(), "none yet");
  home.advance(seconds(1));
  EXPECT_EQ(home.answer(), "");
}

TEST(ServiceRegistry, AnswersWithChangesBeforeTheTimeLimitEvenIfTheirEventsStillWait) {
  Home home;
  Context context;
  home.add([&](const ServiceCall& call, const ServiceReply& reply) {
    context = call.context();
    home.services.expect_report(context, "light.a");
    reply(nullptr);
  });
  home.call(home.request());
  home.bus.post([&] {
    home.set("light.a", "on", context);
    home.clock.advance(seconds(2));
  });
  home.bus.run_pending();
  EXPECT_EQ(home.answer(), "light.a=on ");
}

TEST(ServiceRegistry, DoesNotWaitIfNoTimeIsGiven) {
  Home home;
  home.add([&](const ServiceCall& call, const ServiceReply& reply) {
    home.services.expect_report(call.context(), "light.a");
    reply(nullptr);
  });
  auto request = home.request();
  request.wait = seconds(0);
  home.call(std::move(request));
  EXPECT_EQ(home.answer(), "");
}

TEST(ServiceRegistry, AnswersAfterSixtySecondsAndLetsTheHandlerContinue) {
  Home home;
  ServiceReply kept;
  const ServiceCall* running = nullptr;
  home.add([&](const ServiceCall& call, const ServiceReply& reply) {
    kept = reply;
    running = &call;
    home.set("light.a", "on", call.context());
  });
  home.call(home.request());
  home.advance(seconds(59));
  EXPECT_EQ(home.answer(), "none yet");
  home.advance(seconds(1));
  EXPECT_EQ(home.answer(), "light.a=on ");
  home.set("light.b", "on", running->context());
  EXPECT_EQ(running->entity_ids().size(), 1u);
  kept(nullptr);
  home.bus.run_pending();
  EXPECT_EQ(home.results.size(), 1u);
  EXPECT_EQ(home.states.find("light.b")->value(), "on");
}

TEST(ServiceRegistry, AnswersAfterSixtySecondsEvenIfItStillWaitsForReports) {
  Home home;
  ServiceReply kept;
  home.add([&](const ServiceCall& call, const ServiceReply& reply) {
    home.services.expect_report(call.context(), "light.a");
    kept = reply;
  });
  auto request = home.request();
  request.wait = seconds(10);
  home.call(std::move(request));
  home.advance(seconds(55));
  kept(nullptr);
  home.bus.run_pending();
  EXPECT_EQ(home.answer(), "none yet");
  home.advance(seconds(5));
  EXPECT_EQ(home.answer(), "");
}

TEST(ServiceRegistry, AnswersForAHandlerThatThrows) {
  Home home;
  home.add([](const ServiceCall&, const ServiceReply&) { throw std::runtime_error("secret detail"); });
  home.call(home.request());
  EXPECT_EQ(home.answer(), "error: The service failed.");
  EXPECT_EQ(home.error(), base::ErrorCode::internal);
}

TEST(ServiceRegistry, AnswersForAHandlerThatDoesNot) {
  Home home;
  home.add([](const ServiceCall&, const ServiceReply&) {});
  home.call(home.request());
  EXPECT_EQ(home.answer(), "error: The service ended without an answer.");
  EXPECT_EQ(home.error(), base::ErrorCode::internal);
}

TEST(ServiceRegistry, ReturnsAHandlersErrorAboutTheData) {
  Home home;
  home.add([](const ServiceCall&, const ServiceReply& reply) {
    reply(base::fail(base::ErrorCode::invalid, "light.a cannot be dimmed."));
  });
  home.call(home.request());
  EXPECT_EQ(home.answer(), "error: light.a cannot be dimmed.");
  EXPECT_EQ(home.error(), base::ErrorCode::invalid);
}

TEST(ServiceRegistry, TreatsAnyOtherFailureOfAHandlerAsInternal) {
  Home home;
  home.add([](const ServiceCall&, const ServiceReply& reply) {
    reply(base::fail(base::ErrorCode::not_found, "The lamp does not answer."));
  });
  home.call(home.request());
  EXPECT_EQ(home.answer(), "error: The lamp does not answer.");
  EXPECT_EQ(home.error(), base::ErrorCode::internal);
}

TEST(ServiceRegistry, TakesOnlyTheFirstReply) {
  Home home;
  home.add([](const ServiceCall&, const ServiceReply& reply) {
    reply(nullptr);
    reply(base::fail(base::ErrorCode::invalid, "too late"));
  });
  home.call(home.request());
  ASSERT_EQ(home.results.size(), 1u);
  EXPECT_EQ(home.answer(), "");
}

TEST(ServiceRegistry, AnswersWithDataOnlyIfAskedTo) {
  for (const bool asked : {true, false}) {
    Home home;
    home.description.response = ResponseSupport::optional;
    home.add(answers(json::object{{"days", 3}}));
    auto request = home.request();
    request.return_response = asked;
    home.call(std::move(request));
    ASSERT_EQ(home.answer(), "");
    EXPECT_EQ(base::to_json(home.results.at(0)->response), asked ? R"({"days":3})" : "null");
  }
}

TEST(ServiceRegistry, RefusesAResponseIfTheServiceHasNoneOrNothingElse) {
  for (const bool asked : {true, false}) {
    Home home;
    home.description.response = asked ? ResponseSupport::none : ResponseSupport::only;
    home.add(answers());
    auto request = home.request();
    request.return_response = asked;
    home.call(std::move(request));
    EXPECT_EQ(home.error(), base::ErrorCode::invalid);
    EXPECT_TRUE(home.answer().starts_with("error: return_response: test.run")) << home.answer();
  }
}

TEST(ServiceRegistry, KeepsSeveralCallsApart) {
  Home home;
  std::vector<std::pair<Context, ServiceReply>> running;
  home.add([&](const ServiceCall& call, const ServiceReply& reply) { running.emplace_back(call.context(), reply); });
  home.call(home.request());
  home.call(home.request());
  ASSERT_EQ(running.size(), 2u);
  home.set("light.a", "first", running[0].first);
  home.set("light.b", "second", running[1].first);
  running[1].second(nullptr);
  home.bus.run_pending();
  ASSERT_EQ(home.results.size(), 1u);
  EXPECT_EQ(home.answer(), "light.b=second ");
  running[0].second(nullptr);
  home.bus.run_pending();
  ASSERT_EQ(home.results.size(), 2u);
  EXPECT_EQ(home.results[1]->changed.at(0)->entity_id(), "light.a");
}

TEST(ServiceRegistry, MayEndBeforeItsCallsAndTheirReplies) {
  ServiceReply kept;
  int answered = 0;
  const base::ManualClock clock;
  EventBus bus(clock);
  StateMachine states(bus);
  const Registry registry(bus, clock);
  {
    ServiceRegistry services(bus, states, registry, clock);
    ServiceDescription description;
    description.domain = "test";
    description.service = "run";
    description.has_target = false;
    const auto registration =
        services.add(description, [&](const ServiceCall&, const ServiceReply& reply) { kept = reply; });
    ServiceRequest request;
    request.domain = "test";
    request.service = "run";
    services.call(std::move(request), [&](const base::Result<CallOutcome>&) { ++answered; });
    bus.run_pending();
    ASSERT_TRUE(kept);
  }
  kept(nullptr);
  kept = nullptr;
  EXPECT_EQ(answered, 0);
}

}  // namespace
}  // namespace hearth::core

// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/calls/mirrored_services.h"

#include "integrations/home_assistant/calls/bridge_services.h"
#include "integrations/home_assistant/calls/calls_test_home.h"

namespace hearth::integrations::home_assistant {
namespace {

using namespace std::chrono_literals;

struct MirroredServicesTest : CallsTest {
  MirroredServicesTest() {
    begin();
    connect();
  }
  static OtherService offered(const std::string& domain, const std::string& service, const std::string& description) {
    return {domain, service, base::parse_json(description).value().as_object()};
  }
  std::string shown(const std::string& domain, const std::string& service) {
    const auto found = home.hub.services.find(domain, service);
    return found ? base::to_json(core::to_json_object(found->description)) : "none";
  }
  static constexpr const char* kPlain = R"({"name":"Do","description":"Does it.","fields":{}})";
  static constexpr const char* kTargeted =
      R"({"name":"Do","description":"","fields":{"how":{"required":true,"selector":{"text":{}}}},)"
      R"("target":{"entity":[{"domain":["ai_task"]}]},"response":{"optional":true}})";
};

TEST_F(MirroredServicesTest, AnUnknownServiceIsShownAsItIsThere) {
  calls->take(Services{{offered("ai_task", "do", kTargeted)}});
  EXPECT_EQ(shown("ai_task", "do"),
            R"({"name":"Do","description":"",)"
            R"("fields":{"how":{"required":true,"selector":{"text":{}},"description":"","example":null}},)"
            R"("target":{"entity":[{"domain":["ai_task"]}]},"hearth_origin":{"instance":"home","hops":1},)"
            R"("response":{"optional":true}})");
  mirror("ai_task.a_x");
  home.begin("ai_task.do", R"({"entity_id":"ai_task.a_x","how":"fast","more":[1]})");
  EXPECT_EQ(sent(), R"(ai_task.do {"how":"fast","more":[1]} {"entity_id":["ai_task.x"]})");
}

TEST_F(MirroredServicesTest, OneWithoutATargetGoesToTheInstance) {
  mirror("light.a_x");
  calls->take(Services{{offered("notify", "phone", kPlain)}});
  const auto call = home.begin("notify.phone", R"({"message":"light.a_x","target":{"entity_id":"light.a_x"}})");
  EXPECT_EQ(sent(), R"(notify.phone {"message":"light.x"} {"entity_id":"light.x"})");
  answer_last("C1");
  EXPECT_EQ(call->text(), "");
  const auto user = home.begin("notify.phone", "{}", core::Rights(core::Role::reader));
  ASSERT_TRUE(user->outcome && !*user->outcome);
  EXPECT_EQ(user->outcome->error().code, base::ErrorCode::forbidden);
}

TEST_F(MirroredServicesTest, OfEntitiesOfThisHubItKnowsNothing) {
  calls->take(Services{{offered("ai_task", "do", kTargeted)}});
  home.hub.states.set(*core::EntityId::parse("ai_task.own"), {"on", "{}", core::Context::create(home.clock.now())});
  const auto call = home.begin("ai_task.do", R"({"entity_id":"ai_task.own"})");
  EXPECT_TRUE(call->text().starts_with("invalid: ai_task.do is a service of home (Home Assistant)")) << call->text();
  EXPECT_TRUE(link.sent.empty());
}

TEST_F(MirroredServicesTest, NeverTakesThePlaceOfAServiceOfThisHub) {
  add_service("light", "turn_on");
  calls->take(Services{{offered("light", "turn_on", kTargeted), offered("homeassistant", "stop_all", kPlain),
                        offered("Bad Domain", "x", kPlain)}});
  EXPECT_TRUE(home.hub.services.has_own("light", "turn_on"));
  EXPECT_EQ(shown("homeassistant", "stop_all"), "none");
  EXPECT_EQ(calls->services(), 1u);
  // A later one takes its place, and leaves it again.
  calls->take(Services{{offered("notify", "phone", kPlain)}});
  EXPECT_FALSE(home.hub.services.has_own("notify", "phone"));
  add_service("notify", "phone");
  EXPECT_TRUE(home.hub.services.has_own("notify", "phone"));
  home.advance(200ms);
  EXPECT_TRUE(home.hub.services.has_own("notify", "phone"));
  own.clear();
  home.advance(200ms);
  EXPECT_NE(shown("notify", "phone"), "none");
}

TEST_F(MirroredServicesTest, GoesWhenItIsGoneThereButNotBeforeThatHubRuns) {
  calls->take(Services{{offered("notify", "phone", kPlain)}});
  calls->lost();
  EXPECT_NE(shown("notify", "phone"), "none");
  calls->take(Opened{{.version = "2026.2.3", .user_id = "token_user"}});
  calls->take(Services{});
  EXPECT_NE(shown("notify", "phone"), "none");
  calls->take(Running{});
  calls->take(Services{});
  EXPECT_NE(shown("notify", "phone"), "none");
  home.advance(MirroredServices::kGoneAfter, 1s);
  EXPECT_EQ(shown("notify", "phone"), "none");
  calls->take(Services{{offered("notify", "phone", kPlain)}});
  EXPECT_NE(shown("notify", "phone"), "none");
  calls->take(Services{});
  EXPECT_EQ(shown("notify", "phone"), "none");
}

TEST_F(MirroredServicesTest, WhatAnotherHubMirrorsItselfIsNotMirrored) {
  calls->take(Services{{offered("notify", "phone", R"({"fields":{},"hearth_origin":{"instance":"b","hops":1}})")}});
  EXPECT_EQ(shown("notify", "phone"), "none");
}

TEST_F(MirroredServicesTest, OfTwoHubsTheFirstOneHasItAndTheOtherIsNamed) {
  std::string called;
  {
    MirroredServices::Instance cabin(services, home.bus, "cabin",
                                     [&](const core::ServiceCall&, const core::ServiceReply& reply) {
                                       called = "cabin";
                                       reply(json::value());
                                     });
    cabin.take({offered("notify", "phone", kPlain), offered("notify", "cabin", kPlain)});
    EXPECT_EQ(services.registered("cabin"), 2u);
    calls->take(Services{{offered("notify", "phone", kPlain)}});
    EXPECT_EQ(services.registered("home"), 1u);
    EXPECT_NE(shown("notify", "phone").find("Does it. Of home (Home Assistant); offered by cabin, too."),
              std::string::npos);
    home.begin("notify.cabin", "{}");
    EXPECT_EQ(called, "cabin");
  }
  EXPECT_EQ(shown("notify", "cabin"), "none");
  EXPECT_NE(shown("notify", "phone"), "none");
}

TEST_F(MirroredServicesTest, TenTimesTooManyAreNotKept) {
  std::vector<OtherService> many;
  for (std::size_t i = 0; i < 10 * MirroredServices::kMaxServices; ++i)
    many.push_back({fmt::format("d{}", i), "s", json::object{{"fields", json::object()}}});
  many[0].description["description"] = std::string(2 * MirroredServices::kMaxDescription, 'x');
  calls->take(Services{std::move(many)});
  EXPECT_EQ(calls->services(), MirroredServices::kMaxServices);
  EXPECT_EQ(shown("d0", "s"), "none");
  calls.reset();
}

TEST_F(MirroredServicesTest, OneThatOnlyAnswersIsNotForReaders) {
  mirror("ai_task.a_x");
  calls->take(
      Services{{offered("ai_task", "ask", R"({"fields":{},"target":{"entity":[{}]},"response":{"optional":false}})")}});
  const auto call = home.begin("ai_task.ask", R"({"entity_id":"ai_task.a_x"})", core::Rights(core::Role::reader));
  ASSERT_TRUE(call->outcome && !*call->outcome);
  EXPECT_EQ(call->outcome->error().code, base::ErrorCode::forbidden);
  home.begin("ai_task.ask", R"({"entity_id":"ai_task.a_x"})");
  EXPECT_EQ(link.sent.size(), 1u);
}

TEST_F(MirroredServicesTest, TheSectionMaySwitchItOff) {
  calls.reset();
  options.services = Options::ServicesHere::none;
  begin();
  connect();
  calls->take(Services{{offered("notify", "phone", kPlain)}});
  EXPECT_EQ(shown("notify", "phone"), "none");
}

struct BridgeServicesTest : MirroredServicesTest {
  std::vector<std::string> done;
  BridgeServices bridge{
      home.hub,
      {.find = [this](std::string_view name) { return name.empty() || name == "home" ? &*calls : nullptr; },
       .reload = [this](std::string_view name) -> base::Result<void> {
         if (name == "x") return base::fail(base::ErrorCode::not_found, "There is no x.");
         done.push_back("reload " + std::string(name));
         return {};
       },
       .adopt = [this](const std::string& from, const std::string& to, const core::Context&) -> base::Result<void> {
         done.push_back("adopt " + from + " " + to);
         return {};
       },
       .fill_gaps =
           [this](std::string_view, int hours, const core::ServiceReply& reply) {
             done.push_back("fill " + std::to_string(hours));
             reply(json::value());
           }}};
};

TEST_F(BridgeServicesTest, CallsAnyServiceThereAndAnswersWithItsResponse) {
  mirror("light.a_x");
  core::ServiceRequest request;
  request.domain = "home_assistant";
  request.service = "call";
  request.data = base::parse_json(R"({"domain":"script","service":"good_night","target":{"entity_id":"script.own",)"
                                  R"("device_id":["device_here"]},"data":{"lamp":"light.a_x"}})")
                     .value()
                     .as_object();
  request.return_response = true;
  std::optional<base::Result<core::CallOutcome>> outcome;
  home.hub.services.call(std::move(request), [&](base::Result<core::CallOutcome> result) { outcome = result; });
  home.hub.bus.run_pending();
  EXPECT_EQ(sent(), R"(script.good_night {"lamp":"light.x"} {"entity_id":"script.own","device_id":["device_there"]})");
  answer_last("C1", R"({"light.x":1})");
  ASSERT_TRUE(outcome && *outcome);
  EXPECT_EQ(base::to_json((*outcome)->response), R"({"light.a_x":1})");
}

TEST_F(BridgeServicesTest, CallIsForWhoeverControlsEverythingAndWithinTheSectionsCeiling) {
  const char* const data = R"({"domain":"script","service":"good_night"})";
  const auto policy =
      std::make_shared<const core::Policy>(core::Policy{.read = {.all = true}, .control = {.domains = {"light"}}});
  EXPECT_TRUE(home.begin("home_assistant.call", data, core::Rights(core::Role::user, policy))->outcome);
  EXPECT_TRUE(link.sent.empty());
  EXPECT_EQ(home.call("home_assistant.call", R"({"domain":"script","service":"good night"})"),
            "invalid: domain and service: expected two such as light and turn_on");
  EXPECT_EQ(home.call("home_assistant.call", R"({"instance":"y","domain":"script","service":"x"})"),
            "invalid: instance: there is no y.");
  calls.reset();
  options.control_all = false;
  options.control_domains = {"light"};
  begin();
  connect();
  EXPECT_EQ(home.call("home_assistant.call", data),
            "failed: The section home_assistant does not let script.good_night be called at home (Home Assistant).");
}

TEST_F(BridgeServicesTest, TheOthersAreForAdministrators) {
  EXPECT_EQ(home.call("home_assistant.reload", "{}"), "");
  EXPECT_EQ(home.call("home_assistant.reload", R"({"instance":"x"})"), "invalid: There is no x.");
  EXPECT_EQ(home.call("home_assistant.adopt", R"({"from":"light.A_x","to":"light.own"})"), "");
  EXPECT_EQ(home.call("home_assistant.fill_gaps", R"({"hours":72})"), "");
  EXPECT_TRUE(home.call("home_assistant.fill_gaps", R"({"hours":73})").starts_with("invalid: hours"));
  EXPECT_EQ(done, (std::vector<std::string>{"reload ", "adopt light.a_x light.own", "fill 72"}));
  for (const char* service : {"reload", "adopt", "fill_gaps"}) {
    const auto call = home.begin(std::string("home_assistant.") + service, "{}", core::Rights(core::Role::user));
    ASSERT_TRUE(call->outcome && !*call->outcome);
    EXPECT_EQ(call->outcome->error().code, base::ErrorCode::forbidden);
  }
}

}  // namespace
}  // namespace hearth::integrations::home_assistant

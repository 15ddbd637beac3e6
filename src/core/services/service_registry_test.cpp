// SPDX-License-Identifier: Apache-2.0
#include "core/services/service_registry.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "core/services/service_test_home.h"

namespace hearth::core {
namespace {

using std::chrono::seconds;
using Home = ServiceTestHome;

TEST(ServiceRegistry, ListsWhatIsThere) {
  Home home;
  EXPECT_FALSE(home.services.find("test", "run"));
  home.add(answers());
  ASSERT_TRUE(home.services.find("test", "run"));
  EXPECT_EQ(home.services.find("test", "run")->description.service, "run");
  EXPECT_FALSE(home.services.find("test", "walk"));
  const auto before = home.services.snapshot();
  home.registration = Registration();
  EXPECT_FALSE(home.services.find("test", "run"));
  EXPECT_TRUE(home.services.snapshot()->empty());
  EXPECT_EQ(before->at("test")->size(), 1u);
}

TEST(ServiceRegistry, FiresEventsForAddedAndRemovedServices) {
  Home home;
  std::vector<std::string> seen;
  const auto all =
      home.bus.listen("*", [&](const Event& event) { seen.push_back(event.type + std::get<std::string>(event.data)); });
  home.add(answers());
  home.registration = Registration();
  home.bus.run_pending();
  EXPECT_EQ(seen, (std::vector<std::string>{R"(service_registered{"domain":"test","service":"run"})",
                                            R"(service_removed{"domain":"test","service":"run"})"}));
}

TEST(ServiceRegistry, AnswersAnUnknownServiceAtOnce) {
  Home home;
  home.services.call(home.request(), home.note_result());
  EXPECT_EQ(home.answer(), "error: Service test.run not found.");
  EXPECT_EQ(home.error(), base::ErrorCode::not_found);
}

TEST(ServiceRegistry, DoesNotCallTheHandlerOfAServiceRemovedMeanwhile) {
  Home home;
  bool ran = false;
  home.add([&](const ServiceCall&, const ServiceReply&) { ran = true; });
  home.services.call(home.request(), home.note_result());
  home.registration = Registration();
  home.bus.run_pending();
  EXPECT_FALSE(ran);
  EXPECT_EQ(home.answer(), "error: Service test.run not found.");
}

TEST(ServiceRegistry, RefusesBadDataBeforeAnythingIsDone) {
  const std::pair<const char*, const char*> bad[] = {
      {R"({"entity_id":"light.a","speed":1})", "error: speed: unknown field of test.run"},
      {R"({"entity_id":"light.a","level":"x"})", R"(error: level: expected a whole number from 0 to 9, got "x")"},
      {R"({"entity_id":1})", "error: entity_id: expected a text or a list of texts, got 1"},
      {"{}", "error: entity_id: test.run needs a target: entity_id, device_id, area_id, floor_id or label_id."}};
  for (const auto& [data, message] : bad) {
    Home home;
    bool ran = false;
    home.description.fields = {{"level", "", 1, field::Integer{0, 9}}};
    home.add([&](const ServiceCall&, const ServiceReply&) { ran = true; });
    int events = 0;
    const auto all = home.bus.listen("call_service", [&](const Event&) { ++events; });
    home.call(home.request(data));
    EXPECT_EQ(home.answer(), message);
    EXPECT_EQ(home.error(), base::ErrorCode::invalid);
    EXPECT_FALSE(ran);
    EXPECT_EQ(events, 0);
  }
}

TEST(ServiceRegistry, RefusesOthersIfAnAdministratorIsNeeded) {
  Home home;
  home.description.administrator = true;
  home.add(answers());
  auto request = home.request();
  request.rights = Rights(Role::user);
  home.call(std::move(request));
  EXPECT_EQ(home.error(), base::ErrorCode::forbidden);
}

TEST(ServiceRegistry, RefusesAReaderWhateverItNames) {
  for (const char* data : {R"({"entity_id":"light.a"})", R"({"entity_id":"light.none"})", R"({"entity_id":"all"})",
                           R"({"entity_id":"light.a","unknown_field":1})"}) {
    Home home;
    bool ran = false;
    home.add([&](const ServiceCall&, const ServiceReply&) { ran = true; });
    auto request = home.request(data);
    request.rights = Rights(Role::reader);
    home.call(std::move(request));
    EXPECT_EQ(home.error(), base::ErrorCode::forbidden) << data;
    EXPECT_FALSE(ran) << data;
  }
}

TEST(ServiceRegistry, RefusesAReaderIfThereIsNoTarget) {
  Home home;
  home.description.has_target = false;
  home.add(answers());
  auto request = home.request("{}");
  request.rights = Rights(Role::reader);
  home.call(std::move(request));
  EXPECT_EQ(home.error(), base::ErrorCode::forbidden);
}

TEST(ServiceRegistry, LetsAReaderAskWhatItMayRead) {
  Home home;
  home.description.response = ResponseSupport::only;
  home.add([](const ServiceCall& call, const ServiceReply& reply) {
    reply(json::value(json::array(call.entity_ids().begin(), call.entity_ids().end())));
  });
  auto policy = std::make_shared<Policy>();
  policy->read.entities = {"light.b"};
  for (const auto& [rights, heard] : {std::pair(Rights(Role::reader), R"(["light.a","light.b"])"),
                                      std::pair(Rights(Role::reader, policy), R"(["light.b"])")}) {
    auto request = home.request(R"({"entity_id":"light.a,light.b"})");
    request.rights = rights;
    request.return_response = true;
    home.call(std::move(request));
    ASSERT_TRUE(home.results.back());
    EXPECT_EQ(base::to_json(home.results.back()->response), heard);
  }
}

TEST(ServiceRegistry, GivesTheHandlerCheckedDataAndResolvedEntities) {
  Home home;
  home.description.fields = {{"level", "", 1, field::Integer{0, 9}}};
  home.description.target_domains = {"light"};
  auto request = home.request(R"({"entity_id":"Light.B, light.none, switch.c, light.a","level":"5"})");
  const Context context = request.context;
  bool ran = false;
  home.add([&](const ServiceCall& call, const ServiceReply& reply) {
    ran = true;
    EXPECT_TRUE(home.bus.on_bus_thread());
    EXPECT_EQ(call.entity_ids(), (std::vector<std::string>{"light.b", "light.a"}));
    EXPECT_EQ(base::to_json(call.data()), R"({"level":5})");
    EXPECT_EQ(call.context(), context);
    reply(nullptr);
  });
  home.call(std::move(request));
  EXPECT_TRUE(ran);
  EXPECT_EQ(home.answer(), "");
}

TEST(ServiceRegistry, AServiceOfAnotherHubGivesWayToOneOfThisHub) {
  ServiceTestHome home;
  home.description.provider = "home";
  Registration of_other = home.services.add(home.description, answers("there"));
  EXPECT_FALSE(home.services.has_own("test", "run"));
  EXPECT_NE(base::to_json(to_json_object(home.description)).find("hearth_origin"), std::string::npos);
  home.description.provider = "";
  home.add(answers("here"));
  EXPECT_TRUE(home.services.has_own("test", "run"));
  of_other = {};
  ASSERT_TRUE(home.services.has_own("test", "run"));
  home.registration = {};
  EXPECT_FALSE(home.services.find("test", "run"));
}

TEST(ServiceRegistry, ACallMayLastAsLongAsItsServiceSays) {
  ServiceTestHome home;
  home.description.longest = std::chrono::minutes(10);
  home.description.has_target = false;
  ServiceReply reply;
  home.add([&](const ServiceCall&, ServiceReply later) { reply = std::move(later); });
  home.call(home.request("{}"));
  home.advance(std::chrono::minutes(9));
  EXPECT_EQ(home.answer(), "none yet");
  home.advance(std::chrono::minutes(1));
  EXPECT_EQ(home.answer(), "");
}

TEST(ServiceRegistry, ARefusalOfAnotherHubKeepsItsCodeAndItsWords) {
  ServiceTestHome home;
  home.add([](const ServiceCall&, const ServiceReply& reply) {
    base::Error error{base::ErrorCode::not_found, "gone"};
    error.said = std::make_shared<const base::SaidElsewhere>(base::SaidElsewhere{.code = "not_found"});
    reply(std::unexpected(error));
  });
  home.call(home.request());
  EXPECT_EQ(home.error(), base::ErrorCode::not_found);
  ASSERT_TRUE(home.results.at(0).error().said);
}

}  // namespace
}  // namespace hearth::core

// SPDX-License-Identifier: Apache-2.0
#include "core/services/provider.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "core/client_entity.h"
#include "core/services/service_test_home.h"

namespace hearth::core {
namespace {

// Notes each call as "service: ids data"; answers as it is told.
class TestProvider final : public Provider {
 public:
  explicit TestProvider(bool checks) : checks_(checks) {}
  bool checks_data() const override { return checks_; }
  void call(const ServiceRequest& request, const std::vector<std::string>& entity_ids, ServiceReply reply) override {
    calls.push_back(fmt::format("{}.{}: {} {}", request.domain, request.service, fmt::join(entity_ids, " "),
                                base::to_json(request.data)));
    if (throws) throw std::runtime_error("broken");
    reply(answer);
  }

  std::vector<std::string> calls;
  base::Result<json::value> answer = json::value();
  bool throws = false;

 private:
  const bool checks_;
};

struct ProviderTest : testing::Test {
  ProviderTest() {
    home.description.fields = {{"level", "", nullptr, field::Integer{0, 9}}};
    home.description.response = ResponseSupport::optional;
    for (const char* id : {"light.b", "light.b2"}) live_at("one", id);
    live_at("two", "switch.c");
    home.add([this](const ServiceCall& call, const ServiceReply& reply) {
      here.push_back(fmt::format("{} {}", fmt::join(call.entity_ids(), " "), base::to_json(call.data())));
      reply(answer_here);
    });
    home.bus.run_pending();
  }

  void live_at(const std::string& provider, const std::string& id, std::string_view value = "off") {
    home.set(id, value, Context::create(home.clock.now()));
    RegisteredEntity entity{.unique_id = id, .integration = "hue"};
    entity.provider = provider;
    home.registry.put_entity(*EntityId::parse(id), std::move(entity)).value();
  }

  ServiceTestHome home;
  std::vector<std::string> here;
  base::Result<json::value> answer_here = json::value();
  TestProvider one{true}, two{false};
  base::Handle provides_one = home.services.providers().add("one", one);
  base::Handle provides_two = home.services.providers().add("two", two);
};

using NotedCalls = std::vector<std::string>;

TEST_F(ProviderTest, EachOfThemGetsOneCallWithItsEntities) {
  home.call(home.request(R"({"entity_id":["light.b","light.a","switch.c","light.b2"],"level":"7"})"));
  EXPECT_EQ(home.answer(), "");
  EXPECT_EQ(here, (NotedCalls{R"(light.a {"level":7})"}));
  EXPECT_EQ(one.calls, (NotedCalls{R"(test.run: light.b light.b2 {"level":"7"})"}));  // as it was given
  EXPECT_EQ(two.calls, (NotedCalls{R"(test.run: switch.c {"level":7})"}));            // as it was checked here
}

TEST_F(ProviderTest, ResponsesAreJoined) {
  auto request = home.request(R"({"entity_id":["light.a","light.b"]})");
  request.return_response = true;
  answer_here = json::object{{"light.a", 1}};
  one.answer = json::object{{"light.b", 2}};
  home.call(std::move(request));
  ASSERT_TRUE(home.results.at(0));
  EXPECT_EQ(base::to_json(home.results[0]->response), R"({"light.a":1,"light.b":2})");
}

TEST_F(ProviderTest, TheHandlerHereIsLeftOutIfNothingIsHere) {
  home.call(home.request(R"({"entity_id":"light.b"})"));
  EXPECT_EQ(here, NotedCalls());
  EXPECT_EQ(one.calls.size(), 1U);
  home.call(home.request(R"({"entity_id":[]})"));
  EXPECT_EQ(here, (NotedCalls{" {}"}));
}

TEST_F(ProviderTest, DataIsCheckedThereIfAllTargetsAreThere) {
  home.call(home.request(R"({"entity_id":["light.b","light.b2"],"level":700,"extra":[1]})"));
  EXPECT_EQ(home.answer(), "");
  EXPECT_EQ(one.calls, (NotedCalls{R"(test.run: light.b light.b2 {"level":700,"extra":[1]})"}));
}

TEST_F(ProviderTest, AnErrorOfTheDescriptionHereStopsTheWholeCall) {
  for (const char* targets : {R"(["light.b","light.a"])", R"(["light.b","switch.c"])", R"("switch.c")", "[]"}) {
    home.results.clear();
    home.call(home.request(fmt::format(R"({{"entity_id":{},"level":700}})", targets)));
    EXPECT_EQ(home.error(), base::ErrorCode::invalid) << targets;
  }
  EXPECT_EQ(here, NotedCalls());
  EXPECT_EQ(one.calls, NotedCalls());
  EXPECT_EQ(two.calls, NotedCalls());
}

TEST_F(ProviderTest, AResponseIsAskedForThereThoughTheServiceHereHasNone) {
  home.registration = Registration();
  home.description.response = ResponseSupport::none;
  home.add(answers());
  one.answer = json::object{{"light.b", 2}};
  auto request = home.request(R"({"entity_id":"light.b"})");
  request.return_response = true;
  home.call(request);
  ASSERT_TRUE(home.results.at(0)) << home.answer();
  EXPECT_EQ(base::to_json(home.results[0]->response), R"({"light.b":2})");
  home.results.clear();
  request.data["entity_id"] = "light.a";
  home.call(std::move(request));
  EXPECT_EQ(home.error(), base::ErrorCode::invalid);
}

TEST_F(ProviderTest, WhatComesIntoTheTargetBeforeTheCallBeginsIsCheckedToo) {
  home.services.call(home.request(R"({"entity_id":"light.b","level":700})"), home.note_result());
  home.registry.release_entity("light.b");  // it is here now
  home.bus.run_pending();
  EXPECT_EQ(home.error(), base::ErrorCode::invalid);
  EXPECT_EQ(one.calls, NotedCalls());
}

TEST_F(ProviderTest, NothingIsCalledElsewhereIfTheHandlerHereRefuses) {
  answer_here = base::fail(base::ErrorCode::invalid, "light.a cannot.");
  home.call(home.request(R"({"entity_id":["light.b","light.a","switch.c"]})"));
  EXPECT_EQ(home.answer(), "error: light.a cannot.");
  EXPECT_EQ(one.calls, NotedCalls());
  EXPECT_EQ(two.calls, NotedCalls());
}

TEST_F(ProviderTest, TheFirstErrorFailsTheCall) {
  one.answer = base::fail(base::ErrorCode::unreachable, "one cannot be reached.");
  home.call(home.request(R"({"entity_id":["light.a","light.b","switch.c"]})"));
  EXPECT_EQ(home.answer(), "error: one cannot be reached.");
  EXPECT_EQ(home.error(), base::ErrorCode::unreachable);
  EXPECT_EQ(two.calls.size(), 1U);
}

TEST_F(ProviderTest, OneThatThrowsFailsTheCallOnly) {
  two.throws = true;
  home.call(home.request(R"({"entity_id":["light.b","switch.c"]})"));
  EXPECT_EQ(home.answer(), "error: The service failed.");
  EXPECT_EQ(one.calls.size(), 1U);
}

TEST_F(ProviderTest, OneThatIsGoneIsNamed) {
  home.services.call(home.request(R"({"entity_id":"light.b"})"), home.note_result());
  provides_one = base::Handle();
  home.bus.run_pending();
  EXPECT_EQ(home.answer(), "error: light.b cannot be reached: one, which provides it, is not there.");
  EXPECT_EQ(home.error(), base::ErrorCode::unreachable);
  EXPECT_EQ(one.calls, NotedCalls());
  // And checks nothing any more.
  home.results.clear();
  home.call(home.request(R"({"entity_id":"light.b","level":700})"));
  EXPECT_EQ(home.error(), base::ErrorCode::invalid);
}

TEST_F(ProviderTest, UnavailableEntitiesAreCalledIfTheyAreNamed) {
  live_at("one", "light.b", "unavailable");
  home.call(home.request(R"({"entity_id":"light.b"})"));
  home.call(home.request(R"({"entity_id":"all"})"));
  EXPECT_EQ(one.calls, (NotedCalls{"test.run: light.b {}", "test.run: light.b2 {}"}));
}

TEST_F(ProviderTest, RightsAreThoseOfHere) {
  auto request = home.request(R"({"entity_id":["light.b","light.b2"],"level":700})");
  const auto policy =
      std::make_shared<const Policy>(Policy{.read = {.all = true}, .control = {.entities = {"light.b2"}}});
  request.rights = Rights(Role::user, policy);
  home.call(request);
  EXPECT_EQ(home.answer(), "error: This user may not control light.b.");
  home.results.clear();
  request.data["entity_id"] = "light.b2";
  home.call(std::move(request));
  EXPECT_EQ(one.calls, (NotedCalls{R"(test.run: light.b2 {"level":700})"}));
}

TEST_F(ProviderTest, AServiceOfAnotherHubTakesAnyDataAndPerhapsNoTarget) {
  home.registration = Registration();
  home.description.fields = {};
  home.description.target_domains = {"image_processing"};
  home.description.hands_on = home.description.target_optional = true;
  NotedCalls untargeted;
  home.add([&](const ServiceCall& call, const ServiceReply& reply) {
    untargeted.push_back(base::to_json(call.data()));
    reply(json::value());
  });
  live_at("one", "image_processing.door", "unknown");
  home.call(home.request(R"({"entity_id":["image_processing.door","light.b"],"what":{"ever":[1]}})"));
  EXPECT_EQ(one.calls, (NotedCalls{R"(test.run: image_processing.door {"what":{"ever":[1]}})"}));
  home.call(home.request(R"({"what":1})"));
  EXPECT_EQ(untargeted, (NotedCalls{R"({"what":1})"}));
  // Without a target it may reach everything.
  home.results.clear();
  auto request = home.request("{}");
  request.rights = Rights(
      Role::user, std::make_shared<const Policy>(Policy{.read = {.all = true}, .control = {.entities = {"light.b"}}}));
  home.call(std::move(request));
  EXPECT_EQ(home.answer(), "error: Only who may control everything may call test.run without a target.");
  EXPECT_EQ(untargeted.size(), 1U);
}

TEST_F(ProviderTest, ALargeTargetIsSplitInItsOrder) {
  constexpr int kEach = 3'000;
  json::array ids;
  for (int i = 0; i < kEach; ++i) {
    for (const auto& [provider, domain] : {std::pair("one", "light"), {"two", "switch"}}) {
      const std::string id = fmt::format("{}.n{}", domain, i);
      live_at(provider, id);
      ids.emplace_back(id);
    }
  }
  ids.emplace_back("light.a");
  auto request = home.request("{}");
  request.data["entity_id"] = std::move(ids);
  home.call(std::move(request));
  ASSERT_EQ(home.answer(), "");
  EXPECT_EQ(here, (NotedCalls{"light.a {}"}));
  std::string wanted = "test.run:";
  for (int i = 0; i < kEach; ++i) wanted += fmt::format(" light.n{}", i);
  EXPECT_EQ(one.calls, (NotedCalls{wanted + " {}"}));
  EXPECT_EQ(two.calls.size(), 1U);
}

TEST_F(ProviderTest, NotStored) {
  const auto before = home.registry.snapshot();
  EXPECT_EQ(provider_of(before->entities.at("light.b")), "one");
  home.registry.release_entity("light.b");
  EXPECT_EQ(provider_of(home.registry.snapshot()->entities.at("light.b")), "");
}

struct ProvidedStateTest : testing::Test {
  base::Result<StateMachine::Written> write(const char* id) {
    return set_client_state(hub, *EntityId::parse(id), {"on", "{}", Context::create(clock.now())});
  }
  void put(const char* id, RegisteredEntity entity) {
    entity.unique_id = fmt::format("lake.{}", id);
    hub.registry.put_entity(*EntityId::parse(id), std::move(entity)).value();
  }

  base::ManualClock clock;
  Hub hub{clock};
};

TEST_F(ProvidedStateTest, ClientsDoNotWriteThem) {
  put("light.far", {.integration = "hue", .provider = "home_assistant.home"});
  put("light.lake_a", {.integration = std::string(kFleetIntegration)});
  put("light.near", {.integration = "hue"});
  const auto refused = write("light.far");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::ErrorCode::conflict);
  EXPECT_EQ(refused.error().message, "light.far is provided by home_assistant.home: its state is written there.");
  EXPECT_EQ(write("light.lake_a").error().message,
            "light.lake_a is provided by the site lake: its state is written there.");
  EXPECT_TRUE(write("light.near"));
  EXPECT_TRUE(write("light.free"));
  hub.registry.release_entity("light.far");
  EXPECT_TRUE(write("light.far"));
}

}  // namespace
}  // namespace hearth::core

// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "api/test_home.h"
#include "base/testing/wait_until.h"

namespace hearth::api {
namespace {

// A home with the service test.set, which sets its targets to the field `value` and answers with it.
class ServicesTest : public testing::Test {
 protected:
  ServicesTest() {
    core::ServiceDescription description;
    description.domain = "test";
    description.service = "set";
    description.description = "Sets.";
    description.response = core::ResponseSupport::optional;
    core::Field value;
    value.name = "value";
    value.description = "What to set.";
    description.fields = {value};
    registration_ =
        home_.hub.services.add(description, [this](const core::ServiceCall& call, core::ServiceReply reply) {
          const auto found = call.data().if_contains("value");
          const std::string text = found ? std::string(found->as_string()) : "none";
          if (text == "never") return kept_.push_back(std::move(reply));
          if (text == "fails") return reply(base::fail(base::ErrorCode::internal, "The lamp is broken."));
          if (text == "wrong") return reply(base::fail(base::ErrorCode::invalid, "value: not that one."));
          for (const auto& id : call.entity_ids()) {
            home_.hub.states.set(*core::EntityId::parse(id), {text, "{}", call.context()}).value();
          }
          reply(json::value(text));
        });
    home_.set("light.a", "off");
    home_.set("light.b", "off");
    home_.start();
  }

  std::string call(std::string_view target, std::string_view body) {
    const auto answer = home_.ask("POST", target, home_.user, body);
    status_ = answer.status;
    return answer.body;
  }
  // `light.a=on light.b=on`.
  static std::string changes(std::string_view body) {
    std::string text;
    const json::value parsed = base::parse_json(body).value();
    for (const auto& state : (parsed.is_array() ? parsed : parsed.at("changed_states")).as_array()) {
      text += std::string(state.at("entity_id").as_string()) + "=" + std::string(state.at("state").as_string()) + " ";
      EXPECT_EQ(state.at("context").at("user_id"), "user-id");
    }
    return text;
  }

  TestHome home_;
  core::Registration registration_;
  std::vector<core::ServiceReply> kept_;
  int status_ = 0;
};

TEST_F(ServicesTest, ListsServicesByDomain) {
  const auto answer = home_.ask("GET", "/api/services", home_.reader);
  const json::value list = base::parse_json(answer.body).value();
  ASSERT_EQ(list.as_array().size(), 1u);
  EXPECT_EQ(list.at(0).at("domain"), "test");
  const json::value& service = list.at(0).at("services").at("set");
  EXPECT_EQ(service.at("description"), "Sets.");
  EXPECT_EQ(service.at("fields").at("value").at("description"), "What to set.");
  EXPECT_TRUE(service.at("fields").at("value").as_object().contains("example"));
}

TEST_F(ServicesTest, AnswersWithTheChangedStates) {
  EXPECT_EQ(changes(call("/api/services/test/set", R"({"entity_id":"light.b, light.a","value":"on"})")),
            "light.b=on light.a=on ");
  EXPECT_EQ(status_, 200);
  EXPECT_EQ(call("/api/services/Test/SET", R"({"entity_id":"light.a","value":"on"})"), "[]");
  EXPECT_EQ(changes(call("/api/services/test/set", R"({"target":{"entity_id":["light.a"]},"value":"off"})")),
            "light.a=off ");
}

TEST_F(ServicesTest, AnswersWithAResponseIfAskedTo) {
  const std::string body = call("/api/services/test/set?return_response", R"({"entity_id":"light.a","value":"on"})");
  EXPECT_EQ(changes(body), "light.a=on ");
  EXPECT_TRUE(body.ends_with(R"(],"service_response":"on"})")) << body;
}

TEST_F(ServicesTest, RefusesWhatIsWrong) {
  const std::string at = "/api/services/test/set";
  EXPECT_EQ(call("/api/services/test/other", ""), R"({"message":"Service test.other not found."})");
  EXPECT_EQ(status_, 404);
  for (const auto& [target, body] :
       std::vector<std::pair<std::string, std::string>>{{at, "nonsense"},
                                                        {at, "[]"},
                                                        {at, R"({"value":"on"})"},
                                                        {at, R"({"entity_id":"light.a","other":1})"},
                                                        {at, R"({"entity_id":7})"},
                                                        {at, R"({"entity_id":"light.a","value":"wrong"})"},
                                                        {at + "?wait=11", "{}"},
                                                        {at + "?wait=-1", "{}"},
                                                        {at + "?wait=nan", "{}"},
                                                        {at + "?wait=", "{}"},
                                                        {at + "?wait=1s", "{}"}}) {
    EXPECT_TRUE(call(target, body).starts_with(R"({"message":")")) << target << body;
    EXPECT_EQ(status_, 400) << target << body;
  }
  EXPECT_EQ(home_.hub.states.find("light.a")->value(), "off");
}

TEST_F(ServicesTest, AnswersAFailureOfTheHandlerWith500) {
  EXPECT_EQ(call("/api/services/test/set", R"({"entity_id":"light.a","value":"fails"})"),
            R"({"message":"The lamp is broken."})");
  EXPECT_EQ(status_, 500);
}

// The call, and with it the right to answer, stays in the hub when the server ends.
TEST_F(ServicesTest, LeavesACallBehindThatNobodyAnswered) {
  std::atomic<bool> called = false;
  const auto calls = home_.hub.bus.listen("call_service", [&](const core::Event&) { called = true; });
  http::TestClient client(home_.server.port());
  client.send(
      TestHome::request("POST", "/api/services/test/set", home_.user, R"({"entity_id":"light.a","value":"never"})"));
  base::wait_until([&] { return called.load(); });
  home_.server.drain();
  home_.server.stop(std::chrono::milliseconds(0));
  EXPECT_EQ(client.read_answer().status, 0);
}

}  // namespace
}  // namespace hearth::api

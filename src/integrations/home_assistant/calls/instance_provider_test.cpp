// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/calls/instance_provider.h"

#include "integrations/home_assistant/calls/calls_test_home.h"

namespace hearth::integrations::home_assistant {
namespace {

using namespace std::chrono_literals;
namespace field = core::field;
using base::ErrorCode;

struct InstanceProviderTest : CallsTest {
  InstanceProviderTest() {
    add_service("light", "turn_on", {{"level", "", nullptr, field::Integer{0, 9}}}, core::ResponseSupport::optional);
    mirror("light.a_x");
    mirror("light.a_y");
    begin();
    connect();
  }
  std::string error_of(const std::shared_ptr<domains::TestHome::Call>& call, ErrorCode code) {
    if (!call->outcome) return "waiting";
    if (*call->outcome) return "it has not failed";
    EXPECT_EQ(call->outcome->error().code, code);
    return call->outcome->error().message;
  }
};

TEST_F(InstanceProviderTest, SendsOneCallWithIdsOfThereAndTheDataAsItWasGiven) {
  home.begin("light.turn_on", R"({"entity_id":["light.a_x","light.a_y"],"level":"7","unknown":"light.a_x"})");
  ASSERT_EQ(link.sent.size(), 1u);
  EXPECT_EQ(sent(), R"(light.turn_on {"level":"7","unknown":"light.x"} {"entity_id":["light.x","light.y"]})");
  EXPECT_EQ(link.sent[0].limit, 30s);
  EXPECT_FALSE(link.sent[0].command.contains("return_response"));
}

TEST_F(InstanceProviderTest, WaitsForTheReportsOfTheEntitiesAndAnswersWithTheStates) {
  const auto call = home.begin("light.turn_on", R"({"entity_id":["light.a_x","light.a_y"]})");
  answer_last("C1");
  EXPECT_EQ(call->text(), "waiting");
  change("light.x", "on", of_token("C1"));
  EXPECT_EQ(call->text(), "waiting");
  change("light.y", "on", of_token("C1"));
  EXPECT_EQ(call->text(), "light.a_x on, light.a_y on");
  EXPECT_EQ(home.hub.states.find("light.a_x")->context().id, call->context_id);
}

TEST_F(InstanceProviderTest, AChangeBeforeTheResultIsTheCalls) {
  const auto call = home.begin("light.turn_on", R"({"entity_id":"light.a_x"})");
  change("light.x", "on", of_token("C1"));
  EXPECT_EQ(home.hub.states.find("light.a_x")->context().id, call->context_id);
  EXPECT_EQ(call->text(), "waiting");
  answer_last("C1");
  EXPECT_EQ(call->text(), "light.a_x on");
}

TEST_F(InstanceProviderTest, WaitsTwoSecondsAtMostForReports) {
  const auto call = home.begin("light.turn_on", R"({"entity_id":"light.a_x"})");
  answer_last("C1");
  home.advance(1'900ms);
  EXPECT_EQ(call->text(), "waiting");
  home.advance(100ms);
  EXPECT_EQ(call->text(), "");
}

TEST_F(InstanceProviderTest, WaitsForNothingThatIsSoAlready) {
  mirror("light.a_on", "on");
  mirror("light.a_gone", "unavailable");
  const auto call = home.begin("light.turn_on", R"({"entity_id":["light.a_on","light.a_gone"]})");
  answer_last("C1");
  EXPECT_EQ(call->text(), "");
}

TEST_F(InstanceProviderTest, HandsTheResponseOnWithIdsOfHereAndWaitsLongerForIt) {
  core::ServiceRequest request;
  request.domain = "light";
  request.service = "turn_on";
  request.data = {{"entity_id", "light.a_x"}};
  request.return_response = true;
  std::optional<base::Result<core::CallOutcome>> outcome;
  home.hub.services.call(std::move(request), [&](base::Result<core::CallOutcome> done) { outcome = std::move(done); });
  home.hub.bus.run_pending();
  EXPECT_EQ(link.sent.at(0).limit, 10min);
  EXPECT_TRUE(link.sent[0].command.at("return_response").as_bool());
  home.advance(5min, 10s);
  EXPECT_FALSE(outcome);
  answer_last("C1", R"({"light.x":{"other":["light.y","of light.x"]}})");
  change("light.x", "on", of_token("C1"));
  ASSERT_TRUE(outcome && *outcome);
  EXPECT_EQ(base::to_json((*outcome)->response), R"({"light.a_x":{"other":["light.a_y","of light.x"]}})");
}

TEST_F(InstanceProviderTest, TellsWhatTheHubThereSaysWithItsCode) {
  struct Row {
    const char* code;
    ErrorCode here;
  };
  for (const Row& row :
       {Row{"not_found", ErrorCode::not_found}, Row{"invalid_format", ErrorCode::invalid},
        Row{"service_validation_error", ErrorCode::invalid}, Row{"home_assistant_error", ErrorCode::failed_elsewhere},
        Row{"unauthorized", ErrorCode::forbidden}, Row{"timeout", ErrorCode::failed_elsewhere}}) {
    const auto call = home.begin("light.turn_on", R"({"entity_id":"light.a_x"})");
    refuse_last(fmt::format(R"({{"code":"{}","message":"No.","translation_domain":"hue","translation_key":"k",)"
                            R"("translation_placeholders":{{"a":"1","n":2}}}})",
                            row.code));
    EXPECT_EQ(error_of(call, row.here), "home (Home Assistant) says: No.") << row.code;
    ASSERT_TRUE(call->outcome->error().said);
    const base::SaidElsewhere& said = *call->outcome->error().said;
    EXPECT_EQ(said.domain + "." + said.key, "hue.k");
    EXPECT_EQ(said.placeholders, (std::vector<std::pair<std::string, std::string>>{{"a", "1"}, {"n", "2"}}));
  }
}

TEST_F(InstanceProviderTest, FailsAtOnceWithoutAConnection) {
  calls->lost();
  const auto call = home.begin("light.turn_on", R"({"entity_id":"light.a_x"})");
  EXPECT_EQ(error_of(call, ErrorCode::unreachable), "home (Home Assistant) cannot be reached.");
  connect();
  home.advance(10s);
  EXPECT_TRUE(link.sent.empty());
}

TEST_F(InstanceProviderTest, ACallThatWasSentBeforeTheLossIsNotSentAgain) {
  const auto call = home.begin("light.turn_on", R"({"entity_id":"light.a_x"})");
  calls->lost();
  end_last(Answer::Outcome::unknown);
  EXPECT_EQ(error_of(call, ErrorCode::unreachable),
            "home (Home Assistant) cannot be reached any more; it is not known whether it was done.");
  connect();
  home.advance(10s);
  EXPECT_EQ(link.sent.size(), 1u);
  const auto late = home.begin("light.turn_on", R"({"entity_id":"light.a_x"})");
  end_last(Answer::Outcome::late);
  EXPECT_EQ(error_of(late, ErrorCode::unreachable),
            "home (Home Assistant) has not answered in time; it is not known whether it was done.");
}

TEST_F(InstanceProviderTest, NamesEntitiesThatAreGoneThere) {
  ids.forget("light.a_x");
  const auto call = home.begin("light.turn_on", R"({"entity_id":"light.a_x"})");
  EXPECT_EQ(error_of(call, ErrorCode::not_found), "home (Home Assistant) has no light.a_x any more.");
  home.begin("light.turn_on", R"({"entity_id":["light.a_x","light.a_y"]})");
  EXPECT_EQ(sent(), R"(light.turn_on {} {"entity_id":["light.y"]})");
}

TEST_F(InstanceProviderTest, TheSectionIsACeiling) {
  calls.reset();
  options.control_all = false;
  options.control_entities = {"light.a_y"};
  begin();
  connect();
  const auto call = home.begin("light.turn_on", R"({"entity_id":"light.a_x"})");
  EXPECT_NE(error_of(call, ErrorCode::forbidden).find("light.a_x"), std::string::npos);
  EXPECT_TRUE(link.sent.empty());
  home.begin("light.turn_on", R"({"entity_id":["light.a_x","light.a_y"]})");
  EXPECT_EQ(sent(), R"(light.turn_on {} {"entity_id":["light.y"]})");
}

TEST_F(InstanceProviderTest, ATargetOfBothHubsIsCheckedHereFirst) {
  home.hub.states.set(*core::EntityId::parse("light.own"), {"off", "{}", core::Context::create(home.clock.now())});
  const auto wrong = home.begin("light.turn_on", R"({"entity_id":["light.own","light.a_x"],"level":10})");
  EXPECT_TRUE(wrong->text().starts_with("invalid: level")) << wrong->text();
  EXPECT_TRUE(link.sent.empty());
  EXPECT_TRUE(called_here.empty());
  home.begin("light.turn_on", R"({"entity_id":["light.own","light.a_x"],"level":9})");
  EXPECT_EQ(sent(), R"(light.turn_on {"level":9} {"entity_id":["light.x"]})");
  EXPECT_EQ(called_here, (std::vector<std::string>{"light.own"}));
}

TEST_F(InstanceProviderTest, ServicesForAnyDomainReachThemAll) {
  mirror("ai_task.a_x");
  mirror("cover.a_x", "closed");
  home.begin("homeassistant.turn_on", R"({"entity_id":["ai_task.a_x","cover.a_x","light.a_x"]})");
  ASSERT_EQ(link.sent.size(), 2u);
  EXPECT_EQ(sent(1), R"(homeassistant.turn_on {} {"entity_id":["ai_task.x","light.x"]})");
  EXPECT_EQ(sent(0), R"(cover.open_cover {} {"entity_id":["cover.x"]})");
  home.begin("platform.toggle", R"({"entity_id":"cover.a_x"})");
  EXPECT_EQ(sent(0), R"(homeassistant.toggle {} {"entity_id":["cover.x"]})");
}

TEST_F(InstanceProviderTest, AtMost64CallsAreUnansweredAndFurtherOnesWaitFiveSeconds) {
  for (int i = 0; i < 64; ++i) home.begin("light.turn_on", R"({"entity_id":"light.a_x","level":1})");
  const auto first = home.begin("light.turn_on", R"({"entity_id":"light.a_x","level":2})");
  const auto second = home.begin("light.turn_on", R"({"entity_id":"light.a_x","level":3})");
  EXPECT_EQ(link.sent.size(), 64u);
  answer(10, "C1");
  ASSERT_EQ(link.sent.size(), 65u);
  EXPECT_EQ(sent(), R"(light.turn_on {"level":2} {"entity_id":["light.x"]})");
  home.advance(5s);
  EXPECT_NE(error_of(second, ErrorCode::unreachable).find("was not sent"), std::string::npos);
  EXPECT_EQ(link.sent.size(), 65u);
}

TEST_F(InstanceProviderTest, WaitingCallsAreBounded) {
  std::size_t failed = 0;
  for (std::size_t i = 0; i < 10 * CallSender::kMaxWaiting; ++i)
    failed += home.begin("light.turn_on", R"({"entity_id":"light.a_x"})")->outcome.has_value();
  EXPECT_EQ(failed, 10 * CallSender::kMaxWaiting - CallSender::kMaxWaiting - CallSender::kMaxUnanswered);
  calls->lost();
  calls.reset();
  home.hub.bus.run_pending();
}

TEST_F(InstanceProviderTest, ACallOfAnEndedInstanceIsAnswered) {
  const auto call = home.begin("light.turn_on", R"({"entity_id":"light.a_x"})");
  calls.reset();
  home.hub.bus.run_pending();
  EXPECT_NE(error_of(call, ErrorCode::unreachable).find("not known"), std::string::npos);
  // An answer that comes then is of nobody.
  EXPECT_TRUE(requests.receive(Answer{.number = link.sent.back().number}));
  const auto next = home.begin("light.turn_on", R"({"entity_id":"light.a_x"})");
  error_of(next, ErrorCode::unreachable);
}

}  // namespace
}  // namespace hearth::integrations::home_assistant

// SPDX-License-Identifier: Apache-2.0
#include "app/connections/flows.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "base/json/json_fields.h"
#include "domains/test_home.h"

namespace hearth::app {
namespace {

using domains::FlowForm;

// Asks for a word; `later` leaves the answer to the test.
class WordFlow final : public domains::ConnectionFlow {
 public:
  static inline int alive = 0;
  static inline Reply left;

  WordFlow() { ++alive; }
  ~WordFlow() override { --alive; }
  void begin(Reply reply) override { reply(form()); }
  void submit(const json::object& fields, Reply reply) override {
    const std::string word = base::text_at(fields, "word");
    if (word == "later") {
      left = std::move(reply);
      return;
    }
    if (word == "throw") throw std::runtime_error("too much");
    if (word == "stop") return reply(domains::FlowAbort{"unsupported"});
    reply(domains::FlowResult{.title = word, .unique_id = word, .data = {}});
  }

 private:
  static FlowForm form() { return {.step_id = "word", .fields = {{.name = "word", .required = true}}}; }
};

constexpr IntegrationFactory kWords{.name = "words",
                                    .check = nullptr,
                                    .create = nullptr,
                                    .change = nullptr,
                                    .flow = [](const domains::FlowHome&, const domains::Discovered* found) {
                                      if (found && found->title == "throws") throw std::runtime_error("no");
                                      return std::unique_ptr<domains::ConnectionFlow>(std::make_unique<WordFlow>());
                                    }};

class FlowsTest : public testing::Test {
 protected:
  // The step as JSON; "waiting"; "failed: …".
  std::string submit(const std::string& flow_id, const char* word) {
    auto told = std::make_shared<std::string>("waiting");
    flows.submit(flow_id, {{"word", word}}, [told](base::Result<json::object> step) {
      *told = step ? base::to_json(*step) : "failed: " + step.error().message;
    });
    home.hub.bus.run_pending();
    last = told;
    return *told;
  }
  std::string begin() {
    std::string id;
    flows.begin(kWords, {}, [&](base::Result<json::object> step) { id = base::text_at(step.value(), "flow_id"); });
    home.hub.bus.run_pending();
    return id;
  }
  bool is_there(const std::string& flow_id) const { return flows.show(flow_id).has_value(); }
  std::size_t shown() const { return flows.in_progress().size(); }

  domains::TestHome home;
  std::shared_ptr<std::string> last;
  int changes = 0;
  base::Result<json::object> entry = json::object{{"title", "T"}};
  core::Connection::Source source{};
  Flows flows{home.hub, home.domains.failures(),
              [this](const auto&, const Flows::Subject& subject, auto, auto then) {
                source = subject.source();
                then(entry);
              },
              [this] { ++changes; }};
};

TEST_F(FlowsTest, EndWithAnEntryOrAReason) {
  EXPECT_NE(submit(begin(), "hall").find(R"("type":"create_entry")"), std::string::npos);
  EXPECT_EQ(source, core::Connection::Source::user);
  EXPECT_NE(submit(begin(), "stop").find(R"("reason":"unsupported")"), std::string::npos);
  EXPECT_NE(submit(begin(), "throw").find(R"("reason":"unknown")"), std::string::npos);
  entry = base::fail(base::ErrorCode::conflict, "there already");
  EXPECT_NE(submit(begin(), "hall").find(R"("reason":"already_configured")"), std::string::npos);
  entry = base::fail(base::ErrorCode::unavailable, "the disk is full");
  EXPECT_EQ(submit(begin(), "hall"), "failed: the disk is full");
  EXPECT_EQ(WordFlow::alive, 0);
}

TEST_F(FlowsTest, TakeOneAnswerAtATime) {
  const std::string id = begin();
  EXPECT_EQ(submit(id, "later"), "waiting");
  const auto first = last;
  EXPECT_EQ(submit(id, "hall"), "failed: busy: the flow still looks at the former answer.");
  WordFlow::left(domains::FlowAbort{"timeout"});
  home.hub.bus.run_pending();
  EXPECT_NE(first->find(R"("reason":"timeout")"), std::string::npos);
  EXPECT_FALSE(is_there(id));
  WordFlow::left(domains::FlowAbort{"timeout"});  // a device that answers after all
  home.hub.bus.run_pending();
}

TEST_F(FlowsTest, GivenUpWhileAnAnswerIsAwaited) {
  const std::string id = begin();
  EXPECT_EQ(submit(id, "later"), "waiting");
  EXPECT_TRUE(flows.end(id).has_value());
  EXPECT_TRUE(last->starts_with("failed: There is no flow")) << *last;
  EXPECT_EQ(WordFlow::alive, 0);
  EXPECT_EQ(flows.end(id).error().code, base::ErrorCode::not_found);
}

TEST_F(FlowsTest, EndAfterAWhile) {
  const std::string id = begin();
  home.advance(std::chrono::minutes(14));
  submit(id, "later");
  home.advance(std::chrono::minutes(14));
  EXPECT_TRUE(is_there(id));
  home.advance(std::chrono::minutes(2));
  EXPECT_FALSE(is_there(id));
  EXPECT_EQ(WordFlow::alive, 0);
}

TEST_F(FlowsTest, OfWhatWasFoundWaitForAPerson) {
  flows.found(kWords, {.unique_id = "a", .title = std::string(200, 'x') + "\xFF"});
  flows.found(kWords, {.unique_id = "a", .title = "a"});
  flows.found(kWords, {.unique_id = "b", .title = "throws"});
  ASSERT_EQ(shown(), 1u);
  EXPECT_EQ(changes, 2);  // the one that threw came and went
  const json::array list = flows.in_progress();
  const std::string text = base::to_json(list);
  EXPECT_NE(text.find(R"("source":"zeroconf")"), std::string::npos) << text;
  EXPECT_LT(text.size(), 400u) << text;
  const std::string id = base::text_at(list[0].get_object(), "flow_id");
  std::string handler;
  EXPECT_EQ(flows.found_by(id, handler)->unique_id, "a");
  EXPECT_EQ(handler, "words");
  home.advance(std::chrono::minutes(70));
  flows.found(kWords, {.unique_id = "a", .title = "a"});  // it is still there
  home.advance(std::chrono::minutes(70));
  EXPECT_EQ(shown(), 1u);
  submit(id, "hall");
  EXPECT_EQ(source, core::Connection::Source::zeroconf);
  EXPECT_EQ(shown(), 0u);
  flows.found(kWords, {.unique_id = "a", .title = "a"});
  home.advance(std::chrono::minutes(76));
  EXPECT_EQ(shown(), 0u);
  flows.found(kWords, {.unique_id = "a", .title = "a"});
  flows.gone("words", "a");
  EXPECT_EQ(shown(), 0u);
}

TEST_F(FlowsTest, OfStrangersTakeHalfOfThePlaces) {
  for (int i = 0; i < 1'000; ++i) flows.found(kWords, {.unique_id = std::to_string(i), .title = "x"});
  EXPECT_EQ(shown(), Flows::kMostFlows / 2);
  std::vector<std::string> persons;
  for (std::size_t i = 0; i < Flows::kMostFlows; ++i) persons.push_back(begin());
  EXPECT_EQ(shown(), Flows::kMostFlows / 2);  // the oldest of persons went
  EXPECT_TRUE(is_there(persons.back()));
  EXPECT_FALSE(is_there(persons.front()));
  for (int i = 0; i < 100; ++i) flows.found(kWords, {.unique_id = "new", .title = "x"});
  EXPECT_TRUE(is_there(persons.back()));
  flows.clear();
  EXPECT_EQ(WordFlow::alive, 0);
}

}  // namespace
}  // namespace hearth::app

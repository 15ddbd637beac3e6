// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/node/node_actions.h"

#include <gtest/gtest.h>

#include "integrations/esphome/node/test_node.h"

namespace hearth::integrations::esphome {
namespace {

class NodeActionsTest : public testing::Test {
 protected:
  void connect(std::uint32_t response, const std::vector<std::pair<std::string, std::uint32_t>>& arguments = {}) {
    proto::ListAction action;
    action.set_name("Do it");
    action.set_key(7);
    action.set_response(response);
    for (const auto& [name, type] : arguments) {
      auto& made = *action.add_args();
      made.set_name(name);
      made.set_type(type);
    }
    node.connect({{message::list_action, action.SerializeAsString()}});
  }
  std::shared_ptr<domains::TestHome::Call> begin(std::string_view data = "{}") {
    return node.home.begin("esphome.test_node_do_it", data);
  }
  void answer(std::uint32_t call_id, bool success, std::string error, std::string data = {}) {
    proto::ActionResult result;
    result.set_call_id(call_id);
    result.set_success(success);
    result.set_error_message(std::move(error));
    result.set_response_data(std::move(data));
    node.says(message::action_result, result);
  }

  TestNode node;
};

TEST_F(NodeActionsTest, PassArgumentsInTheirOrderAndTypes) {
  connect(0, {{"flag", 0},
              {"count", 1},
              {"level", 2},
              {"words", 3},
              {"flags", 4},
              {"counts", 5},
              {"levels", 6},
              {"texts", 7}});
  const auto call = begin(R"({"texts":["a","b"],"flag":true,"count":-2,"level":0.5,"words":"hi","flags":[true,false],
                              "counts":[1,-1],"levels":[1.5],"words":"hi"})");
  EXPECT_EQ(call->text(), "");
  proto::RunAction sent;
  ASSERT_TRUE(node.last_sent().starts_with("42 "));
  ASSERT_TRUE(sent.ParseFromString(bytes_of_hex(node.last_sent().substr(3))));
  EXPECT_EQ(sent.key(), 7u);
  ASSERT_EQ(sent.args_size(), 8);
  EXPECT_TRUE(sent.args(0).bool_());
  EXPECT_EQ(sent.args(1).int_(), -2);
  EXPECT_FLOAT_EQ(sent.args(2).float_(), 0.5F);
  EXPECT_EQ(sent.args(3).string_(), "hi");
  EXPECT_EQ(sent.args(4).bool_array_size(), 2);
  EXPECT_EQ(sent.args(5).int_array(1), -1);
  EXPECT_FLOAT_EQ(sent.args(6).float_array(0), 1.5F);
  EXPECT_EQ(sent.args(7).string_array(1), "b");
  EXPECT_EQ(sent.call_id(), 0u);
  EXPECT_TRUE(node.last_sent().contains("30013000")) << "lists are not packed: " << node.last_sent();
}

TEST_F(NodeActionsTest, RefuseWrongArguments) {
  connect(0, {{"count", 1}, {"counts", 5}});
  EXPECT_EQ(begin(R"({"count":"x","counts":[]})")->text().substr(0, 14), "invalid: count");
  EXPECT_EQ(begin(R"({"count":1})")->text(), "invalid: counts: required field of esphome.test_node_do_it is missing");
  EXPECT_TRUE(begin(R"({"count":1,"counts":["x"]})")->text().starts_with("invalid: counts: a list"));
  EXPECT_EQ(node.last_sent(), "");
}

TEST_F(NodeActionsTest, WaitForTheAnswerOfAStatus) {
  connect(100);
  const auto good = begin(), bad = begin();
  EXPECT_EQ(node.last_sent(),
            "42 0d07000000"
            "1802");
  EXPECT_EQ(good->text(), "waiting");
  answer(1, true, "");
  answer(2, false, "it is broken");
  EXPECT_EQ(good->text(), "");
  EXPECT_EQ(bad->text(), "invalid: Test Node: it is broken");
  answer(2, true, "");
  answer(99, true, "");
}

TEST_F(NodeActionsTest, GiveTheNodesAnswer) {
  connect(2);
  const auto call = begin();
  EXPECT_EQ(node.last_sent(),
            "42 0d07000000"
            "1801"
            "2001");
  answer(1, true, "", R"({"answer":42})");
  EXPECT_EQ(call->text(), "");
  const auto wrong = begin();
  answer(2, true, "", "no json");
  EXPECT_EQ(wrong->text(), "failed: Test Node answers what is no JSON object.");
}

TEST_F(NodeActionsTest, FailWithoutAnAnswer) {
  connect(100);
  const auto late = begin();
  node.home.advance(std::chrono::seconds(29));
  node.says(message::ping_answer);
  EXPECT_EQ(late->text(), "waiting");
  node.home.advance(std::chrono::seconds(1));
  EXPECT_EQ(late->text(), "failed: Test Node did not answer within 30 s.");
  const auto lost = begin();
  node.says(message::disconnect);
  EXPECT_EQ(lost->text(), "failed: Test Node is not connected any more.");
  EXPECT_EQ(begin()->text(), "failed: Test Node is not connected.");
}

TEST_F(NodeActionsTest, HaveABoundForCallsWithoutAnswer) {
  connect(100);
  for (std::size_t i = 0; i < NodeActions::kMaxUnanswered; ++i) EXPECT_EQ(begin()->text(), "waiting");
  EXPECT_EQ(begin()->text(), "failed: Test Node has not answered 64 calls yet.");
}

TEST_F(NodeActionsTest, AreSkippedIfTheyCannotBeServices) {
  connect(0, {{"odd", 8}});
  EXPECT_EQ(node.ended, "");
  EXPECT_FALSE(node.home.hub.services.find("esphome", "test_node_do_it"));
}

}  // namespace
}  // namespace hearth::integrations::esphome

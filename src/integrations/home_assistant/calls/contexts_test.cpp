// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/calls/contexts.h"

#include "integrations/home_assistant/calls/calls_test_home.h"

namespace hearth::integrations::home_assistant {
namespace {

using Context = core::Context;

struct ContextsTest : testing::Test {
  ContextsTest() { contexts.opened({.version = "2026.2.3", .user_id = "token_user"}); }
  std::string id_of(std::string_view entity, const OtherContext& context, bool last = false) {
    const auto found = contexts.context_of(entity, context, last);
    return found ? std::string(found->id.str()) : "waits";
  }
  static OtherContext of_token(const std::string& id) { return {.id = id, .user_id = std::string("token_user")}; }
  static Context here(const std::string& id) { return {base::Id(id), {}, {}}; }

  base::ManualClock clock;
  core::Hub hub{clock};
  Contexts contexts{hub, [](std::string_view user) { return user == "ann"; }};
};

TEST_F(ContextsTest, AChangeOfTheOnlyCallOfItsEntityIsTheCalls) {
  contexts.sent(1, here("one"), {"light.x"});
  contexts.sent(2, here("two"), {"light.y"});
  EXPECT_EQ(id_of("light.x", of_token("A")), "one");
  EXPECT_EQ(id_of("light.y", of_token("B")), "two");
  // Of another user it is not.
  EXPECT_EQ(id_of("light.x", {.id = "C", .user_id = std::string("someone")}), "C");
}

TEST_F(ContextsTest, WithSeveralCallsOrNoneOfItsEntityItWaitsForTheResults) {
  contexts.sent(1, here("one"), {"light.x"});
  contexts.sent(2, here("two"), {"light.x"});
  EXPECT_EQ(id_of("light.x", of_token("B")), "waits");
  EXPECT_EQ(id_of("light.z", of_token("A")), "waits");
  contexts.answered(1, "A");
  EXPECT_EQ(id_of("light.z", of_token("A")), "one");
  contexts.answered(2, "B");
  EXPECT_EQ(id_of("light.x", of_token("B")), "two");
}

TEST_F(ContextsTest, AtLastItIsWrittenWithTheContextOfThere) {
  contexts.sent(1, here("one"), {"light.x"});
  EXPECT_EQ(id_of("light.z", of_token("A"), true), "A");
}

TEST_F(ContextsTest, NothingWaitsIfNoResultCanCome) {
  EXPECT_EQ(id_of("light.x", of_token("A")), "A");
}

TEST_F(ContextsTest, ChainsOfThereStayChainsAndEndInTheCallOfHere) {
  contexts.sent(1, here("one"), {"script.x"});
  contexts.answered(1, "A");
  auto child = contexts.context_of("light.x", {.id = "B", .parent_id = std::string("A")}, false);
  ASSERT_TRUE(child);
  EXPECT_EQ(child->id, "B");
  EXPECT_EQ(child->parent_id, base::Id("one"));
  auto other = contexts.context_of("light.x", {.id = "D", .parent_id = std::string("C")}, false);
  EXPECT_EQ(other->parent_id, base::Id("C"));
}

TEST_F(ContextsTest, AUserIsKeptOnlyIfThereIsOneOfThatIdHere) {
  EXPECT_EQ(contexts.mapped({.id = "A", .user_id = std::string("ann")}).user_id, base::Id("ann"));
  EXPECT_FALSE(contexts.mapped({.id = "A", .user_id = std::string("stranger")}).user_id);
}

TEST_F(ContextsTest, WithoutAnybodyWhoKnowsUsersThoseOfPersonsCount) {
  Contexts plain(hub);
  hub.registry.create_item("person", "bob", {{"name", "Bob"}, {"user_id", "bobs_user"}}, Context::create(clock.now()))
      .value();
  EXPECT_EQ(plain.mapped({.id = "A", .user_id = std::string("bobs_user")}).user_id, base::Id("bobs_user"));
  EXPECT_FALSE(plain.mapped({.id = "A", .user_id = std::string("ann")}).user_id);
}

TEST_F(ContextsTest, AContextWithoutAnIdGetsOne) {
  EXPECT_FALSE(contexts.mapped({.id = ""}).id.empty());
}

TEST_F(ContextsTest, KeepsTheLast10000) {
  for (int i = 0; i < 10 * static_cast<int>(Contexts::kKept); ++i) contexts.know(std::to_string(i), here("h"));
  EXPECT_EQ(id_of("light.x", {.id = std::to_string(9 * Contexts::kKept)}), "h");
  EXPECT_EQ(id_of("light.x", {.id = std::to_string(9 * Contexts::kKept - 1)}), std::to_string(9 * Contexts::kKept - 1));
}

TEST_F(ContextsTest, ReportsBeforeTheResultCountForItsContextOnly) {
  contexts.sent(1, here("one"), {"light.x", "light.y"});
  contexts.reported("light.x", of_token("A"));
  contexts.reported("light.y", of_token("other"));
  EXPECT_EQ(contexts.answered(1, "A"), (std::set<std::string, std::less<>>{"light.x"}));
}

}  // namespace
}  // namespace hearth::integrations::home_assistant

// SPDX-License-Identifier: Apache-2.0
#include "recorder/question_places.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace hearth::recorder {
namespace {

using namespace std::chrono_literals;

struct QuestionPlacesTest : testing::Test {
  bool ask(const std::string& name) {
    return places.ask([this, name](QuestionPlaces::PlacePtr place) {
      begun += name;
      held.push_back(std::move(place));
    });
  }

  // Others that start because of it are then in `held`.
  void end(std::size_t index) { const auto ended = std::exchange(held[index], nullptr); }
  void end_all() { const auto ended = std::exchange(held, {}); }

  QuestionPlaces places{2};
  std::string begun;
  std::vector<QuestionPlaces::PlacePtr> held;
  std::chrono::steady_clock::time_point now{};
};

TEST_F(QuestionPlacesTest, OthersWaitTheirTurnInOrder) {
  for (const auto* const name : {"a", "b", "c", "d"}) EXPECT_TRUE(ask(name));
  EXPECT_EQ(begun, "ab");
  EXPECT_EQ(places.taken(), 2u);
  EXPECT_EQ(places.waiting(), 2u);
  end(0);
  EXPECT_EQ(begun, "abc");
  end_all();
  EXPECT_EQ(begun, "abcd");
  end_all();
  EXPECT_EQ(places.taken(), 0u);
}

TEST_F(QuestionPlacesTest, OneMoreThanMayWaitIsRefused) {
  for (std::size_t i = 0; i < 2 + QuestionPlaces::kMaxWaiting; ++i) ASSERT_TRUE(ask("x"));
  EXPECT_FALSE(ask("y"));
  places.close();
  EXPECT_EQ(places.waiting(), 0u);
  end_all();
  EXPECT_EQ(begun, "xx");
  EXPECT_FALSE(ask("z"));
}

TEST_F(QuestionPlacesTest, AClientThatDoesNotReadLosesItsPlaceIfOthersWait) {
  EXPECT_TRUE(ask("a"));
  EXPECT_TRUE(ask("b"));
  held[0]->rest(now);
  places.reclaim(now + 1h);
  EXPECT_TRUE(held[0]->go_on());
  held[0]->rest(now);
  EXPECT_TRUE(ask("c"));
  places.reclaim(now + QuestionPlaces::kPatience - 1us);
  EXPECT_EQ(begun, "ab");
  places.reclaim(now + QuestionPlaces::kPatience);
  EXPECT_EQ(begun, "abc");
  EXPECT_FALSE(held[0]->go_on());
  EXPECT_TRUE(held[1]->go_on());
  EXPECT_TRUE(ask("d"));
  end(0);
  EXPECT_EQ(begun, "abc");
  end(1);
  EXPECT_EQ(begun, "abcd");
  EXPECT_EQ(places.taken(), 2u);
}

TEST_F(QuestionPlacesTest, APlaceMayOutliveThePlaces) {
  auto other = std::make_unique<QuestionPlaces>(1);
  QuestionPlaces::PlacePtr kept;
  EXPECT_TRUE(other->ask([&](QuestionPlaces::PlacePtr place) { kept = std::move(place); }));
  other.reset();
  kept->rest(now);
  EXPECT_TRUE(kept->go_on());
}

}  // namespace
}  // namespace hearth::recorder

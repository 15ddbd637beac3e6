// SPDX-License-Identifier: Apache-2.0
#include "core/bus/inbox.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace hearth::core {
namespace {

class InboxTest : public testing::Test {
 protected:
  void put(std::string item) {
    const std::size_t bytes = item.size();
    inbox.put(std::move(item), bytes, [this] { ++posted; });
  }
  std::string drain() {
    auto batch = inbox.drain();
    std::string text;
    for (const std::string& item : batch.items) text += item + ' ';
    if (batch.lost) text += "lost";
    inbox.recycle(std::move(batch));
    return text;
  }

  Inbox<std::string> inbox{4, 100};
  int posted = 0;
};

TEST_F(InboxTest, GivesAllInOrderAndPostsOnceForIt) {
  put("a");
  put("b");
  EXPECT_EQ(posted, 1);
  EXPECT_EQ(drain(), "a b ");
  put("c");
  EXPECT_EQ(posted, 2);
  EXPECT_EQ(drain(), "c ");
  EXPECT_EQ(drain(), "");
}

TEST_F(InboxTest, SaysThatSomethingIsMissingPastABound) {
  for (const char* item : {"a", "b", "c", "d", "e"}) put(item);
  EXPECT_EQ(drain(), "a b c d lost");
  put(std::string(100, 'x'));
  put("y");
  EXPECT_EQ(drain(), std::string(100, 'x') + " lost");
  put("z");
  EXPECT_EQ(drain(), "z ");
}

TEST_F(InboxTest, RepeatsNothingIfTheTakerThrows) {
  put("a");
  EXPECT_THROW(
      {
        const auto batch = inbox.drain();
        throw std::runtime_error(batch.items.front());
      },
      std::runtime_error);
  put("b");
  EXPECT_EQ(drain(), "b ");
}

TEST_F(InboxTest, PostsAgainIfThePostThrows) {
  inbox.put("a", 1, [] { throw std::bad_alloc(); });
  put("b");
  EXPECT_EQ(posted, 1);
  EXPECT_EQ(drain(), "a b ");
}

TEST_F(InboxTest, ReportsItemsThatCouldNotBeMade) {
  put("a");
  inbox.lose([this] { ++posted; });
  put("b");
  EXPECT_EQ(posted, 1);
  EXPECT_EQ(drain(), "a lost");
  inbox.lose([this] { ++posted; });
  EXPECT_EQ(posted, 2);
  EXPECT_EQ(drain(), "lost");
}

}  // namespace
}  // namespace hearth::core

// SPDX-License-Identifier: Apache-2.0
#include "http/websocket/message_queue.h"

#include <gtest/gtest.h>

namespace hearth::http {
namespace {

using namespace std::string_literals;

MessagePtr text_message(std::string_view text) {
  return std::make_shared<const Message>(text);
}

// All that waits, as sent in pieces of at most that many bytes.
std::string drain(MessageQueue& queue, bool coalesce, std::size_t piece = SIZE_MAX) {
  std::string scratch, all;
  while (!queue.empty()) {
    const std::string_view next = queue.next(coalesce, scratch).substr(0, piece);
    all += next;
    queue.sent(next.size());
  }
  EXPECT_EQ(queue.bytes(), 0u);
  EXPECT_EQ(queue.size(), 0u);
  return all;
}

TEST(Message, HasTheShortestHeader) {
  EXPECT_EQ(Message("").frame(), "\x81\0"s);
  EXPECT_EQ(Message("hello").frame(), "\x81\x05hello");
  const std::string s125(125, 'x'), s126(126, 'x'), s65535(65535, 'x'), s65536(65536, 'x');
  EXPECT_EQ(Message(s125).frame(), "\x81\x7D" + s125);
  EXPECT_EQ(Message(s126).frame(), "\x81\x7E\0\x7E"s + s126);
  EXPECT_EQ(Message(s65535).frame(), "\x81\x7E\xFF\xFF" + s65535);
  EXPECT_EQ(Message(s65536).frame(), "\x81\x7F\0\0\0\0\0\1\0\0"s + s65536);
  EXPECT_EQ(Message(s65536).text(), s65536);
  EXPECT_EQ(Message::raw("\x8A\0"s)->frame(), "\x8A\0"s);
  EXPECT_EQ(Message::raw("\x8A\0"s)->text(), "");
}

TEST(MessageQueue, SendsMessagesInOrderForEverySizeTheKernelTakes) {
  for (const std::size_t piece : {std::size_t(1), std::size_t(7), std::size_t(100'000), SIZE_MAX}) {
    MessageQueue queue;
    std::string expected;
    for (int i = 0; i < 2'000; ++i) {
      queue.push(text_message("m" + std::to_string(i)));
      expected += Message("m" + std::to_string(i)).frame();
    }
    const std::string large(piece < 100 ? 1'000 : 600'000, 'x');
    for (int i = 0; i < 2; ++i) {
      queue.push(text_message(large));
      expected += Message(large).frame();
    }
    EXPECT_EQ(queue.size(), 2'002u);
    EXPECT_EQ(queue.bytes(), expected.size());
    EXPECT_EQ(queue.bytes_after_front(), expected.size() - 4);
    EXPECT_EQ(drain(queue, false, piece), expected) << piece;
  }
}

TEST(MessageQueue, JoinsWaitingTextsInOneArray) {
  MessageQueue queue;
  queue.push(text_message("1"));
  EXPECT_EQ(drain(queue, true), Message("1").frame());
  for (const char* text : {"1", "[2]", "{}"}) queue.push(text_message(text));
  EXPECT_EQ(drain(queue, true), Message("[1,[2],{}]").frame());
  for (const char* text : {"1", "2"}) queue.push(text_message(text));
  EXPECT_EQ(drain(queue, true, 1), Message("[1,2]").frame());
  for (const char* text : {"1", "2"}) queue.push(text_message(text));
  EXPECT_EQ(drain(queue, false), std::string(Message("1").frame()).append(Message("2").frame()));
}

TEST(MessageQueue, LeavesTheMessageBeingSentOutOfTheArray) {
  MessageQueue queue;
  std::string scratch;
  queue.push(text_message("one"));
  queue.sent(queue.next(true, scratch).substr(0, 2).size());
  queue.push(text_message("2"));
  queue.push(text_message("3"));
  EXPECT_EQ(queue.bytes_after_front(), 6u);
  EXPECT_EQ(drain(queue, true, 3), std::string("one").append(Message("[2,3]").frame()));
}

TEST(MessageQueue, KeepsControlFramesInTheirPlace) {
  MessageQueue queue;
  std::string expected;
  for (const char* text : {"1", "2"}) queue.push(text_message(text));
  queue.push(Message::raw("\x8A\0"s));
  for (const char* text : {"3", "4"}) queue.push(text_message(text));
  expected.append(Message("[1,2]").frame()).append("\x8A\0"s).append(Message("[3,4]").frame());
  EXPECT_EQ(drain(queue, true, 6), expected);
  for (const char* text : {"1", "2"}) queue.push(text_message(text));
  queue.push(Message::raw("\x8A\0"s));
  for (const char* text : {"3", "4"}) queue.push(text_message(text));
  EXPECT_EQ(drain(queue, true), expected);
}

TEST(MessageQueue, NestsNoArrayInAnother) {
  MessageQueue queue;
  std::string scratch;
  for (const char* text : {"1", "2"}) queue.push(text_message(text));
  queue.next(true, scratch);  // the kernel accepts none of it
  for (const char* text : {"3", "4"}) queue.push(text_message(text));
  EXPECT_EQ(drain(queue, true), std::string(Message("[1,2]").frame()).append(Message("[3,4]").frame()));
}

TEST(MessageQueue, KeepsArraysToAModerateSize) {
  MessageQueue queue;
  const std::string text(100'000, '1'), large(300'000, '2');
  for (int i = 0; i < 3; ++i) queue.push(text_message(text));
  queue.push(text_message(large));
  queue.push(text_message("3"));
  std::string expected;
  expected.append(Message("[" + text + "," + text + "]").frame());
  for (const std::string& alone : {text, large, "3"s}) expected.append(Message(alone).frame());
  EXPECT_EQ(drain(queue, true), expected);
}

// A message of the digits 0 to count − 1, one a piece.
BodySource digits(int count) {
  return [count, next = 0](std::string& out) mutable {
    out += std::to_string(next++);
    return next < count;
  };
}

TEST(MessageQueue, SendsATextFromASourceAsFragments) {
  for (const std::size_t piece : {std::size_t(1), std::size_t(2), std::size_t(5), SIZE_MAX}) {
    for (const bool coalesce : {false, true}) {
      MessageQueue queue;
      queue.push(text_message("before"));
      queue.push(digits(3));
      queue.push(text_message("behind"));
      queue.push(digits(2));
      EXPECT_EQ(queue.size(), 4u);
      EXPECT_EQ(drain(queue, coalesce, piece),
                "\x81\x06"
                "before\x01\x01"
                "0\0\x01"
                "1\x80\x01"
                "2\x81\x06"
                "behind\x01\x01"
                "0\x80\x01"
                "1"s)
          << piece;
    }
  }
}

TEST(MessageQueue, MakesNoPieceBeforeThePreviousOneIsSent) {
  int made = 0;
  MessageQueue queue;
  queue.push([&made](std::string& out) {
    out += std::string(1'000, 'x');
    return ++made < 100;
  });
  std::string scratch;
  for (int i = 1; i < 100; ++i) {
    EXPECT_EQ(made, i);
    EXPECT_LT(queue.bytes(), 1'100u);
    const std::size_t size = queue.next(false, scratch).size();
    queue.sent(size - 1);
    EXPECT_EQ(made, i);
    queue.sent(1);
  }
  EXPECT_EQ(made, 100);
}

TEST(MessageQueue, SendsAShortTextOfASourceWhole) {
  MessageQueue queue;
  queue.push(digits(1));
  EXPECT_EQ(drain(queue, false), Message("0").frame());
}

}  // namespace
}  // namespace hearth::http

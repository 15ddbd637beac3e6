// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/session/session.h"

#include <gtest/gtest.h>

#include "integrations/esphome/node/test_node.h"

namespace hearth::integrations::esphome {
namespace {

using std::chrono::seconds;

TEST(Session, GreetsAsksAndSubscribesInTurn) {
  TestNode node;
  node.session().begin(node);
  ASSERT_EQ(node.all_sent.size(), 1u);
  EXPECT_EQ(node.all_sent[0],
            "1 0a0648656172746810"
            "01"
            "180e");
  node.says_hex(message::hello_answer, "0801 100e");
  EXPECT_EQ(node.all_sent.size(), 3u);
  EXPECT_EQ(node.all_sent[1], "3 ") << "an empty password";
  EXPECT_EQ(node.all_sent[2], "9 ");
  node.describe();
  EXPECT_EQ(node.all_sent.back(), "11 ");
  EXPECT_FALSE(node.session().ready());
  node.says(message::list_done);
  EXPECT_TRUE(node.session().ready());
  EXPECT_EQ(std::vector(node.all_sent.begin() + 4, node.all_sent.end()),
            (std::vector<std::string>{"20 ", "34 ", "38 ", "28 0802"}));
}

TEST(Session, EndsWithANodeOfAnotherVersion) {
  TestNode node;
  node.greet(2);
  EXPECT_EQ(node.ended, "The node speaks version 2 of the protocol, and the hub version 1.");
  EXPECT_TRUE(node.closed);
}

TEST(Session, EndsWithoutTheRightPassword) {
  TestNode none;
  none.greet();
  none.says_hex(message::password_answer, "0801");
  EXPECT_EQ(none.ended, "The node needs its password.");
  TestNode wrong({.host = "node"}, {.client_info = "Hearth", .password = "pw"});
  wrong.greet();
  EXPECT_EQ(wrong.all_sent[1], "3 0a027077");
  wrong.says_hex(message::password_answer, "0801");
  EXPECT_EQ(wrong.ended, "The node has another password.");
  TestNode right;
  right.greet();
  right.says(message::password_answer);
  EXPECT_EQ(right.ended, "");
}

TEST(Session, SpeaksEncryptedWithAKey) {
  const NodeKey key = random_secret();
  struct Sealed final : Wire {
    void send(std::string bytes) override { out += bytes; }
    void close(const std::string&) override { closed = true; }
    std::string out;
    bool closed = false;
  } wire;
  domains::TestHome home;
  std::string ended;
  NodeSession session(home.place(), {.host = "node"}, {.client_info = "Hearth", .key = key},
                      [&](const SessionEnd& end) { ended = end.text; });
  session.begin(wire);
  SealingNode node(key);
  const std::string answer = node.answer(wire.out);
  wire.out.clear();
  session.receive(answer);
  EXPECT_EQ(hex_of_bytes(node.opened(wire.out)),
            "0001000c"
            "0a06486561727468"
            "1001"
            "180e");
  wire.out.clear();
  session.receive(node.sealed(message::hello_answer, bytes_of_hex("0801 100e")));
  EXPECT_GT(wire.out.size(), 0u);
  EXPECT_EQ(ended, "");

  NodeSession other(home.place(), {.host = "node"}, {.client_info = "Hearth", .key = random_secret()},
                    [&](const SessionEnd& end) { ended = end.text; });
  wire.out.clear();
  other.begin(wire);
  other.receive(SealingNode(key).answer(wire.out));
  EXPECT_EQ(ended, "The node has another encryption key.");
  EXPECT_TRUE(wire.closed);
}

TEST(Session, SaysWhatAPersonMustDo) {
  const auto cause_of = [](std::string_view digits, std::optional<NodeKey> key) {
    TestNode wire;
    std::optional<SessionEnd> ended;
    NodeSession session(wire.home.place(), {.host = "node"}, {.client_info = "Hearth", .key = key},
                        [&](const SessionEnd& end) { ended = end; });
    struct Nowhere final : Wire {
      void send(std::string) override {}
      void close(const std::string&) override {}
    } nowhere;
    session.begin(nowhere);
    session.receive(bytes_of_hex(digits));
    return ended ? fmt::format("{} {}", ended->text, ended->waits_for_person() ? "waits" : "tries") : "goes on";
  };
  EXPECT_EQ(cause_of("01 0000", {}), "The node needs its encryption key. waits");
  EXPECT_EQ(cause_of("00 00 07", random_secret()), "The node has no encryption, and a key is configured for it. waits");
  EXPECT_EQ(cause_of("48 54 54 50", {}), "The node sends something that is not ESPHome's protocol. tries");
  EXPECT_EQ(cause_of("00 02 02 ff ff", {}), "The node sends a message of type 2 that cannot be read. tries");
}

TEST(Session, AnswersPingsAndAsksAfterSilence) {
  TestNode node;
  node.connect();
  node.says(message::ping);
  EXPECT_EQ(node.all_sent.back(), "8 ");
  const auto pings = [&] { return std::ranges::count(node.all_sent, "7 "); };
  node.home.advance(seconds(19));
  EXPECT_EQ(pings(), 0);
  node.home.advance(seconds(1));
  EXPECT_EQ(pings(), 1);
  node.says(message::ping_answer);
  node.home.advance(seconds(20));
  EXPECT_EQ(pings(), 2);
  node.says(message::ping_answer);
  node.home.advance(seconds(89));
  EXPECT_EQ(node.ended, "");
  node.home.advance(seconds(1));
  EXPECT_EQ(node.ended, "The node does not answer any more.");
}

TEST(Session, GivesUpOnANodeThatNeverAnswers) {
  TestNode node;
  node.session().begin(node);
  node.home.advance(seconds(10));
  EXPECT_EQ(node.ended, "The node did not greet within 10 s.");
  node.greet();
  node.describe();
  for (int i = 0; i < 29; ++i) {
    node.says(999);
    node.home.advance(seconds(1));
  }
  EXPECT_EQ(node.ended, "");
  node.home.advance(seconds(1));
  EXPECT_EQ(node.ended, "The node did not describe itself within 30 s.") << "a list that never ends";
}

TEST(Session, RefusesMoreEntitiesThanANodeMayHave) {
  TestNode node;
  node.greet();
  node.describe();
  for (std::uint32_t i = 0; i < Session::kMaxListed; ++i) node.says(999);
  EXPECT_EQ(node.ended, "");
  node.says(999);
  EXPECT_EQ(node.ended, "The node describes more than 1000 entities.");
  node.greet();
  node.describe();
  const std::string long_name(200 * 1024, 'n');
  for (int i = 0; i < 20 && node.ended.empty(); ++i)
    node.says(17, made_list<proto::ListSwitch>(long_name, static_cast<std::uint32_t>(i)));
  EXPECT_EQ(node.ended, "") << "4 MiB are enough for 20";
  node.says(17, made_list<proto::ListSwitch>(long_name, 99));
  EXPECT_NE(node.ended, "");
}

TEST(Session, EndsAFlood) {
  TestNode node;
  node.connect();
  std::string second;
  for (std::size_t i = 0; i <= Session::kMaxPerSecond; ++i) PlainFrames().append(second, 26, "");
  const auto flood = [&](int count) {
    for (int i = 0; i < count && node.ended.empty(); ++i) {
      node.session().receive(second);
      node.home.advance(seconds(1), seconds(1));
    }
  };
  flood(9);
  EXPECT_EQ(node.ended, "");
  node.says(message::ping_answer);
  node.home.advance(seconds(1), seconds(1));
  flood(9);
  EXPECT_EQ(node.ended, "") << "not in a row";
  flood(2);
  EXPECT_EQ(node.ended, "The node sends more than 2000 messages a second.");
}

TEST(Session, TellsTheTime) {
  TestNode node({.host = "node"}, {.client_info = "Hearth", .posix_time_zone = "UTC0"});
  node.greet();
  node.says(message::time_wanted);
  proto::Time time;
  time.set_epoch_seconds(
      static_cast<std::uint32_t>(std::chrono::floor<seconds>(node.home.clock.now().time_since_epoch()).count()));
  time.set_timezone("UTC0");
  EXPECT_EQ(node.all_sent.back(), "37 " + hex_of_bytes(time.SerializeAsString()));
}

TEST(Session, SaysGoodbyeAndHearsIt) {
  TestNode node;
  node.connect();
  node.says(message::disconnect);
  EXPECT_EQ(node.all_sent.back(), "6 ");
  EXPECT_EQ(node.ended, "The node has said goodbye.");
  node.connect();
  node.session().close();
  EXPECT_EQ(node.all_sent.back(), "5 ");
  EXPECT_EQ(node.ended, "The hub has ended the connection.");
  EXPECT_TRUE(node.closed);
}

TEST(Session, GivesTheNodeAKey) {
  TestNode node;
  node.connect();
  std::string answer;
  node.session().set_key("key", [&](bool success) { answer = success ? "taken" : "refused"; });
  EXPECT_EQ(node.all_sent.back(), "124 0a036b6579");
  EXPECT_EQ(answer, "");
  node.says_hex(message::new_key_answer, "0801");
  EXPECT_EQ(answer, "taken");
}

TEST(RecentMessages, AreReadableAndHideSecrets) {
  EXPECT_EQ(payload_text(bytes_of_hex("0a026869 1001 1d01020304 2105060708090a0b0c")),
            R"(1: "hi", 2: 1, 3: 0x4030201, 4: 0xc0b0a0908070605)");
  EXPECT_EQ(payload_text(bytes_of_hex("0a056869")), R"(1: "hi"…)");
  EXPECT_EQ(payload_text(bytes_of_hex("0b")), "…");
  EXPECT_EQ(payload_text(""), "");
  TestNode node({.host = "node"}, {.client_info = "Hearth", .password = "secret-word"});
  node.connect();
  for (int i = 0; i < 300; ++i) node.says(message::ping);
  const json::object report = node.session().diagnosis();
  EXPECT_EQ(report.at("messages").as_array().size(), RecentMessages::kMost);
  node.says(message::list_done);
  TestNode brief({.host = "node"}, {.client_info = "Hearth", .password = "secret-word"});
  brief.greet();
  const std::string text = base::to_json(json::value(brief.session().diagnosis()));
  EXPECT_EQ(text.find("secret-word"), std::string::npos);
  EXPECT_NE(text.find("\"**\""), std::string::npos);
  EXPECT_NE(text.find("test-node"), std::string::npos);
}

TEST(NodeSession, KeepsTheNodesLogLines) {
  TestNode node;
  node.connect();
  proto::LogLine line;
  line.set_message("\x1b[0;33m[W][wifi:1]: weak\x1b[0m");
  for (int i = 0; i < 150; ++i) node.says(message::log_line, line);
  const json::object report = node.session().diagnosis();
  const json::array& lines = report.at("log").as_array();
  ASSERT_EQ(lines.size(), NodeSession::kMaxLogLines);
  EXPECT_TRUE(std::string_view(lines[0].as_string()).ends_with(" [W][wifi:1]: weak"));
}

}  // namespace
}  // namespace hearth::integrations::esphome

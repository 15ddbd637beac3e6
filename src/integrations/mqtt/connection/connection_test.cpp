// SPDX-License-Identifier: Apache-2.0
// Sessions with a broker of the test's own, over a socket.
#include "integrations/mqtt/connection/connection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <random>

#include "integrations/mqtt/connection/test_peer.h"
#include "integrations/mqtt/protocol/packet_text_for_test.h"

namespace hearth::integrations::mqtt {
namespace {

constexpr int kConnectPacket = 1, kPublishPacket = 3, kPubrelPacket = 6, kSubscribePacket = 8;
const std::string kWelcome5 = from_hex("20 03 00 00 00"), kWelcome311 = from_hex("20 02 00 00");

// The needs of a connection.
struct Hub {
  explicit Hub(std::uint16_t port) {
    options.broker = "127.0.0.1";
    options.port = port;
    options.client_id = "hub";
    EXPECT_TRUE(outbound.open());
  }
  // One connection until it is lost. Why, and how many messages went with it.
  std::pair<std::string, std::size_t> run(Protocol protocol = Protocol::v5) {
    Connection connection(options, protocol, inbound, outbound, clock);
    if (auto connected = connection.connect(); !connected) return {connected.error().message, 0};
    const auto served = connection.serve();
    return {served ? "" : served.error().message, connection.leave()};
  }
  // By what they are, in order.
  std::vector<std::string> refused_filters, received;

  Options options;
  base::ManualClock clock;
  std::vector<Order> at_connection;  // what is sent once, as soon as there is one
  Outbound outbound;
  Inbound inbound{[this] { take(); }};

 private:
  // On the thread of the connection.
  void take() {
    for (auto taken = inbound.drain(100); !taken.empty(); taken = inbound.drain(100)) {
      for (const Arrival& arrival : taken) {
        if (const auto* const refusal = std::get_if<NotSubscribed>(&arrival))
          refused_filters.push_back(refusal->filter + ": " + refusal->why);
        else if (const auto* const got = std::get_if<Received>(&arrival))
          received.push_back(got->message.topic() + "=" + got->message.payload());
        else if (std::holds_alternative<Connected>(arrival))
          for (Order& order : std::exchange(at_connection, {})) EXPECT_TRUE(outbound.put(std::move(order)));
      }
    }
  }
};

// Packets of a broker, with what may be wrong in them. The same for the same seed.
class BrokenPackets {
 public:
  explicit BrokenPackets(std::uint32_t seed) : random_(seed) {}

  std::string next(bool v5) {
    const int type = pick(16), flags = pick(3) == 0 ? pick(16) : type == kPubrelPacket ? 2 : 0;
    const std::string contents = body(type, v5);
    std::string length = variable(contents.size() + (pick(10) == 0 ? static_cast<std::size_t>(pick(5)) : 0));
    if (pick(30) == 0) length = from_hex(pick(2) == 0 ? "ff ff ff 7f" : "ff ff ff ff ff");
    return static_cast<char>(type << 4 | flags) + length + contents;
  }
  int pick(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  std::string bytes(int count) {
    std::string made(static_cast<std::size_t>(count), '\0');
    for (char& byte : made) byte = static_cast<char>(random_());
    return made;
  }

 private:
  static std::string variable(std::size_t value) {
    std::string made;
    do {
      made += static_cast<char>((value & 0x7F) | (value >= 128 ? 0x80 : 0));
      value >>= 7;
    } while (value > 0);
    return made;
  }
  std::string text() {
    const std::string made = pick(3) == 0 ? bytes(pick(20)) : std::string(static_cast<std::size_t>(pick(9)), 'a');
    return std::string(1, '\0') + static_cast<char>(made.size()) + made;
  }
  std::string properties() {
    std::string list;
    for (int left = pick(4); left > 0; --left) {
      list += static_cast<char>(pick(8) == 0 ? pick(256) : pick(44));
      list += pick(2) == 0 ? text() : bytes(1 + pick(5));
    }
    return variable(list.size() + (pick(8) == 0 ? static_cast<std::size_t>(pick(300)) : 0)) + list;
  }
  std::string body(int type, bool v5) {
    if (pick(10) == 0) return bytes(pick(30));
    const std::string more = v5 ? properties() : "", id = from_hex(pick(3) == 0 ? "00 00" : "00 01");
    const std::string code(1, static_cast<char>(pick(3) == 0 ? pick(256) : 0));
    if (type == 2) return std::string(1, pick(4) == 0 ? static_cast<char>(pick(256)) : '\0') + code + more;
    if (type == kPublishPacket) return text() + (pick(2) == 0 ? id : "") + more + bytes(pick(40));
    if (type < 8) return id + (pick(2) == 0 ? code + more : "");
    return pick(4) == 0 ? code + more : id + more + code;
  }

  std::minstd_rand random_;
};

TEST(Connection, LivesThroughTenThousandBrokenAnswers) {
  constexpr int kAnswers = 10'000, kInOne = 5;
  std::atomic<std::uint32_t> seed = 0;
  TestPeer peer([&](PeerConnection& connection) {
    BrokenPackets packets(seed += 1);
    const std::string hello = connection.receive(kConnectPacket);
    if (hello.empty()) return;
    const bool v5 = hello.at(7) == 5;
    // In half of the connections the first packet is the answer to the attempt.
    if (packets.pick(2) == 0) connection.send(v5 ? kWelcome5 : kWelcome311);
    for (int i = 0; i < kInOne; ++i) connection.send(packets.next(v5));
    if (packets.pick(5) == 0) connection.send(packets.bytes(packets.pick(64)));
  });
  int wrong = 0;
  for (int i = 0; i < kAnswers / kInOne; ++i) {
    Hub hub(peer.port());
    hub.at_connection.push_back(Subscribe{"a/#", 1, 1});
    hub.at_connection.push_back(Publish{"a", "b", 1 + i % 2, false});
    const std::string why = hub.run(i % 2 == 0 ? Protocol::v5 : Protocol::v311).first;
    EXPECT_NE(why, "");
    wrong += why.starts_with("what answers there does not speak MQTT as it should: ");
  }
  EXPECT_GT(wrong, kAnswers / kInOne / 4);
}

TEST(Connection, SaysWhatIsWrongWithSixBytes) {
  TestPeer peer([](PeerConnection& connection) {
    connection.receive(kConnectPacket);
    connection.send(from_hex("20 04 00 00 01 00"));
    connection.receive();
  });
  EXPECT_EQ(Hub(peer.port()).run().first,
            "what answers there does not speak MQTT as it should: CONNACK: it has the unknown property 0");
}

TEST(Connection, SendsUnconfirmedMessagesAgainAsNewOnes) {
  std::vector<std::string> first, second;
  int connections = 0;
  TestPeer peer([&](PeerConnection& connection) {
    const bool is_first = ++connections == 1;
    connection.receive(kConnectPacket);
    connection.send(kWelcome311);
    auto& got = is_first ? first : second;
    for (int i = 0; i < (is_first ? 3 : 2); ++i) got.push_back(connection.receive(kPublishPacket));
    // Of the first connection it confirms only the second message, of quality of service 1.
    connection.send(is_first ? from_hex("40 02") + got[1].substr(4, 2)
                             : from_hex("40 02") + got[0].substr(4, 2) + from_hex("50 02") + got[1].substr(4, 2));
    if (is_first) return;
    connection.receive(kPubrelPacket);
    connection.send(from_hex("70 02") + got[1].substr(4, 2));
  });
  Hub hub(peer.port());
  hub.at_connection.push_back(Publish{"a", "one", 1, false});
  hub.at_connection.push_back(Publish{"b", "two", 1, false});
  hub.at_connection.push_back(Publish{"c", "three", 2, false});
  EXPECT_EQ(hub.run(Protocol::v311).second, 0u);
  EXPECT_EQ(hub.outbound.messages(), 2u);
  EXPECT_EQ(hub.run(Protocol::v311).second, 0u);
  EXPECT_EQ(hub.outbound.messages(), 0u);
  const auto content = [](const std::string& packet) { return packet.substr(0, 4) + packet.substr(6); };
  ASSERT_EQ(second.size(), 2u);
  EXPECT_EQ(content(second[0]), content(first[0]));
  EXPECT_EQ(content(second[1]), content(first[2]));
}

TEST(Connection, CountsMessagesThatAreLost) {
  TestPeer peer([](PeerConnection& connection) {
    connection.receive(kConnectPacket);
    connection.send(kWelcome5);
  });
  Hub hub(peer.port());
  // More than the system keeps for a connection.
  for (int i = 0; i < 3; ++i)
    hub.at_connection.push_back(Publish{"a", std::string(core::MqttBroker::kMaxPayload, 'x'), 0, false});
  const std::size_t lost = hub.run().second;
  // The connection may be lost before the orders are taken.
  EXPECT_EQ(lost + hub.outbound.drop_unsure(), 3u);
  EXPECT_EQ(hub.outbound.messages(), 0u);
}

TEST(Connection, TellsOfRefusedSubscriptions) {
  TestPeer peer([](PeerConnection& connection) {
    connection.receive(kConnectPacket);
    connection.send(kWelcome5);
    for (const char* code : {"87", "01"}) {
      const std::string id = connection.receive(kSubscribePacket).substr(1, 2);
      connection.send(from_hex("90 04") + id + from_hex("00") + from_hex(code));
    }
  });
  Hub hub(peer.port());
  hub.at_connection.push_back(Subscribe{"a/#", 0, 1});
  hub.at_connection.push_back(Subscribe{"b/#", 1, 2});
  EXPECT_EQ(hub.run().first, "the broker has closed the connection");
  EXPECT_EQ(hub.refused_filters, std::vector<std::string>{"a/#: not authorised"});
}

TEST(Connection, TakesAMessageOfTheHighestQualityOnce) {
  std::string answers;
  TestPeer peer([&](PeerConnection& connection) {
    connection.receive(kConnectPacket);
    connection.send(kWelcome311 +
                    from_hex("34 06 0001 61 0007 78  3c 06 0001 61 0007 78  62 02 0007  34 06 0001 61 0007 79"));
    for (int i = 0; i < 4; ++i) answers += connection.receive();
  });
  Hub hub(peer.port());
  hub.run(Protocol::v311);
  EXPECT_EQ(hub.received, (std::vector<std::string>{"a=x", "a=y"}));
  EXPECT_EQ(answers, from_hex("50 0007 50 0007 70 0007 50 0007"));
}

TEST(Connection, HasNoMoreMessagesUnderWayThanTheBrokerWants) {
  std::vector<std::string> order;
  TestPeer peer([&](PeerConnection& connection) {
    connection.receive(kConnectPacket);
    connection.send(from_hex("20 06 00 00 03 21 0001"));  // one at a time
    for (int i = 0; i < 3; ++i) {
      const std::string message = connection.receive(kPublishPacket);
      order.push_back(message.substr(3, 1));
      // A message that needs no answer is not held up, and comes before the second one.
      if (i == 0) order.push_back(connection.receive(kPublishPacket).substr(3, 1));
      connection.send(from_hex("40 02") + message.substr(4, 2));
    }
  });
  Hub hub(peer.port());
  for (const char* topic : {"a", "b", "c"}) hub.at_connection.push_back(Publish{topic, "", 1, false});
  hub.at_connection.push_back(Publish{"d", "", 0, false});
  hub.run();
  EXPECT_EQ(order, (std::vector<std::string>{"a", "d", "b", "c"}));
  EXPECT_EQ(hub.outbound.messages(), 0u);
}

}  // namespace
}  // namespace hearth::integrations::mqtt

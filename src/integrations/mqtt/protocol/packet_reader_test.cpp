// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/protocol/packet_reader.h"

#include <gtest/gtest.h>

#include "integrations/mqtt/protocol/packet_text_for_test.h"
#include "integrations/mqtt/protocol/packet_writer.h"

namespace hearth::integrations::mqtt {
namespace {

constexpr auto kAll = std::string::npos;

std::string read_v5(std::string_view digits) {
  return packets_text(Protocol::v5, from_hex(digits), kAll);
}
std::string read_v311(std::string_view digits) {
  return packets_text(Protocol::v311, from_hex(digits), kAll);
}

TEST(PacketReader, ReadsEachPacketOfABrokerWithMqtt5) {
  EXPECT_EQ(read_v5("20 03 00 00 00"), "CONNACK 0 65535 2 true 268435460 true 0\n");
  EXPECT_EQ(read_v5("20 14 00 00 11 21 0014 24 01 25 00 27 00010000 29 00 13 001e"),
            "CONNACK 0 20 1 false 65536 false 30\n");
  EXPECT_EQ(read_v5("20 03 00 87 00"), "CONNACK 135 65535 2 true 268435460 true 0\n");
  EXPECT_EQ(read_v5("30 06 0001 61 00 6869"), "PUBLISH a=hi qos 0 id 0\n");
  EXPECT_EQ(read_v5("3b 0c 0001 61 0007 05 0b 03 0b ff01 6f"), "PUBLISH a=o qos 1 retained id 7 for 3 for 255\n");
  EXPECT_EQ(read_v5("40 02 0001  50 03 0002 10  62 04 0003 92 00  70 02 0004"),
            "answer 4 id 1 code 0\nanswer 5 id 2 code 16\nanswer 6 id 3 code 146\nanswer 7 id 4 code 0\n");
  EXPECT_EQ(read_v5("90 04 0001 00 87  b0 04 0002 00 00  d0 00"), "SUBACK id 1 code 135\nUNSUBACK id 2\nPINGRESP\n");
  EXPECT_EQ(read_v5("e0 00  e0 01 8e  e0 09 8b 07 1f 0004 676f6e65"), "DISCONNECT 0\nDISCONNECT 142\nDISCONNECT 139\n");
}

TEST(PacketReader, ReadsEachPacketOfABrokerWithMqtt311) {
  EXPECT_EQ(read_v311("20 02 01 00  30 05 0001 61 6869  34 05 0001 61 0009"),
            "CONNACK 0 65535 2 true 268435460 false 0\nPUBLISH a=hi qos 0 id 0\nPUBLISH a= qos 2 id 9\n");
  EXPECT_EQ(read_v311("90 03 0001 80  b0 02 0002  d0 00  62 02 0003"),
            "SUBACK id 1 code 128\nUNSUBACK id 2\nPINGRESP\nanswer 6 id 3 code 0\n");
}

TEST(PacketReader, UnderstandsABrokerThatDoesNotSpeakTheVersion) {
  EXPECT_EQ(read_v5("20 02 00 01"), "CONNACK 1 version 65535 2 true 268435460 false 0\n");
  EXPECT_EQ(read_v5("20 03 00 84 00"), "CONNACK 132 version 65535 2 true 268435460 true 0\n");
  EXPECT_EQ(read_v311("20 02 00 01"), "CONNACK 1 version 65535 2 true 268435460 false 0\n");
  EXPECT_EQ(read_v5("20 02 00 05"), "CONNACK 5 65535 2 true 268435460 false 0\n");
}

TEST(PacketReader, SaysWhatIsWrong) {
  // An unknown property, one that such a packet must not have, twice, cut off, of a value that is not allowed.
  EXPECT_EQ(read_v5("20 04 00 00 01 00"), "CONNACK: it has the unknown property 0\n");
  EXPECT_EQ(read_v5("20 05 00 00 02 01 00"), "CONNACK: it must not have the property 1\n");
  EXPECT_EQ(read_v5("20 09 00 00 06 21 0001 21 0001"), "CONNACK: it has the property 33 twice\n");
  EXPECT_EQ(read_v5("20 05 00 00 02 21 00"), "CONNACK: its properties end within the property 33\n");
  EXPECT_EQ(read_v5("20 06 00 00 03 21 0000"), "CONNACK: its property 33 has a value that is not allowed\n");
  EXPECT_EQ(read_v5("20 05 00 00 02 24 02"), "CONNACK: its property 36 has a value that is not allowed\n");
  EXPECT_EQ(read_v5("20 07 00 00 04 1f 0001 ff"), "CONNACK: its property 31 has a value that is not allowed\n");
  EXPECT_EQ(read_v5("20 05 00 00 02 ff ff"), "CONNACK: its properties end within one\n");
  EXPECT_EQ(read_v5("20 03 00 00 05"), "CONNACK: its properties are longer than the packet\n");
  EXPECT_EQ(read_v5("20 03 02 00 00"), "CONNACK: reserved flags are set\n");
  EXPECT_EQ(read_v5("20 04 00 00 00 00"), "CONNACK: it is longer than its contents\n");
  EXPECT_EQ(read_v311("20 01 00"), "CONNACK: it is too short\n");
  EXPECT_EQ(read_v5("30 06 0001 ff 00 6869"), "PUBLISH: its topic is none\n");
  EXPECT_EQ(read_v5("30 06 0001 2b 00 6869"), "PUBLISH: its topic is none\n");
  EXPECT_EQ(read_v311("30 02 0000"), "PUBLISH: its topic is none\n");
  EXPECT_EQ(read_v311("30 03 0005 61"), "PUBLISH: it is too short\n");
  EXPECT_EQ(read_v311("32 05 0001 61 0000"), "PUBLISH: its identifier is 0\n");
  EXPECT_EQ(read_v311("36 05 0001 61 0001"), "PUBLISH: its flags are wrong\n");
  EXPECT_EQ(read_v311("38 03 0001 61"), "PUBLISH: its flags are wrong\n");
  EXPECT_EQ(read_v5("30 07 0001 61 03 23 0001"),
            "PUBLISH: it has an alias for its topic, which the hub does not allow\n");
  EXPECT_EQ(read_v311("40 01 00"), "PUBACK: it is too short\n");
  EXPECT_EQ(read_v311("60 02 0001"), "PUBREL: its flags are wrong\n");
  EXPECT_EQ(read_v311("90 02 0001"), "SUBACK: it has no reason code\n");
  EXPECT_EQ(read_v311("90 03 0001 87"), "SUBACK: its reason code 135 is unknown\n");
  EXPECT_EQ(read_v311("90 04 0001 00 00"), "SUBACK: it is longer than its contents\n");
  EXPECT_EQ(read_v5("b0 03 0001 00"), "UNSUBACK: it has no reason code\n");
  EXPECT_EQ(read_v311("d0 01 00"), "PINGRESP: it is longer than its contents\n");
  EXPECT_EQ(read_v311("d0 ff ff ff ff"), "PINGRESP: its length has more than four bytes\n");
  EXPECT_EQ(read_v311("e0 00"), "DISCONNECT: no broker may send it\n");
  for (const std::string_view type : {"00", "10", "82", "a2", "c0", "f0"})
    EXPECT_TRUE(read_v5(std::string(type) + " 00").ends_with(": no broker may send it\n")) << type;
  EXPECT_EQ(read_v5("48 54 54 50"), "PUBACK: its flags are wrong\n");
}

TEST(PacketReader, RefusesAPacketByItsLengthBeforeItComes) {
  EXPECT_EQ(read_v5("30 ff ff ff 7f"), "PUBLISH: it has 268435455 bytes, and 16908288 are the limit\n");
  EXPECT_EQ(read_v5("20 81 80 08"), "CONNACK: it has 131073 bytes, and 131072 are the limit\n");
  EXPECT_EQ(read_v311("90 81 80 08"), "SUBACK: it has 131073 bytes, and 131072 are the limit\n");
  EXPECT_EQ(read_v5("30 80 80 88 08"), "") << "as large as the hub allows";
}

TEST(PacketReader, DropsTheBytesOfAMessageTooLargeForOldBrokersAndGoesOn) {
  PacketReader reader(Protocol::v311);
  constexpr std::size_t kSize = 0x0FFF'FFFF, kHead = 5;
  reader.put(from_hex("34 ff ff ff 7f 0001 61 0007"));
  std::size_t left = kSize - kHead;
  const std::string part(1024 * 1024, 'x');
  while (left > 0) {
    EXPECT_FALSE(reader.next().value().has_value());
    const std::size_t size = std::min(left, part.size());
    left -= size;
    reader.put(std::string_view(part).substr(0, size));
  }
  const auto dropped = reader.next().value();
  ASSERT_TRUE(dropped);
  EXPECT_EQ(packet_text(std::get<DroppedDelivery>(*dropped)), "dropped 268435450 of a qos 2 id 7");
  reader.put(from_hex("d0 00"));
  EXPECT_TRUE(std::holds_alternative<Pong>(*reader.next().value()));
}

TEST(PacketReader, ReadsTheSameHoweverItIsCut) {
  const std::string bytes = from_hex("20 03 00 00 00 3b 0c 0001 61 0007 05 0b 03 0b ff01 6f 90 04 0001 00 87 d0 00");
  for (const std::size_t part : {1, 2, 3, 5, 7}) {
    EXPECT_EQ(packets_text(Protocol::v5, bytes, part), packets_text(Protocol::v5, bytes, kAll)) << part;
  }
}

TEST(PacketWriter, WritesWhatTheReaderReads) {
  for (const Protocol protocol : {Protocol::v5, Protocol::v311}) {
    for (const std::size_t size : {0, 1, 100, 127, 128, 16'383, 20'000, 3'000'000}) {
      for (const int qos : {0, 1, 2}) {
        const Publish message{"some/topic", std::string(size, 'p'), qos, true, 60};
        std::string out;
        append_publish(out, protocol, message, 9);
        EXPECT_EQ(out.size(), publish_size(protocol, message));
        EXPECT_EQ(packets_text(protocol, out, kAll), "PUBLISH some/topic=" + message.payload + " qos " +
                                                         std::to_string(qos) + " retained id " + (qos > 0 ? "9" : "0") +
                                                         "\n");
      }
    }
    using Kind = Acknowledgement::Kind;
    for (const auto kind : {Kind::acknowledged, Kind::received, Kind::released, Kind::completed}) {
      std::string out;
      append_acknowledgement(out, protocol, {kind, 258, 0x92});
      const int code = protocol == Protocol::v5 ? 0x92 : 0;
      EXPECT_EQ(packets_text(protocol, out, kAll),
                packet_text(Acknowledgement{kind, 258, static_cast<std::uint8_t>(code)}) + "\n");
    }
  }
}

}  // namespace
}  // namespace hearth::integrations::mqtt

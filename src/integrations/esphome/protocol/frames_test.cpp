// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "integrations/esphome/protocol/frames_for_test.h"
#include "integrations/esphome/protocol/messages.h"

namespace hearth::integrations::esphome {
namespace {

std::string read_plain(std::string_view digits, std::size_t part = std::string::npos) {
  PlainFrames frames;
  return frames_text(frames, bytes_of_hex(digits), part);
}

NodeKey key_of(std::string_view base64) {
  return parse_node_key(base64).value();
}

SecretBytes repeated(unsigned char byte) {
  SecretBytes bytes;
  std::fill_n(bytes.data(), SecretBytes::kSize, byte);
  return bytes;
}

constexpr std::string_view kKey = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";  // the bytes 0 to 31
// Of that key, with the secrets 11… and 22…, made by another implementation of the protocol.
constexpr std::string_view kFirst =
    "7b4e909bbe7ffe44c465a220037d608ee35897d31ef972f07f74892cb0f73f13d1bc1a38b6793685dc7e2ffdf8ea0933";
constexpr std::string_view kHello = "01 000c 01 6e6f6465 00 3031 3233 3400";
constexpr std::string_view kSecond =
    "01 0031 00 0faa684ed28867b97f4a6a2dee5df8ce974e76b7018e3f22a1c4cf2678570f207336b95933b321b1ae86673f689f5c9f";

TEST(PlainFrames, ReadsFramesHoweverTheyAreCut) {
  constexpr std::string_view digits = "00 00 07  00 03 01 616263  00 01 83 01 ff  00 00 ac 02";
  constexpr std::string_view frames = "7 \n1 616263\n131 ff\n300 \n";
  EXPECT_EQ(read_plain(digits), frames);
  for (const std::size_t part : {1, 2, 3, 5}) EXPECT_EQ(read_plain(digits, part), frames) << part;
}

TEST(PlainFrames, FailsAtBytesThatNoNodeMaySend) {
  EXPECT_EQ(read_plain("00 00 07 01 00 00"), "7 \nThe node needs its encryption key.\n");
  EXPECT_EQ(read_plain("48 54 54 50"), "The node sends something that is not ESPHome's protocol.\n");
  constexpr std::string_view long_number = "The node sends a frame whose length or type has more than five bytes.\n";
  EXPECT_EQ(read_plain("00 80 80 80 80 80"), long_number);
  EXPECT_EQ(read_plain("00 00 ff ff ff ff ff"), long_number);
  EXPECT_EQ(read_plain("00 80 80 80 80"), "") << "more may come";
}

TEST(PlainFrames, RefusesAFrameByItsLengthBeforeItComes) {
  EXPECT_EQ(read_plain("00 80 80 40 01"), "") << "as long as allowed";
  EXPECT_EQ(read_plain("00 81 80 40"), "The node sends a frame that is longer than 1 MiB.\n");
  EXPECT_EQ(read_plain("00 80 80 80 04"), "The node sends a frame that is longer than 1 MiB.\n") << "ten times that";
}

TEST(PlainFrames, WritesWhatItReads) {
  for (const std::size_t size : {0, 1, 127, 128, 70'000, 1'048'576}) {
    PlainFrames frames;
    std::string out;
    const std::string payload(size, 'x');
    ASSERT_TRUE(frames.append(out, 300, payload));
    EXPECT_EQ(frames_text(frames, out), "300 " + hex_of_bytes(payload) + "\n");
  }
  std::string out;
  EXPECT_FALSE(PlainFrames().append(out, 1, std::string(PlainFrames::kMaxPayload + 1, 'x')));
  EXPECT_EQ(out, "");
}

TEST(NoiseFrames, ShakesHandsAsAnotherImplementationDoes) {
  NoiseFrames frames(key_of(kKey), repeated(0x11));
  EXPECT_EQ(hex_of_bytes(frames.opening()),
            "010000"
            "010031"
            "00" +
                std::string(kFirst));
  EXPECT_FALSE(frames.open());
  EXPECT_EQ(frames_text(frames, bytes_of_hex(kHello)), "");
  EXPECT_EQ(frames.mac(), "01234");
  EXPECT_EQ(frames_text(frames, bytes_of_hex(kSecond)), "");
  ASSERT_TRUE(frames.open());
  EXPECT_EQ(frames_text(frames, bytes_of_hex("01 0014 d9423bf48bdea62bb10bbd87a7fb5ecc26721050"
                                             "01 0014 471627a10e823187c0393f9a0c58ad5b1f1ea30c")),
            "8 \n7 \n");
  std::string out;
  ASSERT_TRUE(frames.append(out, 1, "abc"));
  ASSERT_TRUE(frames.append(out, 7, ""));
  EXPECT_EQ(hex_of_bytes(out),
            "010017082c88d72c35d6b7126380eae3e5c557bb16c73d4c279a"
            "010014431e3a2be0271e101ee745e7fe892b0d3c3923a5");
}

TEST(NoiseFrames, SaysWhyTheHandshakeFailed) {
  const auto read = [](std::string_view digits) {
    NoiseFrames frames(key_of(kKey), repeated(0x11));
    return frames_text(frames, bytes_of_hex(digits));
  };
  EXPECT_EQ(read("00 00 07"), "The node has no encryption, and a key is configured for it.\n");
  EXPECT_EQ(read("02"), "The node sends something that is not ESPHome's protocol.\n");
  EXPECT_EQ(read("01 0001 02"), "The node asks for an encryption that is not known.\n");
  EXPECT_EQ(read("01 0000"), "The node asks for an encryption that is not known.\n");
  const std::string hello(kHello);
  EXPECT_EQ(read(hello + "01 0016 01" + hex_of_bytes("Handshake MAC failure")),
            "The node has another encryption key.\n");
  EXPECT_EQ(read(hello + "01 0005 01" + hex_of_bytes("busy")), "The node refuses the connection: busy.\n");
  EXPECT_EQ(read(hello + "01 0000"), "The node sends a frame whose lengths contradict each other.\n");
  EXPECT_EQ(read(hello + "01 0004 00 010203"), "The node sends a frame whose lengths contradict each other.\n");
  EXPECT_EQ(read(hello + "01 0201"), "The node sends a frame whose lengths contradict each other.\n");
  EXPECT_EQ(read(hello + "01 0031 00" + std::string(kFirst)), "The node has another encryption key.\n");
}

TEST(NoiseFrames, FailsAtFramesThatTheKeyDoesNotOpen) {
  const NodeKey key = key_of(kKey);
  const auto read = [&](const auto& make) {
    NoiseFrames frames(key);
    SealingNode node(key);
    const std::string answer = node.answer(frames.opening());
    return frames_text(frames, answer + make(node));
  };
  EXPECT_EQ(read([](SealingNode& node) { return node.sealed(21, "abc") + node.sealed(7, ""); }), "21 616263\n7 \n");
  EXPECT_EQ(read([](SealingNode& node) {
              std::string frame = node.sealed(21, "abc");
              frame.back() ^= 1;
              return frame;
            }),
            "The node sends a frame that its key does not open.\n");
  EXPECT_EQ(read([](SealingNode&) { return bytes_of_hex("01 0000"); }),
            "The node sends a frame that its key does not open.\n");
  EXPECT_EQ(read([](SealingNode& node) { return node.sealed(bytes_of_hex("0007 00")); }),
            "The node sends a frame whose lengths contradict each other.\n");
  EXPECT_EQ(read([](SealingNode& node) { return node.sealed(bytes_of_hex("0007 0002 ff")); }),
            "The node sends a frame whose lengths contradict each other.\n");
  EXPECT_EQ(read([](SealingNode&) { return bytes_of_hex("00 00 07"); }),
            "The node sends something that is not ESPHome's protocol.\n");
}

TEST(NoiseFrames, ReadsTheSameHoweverItIsCut) {
  const NodeKey key = key_of(kKey);
  for (const std::size_t part : {1, 2, 3, 50}) {
    NoiseFrames frames(key);
    SealingNode node(key);
    const std::string bytes = node.answer(frames.opening()) + node.sealed(7, "") + node.sealed(300, "payload");
    EXPECT_EQ(frames_text(frames, bytes, part), "7 \n300 " + hex_of_bytes("payload") + "\n") << part;
  }
}

TEST(NoiseFrames, SendsFramesThatTheNodeOpens) {
  const NodeKey key = key_of(kKey);
  NoiseFrames frames(key);
  SealingNode node(key);
  frames_text(frames, node.answer(frames.opening()));
  std::string out;
  ASSERT_TRUE(frames.append(out, 33, "on"));
  EXPECT_EQ(hex_of_bytes(node.opened(out)), "002100026f6e");
  out.clear();
  EXPECT_TRUE(frames.append(out, 33, std::string(NoiseFrames::kMaxPayload, 'x')));
  EXPECT_EQ(node.opened(out).size(), 4 + NoiseFrames::kMaxPayload);
  out.clear();
  EXPECT_FALSE(frames.append(out, 33, std::string(NoiseFrames::kMaxPayload + 1, 'x')));
  EXPECT_EQ(out, "");
}

TEST(NodeKey, IsReadFromBase64) {
  EXPECT_EQ(hex_of_bytes(key_of(kKey).view()), "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");
  constexpr std::string_view expected = "expected an encryption key: 32 bytes in base64, 44 characters";
  for (const std::string_view wrong :
       {"", "AAEC", "not base64", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8= ",
        "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIj"}) {
    const auto key = parse_node_key(wrong);
    ASSERT_FALSE(key) << wrong;
    EXPECT_EQ(key.error().message, expected);
  }
  const std::string made = make_node_key();
  EXPECT_EQ(made.size(), 44u);
  EXPECT_TRUE(parse_node_key(made));
  EXPECT_NE(made, make_node_key());
}

TEST(CleanText, IsUtf8WithoutControlCharactersAndNotTooLong) {
  EXPECT_EQ(clean_text("Küche"), "Küche");
  EXPECT_EQ(clean_text("a\xff"
                       "b"),
            "a\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(clean_text(std::string_view("a\nb\0c\x7f", 6)), "a b c ");
  const std::string cut = clean_text(std::string(200 * 1024, 'x'));
  EXPECT_EQ(cut.size(), kMaxText);
  EXPECT_TRUE(cut.ends_with("x…"));
  EXPECT_TRUE(base::utf8_length(clean_text("x" + std::string(100, '\xff') + std::string(400, '\xc3'))));
}

}  // namespace
}  // namespace hearth::integrations::esphome

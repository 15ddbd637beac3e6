// SPDX-License-Identifier: Apache-2.0
// For tests: the server's side of a WebSocket, on a connection of a ScriptedServer. One thread.
//
//   ScriptedServer server([](ScriptedPeer& peer) {
//     ScriptedWebSocket socket(peer);
//     socket.accept();
//     socket.send_text("hello");
//     EXPECT_EQ(socket.receive().payload, "welcome");
//   });
#pragma once

#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "net/testing/scripted_server.h"

namespace hearth::net::testing {

class ScriptedWebSocket {
 public:
  static constexpr int kText = 1, kBinary = 2, kClose = 8, kPing = 9, kPong = 10;

  explicit ScriptedWebSocket(ScriptedPeer& peer) : peer_(peer) {}

  // Answers the handshake; returns its head, empty if there is none. `more`: other fields, each with its line end.
  std::string accept(std::string_view more = {}) {
    std::string head = peer_.receive_until("\r\n\r\n");
    const std::string_view field = "Sec-WebSocket-Key: ";
    const auto key = head.find(field);
    if (key == std::string::npos) return {};
    const auto begin = key + field.size();
    const std::string text =
        head.substr(begin, head.find('\r', begin) - begin) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    std::array<unsigned char, EVP_MAX_MD_SIZE> hash;
    unsigned size = 0;
    EVP_Digest(text.data(), text.size(), hash.data(), &size, EVP_sha1(), nullptr);
    std::array<unsigned char, 64> coded;
    EVP_EncodeBlock(coded.data(), hash.data(), static_cast<int>(size));
    peer_.send(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Accept: " +
        std::string(reinterpret_cast<const char*>(coded.data())) + "\r\n" + std::string(more) + "\r\n");
    return head;
  }

  // A frame without a mask, as servers send them.
  static std::string frame(int opcode, std::string_view payload, bool last = true) {
    std::string bytes(1, static_cast<char>((last ? 0x80 : 0) | opcode));
    const int size_bytes = payload.size() < 126 ? 0 : payload.size() < 65'536 ? 2 : 8;
    bytes += static_cast<char>(size_bytes == 0 ? payload.size() : size_bytes == 2 ? 126 : 127);
    for (int i = size_bytes - 1; i >= 0; --i) bytes += static_cast<char>(payload.size() >> (8 * i));
    return bytes.append(payload);
  }
  void send_frame(int opcode, std::string_view payload, bool last = true) { peer_.send(frame(opcode, payload, last)); }
  void send_text(std::string_view text) { send_frame(kText, text); }
  void send_binary(std::string_view bytes) { send_frame(kBinary, bytes); }
  void ping(std::string_view payload = {}) { send_frame(kPing, payload); }
  void close(int code, std::string_view reason = {}) {
    std::string payload{static_cast<char>(code >> 8), static_cast<char>(code & 0xFF)};
    send_frame(kClose, payload.append(reason));
  }

  struct Frame {
    int opcode = 0;  // 0: the connection has ended
    std::string payload = {};
    // Of a close frame.
    int code() const {
      return payload.size() < 2 ? 0
                                : static_cast<unsigned char>(payload[0]) << 8 | static_cast<unsigned char>(payload[1]);
    }
  };
  // The next frame of the hub, which must be masked.
  Frame receive() {
    const std::string head = peer_.receive(2);
    if (head.size() < 2) return {};
    const auto byte = [](char c) { return static_cast<std::uint64_t>(static_cast<unsigned char>(c)); };
    EXPECT_TRUE(byte(head[1]) & 0x80);
    std::uint64_t size = byte(head[1]) & 0x7F;
    if (size >= 126) {
      const std::string longer = peer_.receive(size == 126 ? 2 : 8);
      size = 0;
      for (const char c : longer) size = size << 8 | byte(c);
    }
    const std::string mask = peer_.receive(4);
    Frame frame{static_cast<int>(byte(head[0]) & 0xF), peer_.receive(size)};
    if (frame.payload.size() < size) return {};
    for (std::size_t i = 0; i < size; ++i) frame.payload[i] = static_cast<char>(frame.payload[i] ^ mask[i % 4]);
    return frame;
  }

 private:
  ScriptedPeer& peer_;
};

}  // namespace hearth::net::testing

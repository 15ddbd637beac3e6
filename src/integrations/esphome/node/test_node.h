// SPDX-License-Identifier: Apache-2.0
// For tests: a home with a node that a test scripts, message by message. Text in, text out.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "domains/test_home.h"
#include "integrations/esphome/components/components.h"
#include "integrations/esphome/node/node_session.h"
#include "integrations/esphome/protocol/frames_for_test.h"

namespace hearth::integrations::esphome {

class TestNode final : public Wire {
 public:
  explicit TestNode(NodeOptions options = {.host = "node.local"}, SessionOptions session = {.client_info = "Hearth"})
      : session_(home.place(), std::move(options), std::move(session),
                 [this](const SessionEnd& end) { ended = end.text; }) {}

  domains::TestHome home;
  std::vector<std::string> sent;  // by the hub: "33 <hexadecimal>", without those of the session
  std::vector<std::string> all_sent;
  std::string ended;  // why the session ended; empty while it goes on
  bool closed = false;

  NodeSession& session() { return session_; }
  Node& node() { return session_.node(); }

  void send(std::string bytes) override {
    hub_frames_.put(bytes);
    while (const auto frame = *hub_frames_.next()) {
      const std::string text = fmt::format("{} {}", frame->type, hex_of_bytes(frame->payload));
      all_sent.push_back(text);
      if (frame->type > message::subscribe_logs && !is_of_session(frame->type)) sent.push_back(text);
    }
  }
  void close(const std::string&) override { closed = true; }

  // The node's messages.
  void says(std::uint32_t type, std::string_view payload = {}) {
    std::string bytes;
    PlainFrames().append(bytes, type, payload);
    session_.receive(bytes);
    home.hub.bus.run_pending();
  }
  void says(std::uint32_t type, const google::protobuf::MessageLite& message) {
    says(type, message.SerializeAsString());
  }
  void says_hex(std::uint32_t type, std::string_view digits) { says(type, bytes_of_hex(digits)); }

  // Connects and greets.
  void greet(std::uint32_t major = 1) {
    ended.clear();
    closed = false;
    session_.begin(*this);
    proto::HelloAnswer hello;
    hello.set_api_version_major(major);
    hello.set_api_version_minor(14);
    hello.set_name(info.name());
    says(message::hello_answer, hello);
  }
  void describe() { says(message::node_info, info); }
  // All of a session up to the states: `lists` are messages that describe entities.
  void connect(const std::vector<std::pair<std::uint32_t, std::string>>& lists = {}) {
    greet();
    describe();
    for (const auto& [type, payload] : lists) says(type, payload);
    says(message::list_done);
    sent.clear();
  }
  std::string last_sent() const { return sent.empty() ? "" : sent.back(); }

  static proto::NodeInfo make_info() {
    proto::NodeInfo made;
    made.set_name("test-node");
    made.set_mac_address("01:23:45:67:89:AB");
    made.set_friendly_name("Test Node");
    made.set_esphome_version("2026.6.5");
    made.set_model("host");
    return made;
  }
  proto::NodeInfo info = make_info();

 private:
  static bool is_of_session(std::uint32_t type) {
    return type == message::subscribe_requests || type == message::subscribe_states_wanted;
  }

  PlainFrames hub_frames_;
  NodeSession session_;
};

// A description with a name and a key.
template <class List>
List made_list(std::string name, std::uint32_t key = 1) {
  List list;
  list.set_name(std::move(name));
  list.set_key(key);
  return list;
}

}  // namespace hearth::integrations::esphome

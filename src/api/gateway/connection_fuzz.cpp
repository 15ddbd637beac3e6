// SPDX-License-Identifier: Apache-2.0
// Messages to the WebSocket API, a line each; the first line says who sends them: admin, user or reader. Whatever they
// are: each command is answered once, in JSON, with its id, and commands of administrators obey administrators alone.
#include "api/gateway/connection.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "api/test_home.h"
#include "base/random_id.h"
#include "base/testing/fuzz_check.h"
#include "base/text/utf8.h"
#include "http/fuzz_worker.h"
#include "http/test_websocket.h"

namespace {

using namespace hearth;

constexpr std::size_t kMaxCommands = 64;
constexpr int kInputsOfAHome = 2'000;  // then there is another: what commands make of one would grow

// A home with accounts, states and a registry, and a token for each role.
struct Home {
  Home() {
    base::must(home.gate.open(folder / "home.db").has_value(), "there is room for accounts");
    auto store = auth::AccountStore::open(folder / "home.db", home.clock);
    for (const auto& [name, role] :
         {std::pair{"admin", auth::Role::administrator}, {"user", auth::Role::user}, {"reader", auth::Role::reader}}) {
      auth::NewUser user;
      user.name = name;
      user.role = role;
      base::must(store->add_user(user).has_value(), "users can be made");
      tokens[name] = store->create_token(name, "fuzz").value();
    }
    base::must(home.gate.accounts.start().has_value(), "accounts can be read");
    home.start();
    home.set("light.kitchen", "on", R"({"brightness":1,"friendly_name":"Kitchen"})");
    home.set("sensor.temperature", "21.5", R"({"unit_of_measurement":"°C"})");
  }
  ~Home() {
    home.gate.accounts.stop();
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }

  const std::filesystem::path folder = [] {
    auto path = std::filesystem::temp_directory_path() / ("hearth_" + base::make_random_id());
    std::filesystem::create_directory(path);
    return path;
  }();
  api::TestHome home;
  std::map<std::string, std::string, std::less<>> tokens;
  int inputs = 0;
};

// Bytes that the hub has sent after its answer to the upgrade.
struct Said {
  std::vector<json::value> messages;
  bool closes = false;  // it has begun the end of the connection
};

Said read_frames(std::string_view bytes) {
  Said said;
  bytes.remove_prefix(std::min(bytes.find("\r\n\r\n") + 4, bytes.size()));
  while (bytes.size() >= 2) {
    const auto byte = [&](std::size_t at) { return static_cast<std::size_t>(static_cast<unsigned char>(bytes[at])); };
    std::size_t size = byte(1), head = 2;
    if (size >= 126) {
      head += size == 126 ? 2 : 8;
      if (bytes.size() < head) break;
      size = 0;
      for (std::size_t at = 2; at < head; ++at) size = size << 8 | byte(at);
    }
    if (bytes.size() < head + size) break;
    if (byte(0) == 0x88) said.closes = true;
    if (byte(0) == 0x81) {
      const auto payload = bytes.substr(head, size);
      base::must(base::utf8_length(payload).has_value(), "what the hub says is UTF-8");
      auto message = base::parse_json(payload);
      base::must(message.has_value(), "what the hub says is JSON");
      if (const auto* const several = message->if_array())
        said.messages.insert(said.messages.end(), several->begin(), several->end());
      else
        said.messages.push_back(std::move(*message));
    }
    bytes.remove_prefix(head + size);
  }
  return said;
}

std::size_t count_answers(const std::vector<json::value>& said) {
  std::size_t count = 0;
  for (const json::value& message : said) {
    const json::value* const type = message.as_object().if_contains("type");
    if (type && (*type == "result" || *type == "pong")) ++count;
  }
  return count;
}

// By id, what each command is.
void note_types(const json::value& message, std::map<std::int64_t, std::string>& types) {
  if (const auto* const several = message.if_array()) {
    for (const json::value& one : *several) {
      if (!one.is_array()) note_types(one, types);
    }
  }
  const auto* const object = message.if_object();
  const auto* const id = object ? object->if_contains("id") : nullptr;
  const auto* const type = object ? object->if_contains("type") : nullptr;
  if (id && id->is_int64() && type && type->is_string())
    types.try_emplace(id->get_int64(), std::string(type->get_string()));
}

void check_answers(const std::vector<json::value>& said, const std::map<std::int64_t, std::string>& types,
                   bool administers) {
  std::set<std::int64_t> done;
  for (const json::value& message : said) {
    const json::object& object = message.as_object();
    const auto* const type = object.if_contains("type");
    if (!type || *type != "result") continue;
    const auto* const success = object.if_contains("success");
    base::must(success && success->is_bool(), "a result says whether it is a success");
    if (!success->get_bool()) continue;
    const std::int64_t id = object.at("id").as_int64();
    base::must(done.insert(id).second, "a command is done once");
    const auto sent = types.find(id);
    base::must(sent != types.end(), "what is done was asked for");
    const api::Command* const command = api::find_command(sent->second);
    base::must(command && (administers || !api::is_for_administrators(command->access)), "who may not is refused");
  }
}

void talk(Home& home, std::string_view role, std::string_view text) {
  http::FuzzClient client(*home.home.server.workers().front());
  client.send("GET /api/websocket HTTP/1.1\r\nHost: h\r\n" + std::string(http::WebSocketClient::kUpgrade) + "\r\n");
  client.send(http::text_frame(
      base::to_json(json::object{{"type", "auth"}, {"access_token", home.tokens.find(role)->second}})));
  std::size_t commands = 0;
  std::map<std::int64_t, std::string> types;
  while (!text.empty() && !client.ended()) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const auto message = base::parse_json(line);
    if (message) {
      commands += message->is_array() ? message->get_array().size() : 1;
      note_types(*message, types);
    }
    if (commands > kMaxCommands) return;
    client.send(http::text_frame(line));
    if (!message) break;  // the hub ends the connection
  }
  Said said;
  client.wait_for([&] {
    said = read_frames(client.received());
    return said.closes || count_answers(said.messages) >= commands;
  });
  const std::size_t answers = count_answers(said.messages);
  base::must(answers == commands || said.closes || client.ended(), "each command is answered");
  base::must(answers <= commands, "a command is answered once");
  check_answers(said.messages, types, role == "admin");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static std::unique_ptr<Home> home;
  if (size > 16 * 1024) return 0;
  auto text = base::fuzz_text(data, size);
  const auto role = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(role.size() + 1, text.size()));
  // A token or a user may be gone by now.
  if (home && home->inputs++ >= kInputsOfAHome) home.reset();
  if (!home) home = std::make_unique<Home>();
  if (!home->tokens.contains(role)) return 0;
  http::run_on(*home->home.server.workers().front(), [&] { talk(*home, role, text); });
  return 0;
}

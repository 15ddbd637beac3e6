// SPDX-License-Identifier: Apache-2.0
// For tests: a home with three mirrored entities, and the hub there, which the test plays: its commands are noted, and
// its files are those of a server of this machine.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/testing/wait_until.h"
#include "domains/test_home.h"
#include "integrations/home_assistant/media/media.h"
#include "net/testing/scripted_server.h"

namespace hearth::integrations::home_assistant {

class MediaLink final : public HubLink {
 public:
  void send(std::uint64_t number, json::object command, std::chrono::milliseconds) override {
    sent.emplace_back(number, base::to_json(command));
  }
  void subscribe(std::uint64_t number, json::object command) override {
    sent.emplace_back(number, base::to_json(command));
  }
  void unsubscribe(std::uint64_t number) override { sent.emplace_back(number, "unsubscribe"); }
  void reconnect() override {}
  void ask_again() override {}
  void tell_again(const std::string&) override {}

  std::vector<std::pair<std::uint64_t, std::string>> sent;
};

// Each id there is that of here without `cabin_`.
class MediaIds final : public MirroredIds {
 public:
  std::string_view entity_there(std::string_view here) const override { return other(here, 0, 1); }
  std::string_view entity_here(std::string_view there) const override { return other(there, 1, 0); }
  std::string_view device_there(std::string_view) const override { return {}; }
  std::string_view device_here(std::string_view) const override { return {}; }
  std::string_view provider() const override { return "home_assistant.home"; }

 private:
  static constexpr std::string_view kIds[][2] = {{"camera.cabin_drive", "camera.drive"},
                                                 {"media_player.cabin_radio", "media_player.radio"},
                                                 {"person.cabin_ann", "person.ann"},
                                                 {"todo.cabin_list", "todo.list"}};
  static std::string_view other(std::string_view id, int from, int to) {
    for (const auto& each : kIds)
      if (each[from] == id) return each[to];
    return {};
  }
};

struct MediaTest : testing::Test {
  static constexpr const char* kIds[] = {"camera.cabin_drive", "media_player.cabin_radio", "person.cabin_ann",
                                         "todo.cabin_list"};

  MediaTest() {
    for (const char* const id : kIds) {
      core::RegisteredEntity entity{.unique_id = id, .integration = "hue"};
      entity.provider = "home_assistant.home";
      home.hub.registry.put_entity(*core::EntityId::parse(id), std::move(entity)).value();
    }
    home.hub.bus.run_pending();
  }

  // The media of a hub whose files the server has; connected.
  Media& begin(std::uint16_t port = 1, bool remote = false) {
    options.url = fmt::format("http://127.0.0.1:{}/", port);
    options.token = core::Secret("secret-of-there");
    if (remote) options.history = Options::History::remote;
    addresses.emplace(home.hub, options);
    auto place = home.place("home_assistant");
    place.reactor = &reactor;
    media.emplace(place, options, ids, requests, *addresses);
    media->connected();
    return *media;
  }
  json::object rewritten(std::string_view id, std::string_view attributes) {
    json::object object = base::parse_json(attributes).value().as_object();
    addresses->rewrite(ids.entity_there(id), id, object);
    return object;
  }
  template <class Condition>
  void run_until(Condition&& condition) {
    base::wait_until([&] {
      home.hub.bus.run_pending();
      return condition();
    });
  }
  std::string id_of(std::string_view entity_id) const {
    return home.hub.registry.snapshot()->entities.find(entity_id)->id;
  }

  static core::OtherHub::Done<json::value> note(std::string& text) {
    return [&text](const base::Result<json::value>& answer) {
      text = answer ? base::to_json(*answer) : answer.error().message;
      if (!answer && answer.error().said) text = answer.error().said->code + "|" + text;
    };
  }
  // "image/png bytes", or the message.
  core::OtherHub::Done<core::OtherHub::BodyPtr> note_body(std::vector<std::string>& texts) {
    return [&texts](const base::Result<core::OtherHub::BodyPtr>& answer) {
      texts.push_back(answer ? (*answer)->content_type + " " + (*answer)->bytes : answer.error().message);
    };
  }

  domains::TestHome home;
  net::Reactor reactor;
  MediaLink link;
  Requests requests{link};
  MediaIds ids;
  Options options;
  std::optional<Addresses> addresses;
  std::optional<Media> media;
};

}  // namespace hearth::integrations::home_assistant

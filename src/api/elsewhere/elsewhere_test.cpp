// SPDX-License-Identifier: Apache-2.0
// Pictures, streams, videos and commands of entities that another hub has.
#include <gtest/gtest.h>

#include "api/test_home.h"
#include "core/services/other_hub.h"
#include "http/test_websocket.h"

namespace hearth::api {
namespace {

using core::OtherHub;

// Answers with what it was asked for; of the entity camera.none nothing.
class EchoingHub final : public OtherHub {
 public:
  void picture(std::string_view entity_id, std::string_view rest, std::string_view query, Done<BodyPtr> done) override {
    if (entity_id == "camera.none")
      return done(std::unexpected(base::Error{base::ErrorCode::failed_elsewhere, "No picture."}));
    if (entity_id == "camera.busy")
      return done(std::unexpected(base::Error{base::ErrorCode::unavailable, "Too much."}));
    done(std::make_shared<const Body>(Body{"image/heic", fmt::format("{} {} {}", entity_id, rest, query)}));
  }
  void stream(std::string_view entity_id, Done<OpenedStream> done) override {
    if (entity_id == "camera.none") return done(std::unexpected(base::Error{base::ErrorCode::unreachable, "Away."}));
    class Rest final : public Stream {
     public:
      explicit Rest(const std::function<void()>& before) : before_(before) {}
      void next(std::function<void(std::optional<std::string>)> ready) override {
        before_();
        ready(left_ > 0 ? std::optional("part " + std::to_string(left_)) : std::nullopt);
        --left_;
      }

     private:
      const std::function<void()>& before_;
      int left_ = 3;
    };
    done(OpenedStream{"multipart/x-mixed-replace; boundary=x", "first ", std::make_unique<Rest>(before_part)});
  }
  void file(std::string_view path, std::string_view rest, std::string_view query, Done<BodyPtr> done) override {
    done(std::make_shared<const Body>(Body{"video/mp4", fmt::format("{} {} {}", path, rest, query)}));
  }
  void events(std::string_view entity_id, std::string_view start, std::string_view end,
              Done<json::value> done) override {
    done(json::array{fmt::format("{} {} {}", entity_id, start, end)});
  }
  void ask(json::object command, bool controls, Done<json::value> done) override {
    if (command.contains("fail")) {
      return done(std::unexpected(
          base::Error{base::ErrorCode::failed_elsewhere, "home says: no.",
                      std::make_shared<const base::SaidElsewhere>(base::SaidElsewhere{.code = "own_code"})}));
    }
    done(json::object{{"controls", controls}, {"asked", std::move(command)}});
  }
  base::Handle subscribe(json::object command, Done<json::value> done,
                         std::function<void(json::value)> event) override {
    done(nullptr);
    event(std::move(command));
    return base::Handle([this] { ++ended; });
  }
  void past(json::object, Done<json::object> done) override { done({}); }

  std::atomic<int> ended = 0;
  std::function<void()> before_part = [] {};
};

class ElsewhereTest : public testing::Test {
 protected:
  ElsewhereTest() {
    for (const char* const id :
         {"camera.drive", "camera.none", "camera.busy", "person.ann", "todo.list", "calendar.c"}) {
      core::RegisteredEntity entity{.unique_id = id, .integration = "hue"};
      entity.provider = "home_assistant.home";
      home_.hub.registry.put_entity(*core::EntityId::parse(id), std::move(entity)).value();
      home_.set(id, "x");
    }
    home_.set("camera.own", "idle");
    home_.start();
  }
  std::string get(std::string_view path, const std::string& token) {
    const auto answer = home_.ask("GET", path, token);
    return fmt::format("{} {}", answer.status, answer.body);
  }
  std::string picture_token(std::string_view id) {
    return home_.hub.pictures.renew_token(home_.hub.registry.snapshot()->entities.find(id)->id);
  }
  // One answer of the WebSocket, and an event if there is one.
  std::string command(const std::string& token, std::string_view fields, bool event = false) {
    http::WebSocketClient client{home_.server.port()};
    client.open("/api/websocket", http::text_frame(R"({"type":"auth","access_token":")" + token + R"("})"));
    client.read_text();
    client.read_text();
    client.send(http::text_frame(fmt::format(R"({{"id":1,{}}})", fields)));
    std::string text = client.read_text();
    if (event) text += client.read_text();
    return text;
  }

  TestHome home_;
  EchoingHub there_;
  base::Handle added_ = home_.hub.other_hubs->add("home_assistant.home", there_);
};

TEST_F(ElsewhereTest, PicturesPassThroughToWhoMayReadOrHasTheToken) {
  const auto answer = home_.ask("GET", "/api/camera_proxy/Camera.Drive", home_.reader);
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, "camera.drive  ");
  EXPECT_TRUE(answer.has("Content-Type: image/heic"));
  EXPECT_TRUE(answer.head.contains("sandbox"));
  const std::string token = picture_token("camera.drive");
  EXPECT_EQ(get("/api/camera_proxy/camera.drive?token=" + token, ""), "200 camera.drive  ");
  EXPECT_EQ(get("/api/image_proxy/person.ann", home_.user), "200 person.ann  ");
  const std::string wrong[] = {"/api/camera_proxy/camera.drive?token=x", "/api/camera_proxy/camera.drive",
                               "/api/camera_proxy/person.ann?token=" + token,
                               "/api/camera_proxy/camera.busy?token=" + token};
  for (const std::string& path : wrong) EXPECT_TRUE(get(path, "").starts_with("401 ")) << path;
  EXPECT_TRUE(get("/api/camera_proxy/person.ann", home_.user).starts_with("404 "));
  EXPECT_TRUE(get("/api/camera_proxy/camera.own", home_.user).starts_with("404 "));
}

TEST_F(ElsewhereTest, WhatTheOtherHubDoesNotGiveHasAStatus) {
  EXPECT_EQ(get("/api/camera_proxy/camera.none", home_.user), R"(502 {"message":"No picture."})");
  EXPECT_EQ(get("/api/camera_proxy/camera.busy", home_.user), R"(503 {"message":"Too much."})");
  EXPECT_EQ(get("/api/camera_proxy_stream/camera.none", home_.user), R"(503 {"message":"Away."})");
  // The hub goes: its entities are like others.
  added_ = {};
  EXPECT_TRUE(get("/api/camera_proxy/camera.drive", home_.user).starts_with("404 "));
}

TEST_F(ElsewhereTest, TheRestOfAPathGoesToTheHubThereWithoutOurToken) {
  core::RegisteredEntity entity{.unique_id = "radio", .integration = "hue"};
  entity.provider = "home_assistant.home";
  home_.hub.registry.put_entity(*core::EntityId::parse("media_player.radio"), std::move(entity)).value();
  const std::string token = picture_token("media_player.radio");
  EXPECT_EQ(get("/api/media_player_proxy/media_player.radio/browse_media/album/a%20b%2Fc?x=1%262&token=" + token, ""),
            "200 media_player.radio browse_media/album/a%20b%2Fc x=1%262");
}

TEST_F(ElsewhereTest, AStreamComesInItsParts) {
  http::TestClient client(home_.server.port());
  client.send(TestHome::request("GET", "/api/camera_proxy_stream/camera.drive", home_.reader));
  const auto answer = client.read_answer(false);
  EXPECT_EQ(answer.status, 200);
  EXPECT_TRUE(answer.has("Content-Type: multipart/x-mixed-replace; boundary=x"));
  EXPECT_EQ(answer.body, "first part 3part 2part 1");
  EXPECT_TRUE(get("/api/camera_proxy_stream/camera.own", home_.user).starts_with("404 "));
  EXPECT_TRUE(get("/api/camera_proxy_stream/camera.drive?token=x", "").starts_with("401 "));
}

TEST_F(ElsewhereTest, AStreamEndsWithTheRightsOfWhoSeesIt) {
  there_.before_part = [this, parts = 0]() mutable {
    if (++parts == 2) home_.authenticator.publish({});  // nobody is there any more
  };
  http::TestClient client(home_.server.port());
  client.send(TestHome::request("GET", "/api/camera_proxy_stream/camera.drive", home_.reader));
  EXPECT_EQ(client.read_answer(false).body, "first part 3");
}

TEST_F(ElsewhereTest, WhoHasThePathOfAVideoSeesItForAnHour) {
  const std::string token =
      home_.hub.other_hubs->lend("home_assistant.home", "/api/hls/there", home_.clock.steady_now());
  EXPECT_EQ(get("/api/hls/" + token + "/segment/1.m4s?_HLS_msn=3", ""), "200 /api/hls/there segment/1.m4s _HLS_msn=3");
  EXPECT_TRUE(get("/api/hls/there/segment/1.m4s", "").starts_with("404 "));
  EXPECT_TRUE(get("/api/hls/" + token, "").starts_with("404 "));
  home_.clock.advance(std::chrono::minutes(61));
  EXPECT_TRUE(get("/api/hls/" + token + "/a", "").starts_with("404 "));
}

TEST_F(ElsewhereTest, OfTenTimesTooManyVideosTheOldestAreForgotten) {
  std::vector<std::string> tokens;
  for (std::size_t i = 0; i < 10 * core::OtherHubs::kMostLent; ++i)
    tokens.push_back(home_.hub.other_hubs->lend("home_assistant.home", std::to_string(i), home_.clock.steady_now()));
  EXPECT_FALSE(home_.hub.other_hubs->lent(tokens.front(), home_.clock.steady_now()));
  EXPECT_TRUE(home_.hub.other_hubs->lent(tokens[tokens.size() - core::OtherHubs::kMostLent], home_.clock.steady_now()));
  EXPECT_TRUE(home_.hub.other_hubs->lent(tokens.back(), home_.clock.steady_now()));
  EXPECT_EQ(tokens.back(), home_.hub.other_hubs->lend("home_assistant.home", "9999", home_.clock.steady_now()));
}

TEST_F(ElsewhereTest, ACalendarIsAskedThere) {
  EXPECT_EQ(get("/api/calendars/calendar.c?start=2026-01-01&end=2026-01-02", home_.reader),
            R"(200 ["calendar.c 2026-01-01 2026-01-02"])");
}

TEST_F(ElsewhereTest, CommandsAreAskedThereWithTheirFields) {
  EXPECT_EQ(command(home_.reader, R"("type":"todo/item/list","entity_id":"Todo.List","more":[1])"),
            R"({"id":1,"type":"result","success":true,"result":{"controls":false,"asked":)"
            R"({"type":"todo/item/list","entity_id":"todo.list","more":[1]}}})");
  EXPECT_TRUE(command(home_.user, R"("type":"todo/item/move","entity_id":"todo.list")").contains(R"("controls":true)"));
  EXPECT_TRUE(command(home_.reader, R"("type":"todo/item/move","entity_id":"todo.list")").contains("unauthorized"));
  EXPECT_TRUE(command(home_.user, R"("type":"camera/stream","entity_id":"camera.drive","fail":1)")
                  .contains(R"("error":{"code":"own_code","message":"home says: no."})"));
  EXPECT_TRUE(command(home_.user, R"("type":"camera/stream","entity_id":"camera.own")").contains("not_supported"));
  EXPECT_TRUE(command(home_.user,
                      R"("type":"media_source/resolve_media","media_content_id":"media-source://camera/camera.drive")")
                  .contains(R"("asked":{"type":"media_source/resolve_media")"));
}

TEST_F(ElsewhereTest, ASubscriptionEndsWithItsSocket) {
  const std::string heard =
      command(home_.reader, R"("type":"weather/subscribe_forecast","entity_id":"camera.drive")", true);
  EXPECT_TRUE(heard.contains(R"("result":null)")) << heard;
  EXPECT_TRUE(heard.contains(R"("event":{"type":"weather/subscribe_forecast","entity_id":"camera.drive"})")) << heard;
  base::wait_until([&] { return there_.ended == 1; });
}

}  // namespace
}  // namespace hearth::api

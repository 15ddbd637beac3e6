// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/media/media_test_home.h"
#include "integrations/home_assistant/media/refusals.h"

namespace hearth::integrations::home_assistant {
namespace {

using net::testing::ScriptedPeer;
using net::testing::ScriptedServer;

json::object media_command(std::string_view text) {
  return base::parse_json(text).value().as_object();
}

std::string picture_answer(std::string_view bytes, std::string_view type = "image/png") {
  return fmt::format("HTTP/1.1 200 OK\r\nContent-Type: {}\r\nContent-Length: {}\r\n\r\n{}", type, bytes.size(), bytes);
}

// Answers every request with the same; notes their heads.
struct Noting {
  explicit Noting(std::string answer_text) : answer(std::move(answer_text)) {}
  void operator()(ScriptedPeer& peer) {
    for (std::string head; !(head = peer.receive_until("\r\n\r\n")).empty();) {
      {
        const base::MutexLock lock(mutex);
        heads.push_back(head);
      }
      peer.send(answer);
      if (!answer.contains("Content-Length: ")) return;
    }
  }
  std::size_t count() {
    const base::MutexLock lock(mutex);
    return heads.size();
  }

  const std::string answer;
  base::Mutex mutex;
  std::vector<std::string> heads __attribute__((guarded_by(mutex)));
};

TEST_F(MediaTest, APictureIsAskedForWithTheTokenOnceForAllWhoWantIt) {
  Noting noting(picture_answer("drive"));
  ScriptedServer server([&](ScriptedPeer& peer) { noting(peer); });
  begin(server.port());
  std::vector<std::string> got;
  for (int i = 0; i < 3; ++i) media->picture("camera.cabin_drive", "", "", note_body(got));
  run_until([&] { return got.size() == 3; });
  media->picture("camera.cabin_drive", "", "", note_body(got));  // within the second
  EXPECT_EQ(got, std::vector<std::string>(4, "image/png drive"));
  EXPECT_EQ(noting.count(), 1u);
  {
    const base::MutexLock lock(noting.mutex);
    EXPECT_TRUE(noting.heads[0].starts_with("GET /api/camera_proxy/camera.drive HTTP/1.1\r\n"));
    EXPECT_TRUE(noting.heads[0].contains("\r\nAuthorization: Bearer secret-of-there\r\n"));
  }
  home.advance(std::chrono::milliseconds(1'100));
  media->picture("media_player.cabin_radio", "browse_media/album/7", "a=b", note_body(got));
  media->picture("camera.cabin_drive", "", "", note_body(got));
  run_until([&] { return got.size() == 6; });
  EXPECT_EQ(noting.count(), 3u);
  const base::MutexLock lock(noting.mutex);
  EXPECT_TRUE(noting.heads[1].contains("/api/media_player_proxy/media_player.radio/browse_media/album/7?a=b ") ||
              noting.heads[2].contains("/api/media_player_proxy/media_player.radio/browse_media/album/7?a=b "));
}

TEST_F(MediaTest, WhatIsNoWholePictureIsRefusedAndNotKept) {
  const std::pair<std::string, std::string_view> answers[] = {
      {picture_answer("<html>", "text/html"), "sends something of another type"},
      {picture_answer("x", "image/"), "sends something of another type"},
      {"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-length: 50\r\n\r\nhalf", "within its answer"},
      {"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n", "the status 302"},
      {"HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n", "the status 500"},
      {"HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n", "has no such file"},
      {"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 170000000\r\n\r\n", "more than 16384 KiB"}};
  for (const auto& [answer, expected] : answers) {
    Noting noting(answer);
    ScriptedServer server([&](ScriptedPeer& peer) { noting(peer); });
    media.reset();
    begin(server.port());
    std::vector<std::string> got;
    media->picture("camera.cabin_drive", "", "", note_body(got));
    run_until([&] { return got.size() == 1; });
    EXPECT_TRUE(got[0].contains(expected)) << got[0];
    media->picture("camera.cabin_drive", "", "", note_body(got));
    run_until([&] { return got.size() == 2; });
    EXPECT_GE(noting.count(), 2u);
  }
}

TEST_F(MediaTest, EightPicturesAtATimeAreAskedForAndTenTimesTooManyAreRefused) {
  base::Mutex mutex;
  std::size_t open = 0, most = 0;
  std::atomic<bool> go = false;
  ScriptedServer server([&](ScriptedPeer& peer) {
    while (!peer.receive_until("\r\n\r\n").empty()) {
      {
        const base::MutexLock lock(mutex);
        most = std::max(most, ++open);
      }
      base::wait_until([&] { return go.load(); });
      {
        const base::MutexLock lock(mutex);
        --open;
      }
      peer.send(picture_answer("x"));
    }
  });
  begin(server.port());
  std::vector<std::string> got;
  const std::size_t asked = 10 * (FilesThere::kMost + FilesThere::kMostWaiting);
  for (std::size_t i = 0; i < asked; ++i)
    media->picture("media_player.cabin_radio", fmt::format("browse_media/album/{}", i), "", note_body(got));
  EXPECT_EQ(got.size(), asked - FilesThere::kMost - FilesThere::kMostWaiting);
  EXPECT_TRUE(got[0].contains("asked for too much at a time"));
  run_until([&] {
    const base::MutexLock lock(mutex);
    return open == FilesThere::kMost;
  });
  go = true;
  run_until([&] { return got.size() == asked; });
  const base::MutexLock lock(mutex);
  EXPECT_EQ(most, FilesThere::kMost);
}

TEST_F(MediaTest, NothingIsAskedForWithoutAConnection) {
  begin().lost();
  std::vector<std::string> got;
  std::string answer;
  media->picture("camera.cabin_drive", "", "", note_body(got));
  media->file("/api/hls/x", "a.m3u8", "", note_body(got));
  EXPECT_EQ(got, std::vector<std::string>(2, "home (Home Assistant) cannot be reached."));
  media->ask(media_command(R"({"type":"camera/stream","entity_id":"camera.cabin_drive"})"), false, note(answer));
  EXPECT_EQ(answer, "home (Home Assistant) cannot be reached.");
  EXPECT_TRUE(link.sent.empty());
}

TEST_F(MediaTest, AStreamWaitsForItsClientAndEndsWithIt) {
  const std::string piece(64 * 1024, 'x');
  std::atomic<bool> finished = false;
  ScriptedServer server([&](ScriptedPeer& peer) {
    EXPECT_TRUE(peer.receive_until("\r\n\r\n").starts_with("GET /api/camera_proxy_stream/camera.drive HTTP/1.1\r\n"));
    peer.send("HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=frame\r\n\r\n");
    for (int i = 0; i < 10'000; ++i) peer.send(piece);
    finished = true;
  });
  begin(server.port());
  std::optional<core::OtherHub::OpenedStream> stream;
  media->stream("camera.cabin_drive",
                [&](base::Result<core::OtherHub::OpenedStream> answer) { stream.emplace(std::move(answer.value())); });
  run_until([&] { return stream.has_value(); });
  EXPECT_EQ(stream->content_type, "multipart/x-mixed-replace; boundary=frame");
  EXPECT_TRUE(stream->first.starts_with("xxx"));
  // Of 640 MB the client takes a little: the hub there has to wait.
  std::size_t got = 0;
  for (int i = 0; i < 20; ++i) {
    std::atomic<bool> ready = false;
    stream->rest->next([&](std::optional<std::string> bytes) {
      got += bytes.value().size();
      ready = true;
    });
    run_until([&] { return ready.load(); });
  }
  EXPECT_GT(got, 0u);
  EXPECT_FALSE(finished);
  stream.reset();
  run_until([&] { return finished.load(); });  // nobody takes the rest
}

TEST_F(MediaTest, WhatIsNoStreamIsRefused) {
  for (const char* const head :
       {"200 OK\r\nContent-Type: image/png", "404 No\r\nContent-Type: multipart/x-mixed-replace",
        "200 OK\r\nContent-Type: text/html"}) {
    ScriptedServer server([&](ScriptedPeer& peer) {
      peer.receive_until("\r\n\r\n");
      peer.send(fmt::format("HTTP/1.1 {}\r\n\r\nbytes", head));
    });
    media.reset();
    begin(server.port());
    std::string message;
    media->stream("camera.cabin_drive", [&](const base::Result<core::OtherHub::OpenedStream>& answer) {
      message = answer ? "a stream" : answer.error().message;
    });
    run_until([&] { return !message.empty(); });
    EXPECT_TRUE(message.starts_with("home (Home Assistant) ")) << message;
  }
}

TEST_F(MediaTest, EightStreamsAtATime) {
  ScriptedServer server([&](ScriptedPeer& peer) { peer.drain(); });
  begin(server.port());
  int refused = 0, others = 0;
  for (std::size_t i = 0; i < 10 * StreamsThere::kMost; ++i)
    media->stream("camera.cabin_drive", [&](const base::Result<core::OtherHub::OpenedStream>& answer) {
      ++(answer.error().code == base::ErrorCode::unavailable ? refused : others);
    });
  EXPECT_EQ(refused, 9 * static_cast<int>(StreamsThere::kMost));
  home.advance(std::chrono::seconds(11));  // nothing has come
  EXPECT_EQ(others, static_cast<int>(StreamsThere::kMost));
}

TEST_F(MediaTest, ACommandGoesWithTheIdThereAndIsAnsweredInTheWordsOfThere) {
  begin();
  std::string answer;
  media->ask(media_command(R"({"type":"todo/item/list","entity_id":"todo.cabin_list","x":"todo.cabin_list"})"), false,
             note(answer));
  EXPECT_EQ(link.sent.at(0).second, R"({"type":"todo/item/list","entity_id":"todo.list","x":"todo.cabin_list"})");
  requests.receive(Answer{.number = link.sent[0].first, .result = json::object{{"items", json::array{"todo.list"}}}});
  EXPECT_EQ(answer, R"({"items":["todo.list"]})");

  media->ask(
      media_command(
          R"({"type":"media_source/resolve_media","media_content_id":"media-source://camera/camera.cabin_drive"})"),
      false, note(answer));
  EXPECT_EQ(link.sent.at(1).second,
            R"({"type":"media_source/resolve_media","media_content_id":"media-source://camera/camera.drive"})");
  requests.receive(
      Answer{.number = link.sent[1].first,
             .outcome = Answer::Outcome::refused,
             .error = media_command(R"({"code":"resolve_media_failed","message":"No.","translation_key":"k"})")});
  EXPECT_EQ(answer, "resolve_media_failed|home (Home Assistant) says: No.");

  media->ask(media_command(R"({"type":"todo/item/list","entity_id":"todo.other"})"), false, note(answer));
  EXPECT_EQ(answer, "home (Home Assistant) does not provide this entity.");
  EXPECT_EQ(link.sent.size(), 2u);
}

TEST_F(MediaTest, WhatMayNotBeControlledThereIsRead) {
  options.control_all = false;
  options.control_domains = {"light"};
  begin();
  std::string answer;
  const auto move = media_command(R"({"type":"todo/item/move","entity_id":"todo.cabin_list"})");
  media->ask(move, true, note(answer));
  EXPECT_TRUE(answer.contains("does not let this home control todo.cabin_list")) << answer;
  EXPECT_TRUE(link.sent.empty());
  media->ask(move, false, note(answer));
  options.control_domains = {"todo"};
  media->ask(move, true, note(answer));
  EXPECT_EQ(link.sent.size(), 2u);
}

TEST_F(MediaTest, TenTimesTooManyCommandsAreRefused) {
  begin();
  int refused = 0;
  for (std::size_t i = 0; i < 10 * Media::kMostAsked; ++i)
    media->ask(media_command(R"({"type":"todo/item/list","entity_id":"todo.cabin_list"})"), false,
               [&](const auto& answer) { refused += answer.error().code == base::ErrorCode::unavailable; });
  EXPECT_EQ(refused, 9 * static_cast<int>(Media::kMostAsked));
  EXPECT_EQ(link.sent.size(), Media::kMostAsked);
}

TEST_F(MediaTest, ASubscriptionGoesOnAfterALossUntilItsClientGoes) {
  begin();
  std::string answer;
  std::vector<std::string> events;
  auto handle =
      media->subscribe(media_command(R"({"type":"todo/item/subscribe","entity_id":"todo.cabin_list"})"), note(answer),
                       [&](const json::value& event) { events.push_back(base::to_json(event)); });
  requests.receive(Answer{.number = link.sent.at(0).first});
  EXPECT_EQ(answer, "null");
  requests.receive(Message{link.sent[0].first, 1});
  media->lost();
  requests.receive(Lost{});
  media->connected();
  media->running();
  media->running();  // said twice, begun once
  ASSERT_EQ(link.sent.size(), 3u);
  EXPECT_EQ(link.sent[1].second, "unsubscribe");
  EXPECT_EQ(link.sent[2].second, R"({"type":"todo/item/subscribe","entity_id":"todo.list"})");
  requests.receive(Message{link.sent[2].first, 2});
  EXPECT_EQ(events, (std::vector<std::string>{"1", "2"}));
  handle = {};
  EXPECT_EQ(link.sent.back().second, "unsubscribe");

  auto talk =
      media->subscribe(media_command(R"({"type":"camera/webrtc/offer","entity_id":"camera.cabin_drive","offer":"x"})"),
                       note(answer), [](const json::value&) {});
  const std::size_t before = link.sent.size();
  media->lost();
  media->connected();
  media->running();
  EXPECT_EQ(link.sent.size(), before + 1);  // its end
}

TEST_F(MediaTest, ThePastComesByTheIdsHere) {
  begin(1, true);
  EXPECT_TRUE(home.hub.other_hubs->tells_past("home_assistant.home"));
  std::string answer;
  media->past(
      media_command(R"({"type":"history/history_during_period","entity_ids":["camera.cabin_drive","light.own"]})"),
      [&](const base::Result<json::object>& given) { answer = base::to_json(given.value()); });
  EXPECT_EQ(link.sent.at(0).second, R"({"type":"history/history_during_period","entity_ids":["camera.drive"]})");
  requests.receive(Answer{
      .number = link.sent[0].first,
      .result = media_command(R"({"camera.drive":[{"s":"idle","lu":1}],"light.stranger":[{"s":"on","lu":1}]})")});
  EXPECT_EQ(answer, R"({"camera.cabin_drive":[{"s":"idle","lu":1}]})");
}

}  // namespace
}  // namespace hearth::integrations::home_assistant

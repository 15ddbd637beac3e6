// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <future>

#include "fleet/nats/test_nats_link.h"

#include "base/testing/wait_until.h"

namespace hearth::fleet {
namespace {

using namespace std::chrono_literals;
using base::ErrorCode;
using base::Result;

TEST_F(NatsLink, KeepsWhatASitePublishesInItsOrder) {
  start();
  const auto before = std::chrono::system_clock::now();
  ASSERT_TRUE(publish(*site_, "1", "one"));
  ASSERT_TRUE(publish(*site_, "2", "two", Kind::snapshot, 3));
  ASSERT_TRUE(publish(*site_, "3", std::string("th\0ree", 6), Kind::registry));
  const Messages all = read(0);
  ASSERT_EQ(all.list.size(), 3u);
  EXPECT_EQ(payloads(all.list), (Texts{"one", "two", std::string("th\0ree", 6)}));
  EXPECT_EQ(all.list[0].kind, Kind::log);
  EXPECT_EQ(all.list[1].kind, Kind::snapshot);
  EXPECT_EQ(all.list[2].kind, Kind::registry);
  EXPECT_EQ(all.list[0].site, "kitchen");
  EXPECT_EQ(all.list[2].place, 3u);
  EXPECT_EQ(all.until, 3u);
  EXPECT_TRUE(all.at_end);
  EXPECT_LE(std::chrono::abs(all.list[0].kept_at - before), 30s);
}

TEST_F(NatsLink, KeepsAMessageThatComesAgainOnce) {
  start();
  ASSERT_TRUE(publish(*site_, "1", "one"));
  ASSERT_TRUE(publish(*site_, "1", "one"));
  ASSERT_TRUE(publish(*site_, "2", "two"));
  EXPECT_EQ(payloads(read(0).list), (Texts{"one", "two"}));
}

TEST_F(NatsLink, ReadsFromAnyPlace) {
  start();
  for (int i = 1; i <= 25; ++i) ASSERT_TRUE(publish(*site_, fmt::to_string(i), fmt::to_string(i)));
  const Messages first = read(0, 10);
  EXPECT_EQ(first.list.size(), 10u);
  EXPECT_EQ(first.until, 10u);
  EXPECT_FALSE(first.at_end);
  EXPECT_EQ(read(first.until, 10).list.front().payload, "11");
  EXPECT_EQ(payloads(read(23).list), (Texts{"24", "25"}));
  EXPECT_EQ(payloads(read(4, 2).list), (Texts{"5", "6"}));
  EXPECT_TRUE(read(25).list.empty());
  EXPECT_EQ(read(25).until, 25u);
  EXPECT_TRUE(read(25).at_end);
  // A server that has lost its newest messages uses their places again.
  EXPECT_EQ(read(26).until, 25u);
  EXPECT_EQ(read(1000, 10, 10s).until, 25u);
}

TEST_F(NatsLink, ReadsMuchInParts) {
  start();
  const std::string large(1'500'000, 'x');
  for (int i = 1; i <= 20; ++i) ASSERT_TRUE(publish(*site_, fmt::to_string(i), large));
  std::size_t count = 0, parts = 0;
  for (Messages part; !part.at_end; ++parts) {
    part = read(part.until);
    count += part.list.size();
    EXPECT_LE(part.list.size() * large.size(), std::size_t{17} << 20);
    ASSERT_LT(parts, 20u);
  }
  EXPECT_EQ(count, 20u);
  EXPECT_GE(parts, 2u);
}

TEST_F(NatsLink, WaitsForTheNextMessage) {
  start();
  ASSERT_TRUE(publish(*site_, "1", "one"));
  auto next = std::async(std::launch::async, [&] { return read(1, 10, 1min); });
  EXPECT_EQ(next.wait_for(200ms), std::future_status::timeout);
  ASSERT_TRUE(publish(*site_, "2", "two"));
  EXPECT_EQ(next.wait_for(30s), std::future_status::ready);
  EXPECT_EQ(payloads(next.get().list), Texts{"two"});
  EXPECT_TRUE(read(2, 10, 10ms).list.empty());
}

TEST_F(NatsLink, KnowsTheNewestSnapshotAndRegistryOfEachSite) {
  start();
  const auto attic = connect_site(server_.options("attic"), "attic").value();
  EXPECT_TRUE(latest().empty());
  ASSERT_TRUE(publish(*site_, "1", "old 0", Kind::snapshot, 0));
  ASSERT_TRUE(publish(*site_, "2", "old 1", Kind::snapshot, 1));
  ASSERT_TRUE(publish(*attic, "3", "attic's", Kind::registry));
  ASSERT_TRUE(publish(*site_, "4", "a batch"));
  ASSERT_TRUE(publish(*site_, "5", "new 0", Kind::snapshot, 0));
  ASSERT_TRUE(publish(*site_, "6", "kitchen's", Kind::registry));
  const auto newest = latest();
  EXPECT_EQ(payloads(newest), (Texts{"attic's", "kitchen's", "old 1", "new 0"}));
  EXPECT_EQ(newest[0].site, "attic");
  EXPECT_EQ(newest[3].place, 5u);
}

TEST_F(NatsLink, GivesTheNewestInPieces) {
  start();
  std::string expected;
  for (std::size_t part = 0; part < 70; ++part) {
    expected += static_cast<char>(' ' + part);
    ASSERT_TRUE(publish(*site_, fmt::to_string(part), std::string(part < 12 ? 1'900'000 : 10, expected.back()),
                        Kind::snapshot, part));
  }
  // A site may publish below its name what it wants; such parts there are none.
  ASSERT_TRUE(publish(*site_, "beyond", "none", Kind::snapshot, 1'000));
  std::string seen;
  std::size_t pieces = 0;
  ASSERT_TRUE(reader_->latest([&](const std::vector<Message>& piece) {
    for (const Message& message : piece) seen += message.payload[0];
    EXPECT_LE(piece.size(), 32u);
    ++pieces;
  }));
  EXPECT_EQ(seen, expected);
  EXPECT_EQ(pieces, 3u);
}

TEST_F(NatsLink, AFullStreamRefuses) {
  server_.start();
  auto options = server_.options("portal-a");
  options.max_bytes = 100'000;
  portal_ = connect_portal(options).value();
  reader_ = portal_->reader().value();
  ASSERT_TRUE(eventually([&] { return reader_->name().has_value(); }));
  site_ = connect_site(server_.options("kitchen"), "kitchen").value();
  ASSERT_TRUE(publish(*site_, "1", std::string(60'000, 'x')));
  const auto refused = site_->publish(Kind::log, 0, "2", std::string(60'000, 'x'));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::full) << refused.error().message;
  EXPECT_EQ(read(0).list.size(), 1u);
  // Another portal wants more, and later one less: the stream is never made smaller.
  for (const std::int64_t bytes : {200'000, 100'000}) {
    options.max_bytes = bytes;
    const auto other = connect_portal(options).value();
    const auto reader = other->reader().value();
    ASSERT_TRUE(eventually([&] { return reader->name().has_value(); }));
    ASSERT_TRUE(publish(*site_, fmt::to_string(bytes), std::string(60'000, 'x')));
    EXPECT_FALSE(std::ranges::any_of(other->weaknesses(), [](auto& each) { return each.contains("less of"); }));
  }
  EXPECT_EQ(read(0).list.size(), 3u);
}

TEST_F(NatsLink, ATooLargeMessageIsInvalid) {
  start();
  ASSERT_TRUE(publish(*site_, "1", "one"));
  const auto refused = site_->publish(Kind::log, 0, "2", std::string(3 << 20, 'x'));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid);
  EXPECT_NE(refused.error().message.find("3145728"), std::string::npos) << refused.error().message;
  EXPECT_NE(refused.error().message.find("2097152"), std::string::npos) << refused.error().message;
  ASSERT_TRUE(publish(*site_, "3", "three"));
}

TEST_F(NatsLink, WrongCredentialsAreForbidden) {
  server_.start();
  auto options = server_.options("kitchen");
  options.password = "wrong";
  site_ = connect_site(options, "kitchen").value();
  Result<void> refused;
  EXPECT_TRUE(eventually([&] {
    refused = site_->publish(Kind::log, 0, "1", "one");
    return !refused && refused.error().code == ErrorCode::forbidden;
  })) << refused.error().message;
}

TEST_F(NatsLink, ASiteMayNotSpeakForAnother) {
  start();
  const auto liar = connect_site(server_.options("kitchen"), "attic").value();
  Result<void> refused;
  ASSERT_TRUE(eventually([&] {
    refused = liar->publish(Kind::log, 0, "1", "one");
    return !refused && refused.error().code == ErrorCode::forbidden;
  })) << refused.error().message;
  EXPECT_TRUE(read(0).list.empty());
  // Nor answer, nor hear what others are asked.
  liar->answer([](const std::string&, const SiteLink::Reply& reply) { reply("a lie"); });
  // Everything that the liar does comes before its next refusal.
  ASSERT_FALSE(liar->publish(Kind::log, 0, "2", "two"));
  std::promise<Result<std::string>> answered;
  portal_->ask("attic", "x", 2s, [&](Result<std::string> answer) { answered.set_value(std::move(answer)); });
  EXPECT_FALSE(base::wait_for(answered.get_future()));
}

TEST_F(NatsLink, AMissingStreamIsNamed) {
  server_.start();
  site_ = connect_site(server_.options("kitchen"), "kitchen").value();
  Result<void> refused;
  ASSERT_TRUE(eventually([&] {
    refused = site_->publish(Kind::log, 0, "1", "one");
    return !refused && refused.error().message.contains("HEARTH is missing");
  })) << refused.error().message;
  EXPECT_EQ(refused.error().code, ErrorCode::unavailable);
  portal_ = connect_portal(server_.options("portal-a")).value();
  reader_ = portal_->reader().value();
  ASSERT_TRUE(eventually([&] { return reader_->name().has_value(); }));
  EXPECT_TRUE(publish(*site_, "1", "one"));
}

TEST_F(NatsLink, ASiteAnswers) {
  start();
  const auto ask = [&](std::string request, base::Duration patience) {
    std::promise<Result<std::string>> answered;
    portal_->ask("kitchen", std::move(request), patience,
                 [&](Result<std::string> answer) { answered.set_value(std::move(answer)); });
    return base::wait_for(answered.get_future());
  };
  const auto nobody = ask("x", 10s);
  ASSERT_FALSE(nobody);
  EXPECT_EQ(nobody.error().code, ErrorCode::unavailable);
  site_->answer([](std::string request, const SiteLink::Reply& reply) {
    if (request != "silence") reply(request + "!");
  });
  EXPECT_TRUE(eventually([&] { return ask("hello", 10s) == "hello!"; }));
  const auto silence = ask("silence", 100ms);
  ASSERT_FALSE(silence);
  EXPECT_EQ(silence.error().code, ErrorCode::unavailable);
  EXPECT_EQ(ask("again", 10s), "again!");
  // The answer may come later, from elsewhere.
  std::promise<SiteLink::Reply> kept;
  site_->answer([&](const std::string&, SiteLink::Reply reply) { kept.set_value(std::move(reply)); });
  auto late = std::async(std::launch::async, [&] { return ask("later", 10s); });
  base::wait_for(kept.get_future())("late");
  EXPECT_EQ(late.get(), "late");
  site_->answer(nullptr);
  EXPECT_TRUE(eventually([&] { return ask("nobody", 100ms).error().message.contains("not connected"); }));
}

TEST_F(NatsLink, ThePortalHearsWhoIsAlive) {
  start();
  std::atomic<int> heard = 0;
  portal_->hear_alive(
      [&](const std::string& site, const std::string& payload) { heard += site == "kitchen" && payload == "here"; });
  EXPECT_TRUE(eventually([&] {
    site_->publish_alive("here");
    return heard > 0;
  }));
  portal_->hear_alive(nullptr);
  const int before = heard;
  site_->publish_alive("here");
  ASSERT_TRUE(publish(*site_, "1", "one"));
  EXPECT_EQ(heard, before);
}

TEST_F(NatsLink, ABadStreamIsWeak) {
  start();
  // Debian 12's server is older than 2.10, and says so.
  const bool old = eventually([&] { return !site_->weaknesses().empty(); }, 2s);
  for (const std::string& weakness : site_->weaknesses()) EXPECT_TRUE(weakness.contains("2.10")) << weakness;
  EXPECT_TRUE(eventually([&] { return portal_->weaknesses().size() == (old ? 1u : 0u); }));
  auto options = server_.options("portal-a");
  options.prefix = "other";
  const auto other = connect_portal(options).value();
  EXPECT_TRUE(eventually([&] { return other->weaknesses().size() == (old ? 4u : 3u); }));
  for (const std::string& weakness : other->weaknesses()) {
    EXPECT_TRUE(weakness.contains("2.10") || weakness.contains("does not name other.*.")) << weakness;
  }
}

TEST_F(NatsLink, ACertificateMustBeTrustedAndOfThisHost) {
  server_.encrypt();
  start(server_.certificate());
  ASSERT_TRUE(publish(*site_, "1", "one"));
  const auto refused = [&](const std::string& ca, const std::string& host) {
    auto options = server_.options("kitchen");
    options.ca = ca;
    options.servers = {fmt::format("tls://{}:{}", host, server_.port())};
    const auto site = connect_site(options, "kitchen").value();
    Result<void> done;
    return eventually([&] {
             done = site->publish(Kind::log, 0, "2", "two");
             return done || done.error().message.contains("cannot be reached");
           }) &&
           !done;
  };
  EXPECT_TRUE(refused("", "127.0.0.1"));
  EXPECT_TRUE(refused(server_.certificate(), "localhost"));
  EXPECT_FALSE(refused(server_.certificate(), "127.0.0.1"));
}

TEST_F(NatsLink, BadOptionsAreInvalid) {
  LinkOptions options;
  const auto message = [&] {
    const auto made = connect_site(options, "kitchen");
    EXPECT_FALSE(made);
    EXPECT_EQ(made ? ErrorCode::internal : made.error().code, ErrorCode::invalid);
    return made ? std::string() : made.error().message;
  };
  EXPECT_TRUE(message().contains("got none"));
  for (const char* server : {"", "localhost", "http://localhost", "nats://", "nats://a b", "nats://a:99999"}) {
    options.servers = {server};
    EXPECT_TRUE(message().contains("nats://host:4222")) << server;
  }
  options.servers = {"nats://user:secret@localhost"};
  EXPECT_FALSE(message().contains("secret"));
  options.servers = {"tls://localhost"};
  options.ca = "/nowhere/ca.pem";
  EXPECT_TRUE(message().contains("/nowhere/ca.pem"));
  options.ca = "/proc/self/status";
  EXPECT_TRUE(message().contains("(ca) is no good")) << message();
  options.ca.clear();
  options.certificate = "/proc/self/status";
  EXPECT_TRUE(message().contains("needs its key"));
  options.certificate.clear();
  options.stream = "a.b";
  EXPECT_TRUE(message().contains("a.b"));
  options.stream = "HEARTH";
  EXPECT_FALSE(connect_site(options, "Kitchen"));
  EXPECT_TRUE(connect_site(options, "kitchen"));
}

}  // namespace
}  // namespace hearth::fleet

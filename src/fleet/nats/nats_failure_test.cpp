// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <future>

#include "fleet/nats/test_nats_link.h"

#include "base/testing/wait_until.h"

namespace hearth::fleet {
namespace {

using namespace std::chrono_literals;
using base::ErrorCode;
using base::Result;

TEST_F(NatsLink, AServerThatStartsLaterIsFound) {
  site_ = connect_site(server_.options("kitchen"), "kitchen").value();
  portal_ = connect_portal(server_.options("portal-a")).value();
  reader_ = portal_->reader().value();
  const auto name = reader_->name();
  ASSERT_FALSE(name);
  EXPECT_EQ(name.error().code, ErrorCode::unavailable);
  const auto kept = site_->publish(Kind::log, 0, "1", "one");
  ASSERT_FALSE(kept);
  EXPECT_EQ(kept.error().code, ErrorCode::unavailable);
  site_->publish_alive("here");
  std::promise<Result<std::string>> asked;
  portal_->ask("kitchen", "x", 1s, [&](Result<std::string> answer) { asked.set_value(std::move(answer)); });
  EXPECT_FALSE(base::wait_for(asked.get_future()));
  server_.start();
  ASSERT_TRUE(eventually([&] { return reader_->name().has_value(); }));
  EXPECT_TRUE(publish(*site_, "1", "one"));
  EXPECT_EQ(payloads(read(0, 10, 10s).list), Texts{"one"});
}

TEST_F(NatsLink, NothingIsLostWhenTheServerIsKilled) {
  start();
  site_->answer([](const std::string&, const SiteLink::Reply& reply) { reply("yes"); });
  constexpr int kMessages = 300;
  std::atomic<int> published = 0;
  auto site = std::async(std::launch::async, [&] {
    for (int i = 1; i <= kMessages; ++i) {
      if (!publish(*site_, fmt::to_string(i), fmt::to_string(i))) return;
      published = i;
    }
  });
  Texts got;
  auto portal = std::async(std::launch::async, [&] {
    std::uint64_t place = 0;
    while (got.empty() || got.back() != fmt::to_string(kMessages)) {
      const Messages part = read(place, 20, 1s);
      for (const Message& message : part.list) got.push_back(message.payload);
      place = part.until;
    }
  });
  for (const int at : {50, 120, 200}) {
    ASSERT_TRUE(eventually([&] { return published >= at; }, 60s));
    server_.kill();
    server_.start();
  }
  site.get();
  portal.get();
  Texts expected;
  for (int i = 1; i <= kMessages; ++i) expected.push_back(fmt::to_string(i));
  EXPECT_EQ(got, expected);
  EXPECT_TRUE(eventually([&] {
    std::promise<Result<std::string>> asked;
    portal_->ask("kitchen", "x", 5s, [&](Result<std::string> answer) { asked.set_value(std::move(answer)); });
    return base::wait_for(asked.get_future()) == "yes";
  }));
}

TEST_F(NatsLink, AServerThatForgotEverythingHasAnotherName) {
  start();
  const std::string name = reader_->name().value();
  for (int i = 1; i <= 3; ++i) ASSERT_TRUE(publish(*site_, fmt::to_string(i), "old"));
  EXPECT_EQ(read(0).list.size(), 3u);
  server_.kill();
  server_.forget_everything();
  server_.start();
  ASSERT_TRUE(eventually([&] {
    const auto again = reader_->name();
    return again && *again != name;
  }));
  EXPECT_TRUE(latest().empty());
  ASSERT_TRUE(publish(*site_, "4", "new"));
  EXPECT_EQ(payloads(read(0).list), Texts{"new"});
}

TEST_F(NatsLink, AServerThatHangsIsNoticed) {
  start();
  ASSERT_TRUE(publish(*site_, "1", "one"));
  server_.freeze();
  const auto from = std::chrono::steady_clock::now();
  EXPECT_FALSE(site_->publish(Kind::log, 0, "2", "two"));
  EXPECT_LT(std::chrono::steady_clock::now() - from, 30s);
  EXPECT_FALSE(reader_->read(1, 10, 0s));
  server_.thaw();
  EXPECT_TRUE(publish(*site_, "2", "two"));
  EXPECT_EQ(payloads(read(0, 10, 5s).list), (Texts{"one", "two"}));
}

TEST_F(NatsLink, CancelEndsWhatWaits) {
  start();
  ASSERT_TRUE(publish(*site_, "1", "one"));
  site_->answer([](const std::string&, const SiteLink::Reply&) {});
  // They are connected, and the site hears.
  ASSERT_TRUE(eventually([&] {
    std::promise<Result<std::string>> answered;
    portal_->ask("kitchen", "x", 10ms, [&](Result<std::string> answer) { answered.set_value(std::move(answer)); });
    return base::wait_for(answered.get_future()).error().message.contains("in time");
  }));
  auto reading = std::async(std::launch::async, [&] { return reader_->read(1, 10, 1h); });
  EXPECT_EQ(reading.wait_for(100ms), std::future_status::timeout);
  std::promise<Result<std::string>> asked;
  portal_->ask("kitchen", "x", 1h, [&](Result<std::string> answer) { asked.set_value(std::move(answer)); });
  server_.freeze();
  auto publishing = std::async(std::launch::async, [&] { return site_->publish(Kind::log, 0, "2", "two"); });
  EXPECT_EQ(publishing.wait_for(100ms), std::future_status::timeout);
  const auto from = std::chrono::steady_clock::now();
  reader_->cancel();
  portal_->cancel();
  site_->cancel();
  EXPECT_FALSE(reading.get());
  EXPECT_FALSE(base::wait_for(asked.get_future()));
  EXPECT_FALSE(publishing.get());
  EXPECT_FALSE(site_->publish(Kind::log, 0, "3", "three"));
  EXPECT_FALSE(reader_->name());
  reader_.reset();
  portal_.reset();
  site_.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - from, 4s);
  server_.thaw();
}

TEST_F(NatsLink, CancelEndsTheWaitForAServer) {
  site_ = connect_site(server_.options("kitchen"), "kitchen").value();
  auto publishing = std::async(std::launch::async, [&] { return site_->publish(Kind::log, 0, "1", "one"); });
  EXPECT_EQ(publishing.wait_for(100ms), std::future_status::timeout);
  site_->cancel();
  EXPECT_TRUE(publishing.get().error().message.contains("closed"));
}

}  // namespace
}  // namespace hearth::fleet

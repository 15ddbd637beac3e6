// SPDX-License-Identifier: Apache-2.0
#include "net/reactor/resolver.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <map>
#include <stdexcept>

#include "base/testing/wait_until.h"

namespace hearth::net {
namespace {

Address address_from(const char* text) {
  return boost::asio::ip::make_address(text);
}

// The resolver on the test's thread, with names that the test knows.
struct ResolverTest : ::testing::Test {
  base::Handle resolve(const std::string& host) {
    return resolver->resolve(host, [this, host](std::expected<Addresses, Failure> found) {
      std::string& text = answers[host];
      if (!found) text += found.error().message + " ";
      if (!found) return;
      for (const Address& each : *found) text += each.to_string() + " ";
    });
  }
  void run_until(const std::function<bool()>& condition) {
    base::wait_until([&] {
      io->restart();
      io->poll();
      return condition();
    });
  }
  std::expected<Addresses, Failure> lookup(const std::string& host) {
    ++lookups;
    if (host == "slow.test") may_answer.wait();
    if (host == "broken.test") throw std::runtime_error("broken");
    if (host == "none.test") return std::unexpected(Failure{Reason::invalid_host, "the host none.test is not found"});
    return Addresses{address_from("192.0.2.1"), address_from("2001:db8::1")};
  }

  std::promise<void> answer;
  std::shared_future<void> may_answer = answer.get_future().share();
  std::atomic<int> lookups = 0;
  std::map<std::string, std::string> answers;
  std::shared_ptr<boost::asio::io_context> io = std::make_shared<boost::asio::io_context>(1);
  std::optional<Resolver> resolver{std::in_place, io, [this](const std::string& host) { return lookup(host); }};
};

TEST_F(ResolverTest, AsksNobodyForAddresses) {
  const base::Handle one = resolve("192.0.2.7"), two = resolve("[2001:db8::7]");
  EXPECT_TRUE(answers.empty());  // later
  run_until([&] { return answers.size() == 2; });
  EXPECT_EQ(answers["192.0.2.7"], "192.0.2.7 ");
  EXPECT_EQ(answers["[2001:db8::7]"], "2001:db8::7 ");
  EXPECT_EQ(lookups, 0);
}

TEST_F(ResolverTest, AsksOnceForSeveral) {
  const base::Handle one = resolve("slow.test"), two = resolve("slow.test");
  base::Handle three = resolve("slow.test");
  three = {};
  base::wait_until([&] { return lookups == 1; });
  answer.set_value();
  run_until([&] { return answers.contains("slow.test"); });
  EXPECT_EQ(answers["slow.test"], "192.0.2.1 2001:db8::1 192.0.2.1 2001:db8::1 ");
  EXPECT_EQ(lookups, 1);
}

TEST_F(ResolverTest, SaysWhyThereIsNoAddress) {
  const base::Handle one = resolve("none.test"), two = resolve("broken.test");
  run_until([&] { return answers.size() == 2; });
  EXPECT_EQ(answers["none.test"], "the host none.test is not found ");
  EXPECT_EQ(answers["broken.test"], "broken.test: broken ");
}

TEST_F(ResolverTest, IsNotHeldByOneSlowName) {
  const base::Handle slow = resolve("slow.test");
  base::wait_until([&] { return lookups == 1; });
  const base::Handle other = resolve("other.test");
  run_until([&] { return answers.contains("other.test"); });
  EXPECT_FALSE(answers.contains("slow.test"));
  answer.set_value();
  run_until([&] { return answers.contains("slow.test"); });
}

TEST_F(ResolverTest, HasABound) {
  std::vector<base::Handle> handles;
  const auto ask = [&](std::size_t i) {
    handles.push_back(resolver->resolve(std::to_string(i) + ".slow.test", [this](std::expected<Addresses, Failure> it) {
      if (!it && it.error().reason == Reason::busy) answers["busy"] += "x";
    }));
  };
  io->restart();
  // Its threads wait, so that the queue only grows.
  std::promise<void> go;
  resolver.emplace(io, [may = go.get_future().share(), this](const std::string&) -> std::expected<Addresses, Failure> {
    ++lookups;
    may.wait();
    return Addresses{};
  });
  for (std::size_t i = 0; i < Resolver::kThreads; ++i) {
    ask(i);
    base::wait_until([&] { return lookups == static_cast<int>(i) + 1; });
  }
  for (std::size_t i = 0; i < Resolver::kMaxWaiting + 10; ++i) ask(100 + i);
  run_until([&] { return answers["busy"].size() == 10; });
  handles.clear();
  resolver.reset();
  go.set_value();
}

TEST(Resolver, KnowsThisMachine) {
  const auto found = look_up("localhost");
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_TRUE(std::ranges::all_of(*found, [](const Address& each) { return each.is_loopback(); }));
}

TEST(Resolver, TriesBothFamiliesByTurns) {
  const Addresses found = {address_from("2001:db8::1"), address_from("2001:db8::2"), address_from("2001:db8::3"),
                           address_from("192.0.2.1")};
  EXPECT_EQ(in_order_of_attempts(found), (Addresses{found[0], found[3], found[1], found[2]}));
  EXPECT_EQ(in_order_of_attempts({found[3], found[0]}), (Addresses{found[3], found[0]}));
  EXPECT_EQ(in_order_of_attempts({}), Addresses());
}

}  // namespace
}  // namespace hearth::net

// SPDX-License-Identifier: Apache-2.0
#include "net/link/tcp_link.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <stdexcept>

#include "base/testing/wait_until.h"
#include "net/reactor/on_net.h"
#include "net/testing/scripted_server.h"

namespace hearth::net {
namespace {

using testing::Certificate;
using testing::ScriptedPeer;
using testing::ScriptedServer;

constexpr Pauses kShort{std::chrono::milliseconds(1), std::chrono::milliseconds(1)};
constexpr Pauses kNever{std::chrono::hours(1), std::chrono::hours(1)};

// A protocol that says hello, is ready after "welcome", and keeps what it hears.
class LinkTestClient final : public Link::Handler {
 public:
  LinkTestClient(Reactor& reactor, LinkOptions options) : link(make_link(reactor, std::move(options), *this)) {}

  void on_connected() override {
    ++connected;
    if (throws_at_connect) throw std::runtime_error("broken protocol");
    link->write("hello");
  }
  void on_bytes(std::string_view bytes) override {
    heard += bytes;
    if (heard.contains("throw")) throw std::runtime_error("broken protocol");
    if (heard == "welcome") link->set_ready();
    if (heard.contains("leave")) link.reset();
  }
  void on_lost(const Failure& why, std::chrono::milliseconds pause) override {
    ++lost;
    failure = why;
    retry_in = pause;
    heard.clear();
  }

  std::unique_ptr<Link> link;
  std::string heard;
  int connected = 0, lost = 0;
  Failure failure;
  std::chrono::milliseconds retry_in{};
  bool throws_at_connect = false;
};

struct TcpLinkTest : ::testing::Test {
  using Client = OnNet<LinkTestClient>;

  std::unique_ptr<Client> client(Target target, Pauses pauses = kNever,
                                 std::chrono::milliseconds greeting = std::chrono::hours(1)) {
    LinkOptions options{.target = std::move(target), .greeting_limit = greeting, .pauses = pauses};
    return std::make_unique<Client>(reactor,
                                    [this, options] { return std::make_unique<LinkTestClient>(reactor, options); });
  }
  std::unique_ptr<Client> client(const ScriptedServer& server, Pauses pauses = kNever) {
    return client(Target{.host = "127.0.0.1", .port = server.port()}, pauses);
  }
  // Asks on the thread.
  template <class Question>
  auto ask(Client& of, Question question) {
    std::promise<decltype(question(std::declval<LinkTestClient&>()))> promise;
    auto future = promise.get_future();
    EXPECT_TRUE(of.call([&promise, &question](LinkTestClient& it) { promise.set_value(question(it)); }));
    return base::wait_for(std::move(future));
  }
  Link::State state(Client& of) {
    return ask(of, [](LinkTestClient& it) { return it.link->state(); });
  }
  void await_lost(Client& of) {
    base::wait_until([&] { return ask(of, [](LinkTestClient& it) { return it.lost; }) > 0; });
  }
  Failure failure(Client& of) {
    await_lost(of);
    return ask(of, [](LinkTestClient& it) { return it.failure; });
  }

  Reactor reactor;
};

TEST_F(TcpLinkTest, IsReadyAfterTheGreeting) {
  ScriptedServer server([](ScriptedPeer& peer) {
    peer.expect("hello");
    peer.send("welcome");
    peer.expect("bye");
    peer.expect_end();
  });
  const auto one = client(server);
  base::wait_until([&] { return state(*one) == Link::State::ready; });
  ask(*one, [](LinkTestClient& it) {
    it.link->write("bye");
    it.link->stop();
    return 0;
  });
  EXPECT_EQ(state(*one), Link::State::stopped);
}

TEST_F(TcpLinkTest, ComesBackAfterAResetAndSaysWhyItWasLost) {
  std::atomic<int> turn = 0;
  ScriptedServer server([&](ScriptedPeer& peer) {
    peer.expect("hello");
    if (turn++ < 3) return peer.reset();
    peer.send("welcome");
    peer.drain();
  });
  const auto one = client(server, kShort);
  base::wait_until([&] { return state(*one) == Link::State::ready; });
  EXPECT_EQ(ask(*one, [](LinkTestClient& it) { return it.lost; }), 3);
  EXPECT_EQ(failure(*one).reason, Reason::cannot_connect);
  EXPECT_EQ(failure(*one).message, fmt::format("127.0.0.1:{} has closed the connection", server.port()));
}

TEST_F(TcpLinkTest, WaitsLongerAfterConnectionsThatDoNotLast) {
  const auto pause_after_five = [this](std::chrono::milliseconds proven) {
    ScriptedServer server([](ScriptedPeer& peer) {
      peer.expect("hello");
      peer.send("welcome");
      peer.receive(1);
    });
    const auto one = client(server, {std::chrono::milliseconds(10), std::chrono::hours(1), proven});
    for (int lost = 1;; ++lost) {
      base::wait_until([&] { return state(*one) == Link::State::ready; });
      ask(*one, [](LinkTestClient& it) { return it.link->fail({Reason::unknown, "ended"}), 0; });
      base::wait_until([&] { return ask(*one, [](LinkTestClient& it) { return it.lost; }) == lost; });
      if (lost == 5) return ask(*one, [](LinkTestClient& it) { return it.retry_in; });
    }
  };
  EXPECT_LE(pause_after_five({}), std::chrono::milliseconds(12)) << "each was ready";
  EXPECT_GE(pause_after_five(std::chrono::hours(1)), std::chrono::milliseconds(128)) << "none lasted an hour";
}

TEST_F(TcpLinkTest, WaitsUntilItIsToldToTryAgain) {
  std::uint16_t port = 0;
  {
    port = ScriptedServer([](ScriptedPeer&) {}).port();
  }
  const auto one = client({.host = "127.0.0.1", .port = port});
  EXPECT_EQ(failure(*one),
            (Failure{Reason::cannot_connect, fmt::format("cannot connect to 127.0.0.1:{}: Connection refused", port)}));
  EXPECT_EQ(state(*one), Link::State::waiting);
  ScriptedServer server([](ScriptedPeer& peer) { peer.drain(); });
  ask(*one, [&](LinkTestClient& it) {
    it.link->set_target({.host = "127.0.0.1", .port = server.port()});
    it.link->retry_now();
    return 0;
  });
  base::wait_until([&] { return state(*one) == Link::State::connected; });
}

TEST_F(TcpLinkTest, CutsAPeerThatDoesNotRead) {
  std::promise<void> end;
  const auto ended = end.get_future().share();
  ScriptedServer server([ended](ScriptedPeer& peer) {
    peer.expect("hello");
    ended.wait();
  });
  const auto one = client(server);
  const auto write = [](LinkTestClient& it) {
    if (it.link->state() == Link::State::connected) it.link->write(std::string(256 * 1024, 'x'));
    return it.lost > 0;
  };
  base::wait_until([&] { return ask(*one, write); });
  end.set_value();
  EXPECT_EQ(failure(*one), (Failure{Reason::busy, fmt::format("127.0.0.1:{}: it does not read what it is sent: 1024 "
                                                              "KiB wait",
                                                              server.port())}));
}

TEST_F(TcpLinkTest, SendsMoreThanTheSystemTakesAtOnce) {
  constexpr std::size_t kSize = 1'000'000;
  std::promise<std::size_t> received;
  ScriptedServer server([&](ScriptedPeer& peer) {
    peer.expect("hello");
    peer.send("welcome");
    received.set_value(peer.receive(kSize).size());
    peer.drain();
  });
  const auto one = client(server);
  base::wait_until([&] { return state(*one) == Link::State::ready; });
  ask(*one, [](LinkTestClient& it) { return it.link->write(std::string(kSize, 'x')), 0; });
  EXPECT_EQ(base::wait_for(received.get_future()), kSize);
}

TEST_F(TcpLinkTest, HearsNothingWhileItIsPaused) {
  std::promise<void> paused;
  const auto is_paused = paused.get_future().share();
  ScriptedServer server([is_paused](ScriptedPeer& peer) {
    peer.expect("hello");
    is_paused.wait();
    peer.send("more");
    peer.drain();
  });
  const auto one = client(server);
  base::wait_until([&] { return state(*one) == Link::State::connected; });
  ask(*one, [](LinkTestClient& it) { return it.link->pause_reading(), 0; });
  paused.set_value();
  for (int i = 0; i < 100; ++i) EXPECT_EQ(ask(*one, [](LinkTestClient& it) { return it.heard; }), "");
  ask(*one, [](LinkTestClient& it) { return it.link->resume_reading(), 0; });
  base::wait_until([&] { return ask(*one, [](LinkTestClient& it) { return it.heard; }) == "more"; });
}

TEST_F(TcpLinkTest, OutlivesAHandlerThatThrows) {
  ScriptedServer server([](ScriptedPeer& peer) {
    peer.expect("hello");
    peer.send("throw");
    peer.drain();
  });
  const auto one = client(server);
  const Failure why = failure(*one);
  EXPECT_EQ(why.reason, Reason::unknown);
  EXPECT_TRUE(why.message.ends_with("what it sent cannot be handled: broken protocol")) << why.message;
  EXPECT_EQ(state(*one), Link::State::waiting);
}

TEST_F(TcpLinkTest, MayBeDestroyedByItsHandler) {
  std::promise<void> gone;
  ScriptedServer server([&](ScriptedPeer& peer) {
    peer.expect("hello");
    peer.send("leave");
    peer.expect_end();
    gone.set_value();
  });
  const auto one = client(server);
  base::wait_for(gone.get_future());
  EXPECT_EQ(ask(*one, [](LinkTestClient& it) { return it.lost; }), 0);
}

TEST_F(TcpLinkTest, FailsIfTheProtocolSaysSo) {
  ScriptedServer server([](ScriptedPeer& peer) { peer.drain(); });
  const auto one = client(server);
  base::wait_until([&] { return state(*one) == Link::State::connected; });
  const bool within = ask(*one, [](LinkTestClient& it) {
    it.link->fail({Reason::invalid_auth, "wrong key"});
    return it.lost > 0;
  });
  EXPECT_FALSE(within);
  EXPECT_EQ(failure(*one), (Failure{Reason::invalid_auth, "wrong key"}));
}

TEST_F(TcpLinkTest, LosesAPeerThatNeverGreets) {
  ScriptedServer server([](ScriptedPeer& peer) { peer.drain(); });
  const auto one = client({.host = "127.0.0.1", .port = server.port()}, kNever, std::chrono::milliseconds(20));
  EXPECT_EQ(failure(*one),
            (Failure{Reason::timeout, fmt::format("127.0.0.1:{} does not answer within 0.02 s", server.port())}));
}

TEST_F(TcpLinkTest, SpeaksTlsWithAHostThatItTrusts) {
  const Certificate certificate("127.0.0.1");
  ScriptedServer server(
      [](ScriptedPeer& peer) {
        peer.expect("hello");
        peer.send("welcome");
        peer.expect("bye");
        peer.expect_end();
      },
      {.certificate = &certificate});
  const auto one = client(
      {.host = "127.0.0.1", .port = server.port(), .tls = TlsOptions{.authorities = certificate.certificate_file()}});
  base::wait_until([&] { return state(*one) == Link::State::ready; });
  ask(*one, [](LinkTestClient& it) {
    it.link->write("bye");
    it.link.reset();
    return 0;
  });
}

TEST_F(TcpLinkTest, RefusesACertificateThatNobodyHasSigned) {
  const Certificate certificate("127.0.0.1");
  ScriptedServer server([](ScriptedPeer& peer) { peer.expect_end(); }, {.certificate = &certificate});
  const auto one = client({.host = "127.0.0.1", .port = server.port(), .tls = TlsOptions{}});
  EXPECT_EQ(failure(*one).message,
            fmt::format("127.0.0.1:{}: its certificate is refused: self-signed certificate", server.port()));
}

TEST_F(TcpLinkTest, RefusesACertificateForAnotherHost) {
  const Certificate certificate("other.test");
  ScriptedServer server([](ScriptedPeer& peer) { peer.drain(); }, {.certificate = &certificate});
  const auto one = client(
      {.host = "127.0.0.1", .port = server.port(), .tls = TlsOptions{.authorities = certificate.certificate_file()}});
  EXPECT_EQ(failure(*one).message,
            fmt::format("127.0.0.1:{}: its certificate is refused: IP address mismatch", server.port()));
  const auto two =
      client({.host = "127.0.0.1",
              .port = server.port(),
              .tls = TlsOptions{.server_name = "other.test", .authorities = certificate.certificate_file()}});
  base::wait_until([&] { return state(*two) == Link::State::connected; });
}

TEST_F(TcpLinkTest, TakesAnyCertificateIfAPersonSaysSo) {
  const Certificate certificate("other.test");
  ScriptedServer server([](ScriptedPeer& peer) { peer.drain(); }, {.certificate = &certificate});
  const auto one = client({.host = "127.0.0.1", .port = server.port(), .tls = TlsOptions{.verify_certificate = false}});
  base::wait_until([&] { return state(*one) == Link::State::connected; });
}

TEST_F(TcpLinkTest, SaysThatAPeerDoesNotSpeakTls) {
  ScriptedServer server([](ScriptedPeer& peer) {
    peer.send("SSH-2.0-OpenSSH_9.2\r\n");
    peer.drain();
  });
  const auto one = client({.host = "127.0.0.1", .port = server.port(), .tls = TlsOptions{}});
  EXPECT_EQ(failure(*one).reason, Reason::unsupported);
  EXPECT_EQ(failure(*one).message, fmt::format("127.0.0.1:{}: TLS fails: wrong version number", server.port()));
}

TEST_F(TcpLinkTest, EndsWithTheReactorWhileItsOwnerLives) {
  ScriptedServer server([](ScriptedPeer& peer) { peer.drain(); });
  const auto one = client(server);
  base::wait_until([&] { return state(*one) == Link::State::connected; });
  reactor.stop();
  EXPECT_FALSE(one->call([](LinkTestClient&) { FAIL(); }));
}

TEST(Backoff, DoublesUpToItsBoundAndSpreads) {
  Backoff backoff({}, 1);
  for (const int expected : {1, 2, 4, 8, 16, 32, 60, 60}) {
    const auto pause = backoff.next();
    EXPECT_GE(pause, std::chrono::milliseconds(800) * expected);
    EXPECT_LE(pause, std::chrono::milliseconds(1'200) * expected);
  }
  EXPECT_NE(Backoff({}, 1).next(), Backoff({}, 7).next());
  backoff.reset();
  EXPECT_LE(backoff.next(), std::chrono::milliseconds(1'200));
}

}  // namespace
}  // namespace hearth::net

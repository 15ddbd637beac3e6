// SPDX-License-Identifier: Apache-2.0
#include "net/link/connector.h"

#include <gtest/gtest.h>

#include <future>

#include "net/reactor/on_net.h"
#include "net/testing/scripted_server.h"

namespace hearth::net {
namespace {

// A port that answers nothing at all: its queue of connections is full, so that the system drops what comes.
class DeafPort {
 public:
  DeafPort() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    ::inet_pton(AF_INET, "127.0.0.2", &address.sin_addr);
    socklen_t size = sizeof address;
    auto* const place = reinterpret_cast<sockaddr*>(&address);
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    EXPECT_EQ(::bind(listener_, place, size), 0);
    EXPECT_EQ(::listen(listener_, 0), 0);
    EXPECT_EQ(::getsockname(listener_, place, &size), 0);
    port_ = ntohs(address.sin_port);
    for (int& each : fillers_) {
      each = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
      ::connect(each, place, size);
    }
  }
  ~DeafPort() {
    for (const int each : fillers_) ::close(each);
    ::close(listener_);
  }
  DeafPort(const DeafPort&) = delete;
  DeafPort& operator=(const DeafPort&) = delete;

  std::uint16_t port() const { return port_; }

 private:
  int listener_ = -1;
  std::array<int, 4> fillers_{};
  std::uint16_t port_ = 0;
};

struct ConnectorTest : ::testing::Test {
  // The address that was reached, or why none was.
  std::string connect(Target target, std::chrono::milliseconds limit = Connector::kLimit) {
    std::promise<std::string> promise;
    const OnNet<Connector> connector(reactor, [&, target, limit] {
      return std::make_unique<Connector>(
          reactor, target,
          [&promise](std::expected<std::unique_ptr<Stream>, Failure> result) {
            promise.set_value(result ? (*result)->socket().remote_endpoint().address().to_string()
                                     : fmt::format("{}: {}", code_of(result.error().reason), result.error().message));
          },
          limit);
    });
    return base::wait_for(promise.get_future());
  }
  static Addresses addresses(std::initializer_list<const char*> texts) {
    Addresses all;
    for (const char* each : texts) all.push_back(boost::asio::ip::make_address(each));
    return all;
  }

  Reactor reactor;
};

TEST_F(ConnectorTest, TakesTheOtherAddressIfOneRefuses) {
  testing::ScriptedServer server([](testing::ScriptedPeer& peer) { peer.drain(); });
  EXPECT_EQ(connect({.host = "two.test", .port = server.port(), .addresses = addresses({"::1", "127.0.0.1"})}),
            "127.0.0.1");
}

TEST_F(ConnectorTest, TakesTheOtherAddressIfOneDoesNotAnswer) {
  const DeafPort deaf;
  testing::ScriptedServer server([](testing::ScriptedPeer& peer) { peer.drain(); }, {.port = deaf.port()});
  EXPECT_EQ(connect({.host = "two.test", .port = server.port(), .addresses = addresses({"127.0.0.2", "127.0.0.1"})}),
            "127.0.0.1");
}

TEST_F(ConnectorTest, SaysWhyTheFirstAddressCannotBeReached) {
  std::uint16_t port = 0;
  {
    port = testing::ScriptedServer([](testing::ScriptedPeer&) {}).port();
  }
  EXPECT_EQ(connect({.host = "two.test", .port = port, .addresses = addresses({"127.0.0.3", "127.0.0.1"})}),
            fmt::format("cannot_connect: cannot connect to two.test:{0} (127.0.0.3): Connection refused", port));
}

TEST_F(ConnectorTest, GivesUpAfterItsTime) {
  const DeafPort deaf;
  EXPECT_EQ(connect({.host = "127.0.0.2", .port = deaf.port()}, std::chrono::milliseconds(20)),
            fmt::format("timeout: 127.0.0.2:{} does not answer within 0.02 s", deaf.port()));
  testing::ScriptedServer silent([](testing::ScriptedPeer& peer) { peer.drain(); });
  EXPECT_EQ(connect({.host = "127.0.0.1", .port = silent.port(), .tls = TlsOptions{}}, std::chrono::milliseconds(50)),
            fmt::format("timeout: 127.0.0.1:{} does not agree on TLS within 0.05 s", silent.port()));
}

TEST_F(ConnectorTest, LeadsNoStrangerToThisMachine) {
  testing::ScriptedServer server([](testing::ScriptedPeer& peer) { peer.drain(); });
  EXPECT_EQ(
      connect({.host = "hub.test", .port = server.port(), .addresses = addresses({"127.0.0.1"}), .foreign = true}),
      fmt::format("invalid_host: hub.test:{} leads to 127.0.0.1, which is this machine", server.port()));
  EXPECT_EQ(connect({.host = "169.254.169.254", .port = 80, .foreign = true}),
            "invalid_host: 169.254.169.254:80 leads to 169.254.169.254, which is link-local");
  EXPECT_EQ(server.connections(), 0);
}

}  // namespace
}  // namespace hearth::net

// SPDX-License-Identifier: Apache-2.0
#include "http/tls/tls_channel.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>

#include "http/messages/file_descriptor.h"
#include "http/tls/self_signed.h"
#include "http/tls/tls_context.h"

namespace hearth::http {
namespace {

// A channel and its peer, whose bytes the test moves: the peer's client never waits.
struct TlsChannelTest : testing::Test {
  TlsChannelTest() {
    std::string name = (std::filesystem::temp_directory_path() / "hearth-XXXXXX").native();
    folder = ::mkdtemp(name.data());
    const PemPair pair = make_self_signed({"hub.local"}, 1).value();
    std::ofstream(folder / "c.pem") << pair.certificate;
    std::ofstream(folder / "k.pem") << pair.key;
    context = TlsContext::load(folder / "c.pem", folder / "k.pem", TlsContext::Version::tls1_2).value();
    std::array<int, 2> sockets{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, sockets.data()), 0);
    hub = FileDescriptor(sockets[0]);
    peer = FileDescriptor(sockets[1]);
    channel = std::make_unique<TlsChannel>(*context, hub.number());
    client_context.reset(SSL_CTX_new(TLS_client_method()));
    SSL_CTX_set_mode(client_context.get(), SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    client.reset(SSL_new(client_context.get()));
    SSL_set_fd(client.get(), peer.number());
    SSL_set_connect_state(client.get());
  }

  ~TlsChannelTest() override { std::filesystem::remove_all(folder); }

  // All that the channel received, until nothing more is there.
  std::string received() {
    std::string all;
    std::array<char, 4096> buffer;
    for (::ssize_t size; (size = channel->receive(buffer.data(), buffer.size())) > 0;)
      all.append(buffer.data(), static_cast<std::size_t>(size));
    return all;
  }
  void shake_hands() {
    for (int i = 0; i < 10 && !SSL_is_init_finished(client.get()); ++i) {
      SSL_do_handshake(client.get());
      received();
    }
    ASSERT_TRUE(SSL_is_init_finished(client.get()));
  }
  std::string told() {
    std::string all;
    std::array<char, 4096> buffer;
    for (int size; (size = SSL_read(client.get(), buffer.data(), buffer.size())) > 0;)
      all.append(buffer.data(), static_cast<std::size_t>(size));
    return all;
  }

  struct Free {
    void operator()(::SSL_CTX* it) const { SSL_CTX_free(it); }
    void operator()(::SSL* it) const { SSL_free(it); }
  };
  std::filesystem::path folder;
  std::shared_ptr<const TlsContext> context;
  FileDescriptor hub, peer;
  std::unique_ptr<TlsChannel> channel;
  std::unique_ptr<::SSL_CTX, Free> client_context;
  std::unique_ptr<::SSL, Free> client;
};

TEST_F(TlsChannelTest, CarriesBytesBothWays) {
  shake_hands();
  EXPECT_EQ(channel->receive(nullptr, 0), -1);
  EXPECT_EQ(errno, EAGAIN);
  ASSERT_EQ(SSL_write(client.get(), "hello", 5), 5);
  EXPECT_EQ(received(), "hello");
  EXPECT_EQ(channel->send("welcome"), 7);
  EXPECT_EQ(told(), "welcome");
  EXPECT_FALSE(channel->has_unsent());
}

TEST_F(TlsChannelTest, KeepsARecordThatThePeerHasNotRead) {
  shake_hands();
  std::string text;
  for (int i = 0; text.size() < 2'000'000; ++i) text += std::to_string(i) + ' ';
  std::string_view rest = text;
  std::string read;
  bool has_waited = false;
  while (!rest.empty()) {
    const ::ssize_t taken = channel->send(rest);
    if (taken > 0) {
      rest.remove_prefix(static_cast<std::size_t>(taken));
      continue;
    }
    ASSERT_EQ(errno, EAGAIN);
    ASSERT_TRUE(channel->has_unsent());
    has_waited = true;
    read += told();
  }
  while (channel->has_unsent()) {
    read += told();
    channel->flush();
  }
  read += told();
  EXPECT_TRUE(has_waited);
  EXPECT_TRUE(read == text);
}

TEST_F(TlsChannelTest, TellsItsEndAndHearsThePeers) {
  shake_hands();
  SSL_write(client.get(), "last", 4);
  SSL_shutdown(client.get());
  std::array<char, 100> buffer;
  EXPECT_EQ(channel->receive(buffer.data(), buffer.size()), 4);
  EXPECT_TRUE(channel->has_ended());
  EXPECT_EQ(channel->receive(buffer.data(), buffer.size()), 0);
  EXPECT_EQ(channel->send("still"), 5);
  channel->close_notify();
  EXPECT_EQ(told(), "still");
  EXPECT_EQ(SSL_get_shutdown(client.get()) & SSL_RECEIVED_SHUTDOWN, SSL_RECEIVED_SHUTDOWN);
}

TEST_F(TlsChannelTest, EndsWithAPeerThatIsGone) {
  shake_hands();
  told();  // of unread bytes the kernel would say that they are lost
  client.reset();
  peer.close();
  std::array<char, 100> buffer;
  EXPECT_EQ(channel->receive(buffer.data(), buffer.size()), 0);
  while (channel->send(std::string(100'000, 'x')) > 0) {
  }
  EXPECT_EQ(errno, EPIPE);
}

// Bytes of fixed seeds, at the beginning and within the handshake: none of them ends the process, or is taken for data.
TEST_F(TlsChannelTest, RefusesWhatIsNoTls) {
  std::mt19937 random(7);
  for (int round = 0; round < 2'000; ++round) {
    std::array<int, 2> sockets{};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, sockets.data()), 0);
    const FileDescriptor here(sockets[0]), there(sockets[1]);
    TlsChannel tried(*context, here.number());
    std::string bytes(1 + random() % 600, '\0');
    for (char& each : bytes) each = static_cast<char>(random());
    if (round % 2 == 0) bytes.replace(0, std::min<std::size_t>(3, bytes.size()), "\x16\x03\x01");
    ASSERT_EQ(::send(there.number(), bytes.data(), bytes.size(), 0), static_cast<::ssize_t>(bytes.size()));
    ::shutdown(there.number(), SHUT_WR);
    std::array<char, 1000> buffer;
    EXPECT_LE(tried.receive(buffer.data(), buffer.size()), 0);
    EXPECT_TRUE(tried.has_ended());
    EXPECT_EQ(tried.send("secret"), -1);
  }
}

}  // namespace
}  // namespace hearth::http

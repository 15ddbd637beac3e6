// SPDX-License-Identifier: Apache-2.0
#include "http/poller.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <boost/asio/post.hpp>
#include <cerrno>
#include <deque>
#include <functional>
#include <optional>
#include <stdexcept>

namespace hearth::http {
namespace {

// A watched socket, and the peer's end of its connection.
class Watched final : private Socket::Owner {
 public:
  explicit Watched(Poller& poller) : Watched(poller, connection()) {}

  void write(std::string_view text) const { ::send(peer.number(), text.data(), text.size(), MSG_NOSIGNAL); }
  std::string read(std::size_t most) {
    std::string text(most, '\0');
    const ::ssize_t size = socket.receive(text.data(), most);
    text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    return text;
  }

  FileDescriptor peer;
  const int number;
  Socket socket;
  int readable = 0;  // number of calls
  int writable = 0;
  std::function<void()> then = [] {};

 private:
  using Connection = std::pair<int, int>;

  Watched(Poller& poller, Connection ends)
      : peer(ends.first), number(ends.second), socket(poller, FileDescriptor(number), *this) {
    EXPECT_TRUE(socket.start());
  }
  static Connection connection() {
    int ends[2] = {-1, -1};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
    return {ends[0], ends[1]};
  }
  void on_readable() override {
    ++readable;
    then();
  }
  void on_writable() override {
    ++writable;
    then();
  }
};

class PollerTest : public testing::Test {
 protected:
  // Runs all that is ready.
  void run() {
    io_.restart();
    io_.poll();
  }

  boost::asio::io_context io_{1};
  Poller poller_{io_};
};

TEST_F(PollerTest, NotifiesOnceForEachWait) {
  Watched one(poller_);
  one.socket.wait_readable();
  run();
  EXPECT_EQ(one.readable, 0);
  one.write("ab");
  run();
  run();
  EXPECT_EQ(one.readable, 1);
  one.write("c");
  run();
  EXPECT_EQ(one.readable, 1);
  EXPECT_EQ(one.writable, 0);
}

TEST_F(PollerTest, NotifiesOfWhatIsLeftButNotInsideTheWait) {
  Watched one(poller_);
  one.write("abc");
  one.socket.wait_readable();
  run();
  EXPECT_EQ(one.read(2), "ab");
  one.socket.wait_readable();
  EXPECT_EQ(one.readable, 1);
  run();
  EXPECT_EQ(one.readable, 2);
  EXPECT_EQ(one.read(2), "c");
}

TEST_F(PollerTest, WaitsForMoreIfAllHasBeenRead) {
  Watched one(poller_);
  one.write("abc");
  one.socket.wait_readable();
  run();
  EXPECT_EQ(one.read(10), "abc");
  one.socket.wait_readable();
  run();
  EXPECT_EQ(one.readable, 1);
  one.write("d");
  run();
  EXPECT_EQ(one.readable, 2);
}

TEST_F(PollerTest, RemembersWhatCameWhileNobodyWaited) {
  Watched one(poller_);
  one.write("abc");
  run();
  one.socket.wait_readable();
  run();
  EXPECT_EQ(one.readable, 1);
}

// The event of the last bytes is also that of the end; no other comes.
TEST_F(PollerTest, NotifiesOfTheEndThatCameWithTheLastBytes) {
  Watched one(poller_);
  one.socket.wait_readable();
  one.write("abc");
  ::shutdown(one.peer.number(), SHUT_WR);
  run();
  EXPECT_EQ(one.read(10), "abc");
  one.socket.wait_readable();
  run();
  EXPECT_EQ(one.readable, 2);
  char byte;
  EXPECT_EQ(one.socket.receive(&byte, 1), 0);
}

TEST_F(PollerTest, NotifiesAWriterWhenThePeerHasRead) {
  Watched one(poller_);
  const std::string much(64 * 1024, 'x');
  while (one.socket.send(much) > 0) {
  }
  EXPECT_EQ(errno, EAGAIN);
  one.socket.wait_writable();
  EXPECT_TRUE(one.socket.waits_writable());
  run();
  EXPECT_EQ(one.writable, 0);
  std::string read(much.size(), '\0');
  while (::recv(one.peer.number(), read.data(), read.size(), 0) > 0) {
  }
  run();
  EXPECT_EQ(one.writable, 1);
  EXPECT_FALSE(one.socket.waits_writable());
}

TEST_F(PollerTest, NotifiesAWriterThatThereIsRoom) {
  Watched one(poller_);
  run();
  one.socket.wait_writable();
  EXPECT_EQ(one.writable, 0);
  run();
  EXPECT_EQ(one.writable, 1);
}

TEST_F(PollerTest, CallsNoSocketClosedInTheSameTurn) {
  Watched first(poller_);
  Watched second(poller_);
  first.then = [&] { second.socket.close(); };
  second.then = [&] { first.socket.close(); };
  for (Watched* one : {&first, &second}) {
    one->socket.wait_readable();
    one->write("a");
  }
  run();
  EXPECT_EQ(first.readable + second.readable, 1);
}

TEST_F(PollerTest, CallsNoSocketThatWaitsAfterClosing) {
  Watched one(poller_);
  one.write("a");
  run();
  one.socket.close();
  one.socket.wait_readable();
  one.socket.wait_writable();
  run();
  EXPECT_EQ(one.readable + one.writable, 0);
}

// A child process may have it open, too: closing alone would leave it registered.
TEST_F(PollerTest, ForgetsAClosedSocketThatAChildProcessHasOpen) {
  std::optional<Watched> one(std::in_place, poller_);
  const FileDescriptor copy(::dup(one->number));
  const FileDescriptor old_peer = std::move(one->peer);
  one.emplace(poller_);  // at the same address
  one->socket.wait_readable();
  run();
  ::send(old_peer.number(), "a", 1, MSG_NOSIGNAL);
  run();
  EXPECT_EQ(one->readable, 0);
}

TEST_F(PollerTest, LetsOthersHaveTheirTurnIfOneIsAlwaysReady) {
  Watched busy(poller_);
  Watched other(poller_);
  bool late = false;
  busy.then = [&] {
    busy.socket.wait_readable();
    if (busy.readable == 5) other.write("a");
    late = busy.readable > 20;
    if (late) io_.stop();
  };
  other.then = [&] { boost::asio::post(io_, [&] { io_.stop(); }); };
  for (Watched* one : {&busy, &other}) one->socket.wait_readable();
  busy.write("a");
  io_.run();
  EXPECT_EQ(other.readable, 1);
  EXPECT_FALSE(late);
}

TEST_F(PollerTest, CallsTheOthersOfATurnIfOneThrows) {
  std::deque<Watched> all;
  for (int i = 0; i < 3; ++i) {
    Watched& one = all.emplace_back(poller_);
    one.then = [] { throw std::runtime_error("a defect"); };
    one.socket.wait_readable();
    one.write("a");
  }
  for (int i = 0; i < 3; ++i) EXPECT_THROW(run(), std::runtime_error);
  run();
  for (const Watched& one : all) EXPECT_EQ(one.readable, 1);
}

TEST_F(PollerTest, CallsAllIfMoreAreReadyThanATurnTakes) {
  std::deque<Watched> all;
  for (int i = 0; i < 300; ++i) {
    Watched& one = all.emplace_back(poller_);
    one.socket.wait_readable();
    one.write("a");
  }
  run();
  for (const Watched& one : all) EXPECT_EQ(one.readable, 1);
}

}  // namespace
}  // namespace hearth::http

// SPDX-License-Identifier: Apache-2.0
#include "http/worker.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <future>

#include "base/testing/wait_until.h"
#include "http/test_server.h"

namespace hearth::http {
namespace {

class WorkerTest : public testing::Test {
 protected:
  WorkerTest() {
    int ends[2];
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
    accepted_ = FileDescriptor(ends[0]);
    client_ = FileDescriptor(ends[1]);
  }
  // True if the client's connection has ended.
  bool ended() const {
    char byte;
    return ::read(client_.number(), &byte, 1) == 0;
  }

  ServerOptions options_;
  Commons commons_{options_.limits, options_.trusted_proxies};
  TestHandler handler_;
  Worker worker_{0, options_, commons_, handler_};
  FileDescriptor accepted_, client_;
};

// The connection was accepted, but the worker's thread has not reached it.
TEST_F(WorkerTest, EndsAConnectionThatHasNotStartedWhenItStops) {
  worker_.adopt(std::move(accepted_), boost::asio::ip::make_address("127.0.0.1"));
  EXPECT_EQ(worker_.session_count(), 1);
  EXPECT_FALSE(ended());
  worker_.stop();
  EXPECT_EQ(worker_.session_count(), 0);
  EXPECT_TRUE(ended());
}

TEST_F(WorkerTest, StartsNoConnectionWhenItDrains) {
  worker_.drain();
  worker_.adopt(std::move(accepted_), boost::asio::ip::make_address("127.0.0.1"));
  worker_.start();
  base::wait_until([&] { return worker_.session_count() == 0; });
  EXPECT_TRUE(ended());
}

// Without sessions it has no sweeps, after which it would look again.
TEST_F(WorkerTest, GoesOnMakingRoomThoughItHasNoSessions) {
  worker_.start();
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(worker_.request_room()) << i;
    std::promise<void> done;
    worker_.post([&] { done.set_value(); });
    base::wait_for(done.get_future());
  }
}

}  // namespace
}  // namespace hearth::http

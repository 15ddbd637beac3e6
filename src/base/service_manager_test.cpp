// SPDX-License-Identifier: Apache-2.0
#include "base/service_manager.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

namespace hearth::base {
namespace {

using std::chrono::microseconds;

// As a service manager: a socket that gets datagrams.
class ServiceManager {
 public:
  explicit ServiceManager(std::string name) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, name.data(), name.size());
    if (name[0] == '@') address.sun_path[0] = '\0';
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
    EXPECT_EQ(0, ::bind(socket_, reinterpret_cast<const sockaddr*>(&address), size)) << name;
    ::setenv("NOTIFY_SOCKET", name.c_str(), 1);
  }
  ~ServiceManager() {
    ::close(socket_);
    ::unsetenv("NOTIFY_SOCKET");
  }
  std::string next() {
    char text[256];
    const ::ssize_t size = ::recv(socket_, text, sizeof text, MSG_DONTWAIT);
    return size < 0 ? "nothing" : std::string(text, static_cast<std::size_t>(size));
  }

 private:
  const int socket_ = ::socket(AF_UNIX, SOCK_DGRAM, 0);
};

TEST(NotifyServiceManager, SendsToTheSocketThatTheEnvironmentNames) {
  char folder[] = "/tmp/hearth-notify-XXXXXX";
  ASSERT_NE(nullptr, ::mkdtemp(folder));
  for (const std::string& name : {std::string(folder) + "/socket", "@hearth-test-" + std::to_string(::getpid())}) {
    ServiceManager manager(name);
    EXPECT_TRUE(notify_service_manager("READY=1\nSTATUS=Home"));
    EXPECT_EQ("READY=1\nSTATUS=Home", manager.next());
    EXPECT_EQ("nothing", manager.next());
  }
  std::filesystem::remove_all(folder);
}

TEST(NotifyServiceManager, DoesNothingWithoutOne) {
  ::unsetenv("NOTIFY_SOCKET");
  EXPECT_FALSE(notify_service_manager("READY=1"));
  for (const std::string& wrong : {std::string(), std::string("/"), std::string("relative"), std::string("/nowhere/x"),
                                   "/" + std::string(200, 'x')}) {
    ::setenv("NOTIFY_SOCKET", wrong.c_str(), 1);
    EXPECT_FALSE(notify_service_manager("READY=1")) << wrong;
  }
  ::unsetenv("NOTIFY_SOCKET");
}

TEST(WatchdogTime, IsForTheProcessThatItNames) {
  ::unsetenv("WATCHDOG_PID");
  ::unsetenv("WATCHDOG_USEC");
  EXPECT_EQ(std::nullopt, watchdog_time());
  ::setenv("WATCHDOG_USEC", "30000000", 1);
  EXPECT_EQ(microseconds(30'000'000), watchdog_time());
  ::setenv("WATCHDOG_PID", "1", 1);
  EXPECT_EQ(std::nullopt, watchdog_time());
  ::setenv("WATCHDOG_PID", std::to_string(::getpid()).c_str(), 1);
  EXPECT_EQ(microseconds(30'000'000), watchdog_time());
  for (const char* const wrong : {"", "0", "-1", "soon", "30s"}) {
    ::setenv("WATCHDOG_USEC", wrong, 1);
    EXPECT_EQ(std::nullopt, watchdog_time()) << wrong;
  }
  ::unsetenv("WATCHDOG_PID");
  ::unsetenv("WATCHDOG_USEC");
}

}  // namespace
}  // namespace hearth::base

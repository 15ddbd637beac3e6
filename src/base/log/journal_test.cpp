// SPDX-License-Identifier: Apache-2.0
#include "base/log/journal.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace hearth::base {
namespace {

TEST(Journal, GetsEachFieldOfARecord) {
  std::string folder = std::filesystem::temp_directory_path() / "hearth_journal_XXXXXX";
  ASSERT_NE(nullptr, ::mkdtemp(folder.data()));
  const std::string path = folder + "/socket";
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  const int socket = ::socket(AF_UNIX, SOCK_DGRAM, 0);
  ASSERT_EQ(0, ::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address));
  const Journal journal(path);
  EXPECT_TRUE(journal.send({{}, LogLevel::warning, "mqtt", "a=b", "src/x.cpp", 7}));
  char text[512];
  const ::ssize_t size = ::recv(socket, text, sizeof text, MSG_DONTWAIT);
  ASSERT_GT(size, 0);
  EXPECT_EQ(
      "MESSAGE=mqtt: a=b\nPRIORITY=4\nSYSLOG_IDENTIFIER=hearth\nHEARTH_PART=mqtt\nCODE_FILE=src/x.cpp\nCODE_LINE=7\n",
      std::string(text, static_cast<std::size_t>(size)));
  EXPECT_TRUE(journal.send({{}, LogLevel::info, "automation", "hall", "src/x.cpp", 8}, {"automation.hall", "01J"}));
  const ::ssize_t more = ::recv(socket, text, sizeof text, MSG_DONTWAIT);
  ASSERT_GT(more, 0);
  EXPECT_TRUE(std::string_view(text, static_cast<std::size_t>(more))
                  .ends_with("CODE_LINE=8\nHEARTH_ENTITY=automation.hall\nHEARTH_CONTEXT=01J\n"))
      << std::string_view(text, static_cast<std::size_t>(more));
  ::close(socket);
  std::filesystem::remove_all(folder);
  EXPECT_FALSE(journal.send({{}, LogLevel::info, "hub", "nobody listens"}));
}

TEST(Journal, IsWhereTheEnvironmentSaysSo) {
  struct stat found{};
  ASSERT_EQ(0, ::fstat(STDERR_FILENO, &found));
  const std::string own = std::to_string(found.st_dev) + ":" + std::to_string(found.st_ino);
  for (const auto& [stream, has] : {std::pair{own, true}, {own + "0", false}, {std::string(), false}}) {
    ::setenv("JOURNAL_STREAM", stream.c_str(), 1);
    EXPECT_EQ(has, Journal::has(STDERR_FILENO)) << stream;
  }
  ::unsetenv("JOURNAL_STREAM");
  EXPECT_FALSE(Journal::has(STDERR_FILENO));
}

}  // namespace
}  // namespace hearth::base

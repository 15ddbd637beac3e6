// SPDX-License-Identifier: Apache-2.0
#include "base/log/journal.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace hearth::base {
namespace {

// As syslog(3) numbers them.
int priority(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return 7;
    case LogLevel::info:
      return 6;
    case LogLevel::warning:
      return 4;
    case LogLevel::error:
      return 3;
  }
  return 6;
}

}  // namespace

bool Journal::has(int descriptor) {
  const char* const named = std::getenv("JOURNAL_STREAM");
  struct stat found{};
  if (!named || ::fstat(descriptor, &found) != 0) return false;
  return named == fmt::format("{}:{}", found.st_dev, found.st_ino);
}

Journal::Journal(std::string_view path)
    : path_(path), socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {}

Journal::~Journal() {
  if (socket_ >= 0) ::close(socket_);
}

bool Journal::send(const LogRecord& record, const LogScope::About& about) const noexcept try {
  sockaddr_un address{};
  if (socket_ < 0 || path_.size() >= sizeof address.sun_path) return false;
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path_.data(), path_.size());
  // A record has no line breaks, so that each field is one line.
  std::string fields = fmt::format("MESSAGE={}: {}\nPRIORITY={}\nSYSLOG_IDENTIFIER=hearth\nHEARTH_PART={}\n",
                                   record.component, record.message, priority(record.level), record.component);
  if (!record.file.empty())
    fmt::format_to(std::back_inserter(fields), "CODE_FILE={}\nCODE_LINE={}\n", record.file, record.line);
  if (!about.entity.empty()) fmt::format_to(std::back_inserter(fields), "HEARTH_ENTITY={}\n", about.entity);
  if (!about.context.empty()) fmt::format_to(std::back_inserter(fields), "HEARTH_CONTEXT={}\n", about.context);
  const ::ssize_t sent = ::sendto(socket_, fields.data(), fields.size(), MSG_NOSIGNAL,
                                  reinterpret_cast<const sockaddr*>(&address), sizeof address);
  return sent == static_cast<::ssize_t>(fields.size());
} catch (const std::exception&) {
  return false;
}

}  // namespace hearth::base

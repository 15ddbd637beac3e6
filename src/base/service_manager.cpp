// SPDX-License-Identifier: Apache-2.0
#include "base/service_manager.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace hearth::base {
namespace {

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t found = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), found);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return found;
}

}  // namespace

bool notify_service_manager(std::string_view lines) noexcept {
  const std::string_view path = variable("NOTIFY_SOCKET");
  sockaddr_un address{};
  if (path.size() < 2 || path.size() >= sizeof address.sun_path || (path[0] != '/' && path[0] != '@')) return false;
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  if (path[0] == '@') address.sun_path[0] = '\0';  // an abstract socket
  const int socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket < 0) return false;
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size());
  const ::ssize_t sent =
      ::sendto(socket, lines.data(), lines.size(), MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&address), size);
  ::close(socket);
  return sent == static_cast<::ssize_t>(lines.size());
}

std::optional<std::chrono::microseconds> watchdog_time() {
  const auto time = number(variable("WATCHDOG_USEC"));
  const std::string_view process = variable("WATCHDOG_PID");
  if (!time || *time == 0) return {};
  if (!process.empty() && number(process) != static_cast<std::uint64_t>(::getpid())) return {};
  return std::chrono::microseconds(*time);
}

}  // namespace hearth::base

// SPDX-License-Identifier: Apache-2.0
#include "net/link/serial_link.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace hearth::net {
namespace {

constexpr std::pair<int, speed_t> kSpeeds[] = {
    {300, B300},        {600, B600},        {1'200, B1200},    {2'400, B2400},   {4'800, B4800},
    {9'600, B9600},     {19'200, B19200},   {38'400, B38400},  {57'600, B57600}, {115'200, B115200},
    {230'400, B230400}, {460'800, B460800}, {921'600, B921600}};

const std::pair<int, speed_t>* speed_of(int baud) {
  const auto* const found = std::ranges::find(kSpeeds, baud, &std::pair<int, speed_t>::first);
  return found == std::end(kSpeeds) ? nullptr : found;
}

tcflag_t size_flag(int data_bits) {
  constexpr tcflag_t kSizes[] = {CS5, CS6, CS7, CS8};
  return kSizes[std::clamp(data_bits, 5, 8) - 5];
}

// Binary, nothing echoed, no flow control. False with errno.
bool set_up_port(int port, const SerialOptions& options) {
  ::termios settings{};
  if (::tcgetattr(port, &settings) != 0) return false;
  ::cfmakeraw(&settings);
  settings.c_cflag &= ~static_cast<tcflag_t>(CRTSCTS | CSTOPB | CSIZE | PARENB | PARODD);
  settings.c_cflag |= CLOCAL | CREAD | size_flag(options.data_bits);
  if (options.parity != 'N') settings.c_cflag |= PARENB;
  if (options.parity == 'O') settings.c_cflag |= PARODD;
  if (options.stop_bits == 2) settings.c_cflag |= CSTOPB;
  if (const auto* const speed = speed_of(options.baud)) ::cfsetspeed(&settings, speed->second);
  return ::tcsetattr(port, TCSANOW, &settings) == 0;
}

}  // namespace

bool is_baud(int baud) {
  return speed_of(baud) != nullptr;
}

SerialLink::SerialLink(Reactor& reactor, SerialOptions options, Handler& handler)
    : DescriptorLink(reactor, {.host = options.device}, options.device, handler), options_(std::move(options)) {}

void SerialLink::open() {
  const int port = ::open(options_.device.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (port < 0) return lose_with_errno("cannot be opened");
  struct ::stat about{};
  if (::fstat(port, &about) != 0 || !S_ISCHR(about.st_mode)) {
    ::close(port);
    return lose({Reason::invalid_host, fmt::format("{} is not a serial device.", name())});
  }
  if (!set_up_port(port, options_)) {
    const int error = errno;
    ::close(port);
    errno = error;
    return lose_with_errno("cannot be set up as a serial device");
  }
  static_cast<void>(::ioctl(port, TIOCEXCL));
  opened(port);
}

}  // namespace hearth::net

// SPDX-License-Identifier: Apache-2.0
// Changes states over REST, so many a second, from some keep-alive connections, each with one request on its way. Every
// write is due at its moment whether or not those before it are answered; a delay counts from there. Prints the changes
// acknowledged, the seconds that they took, and the median, the 99th percentile and the longest of the delays, in
// milliseconds.
//
//   changes PORT TOKEN ENTITIES RATE SECONDS FIRST
//
// Change number n, counted from FIRST, makes sensor.change_(n % ENTITIES) n / ENTITIES tenths of a degree: each is a
// change, and what an entity must have shown follows from how many were acknowledged.
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::nanoseconds;

constexpr std::size_t kConnections = 32;
constexpr auto kPatience = std::chrono::seconds(10);

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "changes: %s\n", what.c_str());
  std::exit(1);
}

struct Connection {
  int socket = -1;
  struct Write {
    std::size_t number;
    Clock::time_point due;
  };
  std::deque<Write> writes;  // the first is on its way where `busy`
  bool busy = false;
  std::string answer;
};

class Changes {
 public:
  Changes(int port, std::string token, std::size_t entities) : token_(std::move(token)), entities_(entities) {
    for (std::size_t i = 0; i < kConnections; ++i) open(i, port);
  }

  void run(double rate, std::chrono::duration<double> length, std::size_t first) {
    const auto count = static_cast<std::size_t>(length.count() * rate);
    delays_.reserve(count);
    const auto begin = Clock::now();
    for (std::size_t made = 0; delays_.size() < count;) {
      const auto due = begin + nanoseconds(static_cast<std::int64_t>(static_cast<double>(made) / rate * 1e9));
      const auto now = Clock::now();
      if (made < count && due <= now) {
        // An entity's changes keep their order: they all go over one connection.
        const std::size_t number = first + made++;
        Connection& connection = connections_[number % entities_ % kConnections];
        connection.writes.push_back({number, due});
        if (!connection.busy) send_first(connection);
      } else {
        if (made == count && now > due + kPatience) fail("not all changes were answered");
        wait(made < count ? due - now : nanoseconds(std::chrono::milliseconds(100)));
      }
    }
    taken_ = Clock::now() - begin;
  }

  void report() {
    std::ranges::sort(delays_);
    const auto at = [&](double part) {
      return static_cast<double>(delays_[static_cast<std::size_t>(part * static_cast<double>(delays_.size() - 1))]) /
             1e6;
    };
    fmt::print("{} {:.6f} {:.3f} {:.3f} {:.3f}\n", delays_.size(), taken_.count(), at(0.5), at(0.99), at(1));
  }

 private:
  void open(std::size_t index, int port) {
    Connection& connection = connections_[index];
    connection.socket = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connection.socket < 0 ||
        connect(connection.socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
      fail(std::strerror(errno));
    const int on = 1;
    setsockopt(connection.socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = index;
    epoll_ctl(epoll_, EPOLL_CTL_ADD, connection.socket, &event);
  }

  void send_first(Connection& connection) {
    const std::size_t number = connection.writes.front().number;
    const std::size_t entity = number % entities_, tenths = number / entities_;
    const std::string body =
        fmt::format(R"({{"state":"{}.{}","attributes":{{"device_class":"temperature","friendly_name":"Thermometer {}",)"
                    R"("state_class":"measurement","unit_of_measurement":"°C"}}}})",
                    tenths / 10, tenths % 10, entity);
    const std::string request = fmt::format(
        "POST /api/states/sensor.change_{} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {}\r\n"
        "Content-Length: {}\r\n\r\n{}",
        entity, token_, body.size(), body);
    if (send(connection.socket, request.data(), request.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(request.size()))
      fail("the server closed a connection");
    connection.busy = true;
  }

  void wait(nanoseconds patience) {
    const timespec time{static_cast<time_t>(patience.count() / 1'000'000'000), patience.count() % 1'000'000'000};
    epoll_event ready[kConnections];
    const int count = epoll_pwait2(epoll_, ready, kConnections, &time, nullptr);
    for (int i = 0; i < count; ++i) receive(connections_[ready[i].data.u64]);
  }

  void receive(Connection& connection) {
    char buffer[16 * 1024];
    const ssize_t size = recv(connection.socket, buffer, sizeof buffer, MSG_DONTWAIT);
    if (size < 0 && errno == EAGAIN) return;
    if (size <= 0) fail("the server closed a connection");
    connection.answer.append(buffer, static_cast<std::size_t>(size));
    const auto head = connection.answer.find("\r\n\r\n");
    if (head == std::string::npos) return;
    const auto length = connection.answer.find("Content-Length: ");
    if (length > head || !connection.answer.starts_with("HTTP/1.1 20"))
      fail("a write was refused: " + connection.answer);
    const std::size_t body = std::strtoul(connection.answer.c_str() + length + 16, nullptr, 10);
    if (connection.answer.size() < head + 4 + body) return;
    delays_.push_back((Clock::now() - connection.writes.front().due).count());
    connection.answer.clear();
    connection.writes.pop_front();
    connection.busy = false;
    if (!connection.writes.empty()) send_first(connection);
  }

  const std::string token_;
  const std::size_t entities_;
  const int epoll_ = epoll_create1(0);
  std::vector<Connection> connections_ = std::vector<Connection>(kConnections);
  std::vector<std::int64_t> delays_;
  std::chrono::duration<double> taken_{};
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 7) {
    std::fputs("usage: changes PORT TOKEN ENTITIES RATE SECONDS FIRST\n", stderr);
    return 2;
  }
  prctl(PR_SET_TIMERSLACK, 1);  // writes are 50 µs apart
  Changes changes(std::atoi(argv[1]), argv[2], std::strtoul(argv[3], nullptr, 10));
  changes.run(std::atof(argv[4]), std::chrono::duration<double>(std::atof(argv[5])),
              std::strtoul(argv[6], nullptr, 10));
  changes.report();
}

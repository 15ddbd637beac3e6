// SPDX-License-Identifier: Apache-2.0
// Opens many WebSocket connections that subscribe to all entities, changes a state so many times a second over REST,
// and counts the changes that arrive and how long they took. Prints the messages delivered, the seconds of CPU that the
// server spent on them, and the median, the 99th percentile and the longest of the delays, in milliseconds.
//
//   subscribers hub|raw PORT SERVER_PID TOKEN CLIENTS RATE SECONDS
//
// `raw` is for fanout.cpp: its readers are opened with a bare GET, and its frame is always the same, so that delays
// mean nothing. The state's value is @@NANOSECONDS@@ of the moment of writing: it is found however it is cut into
// reads.
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

constexpr char kMarker = '@';          // twice; once it may be the length of a frame
constexpr std::size_t kEntities = 20;  // whose states are changed in turn
constexpr auto kPatience = std::chrono::seconds(10);

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "subscribers: %s\n", what.c_str());
  std::exit(1);
}

std::int64_t now() {
  return Clock::now().time_since_epoch().count();
}

int connect_to(int port) {
  const int connection = socket(AF_INET, SOCK_STREAM, 0);
  if (connection < 0) fail(std::strerror(errno));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) fail(std::strerror(errno));
  const int on = 1;
  setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return connection;
}

void send_all(int connection, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) fail("the server closed a connection");
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

// A client's text frame with a mask of zeros (RFC 6455 §5.2).
std::string text_frame(std::string_view text) {
  std::string frame = "\x81";
  if (text.size() < 126) {
    frame += static_cast<char>(0x80 | text.size());
  } else {
    frame += static_cast<char>(0x80 | 126);
    frame += static_cast<char>(text.size() >> 8);
    frame += static_cast<char>(text.size());
  }
  return frame.append(4, '\0').append(text);
}

struct Client {
  int connection = -1;
  std::size_t changes = 0;
  std::string mark;  // the digits behind a marker that is still open
  bool open = false;
  char last = '\0';
};

class Subscribers {
 public:
  Subscribers(bool hub, int port, std::string token, std::size_t count)
      : hub_(hub), port_(port), token_(std::move(token)) {
    writer_ = connect_to(port_);
    watch(writer_, kWriter);
    clients_.resize(count);
    for (std::size_t i = 0; i < count; ++i) open(i);
  }

  // Writes `rate` changes a second until the time is over, then waits for what is on its way.
  void run(int rate, std::chrono::duration<double> length) {
    const auto begin = Clock::now();
    const auto changes = static_cast<std::size_t>(length.count() * rate);
    delays_.reserve(changes * clients_.size());
    for (std::size_t written = 0; written < changes;) {
      const auto due = begin + std::chrono::duration_cast<Clock::duration>(
                                   std::chrono::duration<double>(static_cast<double>(written) / rate));
      if (Clock::now() >= due && !awaiting_answer_) {
        write();
        ++written;
      } else {
        read(std::chrono::duration_cast<std::chrono::milliseconds>(due - Clock::now()));
      }
    }
    const auto end = Clock::now() + kPatience;
    const auto done = [&] {
      return std::ranges::all_of(clients_, [&](const Client& client) { return client.changes >= changes; });
    };
    while (!done() && Clock::now() < end) read(std::chrono::milliseconds(20));
    for (const Client& client : clients_) {
      if (client.changes != changes) fail(fmt::format("a client saw {} of {} changes", client.changes, changes));
    }
    for (Client& client : clients_) client.changes = 0;
  }

  std::vector<std::int64_t> take_delays() { return std::exchange(delays_, {}); }

 private:
  static constexpr std::uint64_t kWriter = UINT64_MAX;

  void watch(int connection, std::uint64_t index) const {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = index;
    epoll_ctl(epoll_, EPOLL_CTL_ADD, connection, &event);
  }

  void open(std::size_t index) {
    Client& client = clients_[index];
    client.connection = connect_to(port_);
    std::string request = "GET /api/websocket HTTP/1.1\r\nHost: 127.0.0.1\r\n";
    if (hub_) {
      request +=
          "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    }
    request += "\r\n";
    if (hub_) {
      request += text_frame(fmt::format(R"({{"type":"auth","access_token":"{}"}})", token_));
      request += text_frame(R"({"id":2,"type":"subscribe_entities"})");
    }
    send_all(client.connection, request);
    std::string answer;
    const std::string_view last = hub_ ? R"("event":{"a":{)" : "\r\n\r\n";
    while (answer.find(last) == std::string::npos || (hub_ && !answer.ends_with("}}}"))) {
      char buffer[4096];
      const ssize_t size = recv(client.connection, buffer, sizeof buffer, 0);
      if (size <= 0) fail("the server closed a connection at its start: " + answer);
      answer.append(buffer, static_cast<std::size_t>(size));
    }
    watch(client.connection, index);
  }

  void write() {
    const std::string body = fmt::format(R"({{"state":"@@{}@@"}})", now());
    awaiting_answer_ = true;
    send_all(writer_, fmt::format("POST /api/states/sensor.bench_{} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                                  "Authorization: Bearer {}\r\nContent-Length: {}\r\n\r\n{}",
                                  written_++ % kEntities, token_, body.size(), body));
  }

  void read(std::chrono::milliseconds patience) {
    epoll_event ready[512];
    const int count = epoll_wait(epoll_, ready, 512, static_cast<int>(std::max<std::int64_t>(0, patience.count())));
    for (int i = 0; i < count; ++i) {
      const std::uint64_t index = ready[i].data.u64;
      const int connection = index == kWriter ? writer_ : clients_[index].connection;
      const ssize_t size = recv(connection, buffer_.data(), buffer_.size(), MSG_DONTWAIT);
      if (size < 0 && errno == EAGAIN) continue;
      if (size <= 0) fail("the server closed a connection");
      const std::string_view bytes(buffer_.data(), static_cast<std::size_t>(size));
      if (index != kWriter) {
        take(clients_[index], bytes);
      } else if (bytes.find("HTTP/1.1 4") != std::string_view::npos ||
                 bytes.find("HTTP/1.1 5") != std::string_view::npos) {
        fail(fmt::format("a write was refused: {}", bytes));
      } else {
        awaiting_answer_ = awaiting_answer_ && bytes.find("HTTP/1.1 2") == std::string_view::npos;
      }
    }
  }

  void take(Client& client, std::string_view bytes) {
    const std::int64_t received = now();
    for (const char byte : bytes) {
      const bool second = byte == kMarker && client.last == kMarker;
      client.last = second ? '\0' : byte;
      if (client.open && byte != kMarker) client.mark += byte;
      if (!second) continue;
      if (client.open) {
        ++client.changes;
        delays_.push_back(received - std::strtoll(client.mark.c_str(), nullptr, 10));
        client.mark.clear();
      }
      client.open = !client.open;
    }
  }

  const bool hub_;
  const int port_;
  const std::string token_;
  const int epoll_ = epoll_create1(0);
  int writer_ = -1;
  std::size_t written_ = 0;
  bool awaiting_answer_ = false;
  std::vector<Client> clients_;
  std::vector<std::int64_t> delays_;
  std::vector<char> buffer_ = std::vector<char>(256 * 1024);
};

double seconds(const timespec& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 8) {
    std::fputs("usage: subscribers hub|raw PORT SERVER_PID TOKEN CLIENTS RATE SECONDS\n", stderr);
    return 2;
  }
  clockid_t server_clock;
  if (clock_getcpuclockid(std::atoi(argv[3]), &server_clock) != 0) fail("there is no such server");
  const int rate = std::atoi(argv[6]);
  const std::chrono::duration<double> length(std::atof(argv[7]));
  Subscribers subscribers(std::string_view(argv[1]) == "hub", std::atoi(argv[2]), argv[4],
                          std::strtoul(argv[5], nullptr, 10));
  subscribers.run(rate, length / 10);  // warm-up, and the entity is known
  subscribers.take_delays();

  timespec before, after;
  clock_gettime(server_clock, &before);
  subscribers.run(rate, length);
  clock_gettime(server_clock, &after);
  auto delays = subscribers.take_delays();
  std::ranges::sort(delays);
  const auto at = [&](double part) {
    return static_cast<double>(delays[static_cast<std::size_t>(part * static_cast<double>(delays.size() - 1))]) / 1e6;
  };
  fmt::print("{} {:.6f} {:.3f} {:.3f} {:.3f}\n", delays.size(), seconds(after) - seconds(before), at(0.5), at(0.99),
             at(1));
}

// SPDX-License-Identifier: Apache-2.0
// Opens many event streams, fires events and counts the frames that arrive. The next events are fired when every reader
// has all frames of the last ones. Prints the frames delivered, and the seconds of CPU that the server spent on them.
//
//   stream_reader PORT SERVER_PID TOKEN DATA READERS BURST SECONDS
//
// BURST events are fired in one write; 1 is one frame at a time. The event's data holds kMarker, which nothing else in
// a frame does, so that a frame is counted however it is cut into reads.
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
#include <vector>

namespace {

constexpr char kMarker = '~';
constexpr std::string_view kPath = "/api/events/bench_event";
constexpr int kPatienceMilliseconds = 10'000;

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "stream_reader: %s\n", what.c_str());
  std::exit(1);
}

double seconds(const timespec& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
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

std::size_t occurrences(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

class Readers {
 public:
  Readers(int port, std::string token, std::string_view data, std::size_t count, std::size_t burst)
      : port_(port), token_(std::move(token)), burst_(burst), missing_(count, 0) {
    control_ = connect_to(port_);
    watch(control_, kControl);
    for (std::size_t i = 0; i < count; ++i) open_stream(i);
    const std::string one = fmt::format(
        "POST {} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {}\r\n"
        "Content-Length: {}\r\n\r\n{}",
        kPath, token_, data.size(), data);
    for (std::size_t i = 0; i < burst_; ++i) events_ += one;
  }

  // Fires one burst and waits for its frames and answers.
  void round() {
    std::fill(missing_.begin(), missing_.end(), burst_);
    std::size_t waiting = missing_.size();
    answers_.clear();
    std::size_t answered = 0;
    send_all(control_, events_);
    epoll_event ready[256];
    while (waiting > 0 || answered < burst_) {
      const int count = epoll_wait(epoll_, ready, 256, kPatienceMilliseconds);
      if (count <= 0) fail(fmt::format("{} readers wait for frames in vain", waiting));
      for (int i = 0; i < count; ++i) {
        const std::string_view bytes = receive(ready[i].data.u64);
        if (ready[i].data.u64 == kControl) {
          answers_ += bytes;
          answered += static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), '}'));
          continue;
        }
        std::size_t& missing = missing_[ready[i].data.u64];
        const auto frames = static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), kMarker));
        if (frames > missing) fail("a reader got more frames than events were fired");
        missing -= frames;
        if (frames > 0 && missing == 0) --waiting;
      }
    }
    if (occurrences(answers_, "HTTP/1.1 200 OK") != burst_) fail("an event was not answered 200: " + answers_);
  }

  std::size_t frames_in_round() const { return missing_.size() * burst_; }

 private:
  static constexpr std::uint64_t kControl = UINT64_MAX;

  void watch(int connection, std::uint64_t index) const {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = index;
    epoll_ctl(epoll_, EPOLL_CTL_ADD, connection, &event);
  }

  void open_stream(std::size_t index) {
    const int connection = connect_to(port_);
    connections_.push_back(connection);
    send_all(connection, fmt::format("GET /api/stream?restrict=bench_event HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                                     "Authorization: Bearer {}\r\nAccept: text/event-stream\r\n\r\n",
                                     token_));
    std::string head;
    char buffer[4096];
    while (head.find("\r\n\r\n") == std::string::npos) {
      const ssize_t size = recv(connection, buffer, sizeof buffer, 0);
      if (size <= 0) fail("the server closed a stream at its start");
      head.append(buffer, static_cast<std::size_t>(size));
    }
    if (!head.starts_with("HTTP/1.1 200 ")) fail("a stream was not answered 200: " + head);
    watch(connection, index);
  }

  std::string_view receive(std::uint64_t index) {
    const int connection = index == kControl ? control_ : connections_[index];
    const ssize_t size = recv(connection, buffer_.data(), buffer_.size(), MSG_DONTWAIT);
    if (size < 0 && errno == EAGAIN) return {};
    if (size <= 0) fail("the server closed a connection");
    return {buffer_.data(), static_cast<std::size_t>(size)};
  }

  const int port_;
  const std::string token_;
  const std::size_t burst_;
  const int epoll_ = epoll_create1(0);
  int control_ = -1;
  std::vector<int> connections_;
  std::vector<std::size_t> missing_;  // frames of the round, by reader
  std::string events_;
  std::string answers_;
  std::vector<char> buffer_ = std::vector<char>(256 * 1024);
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 8) {
    std::fputs("usage: stream_reader PORT SERVER_PID TOKEN DATA READERS BURST SECONDS\n", stderr);
    return 2;
  }
  using Clock = std::chrono::steady_clock;
  clockid_t server_clock;
  if (clock_getcpuclockid(std::atoi(argv[2]), &server_clock) != 0) fail("there is no such server");
  Readers readers(std::atoi(argv[1]), argv[3], argv[4], std::strtoul(argv[5], nullptr, 10),
                  std::strtoul(argv[6], nullptr, 10));

  const std::chrono::duration<double> length(std::atof(argv[7]));
  for (const auto end = Clock::now() + length / 10; Clock::now() < end;) readers.round();  // warm-up

  timespec before, after;
  clock_gettime(server_clock, &before);
  std::size_t frames = 0;
  for (const auto end = Clock::now() + length; Clock::now() < end;) {
    readers.round();
    frames += readers.frames_in_round();
  }
  clock_gettime(server_clock, &after);
  fmt::print("{} {:.6f}\n", frames, seconds(after) - seconds(before));
}

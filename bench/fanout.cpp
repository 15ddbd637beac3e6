// SPDX-License-Identifier: Apache-2.0
// The rival of the event stream: one thread that sends the same ready bytes to every reader with a plain `send`, and
// does nothing else. GET opens a reader, POST sends the frame to all of them and is answered.
//
//   fanout PORT FRAME_FILE
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr std::string_view kStreamHead =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
constexpr std::string_view kAnswer =
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 38\r\n\r\n"
    "{\"message\":\"Event bench_event fired.\"}";

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  std::exit(1);
}

void send_whole(int socket, std::string_view bytes) {
  const ssize_t sent = send(socket, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (sent != static_cast<ssize_t>(bytes.size())) fail("fanout: a reader did not take a whole frame");
}

int listen_on(int port) {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  const int on = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) fail("fanout: bind");
  if (listen(listener, 1024) != 0) fail("fanout: listen");
  return listener;
}

class Fanout {
 public:
  Fanout(int port, std::string frame) : listener_(listen_on(port)), frame_(std::move(frame)) { watch(listener_); }

  void run() {
    epoll_event events[64];
    for (;;) {
      const int ready = epoll_wait(epoll_, events, 64, -1);
      for (int i = 0; i < ready; ++i) {
        if (events[i].data.fd == listener_)
          accept_one();
        else
          serve(events[i].data.fd);
      }
    }
  }

 private:
  void watch(int socket) const {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = socket;
    if (epoll_ctl(epoll_, EPOLL_CTL_ADD, socket, &event) != 0) fail("fanout: epoll_ctl");
  }

  void accept_one() const {
    const int peer = accept(listener_, nullptr, nullptr);
    if (peer < 0) fail("fanout: accept");
    const int on = 1;
    setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    watch(peer);
  }

  // A request comes whole: the only client is ours, and asks for one thing at a time.
  void serve(int peer) {
    char buffer[4096];
    const ssize_t size = recv(peer, buffer, sizeof buffer, 0);
    if (size <= 0) {
      std::erase(readers_, peer);
      close(peer);
    } else if (buffer[0] == 'G') {
      send_whole(peer, kStreamHead);
      readers_.push_back(peer);
    } else {
      for (const int reader : readers_) send_whole(reader, frame_);
      send_whole(peer, kAnswer);
    }
  }

  const int epoll_ = epoll_create1(0);
  const int listener_;
  const std::string frame_;
  std::vector<int> readers_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: fanout PORT FRAME_FILE\n", stderr);
    return 2;
  }
  std::ifstream file(argv[2], std::ios::binary);
  Fanout(std::atoi(argv[1]), std::string(std::istreambuf_iterator<char>(file), {})).run();
}

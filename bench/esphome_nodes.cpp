// SPDX-License-Identifier: Apache-2.0
// Many nodes of ESPHome in one process, without encryption, for bench/connections: esphome_nodes NODES SENSORS RATE.
// Each has that many sensors, of which each reports so often a second, and a switch. Prints the port of each node, a
// line `report COUNT` each second in which it reported, and `switch NANOSECONDS` (of the monotonic clock) when a
// command arrives. Reports from a line on its standard input on, and stops at the next; ends when that ends.
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace {

void put_number(std::string& out, std::uint64_t value) {
  for (; value > 0x7F; value >>= 7) out.push_back(static_cast<char>((value & 0x7F) | 0x80));
  out.push_back(static_cast<char>(value));
}

void put_text(std::string& out, int field, std::string_view text) {
  put_number(out, static_cast<std::uint64_t>(field) << 3 | 2);
  put_number(out, text.size());
  out += text;
}

void put_fixed(std::string& out, int field, std::uint32_t value) {
  put_number(out, static_cast<std::uint64_t>(field) << 3 | 5);
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void put_plain(std::string& out, int field, std::uint64_t value) {
  put_number(out, static_cast<std::uint64_t>(field) << 3);
  put_number(out, value);
}

std::string frame(std::uint32_t type, std::string_view payload = {}) {
  std::string out(1, '\0');
  put_number(out, payload.size());
  put_number(out, type);
  out += payload;
  return out;
}

std::int64_t now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * std::int64_t{1'000'000'000} + time.tv_nsec;
}

struct Node {
  int number = 0, listener = -1, connection = -1;
  bool subscribed = false;
  std::string in, out;

  void say(std::uint32_t type, std::string_view payload = {}) { out += frame(type, payload); }
  void describe() {
    std::string info;
    put_text(info, 2, fmt::format("node{}", number));
    put_text(info, 3, fmt::format("02:00:00:00:{:02X}:{:02X}", number / 256, number % 256));
    put_text(info, 4, "2026.6.5");
    put_text(info, 13, fmt::format("Node {}", number));
    say(10, info);
  }
  void list(int sensors) {
    for (int sensor = 1; sensor <= sensors; ++sensor) {
      std::string one;
      put_fixed(one, 2, static_cast<std::uint32_t>(sensor));
      put_text(one, 3, fmt::format("Value {}", sensor));
      put_text(one, 6, "°C");
      put_plain(one, 7, 1);
      put_plain(one, 10, 1);
      say(16, one);
    }
    std::string relay;
    put_fixed(relay, 2, 1000);
    put_text(relay, 3, "Relay");
    say(17, relay);
    say(19);
  }
  void report(int sensor, float value) {
    std::string state;
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    put_fixed(state, 1, static_cast<std::uint32_t>(sensor));
    put_fixed(state, 2, bits);
    say(25, state);
  }
  void report_relay(bool on) {
    std::string state;
    put_fixed(state, 1, 1000);
    if (on) put_plain(state, 2, 1);
    say(26, state);
  }

  void drop() {
    close(connection);
    connection = -1;
    subscribed = false;
    in.clear();
    out.clear();
  }
  void handle(std::uint32_t type, std::string_view payload, int sensors) {
    if (type == 1) {
      std::string hello;
      put_plain(hello, 1, 1);
      put_plain(hello, 2, 14);
      put_text(hello, 4, fmt::format("node{}", number));
      say(2, hello);
    } else if (type == 5) {
      say(6);
    } else if (type == 7) {
      say(8);
    } else if (type == 9) {
      describe();
    } else if (type == 11) {
      list(sensors);
    } else if (type == 20) {
      subscribed = true;
      for (int sensor = 1; sensor <= sensors; ++sensor) report(sensor, 0);
      report_relay(false);
    } else if (type == 33) {
      fmt::print("switch {}\n", now());
      std::fflush(stdout);
      report_relay(payload.size() > 5 && payload.back() == 1);
    }
  }
  bool receive(int sensors) {
    char bytes[4096];
    const ssize_t got = recv(connection, bytes, sizeof bytes, 0);
    if (got <= 0) return got < 0 && errno == EAGAIN;
    in.append(bytes, static_cast<std::size_t>(got));
    for (;;) {
      std::size_t place = 1;
      std::uint64_t numbers[2] = {};
      for (std::uint64_t& value : numbers) {
        for (int shift = 0;; shift += 7) {
          if (place >= in.size()) return true;
          const auto byte = static_cast<unsigned char>(in[place++]);
          value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
          if (byte < 0x80) break;
        }
      }
      if (in.size() < place + numbers[0]) return true;
      handle(static_cast<std::uint32_t>(numbers[1]), std::string_view(in).substr(place, numbers[0]), sensors);
      in.erase(0, place + numbers[0]);
    }
  }
  bool send_out() {
    const ssize_t sent = send(connection, out.data(), out.size(), MSG_NOSIGNAL);
    if (sent < 0) return errno == EAGAIN;
    out.erase(0, static_cast<std::size_t>(sent));
    return true;
  }
};

void listen_at_any_port(Node& node) {
  node.listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (bind(node.listener, reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(node.listener, 8) != 0 ||
      getsockname(node.listener, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    std::perror("esphome_nodes");
    std::exit(1);
  }
  fmt::print("{}\n", ntohs(address.sin_port));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "esphome_nodes NODES SENSORS RATE\n");
    return 2;
  }
  const int sensors = std::atoi(argv[2]), rate = std::atoi(argv[3]);
  std::vector<Node> nodes(static_cast<std::size_t>(std::atoi(argv[1])));
  for (std::size_t number = 0; number < nodes.size(); ++number) {
    nodes[number].number = static_cast<int>(number);
    listen_at_any_port(nodes[number]);
  }
  std::fflush(stdout);

  bool reporting = false;
  std::int64_t next = 0, second = 0;
  int round = 0;
  std::uint64_t reports = 0;
  for (;;) {
    std::vector<pollfd> waiting{{STDIN_FILENO, POLLIN, 0}};
    for (const Node& node : nodes) {
      waiting.push_back({node.listener, POLLIN, 0});
      waiting.push_back({node.connection, static_cast<short>(POLLIN | (node.out.empty() ? 0 : POLLOUT)), 0});
    }
    const std::int64_t pause = reporting ? std::max<std::int64_t>(0, next - now()) : 1'000'000'000;
    const timespec most{pause / 1'000'000'000, pause % 1'000'000'000};
    ppoll(waiting.data(), waiting.size(), &most, nullptr);
    if (waiting[0].revents != 0) {
      char bytes[64];
      if (read(STDIN_FILENO, bytes, sizeof bytes) <= 0) return 0;
      reporting = !reporting;
      next = second = now();
      reports = 0;
    }
    for (std::size_t number = 0; number < nodes.size(); ++number) {
      Node& node = nodes[number];
      if (waiting[2 * number + 1].revents != 0) {
        const int accepted = accept4(node.listener, nullptr, nullptr, SOCK_NONBLOCK);
        if (node.connection >= 0) node.drop();
        node.connection = accepted;
        const int yes = 1;
        setsockopt(accepted, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
      }
      if ((waiting[2 * number + 2].revents & (POLLIN | POLLHUP | POLLERR)) != 0 && !node.receive(sensors)) node.drop();
    }
    if (reporting && now() >= next) {
      // Each sensor of all nodes once; a node sends its values together, as a real one does.
      ++round;
      for (Node& node : nodes) {
        if (!node.subscribed || node.out.size() > 1'000'000) continue;
        for (int sensor = 1; sensor <= sensors; ++sensor) node.report(sensor, static_cast<float>(round % 1000) / 10);
        reports += static_cast<std::uint64_t>(sensors);
      }
      next += 1'000'000'000 / rate;
      if (now() - second >= 1'000'000'000) {
        fmt::print("report {}\n", std::exchange(reports, 0));
        std::fflush(stdout);
        second = now();
      }
    }
    for (Node& node : nodes)
      if (node.connection >= 0 && !node.out.empty() && !node.send_out()) node.drop();
  }
}

// SPDX-License-Identifier: Apache-2.0
#include "net/mdns/host_query.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

#include "net/mdns/machine_addresses.h"

namespace hearth::net {
namespace {

using namespace std::string_view_literals;

constexpr char kGroup[] = "224.0.0.251";
constexpr std::uint16_t kPort = 5353;
constexpr std::chrono::milliseconds kBetweenQuestions{500};
// The header of a question: id, no flags, one question and nothing else. RFC 1035 §4.1.1.
constexpr std::string_view kHeader = "\x48\x48\0\0\0\1\0\0\0\0\0\0"sv;
constexpr std::size_t kMostLabelBytes = 63;

void ask(int socket, std::string_view question) {
  sockaddr_in group{};
  group.sin_family = AF_INET;
  group.sin_port = htons(kPort);
  ::inet_pton(AF_INET, kGroup, &group.sin_addr);
  for (const MachineAddress& each : machine_addresses({})) {
    in_addr own{};
    if (::inet_pton(AF_INET, each.address.c_str(), &own) != 1) continue;
    if (::setsockopt(socket, IPPROTO_IP, IP_MULTICAST_IF, &own, sizeof own) != 0) continue;
    ::sendto(socket, question.data(), question.size(), 0, reinterpret_cast<const sockaddr*>(&group), sizeof group);
  }
}

}  // namespace

std::string host_question(std::string_view host) {
  host = host.substr(0, kMostLabelBytes);
  std::string question(kHeader);
  question += static_cast<char>(host.size());
  question += host;
  question += "\5local\0\0\1\0\1"sv;  // type A, class IN
  return question;
}

bool answers_question(std::string_view answer, std::string_view question) {
  const auto byte = [&](std::size_t place) { return static_cast<unsigned char>(answer[place]); };
  if (answer.size() < question.size() || answer.substr(0, 2) != question.substr(0, 2)) return false;
  const bool is_answer = (byte(2) & 0x80) != 0 && (byte(3) & 0x0F) == 0 && byte(6) + byte(7) > 0;
  const auto same = [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? a + 32 : a) == (b >= 'A' && b <= 'Z' ? b + 32 : b);
  };
  // A responder repeats the question for who asks from another port than 5353 (RFC 6762 §6.7).
  return is_answer && std::ranges::equal(answer.substr(kHeader.size(), question.size() - kHeader.size()),
                                         question.substr(kHeader.size()), same);
}

bool host_answers(std::string_view host, std::chrono::milliseconds patience) {
  const int socket = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket < 0) return false;
  const std::string question = host_question(host);
  const auto until = std::chrono::steady_clock::now() + patience;
  bool answered = false;
  while (!answered && std::chrono::steady_clock::now() < until) {
    ask(socket, question);
    pollfd readable{socket, POLLIN, 0};
    char answer[9000];
    while (!answered && ::poll(&readable, 1, static_cast<int>(kBetweenQuestions.count())) > 0) {
      const ::ssize_t size = ::recv(socket, answer, sizeof answer, 0);
      answered = size > 0 && answers_question({answer, static_cast<std::size_t>(size)}, question);
      if (!answered && std::chrono::steady_clock::now() >= until) break;
    }
  }
  ::close(socket);
  return answered;
}

}  // namespace hearth::net

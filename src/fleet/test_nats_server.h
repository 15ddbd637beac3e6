// SPDX-License-Identifier: Apache-2.0
// A NATS server with JetStream of the tests' own, on loopback and in a temporary folder: users `portal`, `kitchen` and
// `attic`, whose password is their name, with the rights that packaging/nats gives them.
#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "fleet/link.h"

namespace hearth::fleet {

inline bool eventually(const auto& condition, std::chrono::seconds patience = std::chrono::seconds(20)) {
  const auto until = std::chrono::steady_clock::now() + patience;
  while (std::chrono::steady_clock::now() < until) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return condition();
}

class TestNatsServer {
 public:
  // Debian's, or another one that $HEARTH_NATS_SERVER names.
  static std::string program() {
    const char* const chosen = std::getenv("HEARTH_NATS_SERVER");
    return chosen ? chosen : "/usr/sbin/nats-server";
  }
  static bool installed() { return std::filesystem::exists(program()); }

  TestNatsServer() {
    folder_ = ::mkdtemp(folder_.data());
    port_ = free_port();
  }
  ~TestNatsServer() {
    end(SIGKILL);
    std::filesystem::remove_all(folder_);
  }

  static std::string rights_of(const std::string& site) {
    return fmt::format(
        "publish: [\"hearth.{0}.>\", \"$SYS.REQ.USER.INFO\"], "
        "subscribe: [\"hearth.{0}.call\", \"_INBOX_hearth.{0}.>\"], allow_responses: {{max: 1, expires: \"2m\"}}",
        site);
  }

  void start() {
    std::ofstream(folder_ + "/server.conf") << fmt::format(
        "listen: \"127.0.0.1:{}\"\nmax_payload: 2MB\njetstream: {{store_dir: \"{}/data\", max_file_store: 10GB}}\n"
        "authorization: {{users: [\n"
        "  {{user: portal, password: portal, permissions: {{publish: \">\", subscribe: \">\"}}}}\n"
        "  {{user: kitchen, password: kitchen, permissions: {{{}}}}}\n"
        "  {{user: attic, password: attic, permissions: {{{}}}}}\n]}}\n{}",
        port_, folder_, rights_of("kitchen"), rights_of("attic"), more);
    const std::string config = folder_ + "/server.conf", log = folder_ + "/log";
    const char* const arguments[] = {"nats-server", "-c", config.c_str(), "-l", log.c_str(), nullptr};
    const std::string path = program();
    process_ = ::fork();
    if (process_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      // It must not keep open what somebody reads the tests' output from.
      const int nowhere = ::open("/dev/null", O_WRONLY);
      ::dup2(nowhere, 1);
      ::dup2(nowhere, 2);
      ::execv(path.c_str(), const_cast<char**>(arguments));
      ::_exit(127);
    }
    ASSERT_TRUE(eventually([&] { return answers(); })) << "see " << log;
  }
  void stop() { end(SIGTERM); }
  void kill() { end(SIGKILL); }
  // It keeps its connections and does nothing, as behind a cable that was pulled.
  void freeze() {
    ::kill(process_, SIGSTOP);
    ::waitpid(process_, nullptr, WUNTRACED);
  }
  void thaw() { ::kill(process_, SIGCONT); }
  void forget_everything() { std::filesystem::remove_all(folder_ + "/data"); }

  LinkOptions options(const std::string& user) const {
    LinkOptions options;
    options.servers = {fmt::format("nats://127.0.0.1:{}", port_)};
    options.user = options.password = user;
    options.max_bytes = 64 << 20;
    return options;
  }

  std::string more;  // of the configuration

 private:
  static int open_socket(int port, bool listens) {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    place.sin_port = htons(static_cast<std::uint16_t>(port));
    const auto* const address = reinterpret_cast<const sockaddr*>(&place);
    const int done = listens ? ::bind(socket, address, sizeof(place)) : ::connect(socket, address, sizeof(place));
    if (done == 0) return socket;
    ::close(socket);
    return -1;
  }
  static int free_port() {
    const int socket = open_socket(0, true);
    sockaddr_in place{};
    socklen_t size = sizeof(place);
    ::getsockname(socket, reinterpret_cast<sockaddr*>(&place), &size);
    ::close(socket);
    return ntohs(place.sin_port);
  }
  bool answers() const {
    const int socket = open_socket(port_, false);
    if (socket < 0) return false;
    ::close(socket);
    return true;
  }
  void end(int signal) {
    if (process_ <= 0) return;
    ::kill(process_, signal);
    ::waitpid(process_, nullptr, 0);
    process_ = 0;
  }

  std::string folder_ = (std::filesystem::temp_directory_path() / "hearth-nats-XXXXXX").string();
  int port_ = 0;
  pid_t process_ = 0;
};

}  // namespace hearth::fleet

// SPDX-License-Identifier: Apache-2.0
// A NATS server with JetStream of the tests' own, on loopback and in a temporary folder: users `portal-a`, `kitchen`
// and `attic`, as packaging/nats/users makes them.
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
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
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
  static bool installed() { return ::access(program().c_str(), X_OK) == 0; }

  TestNatsServer() {
    folder_ = ::mkdtemp(folder_.data());
    port_ = free_port();
    make_user("add-portal", "a");
    make_user("add-site", "kitchen");
    make_user("add-site", "attic");
  }
  ~TestNatsServer() {
    end(SIGKILL);
    std::filesystem::remove_all(folder_);
  }

  void start() {
    std::ofstream(folder_ + "/server.conf") << fmt::format(
        "listen: \"127.0.0.1:{}\"\nmax_payload: 2MB\njetstream: {{store_dir: \"{}/data\", max_file_store: 10GB}}\n"
        "accounts: {{HEARTH: {{jetstream: enabled\ninclude \"./users.conf\"\n}}}}\n{}",
        port_, folder_, more_);
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
    options.user = user;
    options.password = passwords_.at(user);
    options.max_bytes = 64 << 20;
    return options;
  }

  int port() const { return port_; }

  // With a certificate of its own for 127.0.0.1. Before start.
  void encrypt() {
    const std::string command = fmt::format(
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=test "
        "-addext subjectAltName=IP:127.0.0.1 -keyout {0}/key.pem -out {1} 2> {0}/said",
        folder_, certificate());
    ASSERT_EQ(std::system(command.c_str()), 0);
    more_ = fmt::format("tls: {{cert_file: \"{}\", key_file: \"{}/key.pem\"}}\n", certificate(), folder_);
  }
  std::string certificate() const { return folder_ + "/certificate.pem"; }

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
  // Keeps what it prints: "user: kitchen\npassword: 12ab\n".
  void make_user(const std::string& action, const std::string& name) {
    auto root = std::filesystem::read_symlink("/proc/self/exe");  // below the repository
    while (root.has_relative_path() && !std::filesystem::exists(root / "packaging/nats/users"))
      root = root.parent_path();
    const std::string command = fmt::format("HEARTH_NATS_USERS={}/users.conf {}/packaging/nats/users {} {} 2> {}/said",
                                            folder_, root.string(), action, name, folder_);
    std::FILE* const output = ::popen(command.c_str(), "r");
    std::string text(1000, '\0');
    text.resize(std::fread(text.data(), 1, text.size(), output));
    ::pclose(output);
    std::istringstream words(text);
    std::string key, user, password;
    words >> key >> user >> key >> password;
    passwords_[user] = password;
  }
  void end(int signal) {
    if (process_ <= 0) return;
    ::kill(process_, signal);
    ::waitpid(process_, nullptr, 0);
    process_ = 0;
  }

  std::string folder_ = (std::filesystem::temp_directory_path() / "hearth-nats-XXXXXX").string();
  std::map<std::string, std::string> passwords_;  // by user
  std::string more_;                              // of the configuration
  int port_ = 0;
  pid_t process_ = 0;
};

}  // namespace hearth::fleet

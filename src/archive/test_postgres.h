// SPDX-License-Identifier: Apache-2.0
// For tests: a PostgreSQL server of their own in a temporary folder, which they start, kill and ask. Reached by a
// socket in that folder.
#pragma once

#include <fcntl.h>
#include <pwd.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "archive/postgres_connection.h"
#include "storage/temporary_folder.h"

namespace hearth::archive {

class TestPostgres {
 public:
  // True if there is one to start.
  static bool installed() {
    return postgres_library() && !programs().empty() && (::geteuid() != 0 || ::getpwnam("postgres"));
  }

  TestPostgres() {
    // It refuses to run as root.
    if (::geteuid() == 0) {
      const passwd* const account = ::getpwnam("postgres");
      as_user_ = {"/usr/bin/setpriv", "--reuid=" + std::to_string(account->pw_uid),
                  "--regid=" + std::to_string(account->pw_gid), "--clear-groups"};
      if (::chown(folder_.path().c_str(), account->pw_uid, account->pw_gid) != 0) throw std::runtime_error("chown");
    }
    const pid_t made = spawn({programs() / "initdb", "--no-sync", "--encoding=UTF8", "--locale=C", "--auth=trust",
                              "--username=hearth", "--pgdata=" + (folder_ / "data").string()});
    if (wait(made) != 0) throw std::runtime_error("initdb fails");
    start();
  }
  ~TestPostgres() { kill(); }
  TestPostgres(const TestPostgres&) = delete;
  TestPostgres& operator=(const TestPostgres&) = delete;

  void start() {
    for (int tries = 0; tries < 3'000; ++tries) {
      // A server that a killed one has started ends when it notices; until then another one ends at once.
      if (server_ <= 0 || ::waitpid(server_, nullptr, WNOHANG) == server_) {
        server_ = spawn({programs() / "postgres", "-D", folder_ / "data", "-c", "listen_addresses=", "-c",
                         "unix_socket_directories=" + folder_.path().string(), "-c", "fsync=off", "-c",
                         "max_connections=20"});
      }
      const Cancel cancel;
      if (PostgresConnection::open(url("postgres"), cancel)) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    throw std::runtime_error("PostgreSQL does not start");
  }
  void kill() {
    if (server_ <= 0) return;
    ::kill(server_, SIGKILL);
    wait(server_);
    server_ = 0;
  }

  std::string url(std::string_view database) const {
    return "postgresql:///" + std::string(database) + "?user=hearth&host=" + folder_.path().string();
  }
  // A new database; its URL.
  std::string create() {
    const std::string name = "home" + std::to_string(++databases_);
    ask(url("postgres"), "CREATE DATABASE " + name);
    return url(name);
  }
  // The rows as lines, the fields with a space between them; null is `-`.
  static std::vector<std::string> ask(const std::string& url, const std::string& sql) {
    const Cancel cancel;
    auto connection = PostgresConnection::open(url, cancel);
    if (!connection) throw std::runtime_error(connection.error().message);
    const auto rows = connection->run(sql);
    if (!rows) throw std::runtime_error(rows.error().message);
    std::vector<std::string> lines;
    for (const auto& row : *rows) {
      std::string& line = lines.emplace_back();
      for (const auto& field : row) line += (line.empty() ? "" : " ") + field.value_or("-");
    }
    return lines;
  }

 private:
  static std::filesystem::path programs() {
    std::filesystem::path newest;
    std::error_code ignored;
    for (int version = 13; version < 40; ++version) {
      const std::filesystem::path each = "/usr/lib/postgresql/" + std::to_string(version) + "/bin";
      if (std::filesystem::exists(each / "postgres", ignored)) newest = each;
    }
    return newest;
  }
  pid_t spawn(std::vector<std::string> command) const {
    command.insert(command.begin(), as_user_.begin(), as_user_.end());
    std::vector<char*> arguments;
    for (std::string& each : command) arguments.push_back(each.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t files;
    ::posix_spawn_file_actions_init(&files);
    for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
      ::posix_spawn_file_actions_addopen(&files, descriptor, (folder_ / "log").c_str(), O_WRONLY | O_CREAT | O_APPEND,
                                         0644);
    }
    pid_t made = 0;
    const int failed = ::posix_spawn(&made, arguments[0], &files, nullptr, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&files);
    if (failed != 0) throw std::runtime_error("a program cannot be started");
    return made;
  }
  static int wait(pid_t process) {
    int status = 0;
    return ::waitpid(process, &status, 0) == process && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  storage::TemporaryFolder folder_;
  std::vector<std::string> as_user_;
  pid_t server_ = 0;
  int databases_ = 0;
};

}  // namespace hearth::archive

// SPDX-License-Identifier: Apache-2.0
// The running hub, and who can reach it.
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <fstream>
#include <optional>
#include <sstream>

#include "app/doctor/diagnosis.h"
#include "app/folder_lock.h"
#include "base/json/json.h"
#include "base/json/json_fields.h"
#include "base/net/local_request.h"

namespace hearth::app {
namespace {

using enum Diagnosis::Grade;

constexpr std::chrono::seconds kHubPatience{6};  // longer than a home may stand still
constexpr std::string_view kCheck = "hub";

// Where a client of this machine finds the hub.
std::string own_host(const HttpSettings& http) {
  const auto all = [](const std::string& host) { return host == "0.0.0.0" || host == "::"; };
  if (http.server_host.empty() || std::ranges::any_of(http.server_host, all)) return "127.0.0.1";
  return http.server_host.front();
}

// Of the process that holds the folder's lock; null if nobody does, or the kernel does not say.
std::optional<long> locking_process(const std::filesystem::path& folder) {
  struct stat found{};
  if (::stat(folder.c_str(), &found) != 0) return {};
  const std::string inode = fmt::format("{:02x}:{:02x}:{}", major(found.st_dev), minor(found.st_dev), found.st_ino);
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words(line);
    std::string number, kind, advice, access, id, place;
    words >> number >> kind >> advice >> access >> id >> place;
    if (kind == "FLOCK" && place == inode) return std::stol(id);
  }
  return {};
}

// The number behind `name:` in a file of /proc.
std::optional<std::uint64_t> figure(const std::filesystem::path& file, std::string_view name) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(name)) continue;
    std::istringstream rest(line.substr(name.size()));
    std::uint64_t number = 0;
    if (rest >> number) return number;
  }
  return {};
}

void examine_process(long process, Diagnoses& diagnoses) {
  const std::filesystem::path folder = fmt::format("/proc/{}", process);
  const auto resident = figure(folder / "status", "VmRSS:");
  if (!resident) return;
  std::string text = fmt::format("process {} uses {} MiB", process, *resident / 1024);
  std::error_code refused;
  const auto files = std::filesystem::directory_iterator(folder / "fd", refused);
  const auto most = figure(folder / "limits", "Max open files");
  if (refused || !most) return diagnoses.push_back({kCheck, good, text});
  const auto open = static_cast<std::uint64_t>(std::distance(begin(files), end(files)));
  text += fmt::format(" and {} of {} file descriptors", open, *most);
  if (open * 10 > *most * 9)
    diagnoses.push_back(
        {kCheck, warning, text, "Raise the limit (LimitNOFILE= of the unit), or find who connects so often."});
  else
    diagnoses.push_back({kCheck, good, text});
}

bool port_is_free(const std::string& host, std::uint16_t port) {
  namespace asio = boost::asio;
  boost::system::error_code failed;
  const auto address = asio::ip::make_address(host, failed);
  if (failed) return true;  // a name: whoever listens will tell
  asio::io_context io;
  asio::ip::tcp::acceptor acceptor(io);
  const asio::ip::tcp::endpoint endpoint(address, port);
  acceptor.open(endpoint.protocol(), failed);
  if (!failed) acceptor.set_option(asio::socket_base::reuse_address(true), failed);
  if (!failed) acceptor.bind(endpoint, failed);
  return !failed;
}

std::string message_of(const base::LocalAnswer& answer) {
  const auto parsed = base::parse_json(answer.body);
  return parsed && parsed->is_object() ? base::text_at(parsed->get_object(), "message") : std::string();
}

}  // namespace

Diagnoses examine_hub(const std::filesystem::path& folder, const Settings& settings) {
  Diagnoses diagnoses;
  const std::string host = own_host(settings.http);
  const std::uint16_t port = settings.http.server_port;
  const auto lock = FolderLock::lock(folder);
  const bool runs = !lock && lock.error().code == base::ErrorCode::conflict;
  if (!runs && !port_is_free(host, port)) {
    diagnoses.push_back({kCheck, bad,
                         fmt::format("no hub runs with {}, and another program has port {}", folder.string(), port),
                         "End that program, or choose another port: http: server_port."});
  } else if (!runs) {
    diagnoses.push_back({kCheck, warning, fmt::format("no hub runs with {}", folder.string()),
                         "Start it: systemctl start hearth, or hearth serve."});
  } else {
    const std::string_view open = host.contains(':') ? "[" : "", close = host.contains(':') ? "]" : "";
    const std::string origin = fmt::format("{}://{}{}{}:{}", settings.http.scheme(), open, host, close, port);
    const auto answer = base::ask_local_hub(origin, "/api/ready", kHubPatience);
    if (!answer) {
      diagnoses.push_back(
          {kCheck, bad, fmt::format("the hub does not answer at {}:{}: {}", host, port, answer.error().message),
           "If it was started with --port or --host, that is why; otherwise restart it: systemctl restart hearth."});
    } else if (answer->status != 200) {
      diagnoses.push_back({kCheck, bad, fmt::format("the hub answers {}: {}", answer->status, message_of(*answer)),
                           "The log names what holds the home: journalctl -u hearth -p warning."});
    } else {
      diagnoses.push_back({kCheck, good, fmt::format("it runs, and answers at {}:{}", host, port)});
    }
    if (const auto process = locking_process(folder)) examine_process(*process, diagnoses);
  }
  const auto& hosts = settings.http.server_host;
  const bool everywhere = hosts.empty();
  diagnoses.push_back({"reach", good,
                       everywhere ? fmt::format("everybody in this machine's networks can reach port {}", port)
                                  : fmt::format("it listens on port {} of {}", port, fmt::join(hosts, ", "))});
  return diagnoses;
}

}  // namespace hearth::app

// SPDX-License-Identifier: Apache-2.0
#include "app/files/configuration_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <system_error>

namespace hearth::app {
namespace {

using base::ErrorCode;

std::string reason(int error) {
  return std::generic_category().message(error);
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::fsync(file) == 0;
}

}  // namespace

base::ErrorCode code_of_unreadable(int error) {
  constexpr std::array kMachine = {EMFILE, ENFILE, ENOMEM, ENOSPC, EDQUOT, EIO, ESTALE, EAGAIN, EINTR};
  return std::ranges::find(kMachine, error) == kMachine.end() ? ErrorCode::invalid : ErrorCode::unavailable;
}

base::Result<std::string> read_text_file(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) {
    return base::fail(ErrorCode::not_found, fmt::format("{}: there is no such file", path.native()));
  }
  const auto cannot_be_read = [&](int number) {
    return base::fail(code_of_unreadable(number), fmt::format("{}: cannot be read: {}", path.native(), reason(number)));
  };
  if (error) return cannot_be_read(error.value());
  if (status.type() == std::filesystem::file_type::directory) {
    return base::fail(ErrorCode::invalid, fmt::format("{}: is a folder, expected a file", path.native()));
  }
  if (status.type() != std::filesystem::file_type::regular) {
    return base::fail(ErrorCode::invalid, fmt::format("{}: is not a plain file", path.native()));
  }

  errno = 0;
  std::ifstream in(path, std::ios::binary);
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  std::string text(error ? kMaxFileSize + 1 : std::min<std::uintmax_t>(size, kMaxFileSize) + 1, '\0');
  if (in) in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!in.is_open() || in.bad()) return cannot_be_read(errno);
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > kMaxFileSize) {
    return base::fail(ErrorCode::invalid, fmt::format("{}: is larger than {} MiB", path.native(), kMaxFileSize >> 20));
  }
  return text;
}

base::Result<std::string> read_configuration(const std::filesystem::path& folder) {
  auto text = read_text_file(folder / kConfigurationFile);
  if (!text && text.error().code == ErrorCode::not_found) text.error().message += "; `hearth serve` writes one";
  return text;
}

std::string_view default_configuration() {
  return R"(# The configuration of this hub. A key that is commented out shows its default; remove the # to change it.
# `hearth check` says whether the file is valid. Changes count from the next start.

home:
  # name: Home
  # latitude: 0                   # degrees, north positive
  # longitude: 0                  # degrees, east positive
  # elevation: 0                  # metres above sea level
  # time_zone: UTC                # a name such as Europe/Berlin
  # unit_system: metric           # or us_customary
  # currency: EUR                 # three letters of ISO 4217
  # country: ""                   # two letters of ISO 3166, such as DE
  # language: en
  # internal_url: ""              # how clients at home reach the hub, such as http://192.168.1.5:8123
  # external_url: ""              # how clients elsewhere reach it, such as https://home.example.org
  # packages: {}                  # names, each with automation, script and so on: docs/automations.md

http:
  # server_host: []               # the addresses to listen on; none listed: all
  # server_port: 8123
  # cors_allowed_origins: []      # web pages that may call the API, such as https://dashboard.example.org
  # trusted_proxies: []           # reverse proxies whose X-Forwarded-For counts, such as 192.168.1.2 or 172.16.0.0/12
  # max_body_size: 16MiB          # of a request
  # max_connections: 10000
  # stream_max_frames: 4096       # what waits for a slow reader of the event stream before it is cut off
  # stream_max_bytes: 8MiB
  # limits: {}                    # what clients and strangers may ask for at most: docs/configuration.md has the keys
  # tls: {}                       # certificate and key, for https without a proxy: docs/configuration.md has the keys

network:
  # announce: true                # clients in the network find the hub by themselves, over mDNS

zeroconf:
  # enabled: true                 # mDNS: the hub is found, and finds devices
  # interfaces: []                # that it uses, such as eth0; none: all

auth:
  # second_factor: optional       # demanded of: administrators, all; each user may set up an authenticator app

api:
  # state_list_context: false     # items of GET /api/states have their context, too, as some clients expect

frontend:
  # folder: ""                    # another frontend's built pages, which the hub then serves instead of its own

limits:
  # subscriptions: 1024           # of one WebSocket
  # commands: 512                 # of one WebSocket that are not answered yet
  # attributes_size: 256KiB       # of one state, as JSON
  # event_data_size: 1MiB         # of one event, as JSON
  # states_size: 512MiB           # of all states together, as JSON
  # entities: 250000              # that have a state
  # filter_entries: 10000         # of one list of entities, areas or the like
  # filter_globs: 100             # patterns of one list
  # glob_length: 255
  # glob_stars: 8                 # of one pattern
  # filters_size: 4MiB            # of all subscriptions of one WebSocket, in memory
  # questions: 64                 # about history, logbook and statistics at work at once
  # tokens_per_user: 200
  # sessions_per_user: 200        # with one more the least recently used ends

audit:
  # required: true                # what cannot be written to the audit log is not changed: docs/audit.md
  # keep: 1y                      # how long its rows are kept: 90d, 8w, 2y or forever

import:
  # folders: []                   # of Home Assistant, which administrators may import: docs/moving.md

log:
  # level: info                   # debug, info, warning or error
  # format: text                  # or json

recorder:
  # commit_interval: 1s           # how often changes are written to disk; 0s: answers wait until they are
  # keep: 10d                     # how long history is kept: 12h, 10d, 8w, 2y, forever or never
  # include: {}                   # whose history is kept: entities, domains and entity_globs
  # exclude: {}                   # and whose is not
  # classes: []                   # a list of keep with entities, domains or entity_globs, kept for another time
  # archive: ""                   # a database that has history for longer: postgresql://user:password@host/database

# prometheus: {}                  # values of entities among the metrics: docs/monitoring.md

# mobile_app: {}                  # how messages reach phones that are away: docs/phones.md

# fleet: {}                       # one of many homes behind one API: docs/fleet.md

# A home of made-up devices to try things with. Remove the line once your own devices are there.
demo:
)";
}

base::Result<bool> write_default_configuration(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / kConfigurationFile;
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0 && errno == EEXIST) return false;
  bool written = file >= 0 && write_all(file, default_configuration());
  int error = written ? 0 : errno;
  if (file >= 0 && ::close(file) != 0 && written) {
    written = false;
    error = errno;
  }
  if (written) return true;
  if (file >= 0) ::unlink(path.c_str());
  return base::fail(ErrorCode::unavailable, fmt::format("{}: cannot be written: {}", path.native(), reason(error)));
}

}  // namespace hearth::app

// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/files/file_sensor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include "base/threads/descriptor.h"
#include "building_blocks/polled/source.h"
#include "building_blocks/polled/workers.h"
#include "building_blocks/text_template.h"

namespace hearth::building_blocks {
namespace {

using base::ConfigNode;
using base::ConfigReader;

constexpr std::size_t kLookedAt = kMaxLine + 4'096;  // bytes of the end of a file, blank lines among them

std::unexpected<base::Error> unreadable(const std::string& why) {
  return base::fail(base::ErrorCode::unavailable, fmt::format("the file cannot be read: {}", why));
}

class FileSource final : public Source {
 public:
  FileSource(const PolledEnvironment& environment, const std::filesystem::path& path)
      : environment_(environment), path_(environment.folder / path) {}

  void fetch(Done done) override {
    environment_.workers.run([path = path_](const auto&) { return last_line(path); },
                             [alive = std::weak_ptr(alive_), done](base::Result<std::string> line) {
                               if (alive.expired()) return;
                               if (!line) return done(std::unexpected(std::move(line.error())));
                               done(Parts{Fetched{.text = std::move(*line)}});
                             });
  }

 private:
  const PolledEnvironment& environment_;
  const std::filesystem::path path_;
  const std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);  // expires with this
};

}  // namespace

base::Result<std::string> last_line(const std::filesystem::path& path) {
  const base::Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  if (!file.is_open()) return unreadable(std::strerror(errno));
  struct stat found{};
  if (::fstat(file.number(), &found) != 0) return unreadable(std::strerror(errno));
  if (!S_ISREG(found.st_mode)) return unreadable(S_ISDIR(found.st_mode) ? "it is a folder" : "it is no regular file");
  const auto size = static_cast<std::size_t>(found.st_size);
  const std::size_t begin = size - std::min(size, kLookedAt);
  std::string end(size - begin, '\0');
  std::size_t have = 0;
  while (have < end.size()) {
    const ssize_t bytes =
        ::pread(file.number(), end.data() + have, end.size() - have, static_cast<off_t>(begin + have));
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes < 0) return unreadable(std::strerror(errno));
    if (bytes == 0) break;  // it has become shorter
    have += static_cast<std::size_t>(bytes);
  }
  end.resize(have);
  const std::size_t last = end.find_last_not_of(" \t\r\n");
  if (last == std::string::npos) return std::string();
  end.resize(last + 1);
  const std::size_t newline = end.rfind('\n');
  if ((newline == std::string::npos && begin > 0) || end.size() - (newline + 1) > kMaxLine)
    return unreadable(fmt::format("its last line is longer than {} KiB", kMaxLine >> 10));
  return trimmed(std::string_view(end).substr(newline + 1));
}

void read_file_sensors(const automation::Sections& sections, PlanReader& reader) {
  reader.platforms_of(sections, kFile, "sensor", [&](const std::string& domain, const ConfigNode& item) {
    reader.add(kFile, item, [&](ConfigReader& in, PolledPlan& plan) {
      read_entity(in, domain, "File", plan);
      const std::string path = automation::read_text(in, "file_path");
      if (path.empty()) automation::note_missing(in, in.node(), "file_path");
      if (path.contains('\0')) automation::note(in, *in.find("file_path"), "the path has a zero byte in it");
      read_scan_interval(in, plan, std::chrono::seconds(30));
      plan.source = [path](const PolledEnvironment& environment) {
        return std::make_unique<FileSource>(environment, path);
      };
    });
  });
}

}  // namespace hearth::building_blocks

// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/text/timestamp.h"
#include "base/threads/descriptor.h"
#include "building_blocks/notify/channels.h"

namespace hearth::building_blocks {
namespace {

std::unexpected<Undelivered> file_fault(std::string_view path, std::string_view what) {
  return std::unexpected(Undelivered{.why = fmt::format("{}: {}", path, what), .may_pass = true});
}

// Appends the text, below a heading if the file is new, or nothing at all.
Delivery append(const std::string& path, const std::string& heading, const std::string& text) {
  // Does not wait for the other end of a pipe.
  const base::Descriptor file(
      ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0644));
  if (!file.is_open()) return file_fault(path, std::strerror(errno));
  struct stat present{};
  if (::fstat(file.number(), &present) != 0) return file_fault(path, std::strerror(errno));
  if (!S_ISREG(present.st_mode)) return file_fault(path, "is no regular file");
  const std::string all = present.st_size == 0 ? heading + text : text;
  if (static_cast<std::size_t>(present.st_size) + all.size() > FileNotice::kMaxBytes)
    return file_fault(path, fmt::format("has reached {} MiB", FileNotice::kMaxBytes >> 20));
  std::string_view rest = all;
  while (!rest.empty()) {
    const ssize_t written = ::write(file.number(), rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const std::string why = std::strerror(errno);
      if (::ftruncate(file.number(), present.st_size) != 0) return file_fault(path, why + ", and half a line remains");
      return file_fault(path, why);
    }
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

class FileChannel final : public Channel {
 public:
  FileChannel(const FileNotice& notice, const ChannelNeeds& needs)
      : hub_(needs.home.hub),
        files_(needs.files),
        path_((needs.folder / notice.path).string()),
        timestamp_(notice.timestamp) {}

  void send(const Message& message, Done done) override {
    const std::string now = base::to_string(hub_.clock.now());
    const std::string heading =
        fmt::format("{} notifications (Log started: {})\n{}\n", title_of(message, hub_), now, std::string(80, '-'));
    const std::string line = timestamp_ ? fmt::format("{} {}\n", now, message.text) : message.text + "\n";
    files_.run([path = path_, heading, line](const std::atomic<bool>&) { return append(path, heading, line); },
               std::move(done));
  }

 private:
  core::Hub& hub_;
  Background& files_;
  const std::string path_;
  const bool timestamp_;
};

}  // namespace

std::unique_ptr<Channel> make_file_channel(const FileNotice& notice, const ChannelNeeds& needs) {
  return std::make_unique<FileChannel>(notice, needs);
}

}  // namespace hearth::building_blocks

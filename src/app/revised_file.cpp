// SPDX-License-Identifier: Apache-2.0
#include "app/revised_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/log.h"

namespace hearth::app {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;

std::unexpected<base::Error> cannot_write(const fs::path& file) {
  return base::fail(ErrorCode::unavailable,
                    fmt::format("{} cannot be written: {}", file.native(), std::strerror(errno)));
}

base::Result<void> replace_file(const fs::path& file, const std::string& text) {
  // A link stays one, and the file keeps who may read it.
  std::error_code error;
  const fs::path real = fs::weakly_canonical(file, error);
  if (error) return base::fail(ErrorCode::unavailable, fmt::format("{}: {}", file.native(), error.message()));
  const std::string made = real.native() + ".tmp";
  const int descriptor = ::open(made.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (descriptor < 0) return cannot_write(file);
  if (struct stat former{}; ::stat(real.c_str(), &former) == 0)
    static_cast<void>(::fchmod(descriptor, former.st_mode & 07777));
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t bytes = ::write(descriptor, text.data() + written, text.size() - written);
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes < 0) break;
    written += static_cast<std::size_t>(bytes);
  }
  const bool saved = written == text.size() && ::fsync(descriptor) == 0;
  const int why = errno;
  ::close(descriptor);
  errno = why;
  if (saved && ::rename(made.c_str(), real.c_str()) == 0) return {};
  auto failed = cannot_write(file);
  ::unlink(made.c_str());
  return failed;
}

void keep_revision(const fs::path& home, const fs::path& file, const std::string& text) {
  if (text.empty()) return;
  const fs::path folder = revisions_of(home, file);
  std::error_code error;
  fs::create_directories(folder, error);
  std::vector<std::string> names;
  for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error))
    names.push_back(entry->path().filename().native());
  std::ranges::sort(names);
  std::size_t next = 1;
  if (!names.empty()) next = static_cast<std::size_t>(std::strtoull(names.back().c_str(), nullptr, 10)) + 1;
  std::ofstream out(folder / fmt::format("{:08}.yaml", next), std::ios::binary);
  out << text;
  if (error || !out) return base::log_warning("automation", "the former text of {} could not be kept", file.native());
  for (std::size_t index = 0; index + kRevisions <= names.size(); ++index) fs::remove(folder / names[index], error);
}

}  // namespace

fs::path revisions_of(const fs::path& home, const fs::path& file) {
  return home / ".revisions" / file.lexically_relative(home);
}

std::vector<fs::path> revisions_in(const fs::path& home, const fs::path& file) {
  std::vector<fs::path> all;
  std::error_code error;
  for (auto entry = fs::directory_iterator(revisions_of(home, file), error);
       !error && entry != fs::directory_iterator(); entry.increment(error))
    all.push_back(entry->path());
  std::ranges::sort(all, std::ranges::greater());
  return all;
}

base::Result<void> write_revised(const fs::path& home, const fs::path& file, const std::string& former,
                                 const std::string& text) {
  keep_revision(home, file, former);
  return replace_file(file, text);
}

}  // namespace hearth::app

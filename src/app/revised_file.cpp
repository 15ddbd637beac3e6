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
#include <iterator>

#include "app/configuration_file.h"
#include "app/yaml_loader.h"
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

// The note of a former text stands beside it.
fs::path note_of(const fs::path& revision) {
  return fs::path(revision).replace_extension(".json");
}

void keep_revision(const fs::path& home, const fs::path& file, const std::string& text, const json::object& note) {
  if (text.empty()) return;
  const fs::path folder = revisions_of(home, file);
  std::error_code error;
  fs::create_directories(folder, error);
  const std::vector<fs::path> former = revisions_in(home, file);
  std::size_t next = 1;
  if (!former.empty())
    next = static_cast<std::size_t>(std::strtoull(former.front().filename().c_str(), nullptr, 10)) + 1;
  const fs::path kept = folder / fmt::format("{:08}.yaml", next);
  std::ofstream out(kept, std::ios::binary);
  // Nobody reads it who may not read the file.
  if (struct stat status{}; ::stat(file.c_str(), &status) == 0)
    static_cast<void>(::chmod(kept.c_str(), status.st_mode & 0777));
  out << text;
  if (error || !out) return base::log_warning("automation", "the former text of {} could not be kept", file.native());
  if (!note.empty()) std::ofstream(note_of(kept), std::ios::binary) << base::to_json(note);
  for (std::size_t index = kRevisions - 1; index < former.size(); ++index) {
    fs::remove(former[index], error);
    fs::remove(note_of(former[index]), error);
  }
}

// What cannot be read would take all with it that stands in the file.
base::Result<void> check_readable(const std::string& text, const std::string& name) {
  if (text.size() > kMaxFileSize) {
    return base::fail(base::ErrorCode::invalid,
                      fmt::format("{}: would be larger than {} MiB, as no file may be", name, kMaxFileSize >> 20));
  }
  if (const auto read = load_yaml(text, name); !read)
    return base::fail(base::ErrorCode::invalid, "This would be in the file: " + read.error().message);
  return {};
}

}  // namespace

fs::path revisions_of(const fs::path& home, const fs::path& file) {
  return home / ".revisions" / file.lexically_relative(home);
}

std::vector<fs::path> revisions_in(const fs::path& home, const fs::path& file) {
  std::vector<fs::path> all;
  std::error_code error;
  for (auto entry = fs::directory_iterator(revisions_of(home, file), error);
       !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (entry->path().extension() == ".yaml" && !entry->is_directory(error)) all.push_back(entry->path());
  }
  std::ranges::sort(all, std::ranges::greater());
  return all;
}

json::object note_in(const fs::path& revision) {
  const fs::path file = note_of(revision);
  std::error_code error;
  const auto size = fs::file_size(file, error);
  if (error || size > kMaxNoteBytes) return {};
  std::ifstream in(file, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  auto note = base::parse_json(text);
  return note && note->is_object() ? std::move(note->get_object()) : json::object();
}

base::Result<void> write_revised(const fs::path& home, const fs::path& file, const std::string& former,
                                 const std::string& text, const json::object& note) {
  if (auto checked = check_readable(text, file.lexically_relative(home).string()); !checked) return checked;
  keep_revision(home, file, former, note);
  return replace_file(file, text);
}

base::Result<void> remove_revised(const fs::path& home, const fs::path& file, const std::string& former,
                                  const json::object& note) {
  keep_revision(home, file, former, note);
  if (::unlink(file.c_str()) != 0) return cannot_write(file);
  return {};
}

base::Result<void> undo_revised(const fs::path& home, const fs::path& file, const std::string& former) {
  std::error_code error;
  if (former.empty()) {
    fs::remove(file, error);
    return {};
  }
  if (const auto kept = revisions_in(home, file); !kept.empty()) {
    fs::remove(note_of(kept.front()), error);
    fs::remove(kept.front(), error);
  }
  return replace_file(file, former);
}

}  // namespace hearth::app

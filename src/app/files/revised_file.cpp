// SPDX-License-Identifier: Apache-2.0
#include "app/files/revised_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "app/files/configuration_file.h"
#include "app/files/private_file.h"
#include "base/log/log.h"

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
  unsigned mode = 0600;
  if (struct stat former{}; ::stat(real.c_str(), &former) == 0) mode = former.st_mode & 07777;
  return write_private_file(real, text, mode);
}

// The note of a former text stands beside it.
fs::path note_of(const fs::path& revision) {
  return fs::path(revision).replace_extension(".json");
}

void keep_revision(const fs::path& home, const fs::path& file, const std::string& text, const json::object& note) {
  if (text.empty()) return;
  const fs::path folder = revisions_of(home, file);
  std::error_code error;
  if (const auto made = make_private_folder(home, folder); !made)
    return base::log_warning("automation", "the former text of {} could not be kept: {}", file.native(),
                             made.error().message);
  const std::vector<fs::path> former = revisions_in(home, file, error);
  // Not knowing them, it would write over one.
  if (error)
    return base::log_warning("automation", "the former text of {} could not be kept: {}", file.native(),
                             error.message());
  std::size_t next = 1;
  if (!former.empty())
    next = static_cast<std::size_t>(std::strtoull(former.front().filename().c_str(), nullptr, 10)) + 1;
  const fs::path kept = folder / fmt::format("{:08}.yaml", next);
  auto written = write_private_file(kept, text);
  if (written && !note.empty()) written = write_private_file(note_of(kept), base::to_json(note));
  if (!written)
    return base::log_warning("automation", "the former text of {} could not be kept: {}", file.native(),
                             written.error().message);
  for (std::size_t index = kRevisions - 1; index < former.size(); ++index) {
    fs::remove(former[index], error);
    fs::remove(note_of(former[index]), error);
  }
}

// A file that is too large would take all with it that stands in it.
base::Result<void> check_size(const std::string& text, const std::string& name) {
  if (text.size() <= kMaxFileSize) return {};
  return base::fail(base::ErrorCode::invalid,
                    fmt::format("{}: would be larger than {} MiB, as no file may be", name, kMaxFileSize >> 20));
}

}  // namespace

fs::path revisions_of(const fs::path& home, const fs::path& file) {
  return home / ".revisions" / file.lexically_relative(home);
}

std::vector<fs::path> revisions_in(const fs::path& home, const fs::path& file, std::error_code& error) {
  std::vector<fs::path> all;
  for (auto entry = fs::directory_iterator(revisions_of(home, file), error);
       !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (entry->path().extension() == ".yaml" && !entry->is_directory(error)) all.push_back(entry->path());
  }
  if (error == std::errc::no_such_file_or_directory) error.clear();
  std::ranges::sort(all, std::ranges::greater());
  return all;
}

std::vector<fs::path> revisions_in(const fs::path& home, const fs::path& file) {
  std::error_code ignored;
  return revisions_in(home, file, ignored);
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
  if (auto checked = check_size(text, file.lexically_relative(home).string()); !checked) return checked;
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

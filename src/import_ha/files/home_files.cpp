// SPDX-License-Identifier: Apache-2.0
#include "import_ha/files/home_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

namespace hearth::import_ha {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxFolders = 32;  // within each other
constexpr std::string_view kSecretsFile = "secrets.yaml";

std::unexpected<base::Error> not_written(const fs::path& file, int error) {
  return base::fail(base::ErrorCode::unavailable,
                    fmt::format("{}: cannot be written: {}", file.native(), std::generic_category().message(error)));
}

base::Result<void> make_folders(const fs::path& folder) {
  std::error_code error;
  if (fs::exists(folder, error)) return {};
  if (folder.has_parent_path()) {
    if (auto made = make_folders(folder.parent_path()); !made) return made;
  }
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return not_written(folder, errno);
  return {};
}

}  // namespace

base::Result<std::optional<std::string>> HomeFiles::read(const fs::path& file) const {
  std::error_code error;
  if (fs::is_symlink(source_.folder() / file, error) && !is_inside(source_.folder() / file)) {
    leave(file, "file", Why::out_of_range, "a link that leads to no file of the folder");
    return std::optional<std::string>();
  }
  return source_.read_text(file);
}

base::Result<void> HomeFiles::write(const fs::path& file, std::string_view text, unsigned mode) const {
  const fs::path path = home_ / file;
  if (auto made = make_folders(path.parent_path()); !made) return made;
  const int to = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
  if (to < 0) return not_written(path, errno);
  int error = ::fchmod(to, mode) == 0 ? 0 : errno;
  while (error == 0 && !text.empty()) {
    const auto written = ::write(to, text.data(), text.size());
    if (written >= 0)
      text.remove_prefix(static_cast<std::size_t>(written));
    else if (errno != EINTR)
      error = errno;
  }
  if (::close(to) != 0 && error == 0) error = errno;
  if (error != 0) return not_written(path, error);
  return {};
}

base::Result<void> HomeFiles::make_folder(const fs::path& folder) const {
  return make_folders(home_ / folder);
}

base::Result<void> HomeFiles::append(const fs::path& file, std::string_view text) const {
  std::ifstream in(home_ / file, std::ios::binary);
  std::string whole{std::istreambuf_iterator<char>(in), {}};
  if (!whole.empty() && !whole.ends_with('\n')) whole += '\n';
  return write(file, whole + std::string(text));
}

base::Result<bool> HomeFiles::copy(const fs::path& file, const fs::path& to) const {
  const auto text = read(file);
  if (!text) return std::unexpected(text.error());
  if (!*text) return false;
  if (auto written = write(to.empty() ? file : to, **text); !written) return std::unexpected(written.error());
  return true;
}

bool HomeFiles::is_inside(const fs::path& path) const {
  std::error_code error;
  const fs::path root = fs::canonical(source_.folder(), error);
  if (error) return false;
  const fs::path real = fs::weakly_canonical(path, error);
  if (error) return false;
  const fs::path within = real.lexically_relative(root);
  return !within.empty() && *within.begin() != "..";
}

bool HomeFiles::has(const fs::path& file) const {
  std::error_code error;
  const fs::path path = source_.folder() / file;
  return fs::exists(path, error) && is_inside(path);
}

void HomeFiles::leave(const fs::path& file, const std::string& what, Why why, std::string text) const {
  report_.add({.what = what,
               .id = file.generic_string(),
               .fate = Fate::left,
               .why = why,
               .text = std::move(text),
               .file = file.generic_string()});
}

base::Result<void> HomeFiles::copy_folder(const fs::path& folder, const std::string& what) const {
  return copy_folder(folder, what, 0);
}

base::Result<void> HomeFiles::copy_folder(const fs::path& folder, const std::string& what, int depth) const {
  std::error_code error;
  const fs::path from = source_.folder() / folder;
  if (!fs::exists(from, error)) return {};
  if (!is_inside(from)) {
    leave(folder, what, Why::out_of_range, "a link out of the folder");
    return {};
  }
  if (depth > kMaxFolders) {
    leave(folder, what, Why::out_of_range, fmt::format("more than {} folders within each other", kMaxFolders));
    return {};
  }
  std::vector<fs::path> names;
  auto entry = fs::directory_iterator(from, error);
  for (const auto end = fs::directory_iterator(); !error && entry != end; entry.increment(error))
    names.push_back(entry->path().filename());
  if (error) return base::fail(base::ErrorCode::unavailable, fmt::format("{}: {}", folder.native(), error.message()));
  std::ranges::sort(names);
  if (auto made = make_folders(home_ / folder); !made) return made;
  for (const fs::path& name : names) {
    if (!go_on_()) return base::fail(base::ErrorCode::unavailable, "cancelled");
    const fs::path path = from / name;
    const auto status = fs::status(path, error);
    const bool is_folder = !error && status.type() == fs::file_type::directory;
    auto copied = is_folder ? copy_folder(folder / name, what, depth + 1) : copy_plain(folder / name, what);
    if (!copied) return copied;
  }
  return {};
}

base::Result<void> HomeFiles::copy_plain(const fs::path& file, const std::string& what) const {
  std::error_code error;
  const fs::path from = source_.folder() / file;
  const auto status = fs::status(from, error);
  if (!is_inside(from) || status.type() != fs::file_type::regular) {
    const bool outside = fs::is_symlink(from, error);
    leave(file, what, Why::out_of_range, outside ? "a link that leads to no file of the folder" : "no plain file");
    return {};
  }
  const std::uintmax_t size = fs::file_size(from, error);
  if (error || size > Source::kMaxFile) {
    leave(file, what, Why::out_of_range, fmt::format("larger than {} MiB", Source::kMaxFile >> 20));
    return {};
  }
  fs::copy_file(from, home_ / file, fs::copy_options::overwrite_existing, error);
  if (error)
    return base::fail(base::ErrorCode::unavailable,
                      fmt::format("{}: cannot be copied: {}", file.native(), error.message()));
  ::chmod((home_ / file).c_str(), 0644);
  report_.count(plural_of(what), Fate::carried);
  return {};
}

base::Result<void> HomeFiles::copy_secrets_of(const fs::path& file) {
  for (fs::path folder = file.parent_path();; folder = folder.parent_path()) {
    if (secrets_.insert(folder).second) {
      if (auto copied = copy(folder / kSecretsFile); !copied) return std::unexpected(copied.error());
    }
    if (folder.empty()) return {};
  }
}

std::optional<fs::path> HomeFiles::named(const fs::path& from, const std::string& name) const {
  if (name.empty() || name.contains('\0')) return {};
  const fs::path path = (from.parent_path() / name).lexically_normal();
  if (path.is_absolute() || path.empty() || *path.begin() == "..") return {};
  if (!is_inside(source_.folder() / path)) return {};
  return path;
}

std::vector<fs::path> HomeFiles::yaml_below(const fs::path& folder) const {
  std::vector<fs::path> files;
  std::error_code error;
  const fs::path from = source_.folder() / folder;
  auto entry = fs::recursive_directory_iterator(from, error);
  for (const auto end = fs::recursive_directory_iterator(); !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().native();
    std::error_code gone;
    if (name.starts_with('.')) {
      entry.disable_recursion_pending();
    } else if (name.ends_with(".yaml") && name != kSecretsFile && entry->is_regular_file(gone)) {
      if (is_inside(entry->path()))
        files.push_back((folder / entry->path().lexically_relative(from)).lexically_normal());
      else
        leave(folder / entry->path().lexically_relative(from), "file", Why::out_of_range, "a link out of the folder");
    }
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace hearth::import_ha

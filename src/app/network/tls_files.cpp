// SPDX-License-Identifier: Apache-2.0
#include "app/network/tls_files.h"

#include <fmt/format.h>
#include <sys/inotify.h>
#include <sys/stat.h>

#include <cerrno>
#include <set>
#include <system_error>

#include "base/log/log.h"
#include "base/text/timestamp.h"

namespace hearth::app {
namespace {

constexpr std::size_t kReadAtOnce = 16 * 1024;
// Of a folder: programs replace a file, or a link to it, or write into it.
constexpr std::uint32_t kChanges = IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE | IN_ATTRIB;

bool may_others_read(const std::filesystem::path& file) {
  struct ::stat found;
  return ::stat(file.c_str(), &found) == 0 && (found.st_mode & (S_IRWXG | S_IRWXO)) != 0;
}

}  // namespace

TlsFiles::TlsFiles(boost::asio::io_context& io, std::filesystem::path folder, TlsSettings settings, Use use)
    : certificate_(folder / settings.certificate),
      key_(folder / settings.key),
      settings_(std::move(settings)),
      use_(std::move(use)),
      changes_(io),
      settles_(io),
      read_buffer_(kReadAtOnce) {}

base::Result<void> TlsFiles::start() {
  if (auto usable = read(); !usable) return usable;
  watch();
  return {};
}

base::Result<void> TlsFiles::read() {
  auto loaded = http::TlsContext::load(certificate_, key_, settings_.min_version);
  {
    const base::MutexLock lock(mutex_);
    error_ = loaded ? "" : loaded.error().message;
    others_may_read_ = may_others_read(key_);
  }
  if (!loaded) return std::unexpected(std::move(loaded.error()));
  base::log_info("http", "the certificate {} is in force, until {}", certificate_.native(),
                 base::to_string((*loaded)->not_after()));
  use_(std::move(*loaded));
  return {};
}

void TlsFiles::reload() {
  if (auto usable = read(); !usable)
    base::log_error("http", "the former certificate stays in force: {}", usable.error().message);
}

// Folders are watched: a file that is replaced is another one. What a link leads to is watched, too.
void TlsFiles::watch() {
  const int number = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (number < 0) {
    base::log_warning("http", "changes of the certificate are seen after SIGHUP only: {}",
                      std::system_category().message(errno));
    return;
  }
  changes_.assign(number);
  std::set<std::filesystem::path> folders;
  for (const auto& file : {certificate_, key_}) {
    std::error_code ignored;
    folders.insert(file.parent_path());
    folders.insert(std::filesystem::canonical(file, ignored).parent_path());
  }
  for (const auto& folder : folders)
    if (!folder.empty()) ::inotify_add_watch(number, folder.c_str(), kChanges);
  wait();
}

void TlsFiles::wait() {
  changes_.async_read_some(boost::asio::buffer(read_buffer_),
                           [this](const boost::system::error_code& error, std::size_t) {
                             if (error) return;
                             settles_.expires_after(kSettles);
                             settles_.async_wait([this](const boost::system::error_code& again) {
                               if (!again) reload();
                             });
                             wait();
                           });
}

std::vector<core::Issue> TlsFiles::issues() const {
  using enum core::Issue::Severity;
  const base::MutexLock lock(mutex_);
  std::vector<core::Issue> found;
  if (!error_.empty())
    found.push_back({"hearth", "certificate_refused", "certificate_refused", error, {{"error", error_}}});
  if (others_may_read_)
    found.push_back({"hearth", "key_is_readable", "key_is_readable", warning, {{"file", key_.native()}}});
  return found;
}

}  // namespace hearth::app

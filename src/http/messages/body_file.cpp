// SPDX-License-Identifier: Apache-2.0
#include "http/messages/body_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace hearth::http {

BodyFilePtr BodyFile::create(const BodySource& source) {
  const int descriptor = ::memfd_create("hearth-body", MFD_CLOEXEC);
  if (descriptor < 0) return nullptr;
  const auto file = std::shared_ptr<BodyFile>(new BodyFile(descriptor));
  std::string piece;
  for (bool more = true; more;) {
    piece.clear();
    more = source(piece);
    if (!file->append(piece)) return nullptr;
  }
  return file;
}

BodyFilePtr BodyFile::open(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return nullptr;
  const auto file = std::shared_ptr<BodyFile>(new BodyFile(descriptor));
  struct stat status;
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return nullptr;
  file->size_ = static_cast<std::size_t>(status.st_size);
  return file;
}

BodyFile::~BodyFile() {
  ::close(descriptor_);
}

bool BodyFile::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ::ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    size_ += static_cast<std::size_t>(written);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace hearth::http

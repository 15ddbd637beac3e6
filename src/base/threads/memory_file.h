// SPDX-License-Identifier: Apache-2.0
// A text as a file in memory. Any thread.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/threads/descriptor.h"

namespace hearth::base {

// Read from its beginning, as the input of a program: unlike with a pipe, nobody has to write while it is read. Other
// programs do not inherit it. Fails with unavailable.
inline Result<Descriptor> memory_file(std::string_view text) {
  const auto failed = [](std::string_view what) {
    return fail(ErrorCode::unavailable, std::string(what) + ": " + std::strerror(errno));
  };
  Descriptor file(::memfd_create("input", MFD_CLOEXEC));
  if (!file.is_open()) return failed("The input cannot be made");
  while (!text.empty()) {
    const ssize_t written = ::write(file.number(), text.data(), text.size());
    if (written < 0 && errno != EINTR) return failed("The input cannot be written");
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::lseek(file.number(), 0, SEEK_SET) != 0) return failed("The input cannot be read");
  return file;
}

}  // namespace hearth::base

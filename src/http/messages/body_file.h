// SPDX-License-Identifier: Apache-2.0
// A body that many connections send: immutable, in an anonymous file in memory (memfd_create(2)) or a file of the disk
// that nobody changes, sent by the kernel without copies. Any thread.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace hearth::http {

// Appends a piece (about 64 KiB) of a body and returns whether there is more.
using BodySource = std::function<bool(std::string& out)>;

class BodyFile;
using BodyFilePtr = std::shared_ptr<const BodyFile>;

class BodyFile {
 public:
  // Null if the system is out of memory or descriptors. Reads the source to its end.
  static BodyFilePtr create(const BodySource& source);
  // Null if it is no regular file that can be read. Does not follow a link.
  static BodyFilePtr open(const std::filesystem::path& path);
  ~BodyFile();
  BodyFile(const BodyFile&) = delete;
  BodyFile& operator=(const BodyFile&) = delete;

  int descriptor() const { return descriptor_; }
  std::size_t size() const { return size_; }

 private:
  explicit BodyFile(int descriptor) : descriptor_(descriptor) {}
  bool append(std::string_view bytes);

  const int descriptor_;
  std::size_t size_ = 0;
};

}  // namespace hearth::http

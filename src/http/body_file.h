// SPDX-License-Identifier: Apache-2.0
// A body that many connections get: immutable, in a file without a name, in memory (memfd_create(2)), from which the
// kernel sends without copying it. Any thread.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace hearth::http {

// Appends a piece (about 64 KiB) of a body and says whether there is more.
using BodySource = std::function<bool(std::string& out)>;

class BodyFile;
using BodyFilePtr = std::shared_ptr<const BodyFile>;

class BodyFile {
 public:
  // Null where the system has no memory or no descriptor left for it. The source is taken to its end.
  static BodyFilePtr create(const BodySource& source);
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

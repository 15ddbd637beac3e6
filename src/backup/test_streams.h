// SPDX-License-Identifier: Apache-2.0
// For tests: streams to and from a string.
#pragma once

#include <optional>
#include <string>

#include "backup/byte_stream.h"

namespace hearth::backup {

class TextSink final : public ByteSink {
 public:
  base::Result<void> write(std::string_view bytes) override { return text += bytes, base::Result<void>(); }
  base::Result<void> finish() override { return finished = true, base::Result<void>(); }

  std::string text;
  bool finished = false;
};

class TextSource final : public ByteSource {
 public:
  TextSource(std::string text, std::size_t piece) : text_(std::move(text)), piece_(piece) {}
  base::Result<std::string_view> next() override {
    if (at_ >= text_.size() && failure) return std::unexpected(*failure);
    const std::string_view found = std::string_view(text_).substr(std::min(at_, text_.size()), piece_);
    at_ += found.size();
    return found;
  }

  std::optional<base::Error> failure;  // returned at the end

 private:
  const std::string text_;
  const std::size_t piece_;
  std::size_t at_ = 0;
};

// All of it, or the error.
inline base::Result<std::string> read_to_the_end(ByteSource& source) {
  std::string text;
  for (;;) {
    const auto piece = source.next();
    if (!piece) return std::unexpected(piece.error());
    if (piece->empty()) return text;
    text += *piece;
  }
}

// Compressible, but not trivially so.
inline std::string sample_text(std::size_t size) {
  std::string text;
  for (unsigned seed = 1; text.size() < size;) {
    seed = seed * 1'664'525U + 1'013'904'223U;
    text.append(1 + seed % 3, static_cast<char>(seed >> 24));
  }
  text.resize(size);
  return text;
}

}  // namespace hearth::backup

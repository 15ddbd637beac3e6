// SPDX-License-Identifier: Apache-2.0
// Frames of event streams, built once and sent to many, and runs of them. Frames: any thread; a run belongs to a
// worker.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hearth::http {

// Bytes in chunked coding (RFC 9112 §7.1).
class Frame {
 public:
  explicit Frame(std::string_view payload);
  std::string_view chunk() const { return bytes_; }
  std::string_view payload() const { return std::string_view(bytes_).substr(start_, bytes_.size() - start_ - 2); }

 private:
  std::string bytes_;
  std::size_t start_;
};
using FramePtr = std::shared_ptr<const Frame>;

// Consecutive frames for several readers: their bytes are joined once for all of them.
class FrameRun {
 public:
  static constexpr std::size_t kMaxBytes = 256 * 1024;

  void add(FramePtr frame);
  bool full() const { return chunks().size() >= kMaxBytes; }
  const std::vector<FramePtr>& frames() const { return frames_; }
  std::string_view chunks() const { return frames_.size() == 1 ? frames_.front()->chunk() : std::string_view(joined_); }

 private:
  std::vector<FramePtr> frames_;
  std::string joined_;  // set from the second frame on
};

}  // namespace hearth::http

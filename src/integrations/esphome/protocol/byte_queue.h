// SPDX-License-Identifier: Apache-2.0
// Bytes that came and are read from the front. One thread at a time.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace hearth::integrations::esphome {

class ByteQueue {
 public:
  void put(std::string_view bytes) {
    if (begin_ == bytes_.size()) {
      bytes_.clear();
      begin_ = 0;
      if (bytes_.capacity() > kKept) bytes_.shrink_to_fit();
    } else if (begin_ > kKept) {
      bytes_.erase(0, begin_);
      begin_ = 0;
    }
    bytes_.append(bytes);
  }
  std::string_view rest() const { return std::string_view(bytes_).substr(begin_); }
  // Valid until the next put. REQUIRES: rest() has so many.
  std::string_view take(std::size_t count) {
    const std::string_view taken = rest().substr(0, count);
    begin_ += count;
    return taken;
  }
  // The same bytes, to be changed in place.
  std::span<unsigned char> take_mutable(std::size_t count) {
    auto* const at = reinterpret_cast<unsigned char*>(bytes_.data()) + begin_;
    begin_ += count;
    return {at, count};
  }

 private:
  static constexpr std::size_t kKept = 4 * 1024;

  std::string bytes_;
  std::size_t begin_ = 0;
};

}  // namespace hearth::integrations::esphome

// SPDX-License-Identifier: Apache-2.0
#include "backup/tar_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>
#include <span>

namespace hearth::backup {
namespace {

constexpr std::size_t kBlock = 512;
using Block = std::array<char, kBlock>;

// The fields of the header by offset (GNU tar manual, "Basic Tar Format").
constexpr std::size_t kName = 0, kMode = 100, kOwner = 108, kGroup = 116, kSize = 124, kModified = 136, kSum = 148,
                      kType = 156, kUstar = 257;
constexpr std::size_t kNameLength = 100;

// In octal digits; a number too large for them in binary, after a marker.
void put_number(Block& header, std::size_t place, std::size_t length, std::uint64_t value) {
  const std::string digits = fmt::format("{:0{}o}", value, length - 1);
  if (digits.size() < length) {
    std::ranges::copy(digits, header.begin() + static_cast<std::ptrdiff_t>(place));
    return;
  }
  header[place] = static_cast<char>(0x80);
  for (std::size_t i = length - 1; i > 0; --i, value >>= 8) header[place + i] = static_cast<char>(value & 0xFF);
}

Block make_header(std::string_view name, char type, const TarEntry& entry) {
  Block header{};
  std::ranges::copy(name.substr(0, kNameLength), header.begin() + kName);
  put_number(header, kMode, 8, entry.mode & 0777U);
  put_number(header, kOwner, 8, 0);
  put_number(header, kGroup, 8, 0);
  put_number(header, kSize, 12, entry.bytes);
  put_number(header, kModified, 12, static_cast<std::uint64_t>(std::max<std::time_t>(entry.modified, 0)));
  header[kType] = type;
  std::ranges::copy(std::string_view("ustar  "), header.begin() + kUstar);
  // The checksum counts its own field as blanks.
  std::ranges::fill(std::span(header).subspan(kSum, 8), ' ');
  const unsigned sum = std::accumulate(header.begin(), header.end(), 0U,
                                       [](unsigned so_far, char c) { return so_far + static_cast<unsigned char>(c); });
  put_number(header, kSum, 7, sum);
  header[kSum + 6] = '\0';
  return header;
}

std::string_view view(const Block& block) {
  return {block.data(), block.size()};
}

}  // namespace

base::Result<void> TarWriter::begin(const TarEntry& entry) {
  assert(left_ == 0);
  if (auto padded = pad(); !padded) return padded;
  if (entry.path.size() > kNameLength) {
    // The name is written as a file of its own before it.
    TarEntry name{"", entry.path.size() + 1, 0644, 0};
    if (auto done = out_.write(view(make_header("././@LongLink", 'L', name))); !done) return done;
    left_ = name.bytes;
    if (auto done = write({entry.path.c_str(), name.bytes}); !done) return done;
    if (auto padded = pad(); !padded) return padded;
  }
  left_ = entry.bytes;
  return out_.write(view(make_header(entry.path, '0', entry)));
}

base::Result<void> TarWriter::write(std::string_view bytes) {
  assert(bytes.size() <= left_);
  left_ -= bytes.size();
  in_block_ = (in_block_ + bytes.size()) % kBlock;
  return out_.write(bytes);
}

base::Result<void> TarWriter::pad() {
  if (in_block_ == 0) return {};
  const std::size_t rest = kBlock - std::exchange(in_block_, 0);
  return out_.write(view(Block{}).substr(0, rest));
}

base::Result<void> TarWriter::finish() {
  assert(left_ == 0);
  if (auto padded = pad(); !padded) return padded;
  for (int i = 0; i < 2; ++i) {
    if (auto done = out_.write(view(Block{})); !done) return done;
  }
  return out_.finish();
}

}  // namespace hearth::backup

// SPDX-License-Identifier: Apache-2.0
#include "import_ha/history/dealt_rows.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstring>
#include <system_error>

#include "base/json/json_fields.h"

namespace hearth::import_ha {
namespace {

using base::Result;

constexpr int kDealtLevel = 1;
constexpr std::size_t kMaxDealtBlock = 64 * 1024 * 1024;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using OpenFile = std::unique_ptr<std::FILE, CloseFile>;

std::unexpected<base::Error> file_failed(const std::filesystem::path& file) {
  return base::fail(base::ErrorCode::unavailable,
                    fmt::format("{}: {}.", file.string(), std::generic_category().message(errno)));
}

}  // namespace

Result<DealtRows> DealtRows::open(std::filesystem::path folder, std::string name, std::vector<Size> sizes) {
  DealtRows dealt;
  dealt.folder_ = std::move(folder);
  dealt.name_ = std::move(name);
  dealt.sizes_ = std::move(sizes);
  dealt.blocks_.resize(dealt.sizes_.size());
  dealt.rows_.resize(dealt.sizes_.size());
  dealt.context_.reset(ZSTD_createCCtx());
  ZSTD_CCtx_setParameter(dealt.context_.get(), ZSTD_c_compressionLevel, kDealtLevel);
  for (std::size_t file = 0; file < dealt.sizes_.size(); ++file) {
    const OpenFile made(std::fopen(dealt.path(file).c_str(), "ab"));
    if (!made) return file_failed(dealt.path(file));
    std::error_code error;
    if (std::filesystem::file_size(dealt.path(file), error) < dealt.sizes_[file].bytes || error) {
      return base::fail(base::ErrorCode::unavailable,
                        fmt::format("{}: shorter than it was; begin anew.", dealt.path(file).string()));
    }
    std::filesystem::resize_file(dealt.path(file), dealt.sizes_[file].bytes, error);
    if (error) return file_failed(dealt.path(file));
  }
  return dealt;
}

std::filesystem::path DealtRows::path(std::size_t file) const {
  return folder_ / fmt::format("{}.{}", name_, file);
}

std::string& DealtRows::row(std::size_t file) {
  std::string& block = blocks_[file];
  if (block.empty()) {
    block.reserve(kBlock + kBlock / 4);
    if (on_new_block) on_new_block(file);
  }
  return block;
}

Result<void> DealtRows::end_row(std::size_t file) {
  ++rows_[file];
  if (blocks_[file].size() < kBlock) return {};
  return write(file);
}

Result<void> DealtRows::write(std::size_t file) {
  std::string& block = blocks_[file];
  if (block.empty()) return {};
  constexpr std::size_t kHead = sizeof(std::uint32_t);
  packed_.resize(kHead + ZSTD_compressBound(block.size()));
  const std::size_t size =
      ZSTD_compress2(context_.get(), packed_.data() + kHead, packed_.size() - kHead, block.data(), block.size());
  if (ZSTD_isError(size)) return base::fail(base::ErrorCode::internal, ZSTD_getErrorName(size));
  const auto head = static_cast<std::uint32_t>(size);
  std::memcpy(packed_.data(), &head, kHead);
  OpenFile out(std::fopen(path(file).c_str(), "ab"));
  if (!out || std::fwrite(packed_.data(), 1, kHead + size, out.get()) != kHead + size ||
      std::fclose(out.release()) != 0)
    return file_failed(path(file));
  sizes_[file].bytes += kHead + size;
  sizes_[file].raw += block.size();
  sizes_[file].rows += std::exchange(rows_[file], 0);
  block.clear();
  return {};
}

Result<void> DealtRows::flush() {
  for (std::size_t file = 0; file < blocks_.size(); ++file) {
    if (auto done = write(file); !done) return done;
  }
  return {};
}

Result<void> DealtRows::read(std::size_t file, const std::function<Result<void>(std::string block)>& take) const {
  const OpenFile in(std::fopen(path(file).c_str(), "rb"));
  if (!in) return file_failed(path(file));
  std::string packed;
  std::uint32_t head;
  for (std::uint64_t at = 0; at < sizes_[file].bytes; at += sizeof head + head) {
    if (std::fread(&head, sizeof head, 1, in.get()) != 1 || head > kMaxDealtBlock) return file_failed(path(file));
    packed.resize(head);
    if (std::fread(packed.data(), 1, head, in.get()) != head) return file_failed(path(file));
    const auto size = ZSTD_getFrameContentSize(packed.data(), packed.size());
    std::string block(size <= kMaxDealtBlock ? size : 0, '\0');
    if (ZSTD_decompress(block.data(), block.size(), packed.data(), packed.size()) != size)
      return base::fail(base::ErrorCode::unavailable, fmt::format("{} is damaged; begin anew.", path(file).string()));
    if (auto taken = take(std::move(block)); !taken) return taken;
  }
  return {};
}

void DealtRows::remove(std::size_t file) {
  std::error_code ignored;
  std::filesystem::remove(path(file), ignored);
}

void DealtRows::remove_all() {
  for (std::size_t file = 0; file < sizes_.size(); ++file) remove(file);
}

std::uint64_t DealtRows::bytes() const {
  std::uint64_t sum = 0;
  for (const Size& size : sizes_) sum += size.bytes;
  return sum;
}

json::array to_json(const std::vector<DealtRows::Size>& sizes) {
  json::array list;
  for (const DealtRows::Size& size : sizes) list.push_back(json::array{size.bytes, size.rows, size.raw});
  return list;
}

std::vector<DealtRows::Size> sizes_of(const json::value& value) {
  std::vector<DealtRows::Size> sizes;
  if (!value.is_array()) return sizes;
  for (const json::value& each : value.get_array()) {
    const json::array& numbers = each.as_array();
    sizes.push_back({numbers.at(0).to_number<std::uint64_t>(), numbers.at(1).to_number<std::uint64_t>(),
                     numbers.at(2).to_number<std::uint64_t>()});
  }
  return sizes;
}

}  // namespace hearth::import_ha

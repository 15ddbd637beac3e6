// SPDX-License-Identifier: Apache-2.0
// Temporary files of rows, dealt by a key, compressed in blocks, so that what belongs together is read together. A row
// is bytes whose meaning is their writer's.
//
// One thread. Memory: a block for each file.
#pragma once

#include <zstd.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "base/result.h"

namespace hearth::import_ha {

class DealtRows {
 public:
  static constexpr std::size_t kBlock = 192 * 1024;  // bytes, before compression

  // Of one file.
  struct Size {
    std::uint64_t bytes = 0;  // of its whole blocks on the disk
    std::uint64_t rows = 0, raw = 0;
  };

  // Files `<name>.<number>` in the folder, as many as sizes: longer ones are cut, others made.
  static base::Result<DealtRows> open(std::filesystem::path folder, std::string name, std::vector<Size> sizes);
  DealtRows(DealtRows&&) = default;

  // Called before the block of a file is written, and before its first row: what a row refers to lies in its block.
  // Null: nothing.
  std::function<void(std::size_t file)> on_new_block = {};
  // The block to append a row to. REQUIRES: `end_row` follows.
  std::string& row(std::size_t file);
  base::Result<void> end_row(std::size_t file);
  // Writes all blocks that have begun. The sizes are valid until the next row.
  base::Result<void> flush();
  const std::vector<Size>& sizes() const { return sizes_; }

  // Calls for each block of a file with its bytes, which `take` may keep. It ends early if `take` fails.
  base::Result<void> read(std::size_t file, const std::function<base::Result<void>(std::string block)>& take) const;
  void remove(std::size_t file);
  // With what they take on the disk.
  void remove_all();
  std::uint64_t bytes() const;

 private:
  struct FreeContext {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  };

  DealtRows() = default;
  std::filesystem::path path(std::size_t file) const;
  base::Result<void> write(std::size_t file);

  std::filesystem::path folder_;
  std::string name_;
  std::vector<Size> sizes_;
  std::vector<std::string> blocks_;
  std::vector<std::uint64_t> rows_;  // of the blocks
  std::string packed_;
  std::unique_ptr<ZSTD_CCtx, FreeContext> context_;
};

json::array to_json(const std::vector<DealtRows::Size>& sizes);
std::vector<DealtRows::Size> sizes_of(const json::value& value);

}  // namespace hearth::import_ha

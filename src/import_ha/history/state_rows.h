// SPDX-License-Identifier: Apache-2.0
// Rows of states in temporary files: some 20 to 40 bytes each before compression. A block says each entity and each set
// of attributes once. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "base/text/text_map.h"
#include "import_ha/history/dealt_rows.h"
#include "import_ha/history/old_values.h"

namespace hearth::import_ha {

// A state of the old home. Its texts belong to whoever made it.
struct OldState {
  std::int64_t id = 0;
  std::string_view entity;
  std::uint32_t entity_hash = 0;
  base::Timestamp updated, changed;
  bool removed = false;
  std::string_view value, attributes;                                         // empty if it was removed
  const std::uint8_t *context = nullptr, *parent = nullptr, *user = nullptr;  // 16 bytes; null: none
};

std::uint32_t entity_hash(std::string_view entity_id);

class StateRowWriter {
 public:
  // The files must outlive this, and have no other writer.
  explicit StateRowWriter(DealtRows& files);
  StateRowWriter(const StateRowWriter&) = delete;
  StateRowWriter& operator=(const StateRowWriter&) = delete;
  ~StateRowWriter() { files_.on_new_block = {}; }

  base::Result<void> add(std::size_t file, const OldState& state);

 private:
  struct Block {
    base::TextMap<std::uint64_t> texts;  // entities and sets of attributes, by the order in which they come
    std::int64_t id = 0, updated = 0;    // of the row before
  };
  static void put_text(std::string& out, Block& block, std::string_view text);

  DealtRows& files_;
  std::vector<Block> blocks_;
};

// Many rows of one or some files in memory, 56 bytes each and the bytes of their blocks.
class StatePiece {
 public:
  struct Row {
    base::Timestamp updated;
    std::int64_t id;
    base::Duration unchanged;  // from `changed` to `updated`
    const char* value;
    const std::uint8_t* ids;
    std::uint32_t entity, attributes;  // indexes of texts
    std::uint16_t value_size;
    std::uint8_t flags;
  };

  // Fails with unavailable if the block is damaged.
  base::Result<void> add(std::string block);
  void clear();

  std::vector<Row>& rows() { return rows_; }
  // Valid until clear. The hash of the entity is not set.
  OldState state(const Row& row) const;

 private:
  std::uint32_t index(std::string_view text);

  std::vector<std::string> blocks_;
  std::vector<Row> rows_;
  std::unordered_map<std::string_view, std::uint32_t> indexes_;
  std::vector<std::string_view> texts_;
};

}  // namespace hearth::import_ha

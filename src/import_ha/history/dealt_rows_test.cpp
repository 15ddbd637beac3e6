// SPDX-License-Identifier: Apache-2.0
#include "import_ha/history/dealt_rows.h"

#include <gtest/gtest.h>

#include "storage/temporary_folder.h"

namespace hearth::import_ha {
namespace {

void deal(DealtRows& rows, std::string_view text) {
  for (std::size_t file = 0; file < 2; ++file) {
    rows.row(file) += text;
    rows.end_row(file).value();
  }
}

std::string all(const DealtRows& rows, std::size_t file) {
  std::string text;
  rows.read(file,
            [&](const std::string& block) {
              text += block + '|';
              return base::Result<void>();
            })
      .value();
  return text;
}

TEST(DealtRows, GoesOnWhereItWasNoted) {
  const storage::TemporaryFolder folder;
  std::vector<DealtRows::Size> noted(2);
  {
    auto rows = DealtRows::open(folder.path(), "rows", noted).value();
    deal(rows, "one ");
    deal(rows, "two ");
    rows.flush().value();
    noted = sizes_of(to_json(rows.sizes()));
    deal(rows, "lost ");
    rows.flush().value();
  }
  auto rows = DealtRows::open(folder.path(), "rows", noted).value();
  EXPECT_EQ("one two |", all(rows, 1));
  deal(rows, "three ");
  rows.flush().value();
  EXPECT_EQ("one two |three |", all(rows, 0));
  EXPECT_EQ(3u, rows.sizes()[0].rows);
  EXPECT_EQ(14u, rows.sizes()[0].raw);
  rows.remove_all();
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(DealtRows, WritesABlockWhenItIsFull) {
  const storage::TemporaryFolder folder;
  auto rows = DealtRows::open(folder.path(), "rows", std::vector<DealtRows::Size>(2)).value();
  int begun = 0;
  rows.on_new_block = [&](std::size_t file) { begun += file == 0; };
  const std::string text(DealtRows::kBlock / 4, 'x');
  for (int i = 0; i < 9; ++i) deal(rows, text);
  EXPECT_EQ(3, begun);
  EXPECT_EQ(8u, rows.sizes()[0].rows);
}

TEST(DealtRows, RefusesFilesThatAreShorterThanNoted) {
  const storage::TemporaryFolder folder;
  EXPECT_FALSE(DealtRows::open(folder.path(), "rows", {{.bytes = 10, .rows = 1, .raw = 10}}));
}

}  // namespace
}  // namespace hearth::import_ha

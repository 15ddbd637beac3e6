// SPDX-License-Identifier: Apache-2.0
#include "fleet/batch.h"

#include <gtest/gtest.h>

#include <chrono>

#include "fleet/frame.h"
#include "recorder/log/columns.h"

namespace hearth::fleet {
namespace {

using namespace std::chrono_literals;
using recorder::TailEntry;

constexpr base::Timestamp kStart{std::chrono::sys_days(std::chrono::year(2026) / 11 / 21)};
constexpr std::string_view kEpoch = "0123456789abcdef0123456789abcdef";

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// A batch of one entry whose frame has these bytes.
std::string with_frame(std::string_view frame) {
  recorder::ColumnWriter out;
  out.number(Batch::kFormat);
  out.text("lake");
  out.text(kEpoch);
  for (const std::uint64_t number : {2, 12, 1}) out.number(number);
  return std::string(out.bytes()).append(frame);
}

TailEntry change(std::int64_t number, std::string_view id, std::string_view value) {
  TailEntry entry;
  entry.entity = 7;
  entry.entity_id = id;
  entry.change.number = number;
  entry.change.updated = entry.change.changed = kStart + number * 1s;
  entry.change.value = value;
  entry.change.attributes = R"({"unit_of_measurement":"°C"})";
  return entry;
}

recorder::TailPart part() {
  recorder::TailPart part;
  part.history = kEpoch;
  part.until = 12;
  part.entries.push_back(change(3, "sensor.a", "21.5"));
  part.entries.push_back(change(4, "sensor.b", "on"));
  part.entries.back().change.changed = kStart;
  part.entries.back().change.context_id = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
  part.entries.back().change.user_id = "u";
  part.entries.push_back(change(9, "sensor.b", ""));
  part.entries.back().change.removed = true;
  part.entries.back().change.attributes = {};
  part.entries.back().change.updated = kStart - 1h;  // the clock was set back
  TailEntry event;
  event.change.number = 10;
  event.change.updated = event.change.changed = kStart;
  event.type = "automation_triggered";
  event.data = R"({"name":"x"})";
  part.entries.push_back(event);
  return part;
}

std::string failure(std::string_view bytes) {
  const auto batch = decode_batch(bytes_of(bytes));
  return batch ? "none" : batch.error().message;
}

TEST(Batch, ReadsBackAsItWas) {
  const auto part = fleet::part();
  const auto batch = decode_batch(bytes_of(encode_batch("lake", 2, part).value())).value();
  EXPECT_EQ("lake", batch.site);
  EXPECT_EQ(kEpoch, batch.epoch);
  EXPECT_EQ(2, batch.after);
  EXPECT_EQ(12, batch.until);
  const std::string bytes = encode_batch("lake", 2, part).value();
  const BatchHeader header = read_header(bytes_of(bytes)).value();
  EXPECT_EQ("lake", header.site);
  EXPECT_EQ(kEpoch, header.epoch);
  EXPECT_EQ(2, header.after);
  EXPECT_EQ(12, header.until);
  EXPECT_EQ(4u, header.count);
  ASSERT_EQ(part.entries.size(), batch.entries.size());
  for (std::size_t i = 0; i < part.entries.size(); ++i) {
    EXPECT_EQ(part.entries[i].change, batch.entries[i].change) << i;
    EXPECT_EQ(part.entries[i].entity, batch.entries[i].entity) << i;
    EXPECT_EQ(part.entries[i].entity_id, batch.entries[i].entity_id) << i;
    EXPECT_EQ(part.entries[i].type, batch.entries[i].type) << i;
    EXPECT_EQ(part.entries[i].data, batch.entries[i].data) << i;
  }
}

TEST(Batch, IsSmall) {
  recorder::TailPart part;
  part.history = kEpoch;
  part.until = 100;
  std::vector<std::string> values, ids, contexts;
  for (int i = 0; i < 100; ++i) {
    values.push_back(std::to_string(200 + i * 7 % 40));
    ids.push_back("sensor.room_" + std::to_string(i % 40) + "_temperature");
    contexts.push_back("01ARZ3NDEKTSV4RRFFQ69G" + std::to_string(1'000 + i * 7919 % 9'000));
  }
  for (int i = 0; i < 100; ++i) {
    part.entries.push_back(change(i + 1, ids[i], values[i]));
    part.entries.back().entity = i % 40;
    part.entries.back().change.context_id = contexts[i];
  }
  EXPECT_LT(encode_batch("lake", 0, part)->size(), 3'000u);
}

TEST(Batch, NamesWhatIsWrong) {
  EXPECT_EQ("This is no batch of changes: it has no format.", failure(""));
  EXPECT_EQ("This is no batch of changes: its head is damaged.", failure("\1garbage"));
  EXPECT_EQ("This is no batch of changes: it is no frame of zstd.", failure(with_frame("garbage")));
  std::string damaged = encode_batch("lake", 2, part()).value();
  damaged[damaged.size() / 2] ^= 1;
  EXPECT_TRUE(failure(damaged).starts_with("This is no batch of changes: "));
  EXPECT_EQ("This is no batch of changes: its size is wrong.", failure(encode_batch("lake", 2, part()).value() + "x"));
  EXPECT_EQ("This is no batch of changes: it has more than 16 MiB.",
            failure(with_frame(pack_frame(std::string(17 << 20, '\0')))));
  recorder::ColumnWriter empty_texts;  // 15 million, of a byte each
  empty_texts.number(15'000'000);
  EXPECT_EQ("This is no batch of changes: its texts are damaged.",
            failure(with_frame(pack_frame(std::string(empty_texts.bytes()) + std::string(15'000'000, '\0')))));
  recorder::ColumnWriter newer;
  newer.number(9);
  EXPECT_EQ("The format 9 of batches is not known here: a newer hub has made it.", failure(newer.bytes()));
  EXPECT_EQ(base::ErrorCode::unavailable, decode_batch(bytes_of(newer.bytes())).error().code);
  EXPECT_EQ("This is no batch of changes: its numbers are out of order.",
            failure(encode_batch("lake", 3, part()).value()));
  auto part = fleet::part();
  part.entries[0].entity_id = "Sensor A";
  EXPECT_EQ("This is no batch of changes: an entity's id is none.", failure(encode_batch("lake", 2, part).value()));
  part = fleet::part();
  part.until = 9;
  EXPECT_EQ("This is no batch of changes: its numbers are out of order.",
            failure(encode_batch("lake", 2, part).value()));
  part = fleet::part();
  part.entries[0].change.updated = base::Timestamp::max();
  EXPECT_EQ("This is no batch of changes: a time is none.", failure(encode_batch("lake", 2, part).value()));
  part = fleet::part();
  part.history = "short";
  EXPECT_EQ("This is no batch of changes: it does not name its history.",
            failure(encode_batch("lake", 2, part).value()));
}

TEST(Batch, KnowsNamesOfSites) {
  EXPECT_TRUE(is_site_name("lake_house_2"));
  for (const std::string_view name : {"", "Lake", "lake-house", "a.b", "_a", "lake house"})
    EXPECT_FALSE(is_site_name(name));
  EXPECT_FALSE(is_site_name(std::string(33, 'a')));
  EXPECT_EQ("lake-" + std::string(kEpoch) + "-7-9", message_id("lake", kEpoch, 7, 9));
}

}  // namespace
}  // namespace hearth::fleet

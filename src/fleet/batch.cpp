// SPDX-License-Identifier: Apache-2.0
#include "fleet/batch.h"

#include <fmt/format.h>

#include <cassert>

#include "core/values/entity_id.h"
#include "fleet/frame.h"
#include "recorder/log/columns.h"

namespace hearth::fleet {
namespace {

using base::Result;
using recorder::Change;
using recorder::ColumnReader;
using recorder::ColumnWriter;
using recorder::TailEntry;
using recorder::TextTable;
using recorder::unzigzag;
using recorder::zigzag;

std::unexpected<base::Error> no_batch(std::string_view why) {
  return base::fail(base::ErrorCode::invalid, fmt::format("This is no batch of changes: {}.", why));
}

std::int64_t micros(base::Timestamp time) {
  return time.time_since_epoch().count();
}

// The parts of an entry that are texts, in the order of the format.
constexpr std::string_view Change::* kTexts[] = {&Change::value, &Change::attributes, &Change::context_id,
                                                 &Change::parent_id, &Change::user_id};
// With an entity's id or an event's type, and its data.
constexpr std::size_t kTextsOfEntry = std::size(kTexts) + 2;

// ---- packing

void write_entry(ColumnWriter& out, TextTable& texts, const TailEntry& entry, const Change& before) {
  const Change& change = entry.change;
  out.number(static_cast<std::uint64_t>(change.number - before.number));
  out.number(static_cast<std::uint64_t>(entry.entity));
  out.number(zigzag((change.updated - before.updated).count()));
  out.number(zigzag((change.updated - change.changed).count()));
  out.number(change.removed ? 1 : 0);
  out.number(texts.index(entry.is_event() ? entry.type : entry.entity_id));
  out.number(texts.index(entry.data));
  for (const auto part : kTexts) out.number(texts.index(change.*part));
}

// ---- unpacking

struct Texts {
  std::string bytes;  // of the whole batch
  std::vector<std::string_view> texts;
};

// `last` is the entry before.
bool read_entry(ColumnReader& in, const std::vector<std::string_view>& texts, const Change& last, TailEntry& entry) {
  const auto text = [&](std::string_view& value) {
    std::uint64_t index;
    if (!in.number(index, texts.size() - 1)) return false;
    value = texts[index];
    return true;
  };
  Change& change = entry.change;
  std::uint64_t step, entity, time, changed, removed;
  if (!in.number(step, INT64_MAX) || !in.number(entity, INT64_MAX) || !in.number(time) || !in.number(changed) ||
      !in.number(removed, 1))
    return false;
  // Unsigned: what somebody made up must not overflow.
  const auto at = static_cast<std::uint64_t>(micros(last.updated)) + static_cast<std::uint64_t>(unzigzag(time));
  change.number = static_cast<std::int64_t>(static_cast<std::uint64_t>(last.number) + step);
  change.updated = base::Timestamp(base::Duration(static_cast<std::int64_t>(at)));
  change.changed =
      base::Timestamp(base::Duration(static_cast<std::int64_t>(at - static_cast<std::uint64_t>(unzigzag(changed)))));
  change.removed = removed != 0;
  entry.entity = static_cast<std::int64_t>(entity);
  if (!text(entry.is_event() ? entry.type : entry.entity_id) || !text(entry.data)) return false;
  for (const auto part : kTexts) {
    if (!text(change.*part)) return false;
  }
  return true;
}

// Times that a clock can show; texts of them have four digits for the year.
bool is_time(base::Timestamp time) {
  using namespace std::chrono;
  return time >= sys_days(year(1970) / 1 / 1) && time < sys_days(year(9999) / 1 / 1);
}

Result<void> check(const Batch& batch) {
  std::int64_t last = batch.after;
  for (const TailEntry& entry : batch.entries) {
    if (entry.change.number <= last || entry.change.number > batch.until)
      return no_batch("its numbers are out of order");
    last = entry.change.number;
    if (!is_time(entry.change.updated) || !is_time(entry.change.changed)) return no_batch("a time is none");
    if (!entry.is_event() && !core::EntityId::parse(entry.entity_id)) return no_batch("an entity's id is none");
  }
  return {};
}

}  // namespace

bool is_site_name(std::string_view name) {
  return name.size() <= kMaxSiteName && core::is_slug(name);
}

bool is_epoch(std::string_view name) {
  return name.size() == 32 && name.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string message_id(std::string_view site, std::string_view epoch, std::int64_t after, std::int64_t until) {
  return fmt::format("{}-{}-{}-{}", site, epoch, after, until);
}

Result<std::string> encode_batch(std::string_view site, std::int64_t after, const recorder::TailPart& part) {
  assert(is_site_name(site) && part.entries.size() <= Batch::kMaxEntries);
  TextTable texts;
  texts.index("");
  ColumnWriter entries;
  Change before;
  before.number = after;
  for (const TailEntry& entry : part.entries) {
    write_entry(entries, texts, entry, before);
    before = entry.change;
  }
  ColumnWriter out;
  out.number(Batch::kFormat);
  out.text(site);
  out.text(part.history);
  out.number(static_cast<std::uint64_t>(after));
  out.number(static_cast<std::uint64_t>(part.until));
  out.number(part.entries.size());
  ColumnWriter packed;
  texts.write(packed);
  std::string bytes(packed.bytes());
  bytes += entries.bytes();
  if (bytes.size() > Batch::kMaxBytes)
    return base::fail(base::ErrorCode::full, "The changes are too large for one batch.");
  return std::string(out.bytes()) + pack_frame(bytes);
}

Result<BatchHeader> read_header(std::span<const std::uint8_t> bytes) {
  ColumnReader in({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  std::uint64_t format, after, until, count;
  if (!in.number(format)) return no_batch("it has no format");
  if (format != Batch::kFormat) {
    return base::fail(base::ErrorCode::unavailable,
                      fmt::format("The format {} of batches is not known here: a newer hub has made it.", format));
  }
  BatchHeader header;
  if (!in.text(header.site) || !in.text(header.epoch) || !in.number(after, INT64_MAX) || !in.number(until, INT64_MAX) ||
      !in.number(count, Batch::kMaxEntries))
    return no_batch("its head is damaged");
  if (!is_site_name(header.site)) return no_batch("the site's name is no slug of 1 to 32 characters");
  if (!is_epoch(header.epoch)) return no_batch("it does not name its history");
  if (after > until) return no_batch("its numbers are out of order");
  header.after = static_cast<std::int64_t>(after);
  header.until = static_cast<std::int64_t>(until);
  header.count = count;
  header.frame = in.rest();
  return header;
}

Result<Batch> decode_batch(std::span<const std::uint8_t> bytes) {
  auto header = read_header(bytes);
  if (!header) return std::unexpected(std::move(header.error()));
  auto unpacked = unpack_frame(header->frame, Batch::kMaxBytes);
  if (!unpacked) return no_batch(unpacked.error().message);
  auto texts = std::make_shared<Texts>();
  texts->bytes = std::move(*unpacked);
  ColumnReader in(texts->bytes);
  // No more than an encoder writes: 16 MiB might be 16 million empty ones.
  if (!in.texts(texts->texts, 1 + kTextsOfEntry * header->count) || texts->texts.empty())
    return no_batch("its texts are damaged");
  Batch batch{std::string(header->site), std::string(header->epoch), header->after, header->until, {}, {}};
  Change last;
  last.number = batch.after;
  for (std::size_t i = 0; i < header->count; ++i) {
    TailEntry& entry = batch.entries.emplace_back();
    if (!read_entry(in, texts->texts, last, entry)) return no_batch("an entry is damaged");
    last = entry.change;
  }
  if (!in.done()) return no_batch("it goes on after its end");
  if (auto good = check(batch); !good) return std::unexpected(std::move(good.error()));
  batch.texts = std::move(texts);
  return batch;
}

}  // namespace hearth::fleet

// SPDX-License-Identifier: Apache-2.0
#include "fleet/batch.h"

#include <fmt/format.h>
#include <zstd.h>

#include <cassert>
#include <new>
#include <stdexcept>
#include <unordered_map>

#include "core/entity_id.h"
#include "recorder/columns.h"

namespace hearth::fleet {
namespace {

using base::Result;
using recorder::Change;
using recorder::ColumnReader;
using recorder::ColumnWriter;
using recorder::TailEntry;
using recorder::unzigzag;
using recorder::zigzag;

constexpr int kLevel = 3;
constexpr std::size_t kEpochSize = 32;  // hexadecimal digits

std::unexpected<base::Error> no_batch(std::string_view why) {
  return base::fail(base::ErrorCode::invalid, fmt::format("This is no batch of changes: {}.", why));
}

std::int64_t micros(base::Timestamp time) {
  return time.time_since_epoch().count();
}

// The parts of an entry that are texts, in the order of the format.
constexpr std::string_view Change::* kTexts[] = {&Change::value, &Change::attributes, &Change::context_id,
                                                 &Change::parent_id, &Change::user_id};

// ---- packing

// Each text once, by the order in which they come; the empty one is number 0.
class TextTable {
 public:
  TextTable() { index(""); }
  std::uint64_t index(std::string_view text) {
    const auto [place, fresh] = indexes_.try_emplace(text, texts_.size());
    if (fresh) texts_.push_back(text);
    return place->second;
  }
  void write(ColumnWriter& out) const {
    out.number(texts_.size());
    for (const auto text : texts_) out.text(text);
  }

 private:
  std::unordered_map<std::string_view, std::uint64_t> indexes_;
  std::vector<std::string_view> texts_;
};

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

std::string compress(std::string_view bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  thread_local const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
  if (!context) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  const std::size_t size = ZSTD_compress2(context.get(), out.data(), out.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(size)) throw std::runtime_error(ZSTD_getErrorName(size));
  out.resize(size);
  return out;
}

// ---- unpacking

Result<std::string> decompress(std::span<const std::uint8_t> bytes) {
  const auto size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR) return no_batch("it is no frame of zstd");
  if (size > Batch::kMaxBytes) return no_batch(fmt::format("it has more than {} MiB", Batch::kMaxBytes >> 20));
  if (ZSTD_findFrameCompressedSize(bytes.data(), bytes.size()) != bytes.size()) return no_batch("its size is wrong");
  std::string out(size, '\0');
  if (ZSTD_decompress(out.data(), out.size(), bytes.data(), bytes.size()) != size) return no_batch("it is damaged");
  return out;
}

struct Texts {
  std::string bytes;  // of the whole batch
  std::vector<std::string_view> texts;
};

bool read_texts(ColumnReader& in, std::vector<std::string_view>& texts) {
  std::uint64_t count;
  // No text takes less than a byte.
  if (!in.number(count, Batch::kMaxBytes) || count == 0) return false;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::string_view text;
    if (!in.text(text)) return false;
    texts.push_back(text);
  }
  return texts.front().empty();
}

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
  if (!is_site_name(batch.site)) return no_batch("the site's name is no slug of 1 to 32 characters");
  if (batch.epoch.size() != kEpochSize) return no_batch("it does not name its history");
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

std::string message_id(std::string_view site, std::string_view epoch, std::int64_t after) {
  return fmt::format("{}-{}-{}", site, epoch, after);
}

Result<std::string> encode_batch(std::string_view site, std::int64_t after, const recorder::TailPart& part) {
  assert(is_site_name(site) && part.entries.size() <= Batch::kMaxEntries);
  TextTable texts;
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
  texts.write(out);
  out.number(part.entries.size());
  std::string bytes(out.bytes());
  bytes += entries.bytes();
  if (bytes.size() > Batch::kMaxBytes)
    return base::fail(base::ErrorCode::full, "The changes are too large for one batch.");
  return compress(bytes);
}

Result<Batch> decode_batch(std::span<const std::uint8_t> bytes) {
  auto unpacked = decompress(bytes);
  if (!unpacked) return std::unexpected(std::move(unpacked.error()));
  auto texts = std::make_shared<Texts>();
  texts->bytes = std::move(*unpacked);
  ColumnReader in(texts->bytes);
  std::uint64_t format, after, until, count;
  if (!in.number(format)) return no_batch("it has no format");
  if (format != Batch::kFormat) {
    return base::fail(base::ErrorCode::unavailable,
                      fmt::format("The format {} of batches is not known here: a newer hub has made it.", format));
  }
  std::string_view site, epoch;
  if (!in.text(site) || !in.text(epoch) || !in.number(after, INT64_MAX) || !in.number(until, INT64_MAX) ||
      !read_texts(in, texts->texts) || !in.number(count, Batch::kMaxEntries))
    return no_batch("its head is damaged");
  Batch batch{std::string(site),
              std::string(epoch),
              static_cast<std::int64_t>(after),
              static_cast<std::int64_t>(until),
              {},
              {}};
  Change last;
  last.number = batch.after;
  for (std::uint64_t i = 0; i < count; ++i) {
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

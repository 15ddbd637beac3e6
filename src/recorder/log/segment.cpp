// SPDX-License-Identifier: Apache-2.0
#include "recorder/log/segment.h"

#include <zstd.h>

#include <algorithm>
#include <cassert>
#include <stdexcept>

#include "recorder/log/columns.h"
#include "recorder/log/decimal_column.h"

namespace hearth::recorder {
namespace {

using Numbers = std::vector<std::uint64_t>;

constexpr std::uint64_t kPlain = 1, kNumbered = 2;  // versions
constexpr int kQuickLevel = 1, kLevel = 6;
constexpr std::size_t kMaxBytes = 256 * 1024 * 1024;  // unpacked: 65,536 changes, each with attributes of its own

// A dictionary of common attributes for the compression: without it a few changes of a sensor are mostly the names of
// its attributes. Existing segments need it unchanged.
constexpr std::string_view kUsual =
    R"("attribution":","entity_picture":"/api/,"options":[","latitude":5,"longitude":1,"source_type":"gps","rgb_color":[)"
    R"(,"xy_color":[0.,"hs_color":[,"effect_list":["color_temp_kelvin":,"min_color_temp_kelvin":2000,)"
    R"("max_color_temp_kelvin":6500,"color_mode":"brightness","supported_color_modes":["onoff","color_temp"],)"
    R"("brightness":255,"effect":null,"current_position":100,"hvac_modes":["off","heat","cool","auto"],"min_temp":7,)"
    R"("max_temp":35,"target_temp_step":0.5,"temperature":21,"current_temperature":2,"hvac_action":"heating",)"
    R"("preset_mode":"none","assumed_state":true,"restored":true,"supported_features":0,"last_reset":")"
    R"("device_class":"motion","device_class":"door","device_class":"battery","device_class":"illuminance",)"
    R"("unit_of_measurement":"lx","unit_of_measurement":"hPa","device_class":"voltage","unit_of_measurement":"V",)"
    R"("device_class":"current","unit_of_measurement":"A","device_class":"power","unit_of_measurement":"W",)"
    R"("device_class":"energy","state_class":"total_increasing","unit_of_measurement":"kWh","device_class":"humidity",)"
    R"("unit_of_measurement":"%","icon":"mdi:","friendly_name":"","device_class":"temperature",)"
    R"("state_class":"measurement","unit_of_measurement":"°C"}{"state_class":"measurement","unit_of_measurement":"°C",)"
    R"("device_class":"temperature","friendly_name":")";

// The code of a value: in the column of numbers, no value, or the index of a string in the dictionary.
enum : std::uint64_t { kNumber = 0, kRemoved = 1, kFirstText = 2 };
// When the value changed: with this change, with the one before, or that many microseconds earlier.
enum : std::uint64_t { kNow = 0, kAsBefore = 1, kEarlier = 2 };

std::int64_t micros(base::Timestamp time) {
  return time.time_since_epoch().count();
}

base::Timestamp from_micros(std::int64_t count) {
  return base::Timestamp(base::Duration(count));
}

// ---- packing

void write_times(ColumnWriter& out, std::span<const Change> changes) {
  out.number(zigzag(micros(changes.front().updated)));
  Numbers steps, changed;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const Change& change = changes[i];
    if (i > 0) steps.push_back(static_cast<std::uint64_t>((change.updated - changes[i - 1].updated).count()));
    if (change.changed == change.updated)
      changed.push_back(kNow);
    else if (i > 0 && change.changed == changes[i - 1].changed)
      changed.push_back(kAsBefore);
    else
      changed.push_back(kEarlier + zigzag((change.updated - change.changed).count()));
  }
  out.column(steps);
  out.column(changed);
}

// Returns for each change whether its value is in the column of numbers.
std::vector<bool> write_values(ColumnWriter& out, std::span<const Change> changes) {
  std::vector<std::string_view> decimals;
  std::vector<bool> numeric(changes.size());
  for (std::size_t i = 0; i < changes.size(); ++i) {
    numeric[i] = !changes[i].removed && is_decimal(changes[i].value);
    if (numeric[i]) decimals.push_back(changes[i].value);
  }
  const auto form = decimals.empty() ? std::nullopt : common_form(decimals);

  TextTable texts;
  Numbers codes, steps;
  std::int64_t last = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (changes[i].removed) {
      codes.push_back(kRemoved);
    } else if (numeric[i] && form) {
      codes.push_back(kNumber);
      const std::int64_t units = to_units(changes[i].value, *form);
      steps.push_back(zigzag(units - last));
      last = units;
    } else {
      codes.push_back(kFirstText + texts.index(changes[i].value));
    }
  }
  texts.write(out);
  out.column(codes);
  out.number(form ? static_cast<std::uint64_t>(form->zeros) : 0);
  out.number(form ? static_cast<std::uint64_t>(form->scale) : 0);
  out.number(steps.empty() ? 0 : steps.front());
  out.column(std::span(steps).subspan(steps.empty() ? 0 : 1));
  return numeric;
}

void write_texts(ColumnWriter& out, std::span<const Change> changes, std::string_view Change::* part) {
  TextTable texts;
  Numbers indexes;
  for (const Change& change : changes) indexes.push_back(texts.index(change.*part));
  texts.write(out);
  out.column(indexes);
}

void write_context_ids(ColumnWriter& out, std::span<const Change> changes, const std::vector<bool>& numeric) {
  TextTable ids;
  Numbers indexes;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const bool kept = !numeric[i] || !changes[i].parent_id.empty();
    indexes.push_back(ids.index(kept ? changes[i].context_id : std::string_view()));
  }
  ids.write(out);
  out.column(indexes);
}

bool is_numbered(std::span<const Change> changes) {
  return std::ranges::any_of(changes, [](const Change& change) { return change.number != 0; });
}

void write_numbers(ColumnWriter& out, std::span<const Change> changes) {
  Numbers steps;
  std::int64_t last = changes.front().number;
  out.number(zigzag(last));
  for (const Change& change : changes.subspan(1)) {
    // Unsigned: damaged numbers must not overflow.
    const auto step = static_cast<std::uint64_t>(change.number) - static_cast<std::uint64_t>(last);
    steps.push_back(zigzag(static_cast<std::int64_t>(step)));
    last = change.number;
  }
  out.column(steps);
}

std::string compress(std::string_view bytes, Effort effort) {
  thread_local const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, effort == Effort::quick ? kQuickLevel : kLevel);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  ZSTD_CCtx_refPrefix(context.get(), kUsual.data(), kUsual.size());
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size = ZSTD_compress2(context.get(), out.data(), out.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(size)) throw std::runtime_error(ZSTD_getErrorName(size));
  out.resize(size);
  return out;
}

// ---- unpacking

bool decompress(std::span<const std::uint8_t> bytes, std::string& out) {
  const auto size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR || size > kMaxBytes) return false;
  // A damaged frame may claim more than it holds.
  if (ZSTD_findFrameCompressedSize(bytes.data(), bytes.size()) != bytes.size()) return false;
  thread_local const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), &ZSTD_freeDCtx);
  ZSTD_DCtx_refPrefix(context.get(), kUsual.data(), kUsual.size());
  out.resize(size);
  return ZSTD_decompressDCtx(context.get(), out.data(), size, bytes.data(), bytes.size()) == size;
}

bool read_dictionary(ColumnReader& in, ChangeList& list, std::vector<std::string_view>& texts) {
  if (!in.texts(texts, kMaxSegmentChanges)) return false;
  for (auto& text : texts) text = list.keep(text);
  return true;
}

bool read_times(ColumnReader& in, std::vector<Change>& changes) {
  std::uint64_t first;
  Numbers steps, changed;
  if (!in.number(first) || !in.column(steps, changes.size() - 1) || !in.column(changed, changes.size())) return false;
  // Sums wrap instead of overflowing: damage that a checksum missed gives wrong values, not undefined behaviour.
  auto at = static_cast<std::uint64_t>(unzigzag(first));
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (i > 0) at += steps[i - 1];
    changes[i].updated = from_micros(static_cast<std::int64_t>(at));
    if (changed[i] == kNow)
      changes[i].changed = changes[i].updated;
    else if (changed[i] == kAsBefore && i > 0)
      changes[i].changed = changes[i - 1].changed;
    else if (changed[i] >= kEarlier)
      changes[i].changed =
          from_micros(static_cast<std::int64_t>(at - static_cast<std::uint64_t>(unzigzag(changed[i] - kEarlier))));
    else
      return false;
  }
  return true;
}

bool read_numbers(ColumnReader& in, std::vector<Change>& changes) {
  std::uint64_t first;
  Numbers steps;
  if (!in.number(first) || !in.column(steps, changes.size() - 1)) return false;
  auto number = static_cast<std::uint64_t>(unzigzag(first));
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (i > 0) number += static_cast<std::uint64_t>(unzigzag(steps[i - 1]));
    changes[i].number = static_cast<std::int64_t>(number);
  }
  return true;
}

bool read_values(ColumnReader& in, ChangeList& list, std::vector<Change>& changes) {
  std::vector<std::string_view> texts;
  Numbers codes, steps;
  if (!read_dictionary(in, list, texts) || !in.column(codes, changes.size())) return false;
  std::size_t numbers = 0;
  for (const auto code : codes) numbers += code == kNumber;
  std::uint64_t zeros, scale, step;
  if (!in.number(zeros, 2) || !in.number(scale, DecimalForm::kMaxScale) || !in.number(step) ||
      !in.column(steps, numbers == 0 ? 0 : numbers - 1))
    return false;
  const DecimalForm form{static_cast<DecimalForm::Zeros>(zeros), static_cast<int>(scale)};
  std::uint64_t units = 0;
  std::size_t next = 0;
  std::string_view last;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (codes[i] == kRemoved) {
      changes[i].removed = true;
    } else if (codes[i] >= kFirstText) {
      if (codes[i] - kFirstText >= texts.size()) return false;
      changes[i].value = texts[codes[i] - kFirstText];
    } else {
      units += static_cast<std::uint64_t>(unzigzag(step));
      if (step != 0 || last.empty()) last = list.keep(from_units(static_cast<std::int64_t>(units), form));
      changes[i].value = last;
      if (next < steps.size()) step = steps[next++];
    }
  }
  return true;
}

bool read_texts(ColumnReader& in, ChangeList& list, std::vector<Change>& changes, std::string_view Change::* part) {
  std::vector<std::string_view> texts;
  Numbers indexes;
  if (!read_dictionary(in, list, texts) || !in.column(indexes, changes.size())) return false;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (indexes[i] >= texts.size()) return false;
    changes[i].*part = texts[indexes[i]];
  }
  return true;
}

bool read_segment(std::string_view bytes, ChangeList& list) {
  ColumnReader in(bytes);
  std::uint64_t version, count;
  if (!in.number(version) || (version != kPlain && version != kNumbered) || !in.number(count, kMaxSegmentChanges) ||
      count == 0)
    return false;
  std::vector<Change> changes(count);
  if (!read_times(in, changes) || !read_values(in, list, changes)) return false;
  for (const auto part : {&Change::attributes, &Change::user_id, &Change::parent_id, &Change::context_id}) {
    if (!read_texts(in, list, changes, part)) return false;
  }
  if (version == kNumbered && !read_numbers(in, changes)) return false;
  if (!in.done()) return false;
  list.reserve(count);
  for (const Change& change : changes) list.add_kept(change);
  return true;
}

}  // namespace

std::string encode_segment(std::span<const Change> changes, Effort effort) {
  assert(!changes.empty() && changes.size() <= kMaxSegmentChanges);
  ColumnWriter out;
  const bool numbered = is_numbered(changes);
  out.number(numbered ? kNumbered : kPlain);
  out.number(changes.size());
  write_times(out, changes);
  const std::vector<bool> numeric = write_values(out, changes);
  for (const auto part : {&Change::attributes, &Change::user_id, &Change::parent_id}) write_texts(out, changes, part);
  write_context_ids(out, changes, numeric);
  if (numbered) write_numbers(out, changes);
  return compress(out.bytes(), effort);
}

base::Result<ChangeList> decode_segment(std::span<const std::uint8_t> bytes) {
  ChangeList list;
  std::string unpacked;
  if (decompress(bytes, unpacked) && read_segment(unpacked, list)) return list;
  return base::fail(base::ErrorCode::internal, "A segment of history is damaged.");
}

}  // namespace hearth::recorder

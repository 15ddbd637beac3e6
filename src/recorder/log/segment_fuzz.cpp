// SPDX-License-Identifier: Apache-2.0
// Segments of history. The first byte says what the rest is: `z` a segment as stored; `c` the columns of one,
// compressed here, so that no checksum protects them; any other byte: changes to pack. For every input: what is decoded
// is bounded and complete, and the same after packing it again.
#include "recorder/log/segment.h"

#include <fuzzer/FuzzedDataProvider.h>
#include <zstd.h>

#include <algorithm>

#include "base/testing/fuzz_check.h"

namespace {

using namespace hearth;
using recorder::Change;

constexpr std::size_t kMaxPacked = 4'096;  // to pack again: that takes time

std::string compressed(std::string_view columns) {
  std::string out(ZSTD_compressBound(columns.size()), '\0');
  const std::size_t size = ZSTD_compress(out.data(), out.size(), columns.data(), columns.size(), 1);
  base::must(!ZSTD_isError(size), "it can be compressed");
  out.resize(size);
  return out;
}

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

bool is_number(std::string_view value) {
  return value.find_first_not_of("-.0123456789") == std::string_view::npos;
}

// Compares what packing keeps of a context: a number's may lose its id.
void same(const Change& one, const Change& other) {
  base::must(one.updated == other.updated && one.changed == other.changed, "times come back");
  base::must(one.removed == other.removed, "removals come back");
  if (!one.removed) base::must_equal(one.value, other.value, "values come back");
  base::must_equal(one.attributes, other.attributes, "attributes come back");
  base::must_equal(one.parent_id, other.parent_id, "parents come back");
  base::must_equal(one.user_id, other.user_id, "users come back");
  if (other.context_id.empty() && is_number(one.value) && one.parent_id.empty() && !one.removed) return;
  base::must_equal(one.context_id, other.context_id, "contexts come back");
}

void pack_and_compare(std::span<const Change> changes, recorder::Effort effort) {
  const auto again = recorder::decode_segment(bytes_of(recorder::encode_segment(changes, effort)));
  base::must(again.has_value() && again->size() == changes.size(), "what is packed can be unpacked");
  for (std::size_t i = 0; i < changes.size(); ++i) same(changes[i], again->changes()[i]);
}

// Plausible times: in order, with differences that can be stored.
bool can_be_packed(std::span<const Change> changes) {
  constexpr base::Timestamp least{base::Duration(-(std::int64_t(1) << 60))},
      most{base::Duration(std::int64_t(1) << 60)};
  return std::ranges::is_sorted(changes, {}, &Change::updated) && std::ranges::all_of(changes, [&](const Change& one) {
           return one.updated > least && one.updated < most && one.changed > least && one.changed < most;
         });
}

void decode(std::string_view segment) {
  const auto list = recorder::decode_segment(bytes_of(segment));
  if (!list) {
    base::must(list.error().code == base::ErrorCode::internal, "damage is the hub's affair");
    return;
  }
  base::must(!list->empty() && list->size() <= recorder::kMaxSegmentChanges, "what is decoded is bounded");
  std::size_t sum = 0;
  for (const Change& change : list->changes()) {
    for (const auto text : {change.value, change.attributes, change.context_id, change.parent_id, change.user_id}) {
      for (const char c : text.substr(0, 64)) sum += static_cast<unsigned char>(c);
    }
  }
  base::must(sum < SIZE_MAX, "all texts are there");
  if (list->size() <= kMaxPacked && can_be_packed(list->changes()))
    pack_and_compare(list->changes(), recorder::Effort::quick);
}

void encode(FuzzedDataProvider& in) {
  const auto effort = in.ConsumeIntegral<std::uint8_t>() == 0 ? recorder::Effort::thorough : recorder::Effort::quick;
  recorder::ChangeList list;
  base::Timestamp time{base::Duration(in.ConsumeIntegralInRange<std::int64_t>(-1'000'000, std::int64_t(1) << 52))};
  while (in.remaining_bytes() > 0 && list.size() < 1'000) {
    Change change;
    time += base::Duration(in.ConsumeIntegralInRange<std::int64_t>(0, 100'000'000'000));
    change.updated = time;
    change.changed = in.ConsumeBool() || list.empty() ? time - base::Duration(in.ConsumeIntegral<std::uint16_t>())
                                                      : list.changes().back().changed;
    change.removed = in.ConsumeIntegralInRange(0, 15) == 0;
    std::string value = in.ConsumeRandomLengthString(40);
    if (in.ConsumeBool())
      value =
          std::to_string(in.ConsumeIntegral<std::int32_t>()) + "." + std::to_string(in.ConsumeIntegral<std::uint8_t>());
    const std::string attributes = in.ConsumeRandomLengthString(60), context = in.ConsumeRandomLengthString(26),
                      parent = in.ConsumeRandomLengthString(26), user = in.ConsumeRandomLengthString(32);
    if (!change.removed) {
      change.value = value;
      change.attributes = attributes;
    }
    change.context_id = context;
    change.parent_id = parent;
    change.user_id = user;
    list.add(change);
  }
  if (list.empty()) return;
  pack_and_compare(list.changes(), effort);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto rest = base::fuzz_text(data + 1, size - 1);
  if (data[0] == 'z') {
    decode(rest);
  } else if (data[0] == 'c') {
    decode(compressed(rest));
  } else {
    FuzzedDataProvider in(data + 1, size - 1);
    encode(in);
  }
  return 0;
}

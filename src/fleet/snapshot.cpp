// SPDX-License-Identifier: Apache-2.0
#include "fleet/snapshot.h"

#include <fmt/format.h>

#include "recorder/log/columns.h"

namespace hearth::fleet {
namespace {

using base::Result;

std::unexpected<base::Error> no_snapshot(std::string_view why) {
  return base::fail(base::ErrorCode::invalid, fmt::format("This is no snapshot: {}.", why));
}

// The texts of an entry: views that outlive the encoding.
struct ContextTexts {
  std::string context_id, parent_id, user_id;
};

recorder::TailEntry entry_of(const core::State& state, std::int64_t number, ContextTexts& texts) {
  const core::Context context = state.context();
  texts.context_id = context.id.str();
  if (context.parent_id) texts.parent_id = context.parent_id->str();
  if (context.user_id) texts.user_id = context.user_id->str();
  recorder::TailEntry entry;
  entry.entity = 1;  // any: it is no event
  entry.entity_id = state.entity_id();
  entry.change.number = number;
  entry.change.updated = state.last_updated();
  entry.change.changed = state.last_changed();
  entry.change.value = state.value();
  entry.change.attributes = state.attributes_json();
  entry.change.context_id = texts.context_id;
  entry.change.parent_id = texts.parent_id;
  entry.change.user_id = texts.user_id;
  return entry;
}

// How many of the states make one part.
std::size_t size_of_part(std::span<const core::State* const> states) {
  std::size_t bytes = 0, count = 0;
  while (count < states.size() && count < SnapshotPart::kStates) {
    bytes += states[count]->json().size();
    if (count > 0 && bytes > SnapshotPart::kBytes) break;
    ++count;
  }
  return count;
}

}  // namespace

Result<std::vector<std::string>> encode_snapshot(std::string_view site, std::string_view epoch, std::int64_t as_of,
                                                 std::span<const core::State* const> states) {
  std::vector<std::string> batches;
  do {
    const std::size_t count = size_of_part(states);
    std::vector<ContextTexts> texts(count);
    recorder::TailPart part;
    part.history = epoch;
    part.until = static_cast<std::int64_t>(count);
    for (std::size_t i = 0; i < count; ++i)
      part.entries.push_back(entry_of(*states[i], static_cast<std::int64_t>(i) + 1, texts[i]));
    auto batch = encode_batch(site, 0, part);
    if (!batch) return std::unexpected(std::move(batch.error()));
    batches.push_back(std::move(*batch));
    states = states.subspan(count);
  } while (!states.empty());
  if (batches.size() > SnapshotPart::kMaxParts)
    return base::fail(base::ErrorCode::full, "The home has too many states for a snapshot.");
  for (std::size_t i = 0; i < batches.size(); ++i) {
    recorder::ColumnWriter out;
    out.number(SnapshotPart::kFormat);
    out.number(i);
    out.number(batches.size());
    out.number(static_cast<std::uint64_t>(as_of));
    batches[i].insert(0, out.bytes());
  }
  return batches;
}

Result<SnapshotPart> decode_snapshot(std::string_view bytes) {
  recorder::ColumnReader in(bytes);
  std::uint64_t format, part, parts, as_of;
  if (!in.number(format)) return no_snapshot("it has no format");
  if (format != SnapshotPart::kFormat) {
    return base::fail(base::ErrorCode::unavailable,
                      fmt::format("The format {} of snapshots is not known here: a newer hub has made it.", format));
  }
  if (!in.number(part) || !in.number(parts, SnapshotPart::kMaxParts) || part >= parts || !in.number(as_of, INT64_MAX))
    return no_snapshot("its head is damaged");
  const std::string_view rest = in.rest();
  auto states = decode_batch({reinterpret_cast<const std::uint8_t*>(rest.data()), rest.size()});
  if (!states) return std::unexpected(std::move(states.error()));
  for (const recorder::TailEntry& entry : states->entries) {
    if (entry.is_event() || entry.change.removed) return no_snapshot("an entry is no state");
  }
  return SnapshotPart{part, parts, static_cast<std::int64_t>(as_of), std::move(*states)};
}

}  // namespace hearth::fleet

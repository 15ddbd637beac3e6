// SPDX-License-Identifier: Apache-2.0
#include "api/history/query.h"

#include <algorithm>
#include <chrono>

#include "api/gateway/seconds.h"
#include "base/json/json.h"
#include "base/text/timestamp.h"
#include "domains/entities/kinds.h"

namespace hearth::api {
namespace {

using recorder::Change;

// True if what it does shows in its attributes alone.
bool attribute_driven(std::string_view entity_id) {
  const std::string_view domain = entity_id.substr(0, entity_id.find('.'));
  const domains::Kind* const kind = domains::find_kind(domain);
  return kind ? kind->attribute_driven() : domain == "thermostat";  // a domain of clients' own
}

}  // namespace

bool is_significant(std::string_view entity_id, const Change& change) {
  return change.changed == change.updated || attribute_driven(entity_id);
}

base::Result<bool> HistoryQuery::produce(recorder::HistoryReader& reader, std::string& out, std::size_t bytes,
                                         bool whole) {
  const auto until = std::chrono::steady_clock::now() + kQueryTurn;
  const std::size_t end = out.size() + bytes;
  const bool compressed = format_ == Format::compressed;
  if (whole) any_ = open_ = false;
  bool more = true;
  while (more && out.size() < end && std::chrono::steady_clock::now() < until) {
    if (!entity_) {
      if (!(more = next_ < options_.entity_ids.size())) continue;
      entity_.emplace(options_.entity_ids[next_++], options_.span);
      take_earlier(out);
      continue;
    }
    if (auto read = read_piece(reader, out); !read) return std::unexpected(std::move(read.error()));
  }
  if (whole) close_entity(out);
  if (!more || whole) out += compressed ? (any_ ? "}" : "{}") : (any_ ? "]" : "[]");
  return more;
}

base::Result<void> HistoryQuery::read_piece(recorder::HistoryReader& reader, std::string& out) {
  auto piece = entity_->next(reader);
  if (!piece) return std::unexpected(std::move(piece.error()));
  if (piece->initial && options_.initial) {
    Change initial = *piece->initial;
    initial.updated = initial.changed = options_.span.start;
    take(out, initial, true);
  }
  for (const Change& change : piece->changes) take(out, change, false);
  if (!piece->more) end_entity(out);
  return {};
}

// The first is the state at the start, if that is wanted: the hub there has been asked for it.
void HistoryQuery::take_earlier(std::string& out) {
  const auto* const earlier = options_.earlier.get();
  const auto found = earlier ? earlier->find(entity_->entity_id()) : HistoryOptions::Earlier::const_iterator();
  if (!earlier || found == earlier->end()) return;
  bool initial = options_.initial;
  for (const Change& change : found->second.changes()) take(out, change, std::exchange(initial, false));
}

void HistoryQuery::take(std::string& out, const Change& change, bool initial) {
  if (change.removed) return;
  if (options_.significant && !initial && !is_significant(entity_->entity_id(), change)) return;
  if (!options_.minimal) return write(out, change, true);
  if (!first_ && change.value == last_value_) return;
  last_value_ = change.value;
  if (first_) return write(out, change, true);
  if (!held_.empty()) write(out, held_.changes().front(), false);
  held_ = recorder::ChangeList();
  held_.add(change);
}

void HistoryQuery::write(std::string& out, const Change& change, bool full) {
  if (!open_) {
    out += any_ ? ',' : format_ == Format::compressed ? '{' : '[';
    if (format_ == Format::compressed) out.append("\"").append(entity_->entity_id()).append("\":");
    out += '[';
  } else {
    out += ',';
  }
  any_ = open_ = true;
  first_ = false;
  if (format_ == Format::compressed)
    append_compressed(out, change, full, options_.attributes);
  else
    write_state(out, change, full);
}

void HistoryQuery::write_state(std::string& out, const Change& change, bool full) const {
  const auto append_time = [&](std::string_view key, base::Timestamp time) {
    const auto text = base::format_timestamp(time);
    out.append(",\"").append(key).append("\":\"").append(text.data(), text.size()).append("\"");
  };
  out += '{';
  if (full) out.append(R"("entity_id":")").append(entity_->entity_id()).append("\",");
  out += R"("state":)";
  base::write_json_string(out, change.value);
  if (full) out.append(R"(,"attributes":)").append(options_.attributes ? change.attributes : "{}");
  append_time("last_changed", change.changed);
  if (full) append_time("last_updated", change.updated);
  out += '}';
}

void append_compressed(std::string& out, const Change& change, bool full, bool attributes) {
  out += R"({"s":)";
  base::write_json_string(out, change.value);
  if (full) out.append(R"(,"a":)").append(attributes ? change.attributes : "{}");
  if (full && change.changed != change.updated) {
    out += R"(,"lc":)";
    append_seconds(out, change.changed);
  }
  out += R"(,"lu":)";
  append_seconds(out, full ? change.updated : change.changed);
  out += '}';
}

void HistoryQuery::end_entity(std::string& out) {
  if (!held_.empty()) write(out, held_.changes().front(), format_ == Format::states);
  held_ = recorder::ChangeList();
  close_entity(out);
  entity_.reset();
  first_ = true;
}

void HistoryQuery::close_entity(std::string& out) {
  if (std::exchange(open_, false)) out += ']';
}

}  // namespace hearth::api

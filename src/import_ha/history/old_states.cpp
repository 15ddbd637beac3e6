// SPDX-License-Identifier: Apache-2.0
#include "import_ha/history/old_states.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json/json_fields.h"
#include "base/text/timestamp.h"
#include "base/text/utf8.h"
#include "core/values/entity_id.h"
#include "recorder/log/decimal_column.h"

namespace hearth::import_ha {
namespace {

using base::Result;
using storage::Statement;

constexpr base::Timestamp kEarliestState = std::chrono::sys_days(std::chrono::year(2000) / 1 / 1);
constexpr std::size_t kMaxValue = 255;  // characters
constexpr std::size_t kMaxAttributeBytes = 12 * 1024 * 1024, kMaxAttributeSets = 100'000;

enum StateColumn : int {
  kStateId,
  kMetadata,
  kState,
  kUpdatedSeconds,
  kChangedSeconds,
  kAttributesId,
  kContextBytes,
  kParentBytes,
  kUserBytes,
  kEntityText,
  kAttributesText,
  kUpdatedText,
  kChangedText,
  kContextText,
  kParentText,
  kUserText,
};
const std::vector<std::string_view> kStateColumns = {"state_id",
                                                     "metadata_id",
                                                     "state",
                                                     "last_updated_ts",
                                                     "last_changed_ts",
                                                     "attributes_id",
                                                     "context_id_bin",
                                                     "context_parent_id_bin",
                                                     "context_user_id_bin",
                                                     "entity_id",
                                                     "attributes",
                                                     "last_updated",
                                                     "last_changed",
                                                     "context_id",
                                                     "context_parent_id",
                                                     "context_user_id"};

bool is_value(std::string_view text) {
  const auto length = base::utf8_length(text);
  return length && *length <= kMaxValue;
}

bool is_object(std::string_view text) {
  if (text == "{}") return true;
  const auto parsed = base::parse_json(text);
  return parsed && parsed->is_object();
}

json::object names_json(const StateFates::Names& names) {
  json::object object;
  for (const auto& [name, rows] : names) object[name] = rows;
  return object;
}

StateFates::Names parse_names(const json::value& value) {
  StateFates::Names names;
  if (!value.is_object()) return names;
  for (const auto& [name, rows] : value.get_object()) names[name] = rows.to_number<std::uint64_t>();
  return names;
}

constexpr std::pair<std::string_view, std::uint64_t StateFates::*> kFateNumbers[] = {
    {"future", &StateFates::future},
    {"early", &StateFates::early},
    {"unasked", &StateFates::unasked},
    {"broken", &StateFates::broken},
    {"broken_attributes", &StateFates::broken_attributes},
};

}  // namespace

std::uint64_t StateFates::left() const {
  std::uint64_t sum = future + early + unasked + broken;
  for (const auto& [name, rows] : no_entities) sum += rows;
  return sum;
}

json::object StateFates::to_json() const {
  json::object object{{"no_entities", names_json(no_entities)}, {"lost", lost.to_json()}};
  for (const auto& [name, number] : kFateNumbers) object[name] = this->*number;
  return object;
}

StateFates StateFates::parse(const json::object& json) {
  StateFates fates;
  fates.no_entities = parse_names(base::value_at(json, "no_entities"));
  fates.lost = LostRows::parse(base::value_at(json, "lost"));
  for (const auto& [name, number] : kFateNumbers)
    fates.*number = static_cast<std::uint64_t>(base::number_at(json, name));
  return fates;
}

Result<OldStates> OldStates::open(storage::Database& old, base::Timestamp now) {
  OldStates states(old);
  states.now_ = now;
  auto columns = old_columns(old, "states");
  if (!columns) return std::unexpected(std::move(columns.error()));
  states.columns_ = std::move(*columns);
  for (const std::string_view needed : {"state_id", "state", "last_updated_ts", "attributes_id"}) {
    if (states.columns_.contains(needed)) continue;
    return base::fail(base::ErrorCode::unavailable,
                      fmt::format("{}: the table states has no column {}; start it once with a newer Home Assistant.",
                                  old.file(), needed));
  }
  auto range = old_range(old, "states", "state_id");
  if (!range) return std::unexpected(std::move(range.error()));
  states.range_ = *range;
  if (auto read = states.read_entities(); !read) return std::unexpected(std::move(read.error()));
  auto find = old.prepare("SELECT shared_attrs FROM state_attributes WHERE attributes_id = ?");
  if (!find) return std::unexpected(std::move(find.error()));
  states.find_attributes_.emplace(std::move(*find));
  return states;
}

Result<void> OldStates::read_entities() {
  const auto columns = old_columns(*old_, "states_meta");
  if (!columns) return std::unexpected(columns.error());
  if (columns->empty()) return {};
  for (const char* const order : {"ASC", "DESC"}) {
    auto select =
        old_->prepare(fmt::format("SELECT metadata_id, entity_id FROM states_meta ORDER BY metadata_id {}", order));
    if (!select) return std::unexpected(std::move(select.error()));
    auto read = select->for_each([&](const Statement& row) {
      Entity entity;
      entity.id = row.text(1);
      entity.hash = entity_hash(entity.id);
      const auto parsed = core::EntityId::parse(entity.id);
      entity.valid = parsed && parsed->str() == entity.id;
      entities_.insert_or_assign(row.integer(0), std::move(entity));
    });
    if (read) return {};
    if (!old_->damaged()) return read;
  }
  return {};  // rows of the others are lost
}

Result<std::optional<base::Timestamp>> OldStates::newest() {
  auto select = old_->prepare("SELECT max(last_updated_ts) FROM states WHERE last_updated_ts <= ?");
  if (!select) return std::unexpected(std::move(select.error()));
  const auto ahead = std::chrono::floor<std::chrono::seconds>(now_ + kAhead).time_since_epoch().count();
  auto row = select->bind(ahead).step();
  if (!row && old_->damaged()) return std::optional(now_);
  if (!row) return std::unexpected(std::move(row.error()));
  if (!*row || select->is_null(0)) return std::optional<base::Timestamp>();
  return time_of_seconds(select->real(0));
}

Result<std::int64_t> OldStates::read(std::int64_t at, std::int64_t until, std::size_t most, const Take& take) {
  OldPass pass(
      *old_, columns_, "states", kStateColumns, [&](const Statement& row) { return take_row(row, take); },
      [this](std::int64_t after, std::int64_t before) { return name_lost(after, before); });
  return pass.read(at, until, most);
}

// The index of times has the entity and the time of each row, too.
Result<void> OldStates::name_lost(std::int64_t after, std::int64_t before) {
  LostRows named;
  auto select = old_->prepare(
      "SELECT metadata_id, last_updated_ts FROM states INDEXED BY ix_states_metadata_id_last_updated_ts "
      "WHERE state_id > ? AND state_id < ?");
  if (select) {
    auto read = select->bind(after, before).for_each([&](const Statement& row) {
      const auto known = entities_.find(row.integer(0));
      const auto time = time_of_seconds(row.real(1));
      named.add(fmt::format("{} {}", known == entities_.end() ? "an unknown entity" : known->second.id,
                            time ? base::to_string(*time).substr(0, 10) : ""),
                1);
    });
    if (!read && !old_->damaged()) return read;
    fates_.lost.add(named);
    if (read && named.rows() > 0) return {};
  }
  // Without the index: as many as there may have been.
  const auto gap = static_cast<std::uint64_t>(std::max<std::int64_t>(before - after - 1, 1));
  const std::uint64_t rows = std::min(gap, range_.size());
  if (rows > named.rows()) fates_.lost.add(fmt::format("states {} to {}", after + 1, before - 1), rows - named.rows());
  return {};
}

const OldStates::Entity* OldStates::entity_of(const Statement& row) {
  if (!row.is_null(kMetadata)) {
    const auto known = entities_.find(row.integer(kMetadata));
    return known == entities_.end() ? nullptr : &known->second;
  }
  const auto text = row.optional_text(kEntityText);
  if (!text || text->empty()) return nullptr;
  if (const auto known = named_.find(*text); known != named_.end()) return &known->second;
  const auto parsed = core::EntityId::parse(*text);
  Entity entity{std::string(*text), entity_hash(*text), parsed && parsed->str() == *text};
  return &named_.emplace(*text, std::move(entity)).first->second;
}

Result<std::string_view> OldStates::attributes_of(const Statement& row) {
  if (row.is_null(kAttributesId)) {
    const auto text = row.optional_text(kAttributesText);
    if (!text || text->empty()) return "{}";
    if (is_object(*text)) return *text;
    ++fates_.broken_attributes;
    return "{}";
  }
  const std::int64_t id = row.integer(kAttributesId);
  auto known = attributes_.find(id);
  if (known == attributes_.end()) {
    if (attribute_bytes_ >= kMaxAttributeBytes || attributes_.size() >= kMaxAttributeSets) {
      attributes_.clear();
      attribute_bytes_ = 0;
    }
    auto found = find_attributes_->bind(id).step();
    if (!found && !old_->damaged()) return std::unexpected(std::move(found.error()));
    // Empty: broken.
    known = attributes_.emplace(id, std::string()).first;
    if (found && *found && is_object(find_attributes_->text(0))) known->second = find_attributes_->text(0);
    attribute_bytes_ += known->second.size();
    find_attributes_->restart();
  }
  if (!known->second.empty()) return known->second;
  ++fates_.broken_attributes;
  return "{}";
}

Result<void> OldStates::take_row(const Statement& row, const Take& take) {
  const Entity* const entity = entity_of(row);
  if (!entity) {
    if (row.is_null(kMetadata))
      ++fates_.broken;
    else
      fates_.lost.add(fmt::format("entity number {}", row.integer(kMetadata)), 1);
    return {};
  }
  if (!entity->valid) {
    ++fates_.no_entities[entity->id];
    return {};
  }
  const auto updated = time_of_columns(row, kUpdatedSeconds, kUpdatedText);
  std::uint64_t* const fate = !updated || *updated < kEarliestState ? &fates_.early
                              : *updated > now_ + kAhead            ? &fates_.future
                              : since_ && *updated < *since_        ? &fates_.unasked
                                                                    : nullptr;
  if (fate) {
    ++*fate;
    return {};
  }
  OldState state;
  state.id = row.integer(kStateId);
  state.entity = entity->id;
  state.entity_hash = entity->hash;
  state.updated = *updated;
  state.changed = std::min(time_of_columns(row, kChangedSeconds, kChangedText).value_or(*updated), *updated);
  state.removed = row.is_null(kState);
  state.value = row.text(kState);
  if (!state.removed && !is_value(state.value)) {
    ++fates_.broken;
    return {};
  }
  const auto parent = id_of_columns(row, kParentBytes, kParentText), user = id_of_columns(row, kUserBytes, kUserText);
  std::optional<Id16> context;
  // A number's context is not kept without a parent.
  if (parent || state.removed || !recorder::is_decimal(state.value))
    context = id_of_columns(row, kContextBytes, kContextText);
  if (context) state.context = context->data();
  if (parent) state.parent = parent->data();
  if (user) state.user = user->data();
  if (!state.removed) {
    const auto attributes = attributes_of(row);
    if (!attributes) return std::unexpected(attributes.error());
    state.attributes = *attributes;
  }
  return take(state);
}

}  // namespace hearth::import_ha

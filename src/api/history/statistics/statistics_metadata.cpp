// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <set>
#include <utility>

#include "api/gateway/message_reader.h"
#include "api/gateway/piece_reply.h"
#include "api/history/statistics/statistic_ids.h"
#include "api/history/statistics/statistics_import.h"
#include "api/parts.h"
#include "api/rows.h"
#include "core/values/entity_filter.h"
#include "core/values/entity_id.h"

namespace hearth::api {
namespace {

enum class Statistic { any, mean, sum };

json::value text_or_null(const std::optional<std::string>& text) {
  return text ? json::value(*text) : json::value();
}

json::object metadata_of(const StatisticId& id) {
  const json::value unit = text_or_null(id.given_unit ? id.given_unit : id.unit);
  return {{"statistic_id", id.entity_id},
          {"source", "recorder"},
          {"name", nullptr},
          {"statistics_unit_of_measurement", unit},
          {"display_unit_of_measurement", text_or_null(id.unit ? id.unit : id.given_unit)},
          {"unit_class", nullptr},  // nothing is converted
          {"has_mean", !id.total},
          {"mean_type", id.total   ? 0
                        : id.angle ? 2
                                   : 1},  // none, over the circle, arithmetic
          {"has_sum", id.total}};
}

json::object metadata_of(const recorder::ImportedStatistic& statistic) {
  const json::value unit = text_or_null(statistic.unit);
  return {{"statistic_id", statistic.statistic_id},
          {"source", statistic.source},
          {"name", text_or_null(statistic.name)},
          {"statistics_unit_of_measurement", unit},
          {"display_unit_of_measurement", unit},
          {"unit_class", nullptr},
          {"has_mean", statistic.has_mean},
          {"mean_type", statistic.has_mean ? 1 : 0},
          {"has_sum", statistic.has_sum}};
}

json::object issue(std::string_view type, const StatisticId& id) {
  return {{"type", type}, {"data", json::object{{"statistic_id", id.entity_id}}}};
}

json::array issues_of(const StatisticId& id) {
  json::array issues;
  if (!id.recorded) issues.push_back(issue("entity_no_longer_recorded", id));
  if (!id.state) {
    issues.push_back(issue("no_state", id));
    return issues;
  }
  const bool is_there = id.state->value() != "unavailable" && id.state->value() != "unknown";
  if (is_there && !id.measured) issues.push_back(issue("state_class_removed", id));
  if (id.measured && id.given_unit && id.given_unit != id.unit) {
    json::object changed = issue("units_changed", id);
    json::object& data = changed["data"].get_object();
    data["state_unit"] = text_or_null(id.unit);
    data["state_unit_class"] = nullptr;
    data["metadata_unit"] = *id.given_unit;
    data["metadata_unit_class"] = nullptr;
    data["supported_unit"] = *id.given_unit;
    issues.push_back(std::move(changed));
  }
  return issues;
}

// Answers with what `write` makes of each id, between the brackets, in pieces, so that no more is held than may be
// answered. An empty text is left out.
// `write_imported` gets what was imported, unless an entity of the same id was written.
void reply_with(const CommandCall& call, CommandReply reply, std::optional<std::vector<std::string>> ids,
                std::string_view brackets, std::function<std::string(const StatisticId&)> write,
                std::function<std::string(const recorder::ImportedStatistic&)> write_imported = {}) {
  const std::size_t weight = ids ? weight_of(*ids) : 0;
  const auto piece = std::make_shared<std::string>();
  const auto any = std::make_shared<bool>(false);
  const auto append = [piece, any, open = brackets.front()](const std::string& text) {
    if (text.empty()) return false;
    *piece += std::exchange(*any, true) ? ',' : open;
    *piece += text;
    return true;
  };
  const auto written = std::make_shared<std::set<std::string>>();
  auto take = [append, written, write = std::move(write)](const StatisticId& id) {
    if (append(write(id))) written->emplace(id.entity_id);
  };
  const auto asked = ids ? std::optional(std::set<std::string>(ids->begin(), ids->end())) : std::nullopt;
  auto take_imported = [append, written, asked, home = call.home, imported = call.parts.imported,
                        write = std::move(write_imported)]() -> base::Result<void> {
    if (!imported || !write) return {};
    const auto all = imported->list();
    if (!all) return std::unexpected(all.error());
    for (const recorder::ImportedStatistic& statistic : *all) {
      const std::string& id = statistic.statistic_id;
      const bool readable = recorder::is_external_statistic(id) ? home.rights().reads_all() : home.reads(id);
      if (readable && !written->contains(id) && (!asked || asked->contains(id))) append(write(statistic));
    }
    return {};
  };
  const auto query = std::make_shared<StatisticIds>(call.home, std::move(ids), std::move(take));
  reply_with_pieces(call, std::move(reply), weight,
                    [query, piece, any, brackets, take_imported = std::move(take_imported)](
                        recorder::HistoryReader& reader, std::string& out, std::size_t) -> base::Result<bool> {
                      const auto more = query->read_on(reader);
                      if (more && !*more) {
                        if (auto done = take_imported(); !done) return std::unexpected(done.error());
                      }
                      out += std::exchange(*piece, {});
                      if (more && !*more) out += *any ? brackets.substr(1) : brackets;
                      return more;
                    });
}

void reply_with_metadata(const CommandCall& call, CommandReply reply, std::optional<std::vector<std::string>> ids,
                         Statistic wanted) {
  reply_with(
      call, std::move(reply), std::move(ids), "[]",
      [wanted](const StatisticId& id) {
        const bool left_out = wanted != Statistic::any && id.total != (wanted == Statistic::sum);
        return !id.recorded || left_out ? std::string() : base::to_json(metadata_of(id));
      },
      [wanted](const recorder::ImportedStatistic& statistic) {
        const bool left_out =
            (wanted == Statistic::sum && !statistic.has_sum) || (wanted == Statistic::mean && !statistic.has_mean);
        return left_out ? std::string() : base::to_json(metadata_of(statistic));
      });
}

void list_statistic_ids(const CommandCall& call, CommandReply reply) {
  std::optional<std::string> type;
  MessageReader in(call.message);
  in.optional("statistic_type", type);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  if (type && *type != "mean" && *type != "sum") {
    return reply.send(
        std::unexpected(CommandError(command_error::kInvalidFormat, "statistic_type: expected mean or sum.")));
  }
  reply_with_metadata(call, std::move(reply), {},
                      !type            ? Statistic::any
                      : *type == "sum" ? Statistic::sum
                                       : Statistic::mean);
}

void get_statistics_metadata(const CommandCall& call, CommandReply reply) {
  std::optional<std::vector<std::string>> named, ids;
  MessageReader in(call.message);
  in.optional("statistic_ids", named);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  if (named) {
    ids.emplace();
    for (const std::string& text : *named) {
      if (const auto id = core::EntityId::parse(text)) ids->emplace_back(id->str());
      if (recorder::is_external_statistic(text)) ids->push_back(text);
    }
    if (auto few = core::bound_list(*ids, "statistic_ids", call.home.limits()); !few)
      return reply.send(std::unexpected(few.error()));
  }
  reply_with_metadata(call, std::move(reply), std::move(ids), Statistic::any);
}

void validate_statistics(const CommandCall& call, CommandReply reply) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  reply_with(call, std::move(reply), {}, "{}", [](const StatisticId& id) {
    const json::array issues = issues_of(id);
    if (issues.empty()) return std::string();
    std::string text;
    base::write_json_string(text, id.entity_id);
    return text += ':' + base::to_json(issues);
  });
}

CommandResult change_unit(const CommandCall& call, const std::string& statistic_id,
                          const std::optional<std::string>& unit) {
  core::Registry& registry = call.home.administered().registry;
  const auto data = registry.snapshot();
  const core::RegisteredEntity* const entity = data->entities.find(statistic_id);
  if (!entity) {
    return std::unexpected(CommandError(command_error::kNotFound,
                                        "statistic_id: expected an entity of the registry: only those keep a unit."));
  }
  const std::string collection = core::collection_of(kStatisticsUnit, entity->id);
  const std::string id = "unit";
  const bool known = data->find_item(collection, id) != nullptr;
  if (!unit) {
    if (!known) return "null";
    if (auto done = registry.delete_items(collection, {&id, 1}, call.context()); !done)
      return std::unexpected(done.error());
    return "null";
  }
  json::object fields{{"unit_of_measurement", *unit}};
  const auto done = known ? registry.update_item(collection, id, std::move(fields), {}, call.context())
                          : registry.create_item(collection, id, std::move(fields), call.context());
  if (!done) return std::unexpected(done.error());
  return "null";
}

// Fails with not_found.
void update_statistics_metadata(const CommandCall& call, CommandReply reply) {
  std::string statistic_id;
  std::optional<std::optional<std::string>> unit;
  std::optional<std::string> unit_class;
  MessageReader in(call.message);
  in.required("statistic_id", statistic_id);
  in.change("unit_of_measurement", unit);
  in.optional("unit_class", unit_class);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  if (!unit) {
    return reply.send(std::unexpected(
        CommandError(command_error::kInvalidFormat, "unit_of_measurement: missing; expected a text or null.")));
  }
  if (*unit && (unit->value().empty() || unit->value().size() > core::Registry::kMaxTextLength)) {
    return reply.send(std::unexpected(
        CommandError(command_error::kInvalidFormat, "unit_of_measurement: expected a text of 1 to 255 bytes.")));
  }
  if (recorder::is_external_statistic(statistic_id))
    return change_imported_unit(call, statistic_id, std::move(*unit), std::move(reply));
  reply.send(change_unit(call, statistic_id, *unit));
}

}  // namespace

constexpr Command kStatisticsMetadataCommandRows[] = {
    {"recorder/list_statistic_ids", Access::history, list_statistic_ids, Durable::no},
    {"recorder/get_statistics_metadata", Access::history, get_statistics_metadata, Durable::no},
    {"recorder/validate_statistics", Access::history, validate_statistics, Durable::no},
    {"recorder/update_statistics_metadata", Access::admin, update_statistics_metadata, Durable::registry},
};
constexpr Commands kStatisticsMetadataCommands = kStatisticsMetadataCommandRows;

}  // namespace hearth::api

// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/sql/sql_source.h"

#include <fmt/format.h>

#include <utility>

#include "base/json/json.h"
#include "building_blocks/polled/databases.h"
#include "building_blocks/polled/workers.h"
#include "building_blocks/sql/select_text.h"

namespace hearth::building_blocks {
namespace {

std::unexpected<base::Error> query_error(const base::Error& error) {
  return base::fail(error.code, "the query " + error.message);
}

// `row`: as JSON, null if there is none.
base::Result<Source::Parts> part_of(const std::string& row, const std::string& column) {
  auto json = base::parse_json(row).value_or(nullptr);
  if (!json.is_object()) return Source::Parts{Fetched{.text = {}, .value = json::value()}};
  json::object& columns = json.as_object();
  const json::value* const value = columns.if_contains(column);
  if (!value) {
    std::string names;
    for (const auto& each : columns) names += (names.empty() ? "" : ", ") + std::string(each.key());
    return base::fail(base::ErrorCode::invalid, fmt::format("the query has no column {}; it has {}", column, names));
  }
  Fetched fetched{.text = value->is_null() ? std::string() : templates::to_text(templates::Value::from_json(*value)),
                  .value = *value};
  fetched.attributes = std::move(columns);
  return Source::Parts{std::move(fetched)};
}

}  // namespace

void SqlSource::fetch(Done done) {
  auto sql = options_->query.render(environment_.home.renderer(), {});
  if (!sql) return done(query_error(sql.error()));
  auto query = select_query(std::move(*sql));
  if (!query) return done(base::fail(query.error().code, "the query: " + query.error().message));
  environment_.workers.run(
      [databases = environment_.databases, options = options_,
       query = std::move(*query)](const auto& is_wanted) -> base::Result<std::string> {
        const auto row = databases->ask(options->url, query, is_wanted);
        if (!row) return query_error(row.error());
        return *row ? base::to_json(**row) : std::string("null");
      },
      [alive = std::weak_ptr(alive_), options = options_, done](const base::Result<std::string>& row) {
        if (alive.expired()) return;
        if (!row) return done(std::unexpected(row.error()));
        done(part_of(*row, options->column));
      });
}

}  // namespace hearth::building_blocks

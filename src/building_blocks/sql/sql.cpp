// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/sql/sql.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/config/config_secrets.h"
#include "building_blocks/sql/select_text.h"
#include "building_blocks/sql/sql_source.h"

namespace hearth::building_blocks {
namespace {

using base::ConfigNode;
using base::ConfigReader;

constexpr base::Duration kSqlInterval = std::chrono::seconds(30);

// The keys that all queries of an older item share.
struct SharedKeys {
  std::string url;
  std::string written;  // in the item, for plans to see that it has changed
  std::vector<std::string> secrets;
  base::Duration scan_interval = kSqlInterval;
};

// A password is none that the log may show, wherever it stands.
void hide_password(const std::string& url, std::vector<std::string>& secrets) {
  const std::size_t at = url.find('@'), colon = url.find(':', url.find("://") + 3);
  if (at != std::string::npos && colon < at) secrets.push_back(url.substr(colon + 1, at - colon - 1));
}

void read_url(ConfigReader& in, SharedKeys& shared) {
  const ConfigNode* const node = in.find("db_url");
  if (!node || node->is_empty() || node->broken()) return;
  shared.written = automation::read_text(in, "db_url");
  hide_password(shared.written, shared.secrets);
  auto url = database_url(shared.written);
  if (url)
    shared.url = std::move(*url);
  else
    automation::note(in, *node, url.error().message);
}

TextTemplate read_query(ConfigReader& in) {
  const ConfigNode* const node = in.find("query");
  if (!node || node->is_empty()) {
    automation::note_missing(in, in.node(), "query");
    return {};
  }
  if (node->broken()) return {};  // named with all that is broken
  auto query = TextTemplate::parse(automation::read_text(in, "query"));
  if (!query) {
    automation::note(in, *node, query.error().message);
    return {};
  }
  if (query->is_template()) return std::move(*query);
  if (const auto select = select_query(query->text()); !select) automation::note(in, *node, select.error().message);
  return std::move(*query);
}

// `shared`: of an older item around it; null if the keys are its own.
void read_one(ConfigReader& in, PolledPlan& plan, const SharedKeys* around) {
  SharedKeys own;
  if (!around) read_url(in, own);
  const SharedKeys& shared = around ? *around : own;
  read_entity(in, "sensor", "SQL", plan);
  auto options = std::make_shared<SqlSource::Options>();
  options->url = shared.url;
  options->query = read_query(in);
  options->column = automation::read_text(in, "column");
  if (options->column.empty()) automation::note_missing(in, in.node(), "column");
  if (around) {
    plan.written += shared.written;
    plan.scan_interval = shared.scan_interval;
  } else {
    read_scan_interval(in, plan, kSqlInterval);
  }
  plan.secrets.insert(plan.secrets.end(), shared.secrets.begin(), shared.secrets.end());
  plan.source = [options](const PolledEnvironment& environment) {
    return std::make_unique<SqlSource>(environment, options);
  };
}

// {platform, db_url, queries: [{name, query, column …}]}
void read_older(const ConfigNode& item, PlanReader& reader) {
  ConfigReader in(item);
  in.find("platform");
  SharedKeys shared;
  read_url(in, shared);
  for (std::string& secret : base::secrets_in(item)) shared.secrets.push_back(std::move(secret));
  PolledPlan plan;
  read_scan_interval(in, plan, kSqlInterval);
  shared.scan_interval = plan.scan_interval;
  shared.written += std::to_string(shared.scan_interval.count());
  const ConfigNode* const queries = in.find("queries");
  if (const auto read = in.finish(0); !read) return reader.fault(item, read.error());
  for (const ConfigNode& each : automation::one_or_many(queries))
    reader.add(kSql, each, [&](ConfigReader& one, PolledPlan& made) { read_one(one, made, &shared); });
}

}  // namespace

void read_sql(const automation::Sections& sections, PlanReader& reader) {
  const auto read = [&](const ConfigNode& item) {
    if (item.is_map() && item.find("queries")) return read_older(item, reader);
    reader.add(kSql, item, [](ConfigReader& in, PolledPlan& plan) { read_one(in, plan, nullptr); });
  };
  reader.items_of(sections, kSql, read);
  reader.platforms_of(sections, kSql, "sensor", [&](const std::string&, const ConfigNode& item) { read(item); });
}

}  // namespace hearth::building_blocks

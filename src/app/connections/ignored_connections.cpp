// SPDX-License-Identifier: Apache-2.0
// Found devices that are not wanted, until a person takes that back.
#include <fmt/format.h>

#include <algorithm>

#include "app/connections/connections.h"
#include "base/text/utf8.h"

namespace hearth::app {

using base::ErrorCode;

core::ConnectionPtr Connections::ignored_connection(const IgnoredKey& key, std::string title) const {
  return std::make_shared<const core::Connection>(
      core::Connection{.entry_id = core::fixed_entry_id("ignored " + key.first, key.second),
                       .domain = key.first,
                       .title = base::utf8_excerpt(base::utf8_repaired(title), kMaxTitle),
                       .unique_id = key.second,
                       .source = core::Connection::Source::zeroconf,
                       .created_at = hub_.started_at,
                       .modified_at = hub_.started_at});
}

core::ConnectionPtr Connections::find_ignored(std::string_view entry_id) const {
  const auto found =
      std::ranges::find_if(ignored_, [&](const auto& each) { return each.second.connection->entry_id == entry_id; });
  return found == ignored_.end() ? nullptr : found->second.connection;
}

std::unexpected<base::Error> Connections::absent(std::string_view entry_id) const {
  const core::ConnectionPtr ignored = find_ignored(entry_id);
  if (!ignored) return no_such_entry(entry_id);
  return base::fail(ErrorCode::invalid,
                    fmt::format("{} is ignored; remove this entry, and it is offered again.", ignored->title));
}

void Connections::ignore_flow(std::string flow_id, std::string title, Done done) {
  on_bus(std::move(done), [this, flow_id = std::move(flow_id), title = std::move(title)](Done then) {
    std::string domain;
    const domains::Discovered* const found = flows_.found_by(flow_id, domain);
    if (!found) {
      return then(base::fail(ErrorCode::not_found, fmt::format("There is no flow {} of something that was found.",
                                                               base::utf8_excerpt(flow_id))));
    }
    if (ignored_.size() >= kMostIgnored) {
      return then(
          base::fail(ErrorCode::full, fmt::format("A home ignores at most {} things that were found.", kMostIgnored)));
    }
    store(
        std::move(then),
        [domain, title, unique_id = found->unique_id](ConnectionStore& kept) {
          return kept.ignore(domain, unique_id, title);
        },
        [this, domain, title, found = *found](Done last) {
          const IgnoredKey key(domain, found.unique_id);
          const auto connection = ignored_connection(key, title);
          ignored_.insert_or_assign(key, Ignored{connection, found});
          flows_.gone(domain, found.unique_id);
          publish_ignored(*connection);
          last(json::object());
        });
  });
}

void Connections::remove_ignored(const core::Connection& connection, Done done) {
  store(
      std::move(done),
      [domain = connection.domain, unique_id = connection.unique_id](ConnectionStore& kept) {
        return kept.heed(domain, unique_id);
      },
      [this, connection](Done last) {
        auto gone = ignored_.extract({connection.domain, connection.unique_id});
        publish_ignored(connection);
        if (gone && gone.mapped().seen) found(connection.domain, std::move(*gone.mapped().seen));
        last(json::object{{"require_restart", false}});
      });
}

void Connections::publish_ignored(const core::Connection& changed) {
  auto list = std::make_shared<core::IntegrationList>();
  for (const auto& [key, each] : ignored_) {
    core::IntegrationStatus& status = list->emplace_back();
    status.name = each.connection->domain;
    status.connection = each.connection;
    status.since = each.connection->created_at;
  }
  ignored_list_.publish(std::move(list));
  if (changed.entry_id.empty()) return;  // before the bus runs
  const auto state = core::to_string(core::IntegrationStatus::State::stopped);
  hub_.bus.fire(core::IfFull::pass, core::event_type::kIntegrationUpdated,
                base::to_json(json::object{
                    {"integration", changed.domain}, {"entry_id", changed.entry_id}, {"state", std::string(state)}}),
                core::Origin::local, core::Context::create(hub_.clock.now()));
}

}  // namespace hearth::app

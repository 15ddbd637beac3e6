// SPDX-License-Identifier: Apache-2.0
#include "app/connections/connections.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "automation/config/parsing.h"
#include "base/log/log.h"
#include "base/text/utf8.h"
#include "base/ulid.h"

namespace hearth::app {

using base::ErrorCode;

Connections::Connections(core::Hub& hub, domains::Failures& failures, IntegrationRunner& runner,
                         auth::Accounts& accounts, Integrations integrations, Forget forget)
    : hub_(hub),
      runner_(runner),
      accounts_(accounts),
      integrations_(integrations),
      forget_(std::move(forget)),
      ignored_list_(std::make_shared<const core::IntegrationList>()),
      in_progress_(std::make_shared<const json::array>()),
      flows_(
          hub, failures,
          [this](const auto& factory, const Flows::Subject& subject, auto result, auto then) {
            if (subject.change)
              finish_change(factory, std::move(result), subject.change->connection->entry_id, std::move(then));
            else
              finish(factory, std::move(result), subject.source(), std::move(then));
          },
          [this] { publish_flows(); }) {}

Connections::~Connections() = default;

base::Result<void> Connections::open(const std::filesystem::path& file) {
  if (auto opened = store_.open(file); !opened) return opened;
  auto read = store_.read();
  if (!read) return std::unexpected(std::move(read.error()));
  for (StoredConnection& one : *read) {
    const std::string id = one.connection.entry_id;
    if (one.connection.source != core::Connection::Source::yaml) order_.push_back(id);
    stored_.emplace(id, std::move(one));
  }
  auto ignored = store_.read_ignored();
  if (!ignored) return std::unexpected(std::move(ignored.error()));
  for (auto& [key, title] : *ignored) ignored_.emplace(key, Ignored{ignored_connection(key, std::move(title))});
  publish_ignored({});
  return {};
}

std::vector<Connections::ToRun> Connections::of_section(const IntegrationFactory& factory,
                                                        const base::ConfigNode& section) const {
  std::vector<domains::FileConnection> listed;
  if (factory.connections)
    listed = factory.connections(section);
  else
    listed.push_back({"", std::string(factory.name), section});
  std::vector<ToRun> all;
  for (domains::FileConnection& one : listed) {
    core::Connection connection{.entry_id = core::fixed_entry_id(factory.name, one.unique_id),
                                .domain = std::string(factory.name),
                                .title = std::move(one.title),
                                .unique_id = std::move(one.unique_id),
                                .created_at = hub_.started_at,
                                .modified_at = hub_.started_at};
    if (const auto changed = stored_.find(connection.entry_id); changed != stored_.end()) {
      connection.title = changed->second.connection.title;
      connection.disabled = changed->second.connection.disabled;
      connection.modified_at = changed->second.connection.modified_at;
    }
    all.push_back({std::make_shared<const core::Connection>(std::move(connection)),
                   base::to_json(automation::written_as(one.options)),
                   [&factory, options = one.options](const domains::IntegrationHome& home) {
                     return factory.create(home, options);
                   },
                   [&factory, options = one.options](domains::Integration& running) {
                     return factory.change(running, options);
                   }});
  }
  return all;
}

IntegrationRunner::Create Connections::create_made(const IntegrationFactory& factory, std::string entry_id) const {
  return [this, &factory, entry_id = std::move(entry_id)](const domains::IntegrationHome& home) {
    domains::IntegrationHome with_secrets = home;
    if (const auto found = stored_.find(entry_id); found != stored_.end()) with_secrets.secrets = found->second.secrets;
    return factory.create_made(with_secrets);
  };
}

void Connections::add_section(const IntegrationFactory& factory, const base::ConfigNode& section) {
  for (ToRun& one : of_section(factory, section)) {
    written_[one.connection->entry_id] = std::move(one.written);
    runner_.add(std::move(one.connection), std::move(one.create));
  }
}

void Connections::add_made() {
  for (const std::string& id : order_) {
    const core::Connection& connection = stored_.at(id).connection;
    const IntegrationFactory* const factory = find_integration(integrations_, connection.domain);
    if (!factory || !factory->create_made) {
      base::log_warning("integrations", "the connection {} is left out: this hub has no integration {} for it",
                        connection.title, connection.domain);
      continue;
    }
    if (runner_.find(id)) continue;
    core::Connection added = connection;
    added.changes_by_flow = factory->change_flow != nullptr;
    runner_.add(std::make_shared<const core::Connection>(std::move(added)), create_made(*factory, id));
  }
}

void Connections::put_section(const IntegrationFactory& factory, const base::ConfigNode& section) {
  for (ToRun& one : of_section(factory, section))
    runner_.put(std::move(one.connection), std::move(one.create), one.change);
}

void Connections::apply_section(const IntegrationFactory& factory, const base::ConfigNode* section) {
  std::set<std::string, std::less<>> present;
  for (ToRun& one : section ? of_section(factory, *section) : std::vector<ToRun>()) {
    const std::string id = one.connection->entry_id;
    present.insert(id);
    std::string& written = written_[id];
    if (runner_.find(id) && written == one.written) continue;
    written = std::move(one.written);
    runner_.put(std::move(one.connection), std::move(one.create), one.change);
  }
  const auto all = hub_.integrations.load();
  for (const core::IntegrationStatus& status : *all) {
    const core::Connection& connection = *status.connection;
    if (status.name != factory.name || connection.source != core::Connection::Source::yaml) continue;
    if (!present.contains(connection.entry_id)) runner_.remove(connection.entry_id);
  }
}

void Connections::remove_section(std::string_view domain) {
  const auto all = hub_.integrations.load();
  for (const core::IntegrationStatus& status : *all) {
    if (status.name == domain && status.connection->source == core::Connection::Source::yaml)
      runner_.remove(status.connection->entry_id);
  }
}

core::ConnectionPtr Connections::holder_of(std::string_view domain, std::string_view unique_id) const {
  const auto all = hub_.integrations.load();
  for (const core::IntegrationStatus& status : *all)
    if (status.name == domain && status.connection->unique_id == unique_id) return status.connection;
  // One of the file, which may name a host only, has brought the device.
  const auto registry = hub_.registry.snapshot();
  const core::Device* const device = registry->devices.find(fmt::format("{}.{}", domain, unique_id));
  return device && !device->entry_id.empty() ? runner_.find(device->entry_id) : nullptr;
}

void Connections::found(std::string_view domain, domains::Discovered what) {
  const IntegrationFactory* const factory = find_integration(integrations_, domain);
  if (!factory) return;
  if (const core::ConnectionPtr holder = holder_of(domain, what.unique_id))
    return runner_.found(holder->entry_id, what);
  if (!factory->flow) return;
  if (const auto place = ignored_.find({std::string(domain), what.unique_id}); place != ignored_.end()) {
    place->second.seen = std::move(what);
    return;
  }
  flows_.found(*factory, std::move(what));
}

void Connections::stop() {
  flows_.clear();
}

std::vector<std::string> Connections::handlers() const {
  std::vector<std::string> names;
  for (const IntegrationFactory& factory : integrations_)
    if (factory.flow) names.emplace_back(factory.name);
  std::ranges::sort(names);
  return names;
}

void Connections::on_bus(Done done, std::function<void(Done)> work) {
  // Shared, because a task can be copied.
  auto shared = std::make_shared<Done>(std::move(done));
  const auto posted = hub_.bus.post(core::IfFull::fail, core::EventBus::kSmallTask,
                                    [shared, work = std::move(work)] { work(std::move(*shared)); });
  if (!posted) (*shared)(std::unexpected(posted.error()));
}

void Connections::store(Done done, std::function<base::Result<void>(ConnectionStore&)> work,
                        std::function<void(Done)> then) {
  auto shared = std::make_shared<Done>(std::move(done));
  const bool posted = accounts_.post(
      [this, shared, work = std::move(work), then = std::move(then)](auth::AccountStore&) -> auth::Accounts::Reply {
        auto stored = work(store_);
        if (!stored) {
          return {.send = [shared, error = std::move(stored.error())] { (*shared)(std::unexpected(error)); }};
        }
        return {.send = [this, shared, then] { hub_.bus.post([shared, then] { then(std::move(*shared)); }); }};
      });
  if (!posted)
    (*shared)(base::fail(ErrorCode::unavailable, "Too many changes of accounts and settings are waiting; try again."));
}

void Connections::begin_flow(std::string handler, Done done) {
  const IntegrationFactory* const factory = find_integration(integrations_, handler);
  if (!factory || !factory->flow) {
    return done(base::fail(ErrorCode::not_found,
                           fmt::format("There is no flow for the integration {}.", base::utf8_excerpt(handler))));
  }
  on_bus(std::move(done), [this, factory](Done then) { flows_.begin(*factory, {}, std::move(then)); });
}

void Connections::begin_change(std::string handler, std::string entry_id, Done done) {
  on_bus(std::move(done), [this, handler = std::move(handler), entry_id = std::move(entry_id)](Done then) {
    const core::ConnectionPtr connection = runner_.find(entry_id);
    if (!connection) return then(absent(entry_id));
    const IntegrationFactory* const factory = find_integration(integrations_, connection->domain);
    const auto kept = stored_.find(entry_id);
    if (connection->domain != handler) {
      return then(
          base::fail(ErrorCode::invalid, fmt::format("handler: {} is a connection of {}, not of {}.", connection->title,
                                                     connection->domain, base::utf8_excerpt(handler))));
    }
    if (!connection->changes_by_flow || !factory || kept == stored_.end()) {
      return then(
          base::fail(ErrorCode::invalid, fmt::format("{} cannot be changed by a flow.{}", connection->title,
                                                     connection->source == core::Connection::Source::yaml
                                                         ? " It is set in configuration.yaml or on a page of its own."
                                                         : "")));
    }
    flows_.begin(*factory,
                 domains::ConnectionChange{.connection = connection,
                                           .secrets = kept->second.secrets,
                                           .running = [this, entry_id] { return runner_.running(entry_id); }},
                 std::move(then));
  });
}

void Connections::submit(std::string flow_id, json::object fields, Done done) {
  on_bus(std::move(done), [this, flow_id = std::move(flow_id), fields = std::move(fields)](Done then) {
    flows_.submit(flow_id, fields, std::move(then));
  });
}

void Connections::show_flow(std::string flow_id, Done done) {
  on_bus(std::move(done), [this, flow_id = std::move(flow_id)](Done then) { then(flows_.show(flow_id)); });
}

void Connections::end_flow(std::string flow_id, Done done) {
  on_bus(std::move(done), [this, flow_id = std::move(flow_id)](Done then) {
    if (auto ended = flows_.end(flow_id); !ended) return then(std::unexpected(std::move(ended.error())));
    then(json::object());
  });
}

void Connections::finish(const IntegrationFactory& factory, domains::FlowResult result, core::Connection::Source source,
                         Done then) {
  if (holder_of(factory.name, result.unique_id))
    return then(base::fail(ErrorCode::conflict, fmt::format("{} is there already.", result.title)));
  if (order_.size() >= kMostConnections) {
    return then(base::fail(ErrorCode::full,
                           fmt::format("A home has at most {} connections that pages made.", kMostConnections)));
  }
  const base::Timestamp now = hub_.clock.now();
  StoredConnection made{{.entry_id = std::string(std::string_view(base::make_ulid(now))),
                         .domain = std::string(factory.name),
                         .title = base::utf8_excerpt(base::utf8_repaired(result.title), kMaxTitle),
                         .unique_id = std::move(result.unique_id),
                         .source = source,
                         .data = std::move(result.data),
                         .options = std::move(result.options),
                         .changes_by_flow = factory.change_flow != nullptr,
                         .created_at = now,
                         .modified_at = now},
                        std::move(result.secrets)};
  store(
      std::move(then),
      [made](ConnectionStore& kept) {
        // A person wants it after all.
        auto heeded = kept.heed(made.connection.domain, made.connection.unique_id);
        return heeded ? kept.save(made.connection, &made.secrets) : heeded;
      },
      [this, made, &factory](Done last) {
        const std::string id = made.connection.entry_id;
        // Two flows for one device may end at once.
        if (holder_of(factory.name, made.connection.unique_id)) {
          store(
              std::move(last), [id](ConnectionStore& kept) { return kept.remove(id); },
              [title = made.connection.title](Done told) {
                told(base::fail(ErrorCode::conflict, fmt::format("{} is there already.", title)));
              });
          return;
        }
        if (ignored_.erase({made.connection.domain, made.connection.unique_id}) > 0) publish_ignored(made.connection);
        stored_.emplace(id, made);
        order_.push_back(id);
        runner_.put(std::make_shared<const core::Connection>(made.connection), create_made(factory, id));
        last(entry(id));
        flows_.gone(factory.name, made.connection.unique_id);  // others, of the same device
      });
}

void Connections::finish_change(const IntegrationFactory& factory, domains::FlowResult result,
                                const std::string& entry_id, Done then) {
  const core::ConnectionPtr former = runner_.find(entry_id);
  if (!former) return then(no_such_entry(entry_id));
  if (result.unique_id != former->unique_id) {
    return then(base::fail(ErrorCode::invalid, fmt::format("{} is the connection of another device.", former->title)));
  }
  StoredConnection changed{*former, std::move(result.secrets)};
  changed.connection.data = std::move(result.data);
  changed.connection.options = std::move(result.options);
  changed.connection.modified_at = hub_.clock.now();
  store(
      std::move(then), [changed](ConnectionStore& kept) { return kept.save(changed.connection, &changed.secrets); },
      [this, changed, &factory](Done last) {
        const std::string& id = changed.connection.entry_id;
        const core::ConnectionPtr present = runner_.find(id);
        if (!present) return last(no_such_entry(id));
        StoredConnection& kept = stored_[id] = changed;
        // It may have been renamed or disabled meanwhile.
        kept.connection.title = present->title;
        kept.connection.disabled = present->disabled;
        runner_.put(std::make_shared<const core::Connection>(kept.connection), create_made(factory, id));
        last(entry(id));
      });
}

void Connections::publish_flows() {
  in_progress_.publish(std::make_shared<const json::array>(flows_.in_progress()));
}

}  // namespace hearth::app

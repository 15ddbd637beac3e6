// SPDX-License-Identifier: Apache-2.0
// The connections that there are: they are shown, changed and removed.
#include <fmt/format.h>

#include <algorithm>

#include "api/integrations/config_entry.h"
#include "app/connections/connections.h"
#include "base/text/utf8.h"

namespace hearth::app {

using base::ErrorCode;

std::unexpected<base::Error> no_such_entry(std::string_view entry_id) {
  return base::fail(ErrorCode::not_found, fmt::format("There is no config entry {}.", base::utf8_excerpt(entry_id)));
}

base::Result<json::object> Connections::entry(std::string_view entry_id) const {
  const auto all = hub_.integrations.load();
  const auto found = std::ranges::find_if(
      *all, [&](const core::IntegrationStatus& status) { return status.connection->entry_id == entry_id; });
  if (found == all->end()) return no_such_entry(entry_id);
  return api::config_entry(*found, found->name);
}

void Connections::remove(std::string entry_id, Done done) {
  on_bus(std::move(done), [this, entry_id = std::move(entry_id)](Done then) {
    const core::ConnectionPtr connection = runner_.find(entry_id);
    if (const auto ignored = connection ? nullptr : find_ignored(entry_id))
      return remove_ignored(*ignored, std::move(then));
    if (!connection) return then(no_such_entry(entry_id));
    if (connection->source == core::Connection::Source::yaml) {
      return then(base::fail(ErrorCode::invalid, fmt::format("{} is set in configuration.yaml or on a page of "
                                                             "its own, and is removed there.",
                                                             connection->title)));
    }
    store(
        std::move(then), [entry_id](ConnectionStore& kept) { return kept.remove(entry_id); },
        [this, connection, entry_id](Done last) {
          runner_.remove(entry_id, true);
          stored_.erase(entry_id);
          std::erase(order_, entry_id);
          forget_(*connection);
          last(json::object{{"require_restart", false}});
        });
  });
}

void Connections::reload(std::string entry_id, Done done) {
  on_bus(std::move(done), [this, entry_id = std::move(entry_id)](Done then) {
    const core::ConnectionPtr connection = runner_.find(entry_id);
    if (!connection) return then(absent(entry_id));
    if (!runner_.reload(entry_id))
      return then(base::fail(ErrorCode::invalid, fmt::format("{} is disabled.", connection->title)));
    then(json::object{{"require_restart", false}});
  });
}

void Connections::change(const std::string& entry_id, const std::function<void(core::Connection&)>& edit, Done done) {
  const core::ConnectionPtr former = runner_.find(entry_id);
  if (!former) return done(absent(entry_id));
  core::Connection changed = *former;
  edit(changed);
  changed.modified_at = hub_.clock.now();
  store(
      std::move(done), [changed](ConnectionStore& kept) { return kept.save(changed, nullptr); },
      [this, changed](Done last) {
        if (!runner_.find(changed.entry_id)) return last(no_such_entry(changed.entry_id));
        stored_[changed.entry_id].connection = changed;
        runner_.describe(std::make_shared<const core::Connection>(changed));
        last(entry(changed.entry_id));
      });
}

void Connections::disable(std::string entry_id, bool disabled, Done done) {
  on_bus(std::move(done), [this, entry_id = std::move(entry_id), disabled](Done then) {
    change(entry_id, [disabled](core::Connection& connection) { connection.disabled = disabled; }, std::move(then));
  });
}

void Connections::rename(std::string entry_id, std::string title, Done done) {
  const auto length = base::utf8_length(title);
  if (!length || *length == 0 || *length > kMaxTitle)
    return done(base::fail(ErrorCode::invalid, fmt::format("title: expected 1 to {} characters", kMaxTitle)));
  on_bus(std::move(done), [this, entry_id = std::move(entry_id), title = std::move(title)](Done then) {
    change(entry_id, [&title](core::Connection& connection) { connection.title = title; }, std::move(then));
  });
}

void Connections::diagnose(std::string entry_id, Done done) {
  on_bus(std::move(done), [this, entry_id = std::move(entry_id)](Done then) {
    auto about = entry(entry_id);
    if (!about) return then(absent(entry_id));
    const domains::Integration* const running = runner_.running(entry_id);
    json::object data;
    try {
      if (running) data = running->diagnosis();
    } catch (const std::exception& error) {
      data["error"] = error.what();
    }
    core::Secrets secrets;
    if (const auto found = stored_.find(entry_id); found != stored_.end()) secrets = found->second.secrets;
    const json::object whole{{"config_entry", std::move(*about)}, {"data", std::move(data)}};
    auto shown = base::parse_json(core::without_secrets(base::to_json(whole), secrets));
    if (!shown) return then(std::unexpected(std::move(shown.error())));
    then(std::move(shown->get_object()));
  });
}

}  // namespace hearth::app

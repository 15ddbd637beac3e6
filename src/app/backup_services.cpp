// SPDX-License-Identifier: Apache-2.0
#include "app/backup_services.h"

#include <fmt/format.h>

#include "app/connections/integrations.h"
#include "app/files/configuration_file.h"
#include "app/settings/settings.h"
#include "base/json/json_fields.h"
#include "base/text/timestamp.h"
#include "base/text/utf8.h"

namespace hearth::app {
namespace {

using backup::Backups;
using base::Result;
namespace field = core::field;

constexpr std::string_view kBackupCreated = "backup_created";

core::ServiceDescription described(std::string service, std::string name, std::string description) {
  core::ServiceDescription made;
  made.domain = "backup";
  made.service = std::move(service);
  made.name = std::move(name);
  made.description = std::move(description);
  made.has_target = false;
  made.response = core::ResponseSupport::optional;
  made.administrator = true;
  return made;
}

core::Field passphrase_field(std::string_view description) {
  return {"passphrase", description, "seven small lamps in a row", field::Text{}, false, true};
}

// An empty passphrase is refused: it would make a backup that anybody can read.
Result<std::string> passphrase(const json::object& data) {
  std::string given = base::text_at(data, "passphrase");
  if (data.contains("passphrase") && given.empty())
    return base::fail(base::ErrorCode::invalid, "passphrase: expected a text that is not empty");
  return given;
}

Result<Backups::Order> read_order(const json::object& data) {
  Backups::Order order;
  order.name = base::text_at(data, "name");
  if (data.contains("name") && order.name.empty())
    return base::fail(base::ErrorCode::invalid, "name: expected a text that is not empty");
  auto secret = passphrase(data);
  if (!secret) return std::unexpected(std::move(secret.error()));
  order.passphrase = std::move(*secret);
  const json::value* const include = data.if_contains("include");
  if (!include) return order;
  order.configuration = order.history = false;
  for (const json::value& part : include->get_array()) {
    const std::string_view name = part.get_string();
    if (name == "keys") {
      order.secrets = true;
      continue;
    }
    if (name != "configuration" && name != "history") {
      return base::fail(
          base::ErrorCode::invalid,
          fmt::format("include: expected configuration, history, keys, got \"{}\"", base::utf8_excerpt(name)));
    }
    (name == "history" ? order.history : order.configuration) = true;
  }
  return order;
}

// The unpacked home must be able to start; without a configuration of its own it gets the present one.
Result<void> check_configuration(const std::filesystem::path& unpacked, const std::filesystem::path& folder,
                                 Integrations integrations) {
  std::error_code error;
  const bool own = std::filesystem::exists(unpacked / kConfigurationFile, error);
  const auto settings = load_settings(own ? unpacked : folder, known_integrations(integrations));
  const std::string wrong = settings ? texts_of(settings->findings, Finding::Kind::wrong) : settings.error().message;
  const bool is_missing =
      !settings && settings.error().code == base::ErrorCode::not_found;  // a start writes the default
  if (wrong.empty() || is_missing) return {};
  return base::fail(base::ErrorCode::invalid,
                    fmt::format("The configuration {} is not valid: {}", own ? "in the backup" : "of the home", wrong));
}

void create(core::Hub& hub, Backups& backups, const core::ServiceCall& call, const core::ServiceReply& reply) {
  auto order = read_order(call.data());
  if (!order) return reply(std::unexpected(std::move(order.error())));
  order->home_name = hub.config.load_once()->location_name;
  backups.create(std::move(*order), [&hub, reply, context = call.context()](const Result<backup::BackupInfo>& made) {
    json::object told;
    if (made) {
      told = {{"name", made->name}, {"bytes", made->bytes}, {"created", base::to_string(made->created)}};
      hub.bus.fire(kBackupCreated, base::to_json(told), core::Origin::local, context);
    }
    hub.bus.post([reply, told, failure = made ? base::Error{} : made.error(), good = made.has_value()] {
      if (good)
        reply(json::value(told));
      else
        reply(std::unexpected(failure));
    });
  });
}

void restore(core::Hub& hub, Backups& backups, const NameOf& name_of, const std::function<void()>& restart,
             const core::ServiceCall& call, const core::ServiceReply& reply) {
  auto secret = passphrase(call.data());
  if (!secret) return reply(std::unexpected(std::move(secret.error())));
  const json::value* const verify = call.data().if_contains("verify");
  const bool only_verify = verify && verify->get_bool();
  const auto answer = [&hub, reply, restart, only_verify](const Result<backup::Manifest>& done) {
    // A manifest has few files: the databases and the configuration.
    hub.bus.post([reply, restart, only_verify, done] {
      if (!done) return reply(std::unexpected(done.error()));
      reply(json::object{{"version", done->version},
                         {"created", base::to_string(done->created)},
                         {"home", done->home_name},
                         {"files", done->files.size()},
                         {"bytes", done->bytes()},
                         {"restarting", !only_verify}});
      if (!only_verify) restart();
    });
  };
  name_of(call.context().user_id,
          [&backups, answer, only_verify, name = base::text_at(call.data(), "name"), passphrase = std::move(*secret)](
              std::string by) { backups.restore({name, passphrase, only_verify, std::move(by)}, answer); });
}

}  // namespace

std::vector<core::Registration> add_backup_services(core::Hub& hub, Backups& backups,
                                                    const std::filesystem::path& folder, Integrations integrations,
                                                    NameOf name_of, std::function<void()> restart) {
  backups.check_each([&folder, integrations](const std::filesystem::path& unpacked) {
    return check_configuration(unpacked, folder, integrations);
  });
  std::vector<core::Registration> services;
  auto making =
      described("create", "Create", "Writes the home into a file in the folder backups/, while the hub runs.");
  making.fields = {
      {"name", "What to call it: letters, digits, _ and -. By default the time.", "before_update", field::Text{}},
      {"include",
       "Besides users, registry and last states: configuration, history; by default both. keys: those of "
       "connections, which are in a backup with a passphrase anyway.",
       core::Example::Json{R"(["configuration", "history"])"}, field::TextList{}},
      passphrase_field("Nobody can read the backup without it."),
  };
  services.push_back(hub.services.add(
      std::move(making),
      [&](const core::ServiceCall& call, const core::ServiceReply& reply) { create(hub, backups, call, reply); }));

  auto restoring = described("restore", "Restore",
                             "Puts the home of a backup in the place of this one, and restarts the hub. What is there "
                             "now is kept in a folder before-restore-….");
  restoring.fields = {
      {"name", "The backup's name.", "before_update", field::Text{}, true},
      passphrase_field("The one that the backup was made with."),
      {"verify", "Only say whether the backup is whole.", true, field::Boolean{}},
  };
  services.push_back(
      hub.services.add(std::move(restoring), [&, name_of = std::move(name_of), restart = std::move(restart)](
                                                 const core::ServiceCall& call, const core::ServiceReply& reply) {
        restore(hub, backups, name_of, restart, call, reply);
      }));
  return services;
}

}  // namespace hearth::app

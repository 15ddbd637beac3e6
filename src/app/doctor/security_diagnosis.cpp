// SPDX-License-Identifier: Apache-2.0
// Secrets, proxies and tokens that make a home easier to take than it needs to be.
#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "app/doctor/diagnosis.h"
#include "audit/audit_file.h"
#include "core/values/words.h"

namespace hearth::app {
namespace {

using enum Diagnosis::Grade;

constexpr std::string_view kSecurity = "security";
constexpr std::size_t kMostNamed = 10;
constexpr std::chrono::days kUnused{90};
constexpr core::Words kSecretKeys{"password token api_key client_secret passphrase"};

// Where secrets are written as they are, and not by `!secret`.
void find_plain(const base::ConfigNode& node, std::string_view key, std::vector<std::string>& places) {
  for (const auto& [name, value] : node.entries()) find_plain(value, name, places);
  for (const base::ConfigNode& each : node.items()) find_plain(each, key, places);
  if (!node.is_text() || node.writing().secret || !kSecretKeys.contains(key)) return;
  const auto& place = node.place();
  places.push_back(fmt::format("{}:{}: {}", place.file ? *place.file : "", place.line, place.key));
}

void examine_secrets(const Settings& settings, Diagnoses& found) {
  std::vector<std::string> places;
  for (const IntegrationSettings& each : settings.integrations) find_plain(each.options, each.name, places);
  if (places.size() > kMostNamed) places.resize(kMostNamed);
  for (const std::string& place : places) {
    found.push_back({kSecurity, warning, fmt::format("{} is written as it is", place),
                     "Move it to secrets.yaml and write !secret NAME in its place: files of the configuration are "
                     "shown and shared more easily."});
  }
}

void examine_proxies(const Settings& settings, Diagnoses& found) {
  for (const base::IpNetwork& network : settings.http.trusted_proxies) {
    if (network.is_single()) continue;
    found.push_back({kSecurity, warning,
                     fmt::format("http: trusted_proxies has {}, which is a whole network", network.str()),
                     "Each machine there may say that it is any client: name the proxy's own address."});
  }
}

// How many tokens of people who may log in the condition is true of; nothing if that cannot be read.
std::optional<std::int64_t> count_tokens(storage::Database& database, std::string_view condition, std::int64_t than) {
  auto select = database.prepare(
      fmt::format("SELECT count(*) FROM tokens JOIN users ON users.id = tokens.user_id "
                  "LEFT JOIN token_uses ON token_uses.token_id = tokens.id WHERE users.active = 1 AND {}",
                  condition));
  if (!select) return {};
  select->bind(than);
  const auto row = select->step();
  return row && *row ? std::optional(select->integer(0)) : std::nullopt;
}

// Whom a password alone lets in. A home that is reached from elsewhere should have nobody like that.
void examine_factors(storage::Database& database, const Settings& settings, Diagnoses& found) {
  auto select = database.prepare(
      "SELECT count(*), coalesce(sum(NOT EXISTS(SELECT 1 FROM totp_secrets WHERE user_id = users.id)), 0) FROM users "
      "WHERE active = 1 AND password <> ''");
  if (!select) return;  // a home of an older version has no such table
  const auto row = select->step();
  if (!row || !*row || select->integer(1) == 0) return;
  std::string said = fmt::format("{} of {} users have no second factor", select->integer(1), select->integer(0));
  if (settings.home.external_url.empty()) {
    found.push_back({kSecurity, good, std::move(said)});
  } else {
    found.push_back({kSecurity, warning, std::move(said) + ", and the home is reached from elsewhere",
                     "Each sets up an authenticator app on the profile page; auth: second_factor demands it."});
  }
}

void examine_tokens(storage::Database& database, base::Timestamp now, Diagnoses& found) {
  const std::int64_t before = (now - kUnused).time_since_epoch().count();
  const auto endless = count_tokens(database, "expires_at IS NULL AND ?1 <> 0", before);
  const auto unused = count_tokens(database, "coalesce(used_at, tokens.created_at) < ?1", before);
  // Of administrators, for the whole home, with the scope admin or without scopes.
  const auto wide = count_tokens(database,
                                 "users.role = 'administrator' AND tokens.rights IS NULL AND "
                                 "(tokens.scope = 'all' OR ',' || tokens.scope || ',' LIKE '%,admin,%') AND "
                                 "coalesce(used_at, tokens.created_at) < ?1",
                                 before);
  if (wide.value_or(0) > 0) {
    found.push_back({kSecurity, warning, fmt::format("{} unused tokens of administrators may do everything", *wide),
                     "Revoke them first. For programs make tokens with scopes: hearth token create --scope."});
  }
  if (unused.value_or(0) > 0) {
    found.push_back({kSecurity, warning, fmt::format("{} tokens have not been used for 90 days", *unused),
                     "Revoke those that nobody needs: hearth token list, hearth token revoke."});
  }
  if (endless.value_or(0) > 0) {
    found.push_back({kSecurity, good, fmt::format("{} tokens are valid for ever", *endless)});
  }
}

}  // namespace

Diagnoses examine_security(const std::filesystem::path& folder, const Settings& settings, base::Timestamp now) {
  Diagnoses found;
  examine_secrets(settings, found);
  examine_proxies(settings, found);
  std::error_code absent;
  const std::filesystem::path file = folder / "home.db";
  if (std::filesystem::exists(file, absent)) {
    // The databases' diagnosis says so where it cannot be opened.
    if (auto database = storage::Database::open_to_read(file)) {
      examine_factors(*database, settings, found);
      examine_tokens(*database, now, found);
    }
  }
  if (found.empty()) found.push_back({kSecurity, good, "no old tokens, plain secrets or trusted networks"});
  return found;
}

Diagnoses examine_audit(const std::filesystem::path& folder, const storage::GoOn& go_on) {
  constexpr std::string_view kAudit = "audit";
  std::error_code absent;
  const std::filesystem::path path = folder / audit::kFileName;
  if (!std::filesystem::exists(path, absent)) return {};
  auto file = audit::AuditFile::open_to_read(path);
  if (!file) return {{kAudit, bad, file.error().message, "Without its audit log the hub refuses changes."}};
  const auto verdict = file->verify({}, go_on);
  const auto extent = file->extent();
  if (!verdict || !extent) {
    return {{kAudit, bad, (verdict ? extent.error() : verdict.error()).message,
             "Without its audit log the hub refuses changes."}};
  }
  if (verdict->problem) {
    return {{kAudit, bad, fmt::format("The audit log was tampered with: {}", *verdict->problem),
             "Somebody with access to the folder did it, or the disk fails. Copies of the heads are in the backups: "
             "hearth audit verify --head."}};
  }
  return {
      {kAudit, good,
       fmt::format("the audit log is whole: {} rows, {} MiB", verdict->rows, (extent->bytes + (1 << 19)) / (1 << 20))}};
}

}  // namespace hearth::app

// SPDX-License-Identifier: Apache-2.0
#include "import_ha/steps/users_step.h"

#include <fmt/format.h>
#include <sodium.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "auth/accounts/account_import.h"
#include "auth/bcrypt.h"
#include "auth/factors/totp.h"
#include "auth/name.h"
#include "base/text/utf8.h"
#include "core/values/entity_id.h"
#include "import_ha/steps/account_names.h"
#include "import_ha/steps/item_reader.h"
#include "import_ha/steps/old_policy.h"
#include "import_ha/steps/old_tokens.h"
#include "import_ha/steps/registry_items.h"

namespace hearth::import_ha {
namespace {

using base::Result;

constexpr std::string_view kAuth = "auth", kPasswords = "auth_provider.homeassistant",
                           kSecondFactors = "auth_module.totp", kUserData = "frontend.user_data_";
constexpr double kLongestLife = 1e11;  // seconds; of a token that hardly ends

// The text of a field as it stands, of any length. It is not shown.
std::string secret_in(const json::object& item, std::string_view key) {
  const json::value* const value = item.if_contains(key);
  return value && value->is_string() ? std::string(value->get_string()) : std::string();
}

std::string decoded_base64(const std::string& text) {
  std::string bytes(text.size(), '\0');
  std::size_t size = 0;
  if (sodium_base642bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), text.data(), text.size(), nullptr,
                        &size, nullptr, sodium_base64_VARIANT_ORIGINAL) != 0)
    return {};
  bytes.resize(size);
  return bytes;
}

std::optional<base::Timestamp> after(base::Timestamp start, double seconds) {
  if (!(seconds >= 0 && seconds < kLongestLife)) return {};
  return start + std::chrono::duration_cast<base::Duration>(std::chrono::duration<double>(seconds));
}

class UsersImport {
 public:
  explicit UsersImport(const UsersPlan& plan) : plan_(plan), import_(plan.home) {}

  Result<void> run() {
    for (const auto& [name, file] :
         {std::pair(kAuth, &auth_), std::pair(kPasswords, &passwords_), std::pair(kSecondFactors, &second_factors_)}) {
      auto read = plan_.source.read_storage(name, plan_.report);
      if (!read) return std::unexpected(std::move(read.error()));
      if (*read) *file = std::move(**read);
    }
    if (!auth_) {
      plan_.report.note("There is no .storage/auth: no users were found.");
      return {};
    }
    if (auto read = take_names(); !read) return read;
    read_credentials();
    for (const json::object* const user : items("users", "user")) {
      if (auto added = add_user(*user); !added) return added;
    }
    for (const json::object* const token : items("refresh_tokens", "token")) {
      if (auto added = add_token(*token); !added) return added;
    }
    return add_user_data();
  }

 private:
  std::vector<const json::object*> items(std::string_view key, std::string_view what) {
    return items_of(auth_->data, key, what, auth_->file, plan_.report);
  }

  // Of users who are there already.
  Result<void> take_names() {
    auto select = plan_.home.prepare("SELECT name, id FROM users");
    if (!select) return std::unexpected(std::move(select.error()));
    return select->for_each([&](const storage::Statement& row) {
      names_.insert(auth::fold_case(row.text(0)));
      present_.insert(std::string(row.text(1)));
    });
  }

  void read_credentials() {
    for (const json::object* const each :
         items_of(auth_->data, "credentials", "credential", auth_->file, plan_.report)) {
      ItemReader item(*each);
      if (item.text("auth_provider_type") != "homeassistant") continue;
      const json::object data = item.object("data");
      logins_[item.text("user_id").value_or("")] = secret_in(data, "username");
    }
    if (passwords_) {
      for (const json::object* const each :
           items_of(passwords_->data, "users", "password", passwords_->file, plan_.report))
        hashes_[auth::fold_case(base::utf8_repaired(secret_in(*each, "username")))] =
            decoded_base64(secret_in(*each, "password"));
    }
    if (second_factors_) {
      const json::object* const data = second_factors_->data.if_object();
      const json::value* const users = data ? data->if_contains("users") : nullptr;
      if (users && users->is_object())
        for (const auto& [id, secret] : users->get_object())
          secrets_[std::string(id)] = secret.is_string() ? std::string(secret.get_string()) : std::string();
    }
    for (const json::object* const each : items_of(auth_->data, "groups", "group", auth_->file, plan_.report)) {
      const json::value* const policy = each->if_contains("policy");
      if (policy && !policy->is_null()) policies_[secret_in(*each, "id")] = *policy;
    }
  }

  // The role and the rights of a user; an attention if they cannot say the same here.
  void set_rights(const json::object& user, auth::ImportedUser& made, Thing& thing) {
    bool administrator = false, normal = false, reader = false;
    const json::value* own = nullptr;
    int others = 0;
    const json::value* const groups = user.if_contains("group_ids");
    if (groups && groups->is_array()) {
      for (const json::value& group : groups->get_array()) {
        administrator = administrator || group == "system-admin";
        normal = normal || group == "system-users";
        reader = reader || group == "system-read-only";
        const auto found = group.is_string() ? policies_.find(std::string_view(group.get_string())) : policies_.end();
        const bool system = group.is_string() && std::string_view(group.get_string()).starts_with("system-");
        if (system) continue;
        ++others;
        if (found != policies_.end()) own = &found->second;
      }
    }
    const json::value* const owner = user.if_contains("is_owner");
    if (administrator || (owner && *owner == json::value(true))) {
      made.role = core::Role::administrator;
    } else if (normal) {
      made.role = core::Role::user;
    } else if (reader && others == 0) {
      made.role = core::Role::reader;
    } else {
      const auto policy = own && others == 1 && !reader ? policy_of(*own) : std::optional<core::Policy>();
      made.role = policy ? core::Role::user : core::Role::reader;
      made.policy = std::make_shared<const core::Policy>(policy.value_or(core::Policy()));
      if (policy) return;
      attend(thing, "rights", "its rights cannot be said here, so it sees nothing",
             "Give it rights with `hearth user rights`.");
    }
  }

  static void attend(Thing& thing, std::string attention, std::string text, std::string todo) {
    add_text(thing.text, text);
    if (thing.attention.empty()) thing.attention = std::move(attention);
    thing.todo += (thing.todo.empty() ? "" : " ") + todo;
  }

  // The password and the second factor.
  void set_credentials(auth::ImportedUser& made, const std::string* login, Thing& thing) {
    if (!plan_.credentials) return;
    if (!login) {
      attend(thing, "no_password", "it logged in without a password there", "Set one with `hearth user passwd`.");
      return;
    }
    const auto hash = hashes_.find(auth::fold_case(*login));
    if (hash == hashes_.end() || hash->second.empty()) {
      attend(thing, "no_password", "its password is not there", "Set one with `hearth user passwd`.");
    } else if (const auto cost = auth::bcrypt_cost(hash->second); !cost || *cost > auth::kMaxBcryptCost) {
      attend(thing, "no_password", "its password is kept in a form that is not known here",
             "Set one with `hearth user passwd`.");
    } else {
      made.bcrypt = hash->second;
    }
    const auto secret = secrets_.find(made.id);
    if (secret == secrets_.end()) return;
    const auto bytes = auth::from_base32(secret->second);
    if (bytes && bytes->size() >= 10 && bytes->size() <= 64) {
      made.totp_secret = *bytes;
      return;
    }
    // Without the factor the password alone would be enough.
    made.bcrypt.reset();
    without_sessions_.insert(made.id);
    thing.why = Why::no_second_factor;
    attend(thing, "no_second_factor", "its second factor cannot be read, so it has no password and no sessions",
           "Set a password with `hearth user passwd`, and a second factor in the profile.");
  }

  Result<void> add_user(const json::object& each) {
    ItemReader item(each);
    auth::ImportedUser user{.id = item.needed_text("id"), .name = {}, .created_at = {}};
    const std::string shown = item.text("name").value_or("");
    Thing thing{.what = "user", .id = user.id, .name = shown, .file = auth_->file};
    if (item.broken()) {
      plan_.report.add(broken_thing("user", user.id, item, auth_->file));
      return {};
    }
    if (item.truth("system_generated")) {
      thing.fate = Fate::left;
      thing.why = Why::no_integration;
      thing.text = "a part of the old hub itself, no person";
      plan_.report.add(std::move(thing));
      return {};
    }
    if (present_.contains(user.id)) {
      thing.text = "is there already";
      plan_.report.add(std::move(thing));
      known_.insert(user.id);
      return {};
    }
    const auto login = logins_.find(user.id);
    const std::string* const name = login != logins_.end() && !login->second.empty() ? &login->second : nullptr;
    const std::string wanted = fitting_name(name ? *name : shown, fmt::format("user_{}", user.id.substr(0, 8)));
    user.name = free_account_name(wanted, "_", names_);
    user.display_name = fitting_name(shown, user.name);
    if (user.name != wanted) {
      attend(thing, "renamed", fmt::format("its login name is {} here, because another has {}", user.name, wanted),
             "Tell this person the name.");
    }
    set_rights(each, user, thing);
    thing.role = core::to_string(user.role);
    user.active = item.truth("is_active", true);
    set_credentials(user, name, thing);
    if (item.truth("local_only")) {
      user.active = false;
      thing.why = Why::local_only;
      attend(
          thing, "local_only", "it could log in from the local network only, a limit that is not known here",
          fmt::format("Activate the account if it may log in from elsewhere: `hearth user activate {}`.", user.name));
    }
    // The owner is the first administrator.
    user.created_at = plan_.now + base::Duration(item.truth("is_owner") ? 0 : ++order_);
    if (auto added = import_.add_user(user); !added) return left(std::move(thing), added.error());
    names_.insert(auth::fold_case(user.name));
    known_.insert(user.id);
    plan_.report.add(std::move(thing));
    return {};
  }

  // Of one thing that cannot be added; the machine's failures end the step.
  Result<void> left(Thing thing, const base::Error& error) {
    if (error.code == base::ErrorCode::unavailable || error.code == base::ErrorCode::internal)
      return std::unexpected(error);
    thing.fate = Fate::left;
    thing.why = error.code == base::ErrorCode::conflict ? Why::duplicate : Why::broken;
    thing.text = error.message;
    plan_.report.add(std::move(thing));
    return {};
  }

  Result<void> add_token(const json::object& each) {
    ItemReader item(each);
    const std::string type = item.text("token_type").value_or("normal");
    if (type == "system") {
      plan_.report.count("system_tokens", Fate::left);
      return {};
    }
    const bool long_lived = type == "long_lived_access_token";
    Thing thing{.what = long_lived ? "token" : "session", .id = item.needed_text("id"), .file = auth_->file};
    const std::string user_id = item.needed_text("user_id");
    const base::Timestamp created = item.time("created_at");
    thing.name = item.text(long_lived ? "client_name" : "client_id").value_or("");
    if (item.broken() || created == base::Timestamp()) {
      Thing broken = broken_thing(thing.what, thing.id, item, auth_->file);
      if (!item.broken()) broken.text = "it is not known when it was made";
      plan_.report.add(std::move(broken));
      return {};
    }
    if (!plan_.credentials || !known_.contains(user_id)) {
      thing.fate = Fate::left;
      thing.why = plan_.credentials ? Why::no_integration : Why::secret;
      thing.text = plan_.credentials ? "its user was left" : "left, as was asked for";
      plan_.report.add(std::move(thing));
      return {};
    }
    return long_lived ? add_long_lived(item, each, std::move(thing), user_id, created)
                      : add_session(item, each, std::move(thing), user_id, created);
  }

  Result<void> expired(Thing thing) {
    thing.fate = Fate::left;
    thing.why = Why::expired;
    plan_.report.add(std::move(thing));
    return {};
  }

  Result<void> add_long_lived(ItemReader& item, const json::object& each, Thing thing, const std::string& user_id,
                              base::Timestamp created) {
    const json::value* const lifetime = each.if_contains("access_token_expiration");
    const double seconds = lifetime && lifetime->is_number() ? lifetime->to_number<double>() : -1;
    const std::string key = secret_in(each, "jwt_key");
    if (seconds < 0 || key.empty()) {
      plan_.report.add({.what = "token",
                        .id = thing.id,
                        .name = thing.name,
                        .fate = Fate::left,
                        .why = Why::broken,
                        .text = "its key or its time is missing",
                        .file = auth_->file});
      return {};
    }
    auth::ImportedToken token{.id = thing.id, .user_id = user_id, .name = {}, .created_at = created};
    token.expires_at = after(created, seconds);
    if (token.expires_at && *token.expires_at <= plan_.now) return expired(std::move(thing));
    auto& names = token_names_[user_id];
    token.name = free_account_name(fitting_name(thing.name, "Token"), " ", names);
    names.insert(auth::fold_case(token.name));
    token.hashes = hashes_of_token(token.id, key, created, seconds);
    if (const base::Timestamp used = item.time("last_used_at"); used != base::Timestamp()) {
      token.used_at = used;
      token.used_from = item.text("last_used_ip").value_or("");
    }
    if (const auto icon = item.text("client_icon"); icon && auth::check_name("An icon", *icon)) token.icon = *icon;
    if (auto added = import_.add_token(token); !added) return left(std::move(thing), added.error());
    thing.name = token.name;
    plan_.report.add(std::move(thing));
    return {};
  }

  Result<void> add_session(ItemReader& item, const json::object& each, Thing thing, const std::string& user_id,
                           base::Timestamp created) {
    if (without_sessions_.contains(user_id)) {
      thing.fate = Fate::left;
      thing.why = Why::no_second_factor;
      plan_.report.add(std::move(thing));
      return {};
    }
    auth::ImportedSession session{.id = thing.id,
                                  .user_id = user_id,
                                  .client_id = thing.name,
                                  .hash = auth::hash_token(secret_in(each, "token")),
                                  .created_at = created,
                                  .used_at = created,
                                  .expires_at = {}};
    if (const base::Timestamp used = item.time("last_used_at"); used > created) {
      session.used_at = used;
      session.used_from = item.text("last_used_ip").value_or("");
    }
    session.expires_at = session.used_at + auth::kSessionLife;
    if (const json::value* const end = each.if_contains("expire_at"); end && end->is_number())
      session.expires_at = after({}, end->to_number<double>()).value_or(session.expires_at);
    if (session.expires_at <= plan_.now) return expired(std::move(thing));
    if (auto added = import_.add_session(session); !added) return left(std::move(thing), added.error());
    plan_.report.add(std::move(thing));
    return {};
  }

  Result<void> add_user_data() {
    for (const std::string& name : plan_.source.storage_names(kUserData)) {
      const std::string user = name.substr(kUserData.size());
      auto file = plan_.source.read_storage(name, plan_.report);
      if (!file) return std::unexpected(std::move(file.error()));
      const json::object* const data = *file ? (*file)->data.if_object() : nullptr;
      if (!data || !known_.contains(user)) continue;
      for (const auto& [key, value] : *data) {
        auto added = import_.add_user_data(user, key, value);
        if (added) {
          plan_.report.count("user_data", Fate::carried);
          continue;
        }
        Thing thing{
            .what = "user_datum", .id = fmt::format("{} {}", user, base::utf8_excerpt(key)), .file = (*file)->file};
        if (auto go_on = left(std::move(thing), added.error()); !go_on) return go_on;
      }
    }
    return {};
  }

  const UsersPlan& plan_;
  auth::AccountImport import_;
  std::optional<StorageFile> auth_, passwords_, second_factors_;
  std::map<std::string, std::string, std::less<>> logins_, hashes_, secrets_;  // by user id, folded name, user id
  std::map<std::string, json::value, std::less<>> policies_;                   // by group
  std::set<std::string> names_, present_, known_, without_sessions_;
  std::map<std::string, std::set<std::string>> token_names_;
  std::int64_t order_ = 0;
};

}  // namespace

Result<void> import_users(const UsersPlan& plan) {
  return UsersImport(plan).run();
}

}  // namespace hearth::import_ha

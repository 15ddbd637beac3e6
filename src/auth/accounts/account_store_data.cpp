// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "auth/accounts/account_store.h"
#include "base/json/json.h"
#include "base/text/utf8.h"

namespace hearth::auth {

using base::ErrorCode;
using base::Result;
using storage::Statement;
using storage::Transaction;

Result<std::string> AccountStore::user_data(std::string_view user_id) {
  auto select = database_.prepare("SELECT key, value FROM user_data WHERE user_id = ? ORDER BY key");
  if (!select) return std::unexpected(std::move(select.error()));
  std::string object = "{";
  const auto read = select->bind(user_id).for_each([&](const Statement& row) {
    if (object.size() > 1) object += ',';
    base::write_json_string(object, row.text(0));
    object += ':';
    object += row.text(1);
  });
  if (!read) return std::unexpected(read.error());
  return object += '}';
}

Result<std::string> AccountStore::user_data(std::string_view user_id, std::string_view key) {
  auto select = database_.prepare("SELECT value FROM user_data WHERE user_id = ? AND key = ?");
  if (!select) return std::unexpected(std::move(select.error()));
  const auto row = select->bind(user_id, key).step();
  if (!row) return std::unexpected(row.error());
  return *row ? std::string(select->text(0)) : "null";
}

Result<std::string> AccountStore::set_user_data(std::string_view user_id, std::string_view key,
                                                std::string_view value_json, const json::value* former) {
  const auto length = base::utf8_length(key);
  if (!length || *length < 1 || *length > kMaxDataKey) {
    return base::fail(ErrorCode::invalid, fmt::format("key: expected a text of 1 to {} characters.", kMaxDataKey));
  }
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return std::unexpected(std::move(transaction.error()));
  if (const auto user = find_user_by_id(user_id); !user) return std::unexpected(user.error());
  if (former) {
    const auto text = user_data(user_id, key);
    if (!text) return std::unexpected(text.error());
    const auto value = base::parse_json(*text);
    if (!value) return std::unexpected(value.error());
    if (*value != *former) {
      return base::fail(ErrorCode::conflict, fmt::format("former: {} was changed meanwhile. Read it again.", key));
    }
  }
  const auto written = value_json == "null"
                           ? database_.run("DELETE FROM user_data WHERE user_id = ? AND key = ?", user_id, key)
                           : database_.run(
                                 "INSERT INTO user_data(user_id, key, value) VALUES(?, ?, ?) "
                                 "ON CONFLICT(user_id, key) DO UPDATE SET value = excluded.value",
                                 user_id, key, value_json);
  if (!written) return std::unexpected(written.error());
  auto all = user_data(user_id);
  if (!all) return all;
  if (all->size() > kMaxUserData) {
    return base::fail(ErrorCode::invalid, fmt::format("value: expected at most {} bytes of JSON with all else that is "
                                                      "kept for this user; it would be {}.",
                                                      kMaxUserData, all->size()));
  }
  if (auto done = transaction->commit(); !done) return std::unexpected(std::move(done.error()));
  return all;
}

}  // namespace hearth::auth

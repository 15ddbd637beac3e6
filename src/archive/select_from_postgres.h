// SPDX-License-Identifier: Apache-2.0
// Answers a SELECT about any PostgreSQL database, in a transaction that only reads. Any thread.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "storage/select_query.h"

namespace hearth::archive {

class SelectFromPostgres {
 public:
  SelectFromPostgres();
  ~SelectFromPostgres();
  SelectFromPostgres(const SelectFromPostgres&) = delete;
  SelectFromPostgres& operator=(const SelectFromPostgres&) = delete;

  // Connects, asks, and ends the connection. `url`: postgresql://user:password@host/database. Blocks. Fails with
  // unavailable, with invalid, or with full beyond a bound; the message is a sentence without its subject, and has no
  // password.
  base::Result<storage::SelectedRow> ask(const std::string& url, const storage::SelectQuery& query);
  // Ends all questions, and further ones.
  void cancel();

 private:
  struct State;
  const std::unique_ptr<State> state_;
};

}  // namespace hearth::archive

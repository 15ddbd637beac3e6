// SPDX-License-Identifier: Apache-2.0
// The databases that the configuration may ask: the home's history, and any of PostgreSQL. Any thread.
#pragma once

#include <string>

#include "archive/select_from_postgres.h"
#include "base/clock.h"
#include "building_blocks/polled/databases.h"
#include "recorder/recorder.h"

namespace hearth::app {

class SqlDatabases final : public building_blocks::Databases {
 public:
  explicit SqlDatabases(const base::Clock& clock) : clock_(clock) {}

  // Before the first question; must outlive the last one.
  void use(const recorder::Recorder& recorder) { recorder_ = &recorder; }
  // Ends what waits for a server.
  void stop() { postgres_.cancel(); }

  base::Result<storage::SelectedRow> ask(const std::string& url, const storage::SelectQuery& query,
                                         const std::function<bool()>& is_wanted) override;

 private:
  const base::Clock& clock_;
  const recorder::Recorder* recorder_ = nullptr;
  archive::SelectFromPostgres postgres_;
};

}  // namespace hearth::app

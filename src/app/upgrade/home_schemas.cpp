// SPDX-License-Identifier: Apache-2.0
#include "app/upgrade/home_schemas.h"

#include "app/connections/connection_store.h"
#include "app/settings/home_settings.h"
#include "app/settings/mqtt_settings.h"
#include "app/upgrade/program_record.h"
#include "auth/accounts/account_store.h"
#include "phones/phone_store.h"
#include "recorder/follower_mark.h"
#include "recorder/history/imported_statistics.h"
#include "recorder/journal/last_states.h"
#include "recorder/journal/registry_store.h"
#include "recorder/journal/run_journal.h"
#include "recorder/log/history_file.h"
#include "storage/home_uuid.h"

namespace hearth::app {

std::vector<storage::Schema> schemas_of(std::string_view database) {
  if (database == recorder::kHistoryDatabase) return {recorder::history_schema()};
  if (database != recorder::kHomeDatabase) return {};
  return {storage::home_uuid_schema(),      HomeSettings::schema(),
          MqttSettings::schema(),           auth::AccountStore::schema(),
          recorder::LastStates::schema(),   recorder::RegistryStore::schema(),
          recorder::RunJournal::schema(),   recorder::ImportedStatistics::schema(),
          recorder::FollowerMark::schema(), ConnectionStore::schema(),
          phones::PhoneStore::schema(),     program_schema()};
}

}  // namespace hearth::app

// SPDX-License-Identifier: Apache-2.0
#include "archive/postgres_library.h"

#include <optional>

#include "base/loaded_library.h"

namespace hearth::archive {
namespace {

std::optional<PostgresLibrary> load_postgres() {
  base::LoadedLibrary library("libpq.so.5");
  PostgresLibrary functions{};
  library.find(functions.connect_start, "PQconnectStartParams");
  library.find(functions.connect_poll, "PQconnectPoll");
  library.find(functions.parse_url, "PQconninfoParse");
  library.find(functions.free_url, "PQconninfoFree");
  library.find(functions.free_memory, "PQfreemem");
  library.find(functions.finish, "PQfinish");
  library.find(functions.status, "PQstatus");
  library.find(functions.socket, "PQsocket");
  library.find(functions.error_message, "PQerrorMessage");
  library.find(functions.server_version, "PQserverVersion");
  library.find(functions.set_nonblocking, "PQsetnonblocking");
  library.find(functions.set_notice_receiver, "PQsetNoticeReceiver");
  library.find(functions.send_queries, "PQsendQuery");
  library.find(functions.send_query, "PQsendQueryParams");
  library.find(functions.flush, "PQflush");
  library.find(functions.consume_input, "PQconsumeInput");
  library.find(functions.is_busy, "PQisBusy");
  library.find(functions.get_result, "PQgetResult");
  library.find(functions.put_copy_data, "PQputCopyData");
  library.find(functions.put_copy_end, "PQputCopyEnd");
  library.find(functions.result_status, "PQresultStatus");
  library.find(functions.result_error_field, "PQresultErrorField");
  library.find(functions.rows, "PQntuples");
  library.find(functions.columns, "PQnfields");
  library.find(functions.is_null, "PQgetisnull");
  library.find(functions.value, "PQgetvalue");
  library.find(functions.clear, "PQclear");
  if (!library.complete()) return {};
  return functions;
}

}  // namespace

const PostgresLibrary* postgres_library() {
  static const std::optional<PostgresLibrary> kLoaded = load_postgres();
  return kLoaded ? &*kLoaded : nullptr;
}

}  // namespace hearth::archive

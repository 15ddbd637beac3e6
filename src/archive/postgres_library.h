// SPDX-License-Identifier: Apache-2.0
// The functions of libpq that the archive uses. Any thread.
#pragma once

#include <libpq-fe.h>

#include "base/net/loaded_library.h"

namespace hearth::archive {

struct PostgresLibrary {
  base::LoadedLibrary library;
  decltype(&PQconnectStartParams) connect_start = library.find("PQconnectStartParams");
  decltype(&PQconnectPoll) connect_poll = library.find("PQconnectPoll");
  decltype(&PQconninfoParse) parse_url = library.find("PQconninfoParse");
  decltype(&PQconninfoFree) free_url = library.find("PQconninfoFree");
  decltype(&PQfreemem) free_memory = library.find("PQfreemem");
  decltype(&PQfinish) finish = library.find("PQfinish");
  decltype(&PQstatus) status = library.find("PQstatus");
  decltype(&PQsocket) socket = library.find("PQsocket");
  decltype(&PQerrorMessage) error_message = library.find("PQerrorMessage");
  decltype(&PQserverVersion) server_version = library.find("PQserverVersion");
  decltype(&PQsetnonblocking) set_nonblocking = library.find("PQsetnonblocking");
  decltype(&PQsetNoticeReceiver) set_notice_receiver = library.find("PQsetNoticeReceiver");
  decltype(&PQsendQuery) send_queries = library.find("PQsendQuery");
  decltype(&PQsendQueryParams) send_query = library.find("PQsendQueryParams");
  decltype(&PQflush) flush = library.find("PQflush");
  decltype(&PQconsumeInput) consume_input = library.find("PQconsumeInput");
  decltype(&PQisBusy) is_busy = library.find("PQisBusy");
  decltype(&PQgetResult) get_result = library.find("PQgetResult");
  decltype(&PQputCopyData) put_copy_data = library.find("PQputCopyData");
  decltype(&PQputCopyEnd) put_copy_end = library.find("PQputCopyEnd");
  decltype(&PQresultStatus) result_status = library.find("PQresultStatus");
  decltype(&PQresultErrorField) result_error_field = library.find("PQresultErrorField");
  decltype(&PQntuples) rows = library.find("PQntuples");
  decltype(&PQnfields) columns = library.find("PQnfields");
  decltype(&PQgetisnull) is_null = library.find("PQgetisnull");
  decltype(&PQgetvalue) value = library.find("PQgetvalue");
  decltype(&PQclear) clear = library.find("PQclear");
};

// Null if it is not installed.
const PostgresLibrary* postgres_library();

}  // namespace hearth::archive

// SPDX-License-Identifier: Apache-2.0
// The functions of libpq that the archive uses. Any thread.
#pragma once

#include <libpq-fe.h>

namespace hearth::archive {

struct PostgresLibrary {
  decltype(&PQconnectStartParams) connect_start;
  decltype(&PQconnectPoll) connect_poll;
  decltype(&PQconninfoParse) parse_url;
  decltype(&PQconninfoFree) free_url;
  decltype(&PQfreemem) free_memory;
  decltype(&PQfinish) finish;
  decltype(&PQstatus) status;
  decltype(&PQsocket) socket;
  decltype(&PQerrorMessage) error_message;
  decltype(&PQserverVersion) server_version;
  decltype(&PQsetnonblocking) set_nonblocking;
  decltype(&PQsetNoticeReceiver) set_notice_receiver;
  decltype(&PQsendQuery) send_queries;
  decltype(&PQsendQueryParams) send_query;
  decltype(&PQflush) flush;
  decltype(&PQconsumeInput) consume_input;
  decltype(&PQisBusy) is_busy;
  decltype(&PQgetResult) get_result;
  decltype(&PQputCopyData) put_copy_data;
  decltype(&PQputCopyEnd) put_copy_end;
  decltype(&PQresultStatus) result_status;
  decltype(&PQresultErrorField) result_error_field;
  decltype(&PQntuples) rows;
  decltype(&PQnfields) columns;
  decltype(&PQgetisnull) is_null;
  decltype(&PQgetvalue) value;
  decltype(&PQclear) clear;
};

// Null if it is not installed.
const PostgresLibrary* postgres_library();

}  // namespace hearth::archive

// SPDX-License-Identifier: Apache-2.0
#include "archive/postgres_connection.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace hearth::archive {
namespace {

using base::Result;

// The message's first line, as part of a sentence.
std::string first_line(std::string_view message) {
  const std::size_t end = message.find('\n');
  std::string line(message.substr(0, end));
  while (!line.empty() && (line.back() == ' ' || line.back() == '.')) line.pop_back();
  return line.empty() ? "no reason given" : line;
}

}  // namespace

Cancel::Cancel() : descriptor_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
}

Cancel::~Cancel() {
  ::close(descriptor_);
}

void Cancel::request() {
  static_cast<void>(::eventfd_write(descriptor_, 1));
}

void PostgresConnection::Finish::operator()(PGconn* connection) const {
  postgres_library()->finish(connection);
}

void PostgresConnection::Clear::operator()(PGresult* result) const {
  postgres_library()->clear(result);
}

Result<PostgresConnection> PostgresConnection::open(const std::string& url, const Cancel& cancel,
                                                    std::chrono::seconds patience) {
  const PostgresLibrary* const library = postgres_library();
  if (!library) {
    return base::fail(base::ErrorCode::unavailable,
                      "The library of PostgreSQL is not installed: install the package libpq5.");
  }
  // Of a URL that cannot be read, the library's message could show the password.
  char* wrong = nullptr;
  PQconninfoOption* const parsed = library->parse_url(url.c_str(), &wrong);
  library->free_memory(wrong);
  if (!parsed) return base::fail(base::ErrorCode::invalid, "The URL of PostgreSQL cannot be read.");
  library->free_url(parsed);
  constexpr std::array kKeys = {"dbname", "application_name", "client_encoding", "connect_timeout",
                                static_cast<const char*>(nullptr)};
  const std::array kValues = {url.c_str(), "hearth", "UTF8", "20", static_cast<const char*>(nullptr)};
  PostgresConnection made(*library, cancel, patience, library->connect_start(kKeys.data(), kValues.data(), 1));
  if (!made.connection_) throw std::bad_alloc();
  if (auto connected = made.connect(); !connected) return std::unexpected(std::move(connected.error()));
  return made;
}

Result<void> PostgresConnection::connect() {
  if (library_->status(connection_.get()) == CONNECTION_BAD) return failed();
  for (PostgresPollingStatusType state = PGRES_POLLING_WRITING; state != PGRES_POLLING_OK;) {
    if (auto ready = wait(state == PGRES_POLLING_WRITING); !ready) return ready;
    state = library_->connect_poll(connection_.get());
    if (state == PGRES_POLLING_FAILED) return failed();
  }
  library_->set_notice_receiver(connection_.get(), [](void*, const PGresult*) {}, nullptr);
  if (library_->set_nonblocking(connection_.get(), 1) != 0) return failed();
  return {};
}

Result<void> PostgresConnection::wait(bool to_write) {
  std::array<pollfd, 2> waiting{
      {{cancel_->descriptor(), POLLIN, 0},
       {library_->socket(connection_.get()), static_cast<short>(to_write ? POLLIN | POLLOUT : POLLIN), 0}}};
  const auto end = std::chrono::steady_clock::now() + patience_;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    const int ready = left.count() > 0 ? ::poll(waiting.data(), waiting.size(), static_cast<int>(left.count())) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (waiting[0].revents != 0) return base::fail(base::ErrorCode::unavailable, "The hub ends.");
    if (ready > 0) return {};
    return base::fail(base::ErrorCode::unavailable,
                      fmt::format("PostgreSQL does not answer for {} seconds.", patience_.count()));
  }
}

Result<void> PostgresConnection::send(const std::string& sql, const std::vector<std::string>& parameters) {
  std::vector<const char*> values;
  for (const std::string& each : parameters) values.push_back(each.c_str());
  const int sent = parameters.empty()
                       ? library_->send_queries(connection_.get(), sql.c_str())
                       : library_->send_query(connection_.get(), sql.c_str(), static_cast<int>(values.size()), nullptr,
                                              values.data(), nullptr, nullptr, 0);
  if (sent == 0) return failed();
  return flush();
}

Result<void> PostgresConnection::flush() {
  for (;;) {
    const int left = library_->flush(connection_.get());
    if (left == 0) return {};
    if (left < 0) return failed();
    if (auto ready = wait(true); !ready) return ready;
    // Bytes that the server sends meanwhile must not fill its buffers.
    if (library_->consume_input(connection_.get()) == 0) return failed();
  }
}

Result<PostgresConnection::ResultPtr> PostgresConnection::next_result() {
  while (library_->is_busy(connection_.get()) != 0) {
    if (auto ready = wait(false); !ready) return std::unexpected(std::move(ready.error()));
    if (library_->consume_input(connection_.get()) == 0) return failed();
  }
  return ResultPtr(library_->get_result(connection_.get()));
}

Result<std::vector<PostgresConnection::Row>> PostgresConnection::results() {
  std::vector<Row> rows;
  std::optional<base::Error> failure;
  for (;;) {
    auto result = next_result();
    if (!result) return std::unexpected(std::move(result.error()));
    if (!*result) break;
    const ExecStatusType status = library_->result_status(result->get());
    if (status == PGRES_COPY_IN) return rows;
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK && !failure) failure = failed(result->get()).error();
    const int columns = library_->columns(result->get());
    for (int row = 0; row < library_->rows(result->get()); ++row) {
      Row& made = rows.emplace_back();
      for (int column = 0; column < columns; ++column) {
        if (library_->is_null(result->get(), row, column) != 0)
          made.emplace_back();
        else
          made.emplace_back(library_->value(result->get(), row, column));
      }
    }
  }
  if (failure) return std::unexpected(std::move(*failure));
  return rows;
}

Result<std::vector<PostgresConnection::Row>> PostgresConnection::run(const std::string& sql,
                                                                     const std::vector<std::string>& parameters) {
  if (auto sent = send(sql, parameters); !sent) return std::unexpected(std::move(sent.error()));
  return results();
}

Result<std::vector<PostgresConnection::Row>> PostgresConnection::run_one(const std::string& sql) {
  if (library_->send_query(connection_.get(), sql.c_str(), 0, nullptr, nullptr, nullptr, nullptr, 0) == 0)
    return failed();
  if (auto sent = flush(); !sent) return std::unexpected(std::move(sent.error()));
  return results();
}

Result<void> PostgresConnection::copy(const std::string& sql, std::string_view rows) {
  if (auto begun = run(sql); !begun) return std::unexpected(std::move(begun.error()));
  constexpr std::size_t kAtOnce = 256 * 1024;
  while (!rows.empty()) {
    const std::string_view piece = rows.substr(0, kAtOnce);
    const int put = library_->put_copy_data(connection_.get(), piece.data(), static_cast<int>(piece.size()));
    if (put < 0) return failed();
    if (put > 0) rows.remove_prefix(piece.size());
    if (auto sent = flush(); !sent) return sent;
  }
  for (;;) {
    const int ended = library_->put_copy_end(connection_.get(), nullptr);
    if (ended < 0) return failed();
    if (auto sent = flush(); !sent) return sent;
    if (ended > 0) break;
  }
  auto done = results();
  if (!done) return std::unexpected(std::move(done.error()));
  return {};
}

int PostgresConnection::server_version() const {
  return library_->server_version(connection_.get());
}

std::unexpected<base::Error> PostgresConnection::failed() const {
  return base::fail(base::ErrorCode::unavailable,
                    fmt::format("PostgreSQL: {}.", first_line(library_->error_message(connection_.get()))));
}

std::unexpected<base::Error> PostgresConnection::failed(const PGresult* result) const {
  const char* const message = library_->result_error_field(result, PG_DIAG_MESSAGE_PRIMARY);
  if (!message) return failed();
  // Classes of SQLSTATE: 22 is a value that is none, 23 one that the tables do not allow.
  const char* const state = library_->result_error_field(result, PG_DIAG_SQLSTATE);
  const bool data = state && (std::string_view(state).starts_with("22") || std::string_view(state).starts_with("23"));
  return base::fail(data ? base::ErrorCode::invalid : base::ErrorCode::unavailable,
                    fmt::format("PostgreSQL: {}.", first_line(message)));
}

void copy_text(std::string& out, std::string_view text, char after) {
  for (const char c : text) {
    switch (c) {
      case '\0':
        out += "\xEF\xBF\xBD";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        out += c;
    }
  }
  out += after;
}

void copy_null(std::string& out, char after) {
  out += "\\N";
  out += after;
}

}  // namespace hearth::archive

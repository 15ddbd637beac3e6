// SPDX-License-Identifier: Apache-2.0
// A connection to a PostgreSQL server. No call waits longer than its patience for progress of the server, and cancel
// ends every wait.
//
// One thread at a time, except cancel. A failure ends the transaction and may break the connection: the caller drops it
// and connects again. Fails with invalid if the server rejects the data, otherwise with unavailable.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "archive/postgres_library.h"
#include "base/result.h"

namespace hearth::archive {

// Ends what others wait for. Any thread.
class Cancel {
 public:
  Cancel();
  ~Cancel();
  Cancel(const Cancel&) = delete;
  Cancel& operator=(const Cancel&) = delete;

  void request();
  int descriptor() const { return descriptor_; }  // readable once it was requested

 private:
  int descriptor_;
};

class PostgresConnection {
 public:
  static constexpr std::chrono::seconds kPatience{20};

  using Row = std::vector<std::optional<std::string>>;

  // Fails with unavailable, or with invalid for a URL that is none. No message has the password.
  static base::Result<PostgresConnection> open(const std::string& url, const Cancel& cancel,
                                               std::chrono::seconds patience = kPatience);

  // One statement with parameters as $1, $2 …, or several without.
  base::Result<std::vector<Row>> run(const std::string& sql, const std::vector<std::string>& parameters = {});
  // One statement; the server refuses several.
  base::Result<std::vector<Row>> run_one(const std::string& sql);
  // COPY … FROM STDIN with rows in its text format.
  base::Result<void> copy(const std::string& sql, std::string_view rows);
  int server_version() const;  // 150018
  std::chrono::seconds patience() const { return patience_; }
  void set_patience(std::chrono::seconds patience) { patience_ = patience; }

 private:
  struct Finish {
    void operator()(PGconn* connection) const;
  };
  struct Clear {
    void operator()(PGresult* result) const;
  };
  using ResultPtr = std::unique_ptr<PGresult, Clear>;

  PostgresConnection(const PostgresLibrary& library, const Cancel& cancel, std::chrono::seconds patience,
                     PGconn* connection)
      : library_(&library), cancel_(&cancel), patience_(patience), connection_(connection) {}
  base::Result<void> connect();
  base::Result<void> wait(bool to_write);
  base::Result<void> send(const std::string& sql, const std::vector<std::string>& parameters);
  base::Result<void> flush();
  base::Result<ResultPtr> next_result();  // null at the end
  base::Result<std::vector<Row>> results();
  std::unexpected<base::Error> failed() const;
  std::unexpected<base::Error> failed(const PGresult* result) const;

  const PostgresLibrary* library_;
  const Cancel* cancel_;
  std::chrono::seconds patience_;
  std::unique_ptr<PGconn, Finish> connection_;
};

// A row's fields for COPY's text format, each with the tab or the end of the line that follows it. PostgreSQL's texts
// have no NUL: it becomes U+FFFD.
void copy_text(std::string& out, std::string_view text, char after = '\t');
void copy_null(std::string& out, char after = '\t');

}  // namespace hearth::archive

// SPDX-License-Identifier: Apache-2.0
// A prepared SQL statement: bind values, step through rows, read typed columns.
//
// Used by one thread at a time, that of its database.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"

struct sqlite3_stmt;

namespace hearth::storage {

using Blob = std::span<const std::uint8_t>;

class Statement {
 public:
  // Resets the statement and binds these values to its parameters: integers, booleans, text, blobs, timestamps,
  // optionals of these (nullopt is NULL). The values are copied. A value that is too large fails the next step.
  template <class... Values>
  Statement& bind(const Values&... values) {
    restart();
    int index = 0;
    (bind_one(++index, values), ...);
    return *this;
  }

  // The same without copying text and blobs: they must live until the statement is bound again or destroyed.
  template <class... Values>
  Statement& bind_views(const Values&... values) {
    copies_ = false;
    bind(values...);
    copies_ = true;
    return *this;
  }

  // True if there is a row; its columns can be read until the next step.
  base::Result<bool> step();
  // Steps to the end and resets.
  base::Result<void> run();
  // Calls function(statement) for each row, then resets.
  template <class Function>
  base::Result<void> for_each(Function&& function) {
    for (;;) {
      auto row = step();
      if (!row) return std::unexpected(std::move(row.error()));
      if (!*row) return {};
      function(*this);
    }
  }

  // Columns count from 0. Views are valid until the next step.
  bool is_null(int column) const;
  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string_view text(int column) const;
  Blob blob(int column) const;
  base::Timestamp timestamp(int column) const { return base::Timestamp(base::Duration(integer(column))); }
  std::optional<std::string_view> optional_text(int column) const;
  std::optional<std::string> optional_string(int column) const;
  std::optional<base::Timestamp> optional_timestamp(int column) const;

  // Resets, and releases the rows it was reading.
  void restart();

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}

  void bind_null(int index);
  void bind_integer(int index, std::int64_t value);
  void bind_text(int index, std::string_view value);
  void bind_blob(int index, Blob value);

  template <std::integral Integer>
  void bind_one(int index, Integer value) {
    bind_integer(index, static_cast<std::int64_t>(value));
  }
  void bind_one(int index, std::string_view value) { bind_text(index, value); }
  void bind_one(int index, Blob value) { bind_blob(index, value); }
  void bind_one(int index, base::Timestamp value) { bind_integer(index, value.time_since_epoch().count()); }
  template <class Value>
  void bind_one(int index, const std::optional<Value>& value) {
    if (value)
      bind_one(index, *value);
    else
      bind_null(index);
  }

  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  int bind_status_ = 0;
  bool copies_ = true;  // what is bound
};

}  // namespace hearth::storage

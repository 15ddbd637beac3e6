// SPDX-License-Identifier: Apache-2.0
// The reason why a template fails, and the budget of a rendering. Inside this module a failure is thrown, because it
// may occur at any depth of an expression; Template catches it, so that no other module sees the exception.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hearth::templates {

enum class FailureKind { syntax, name, undefined, type, value, zero_division, security, limit };

// As in the answer of POST /api/template.
std::string_view to_string(FailureKind kind);

struct Failure {
  FailureKind kind;
  std::string message;
  int line = 0;           // of the template, from 1; 0 if unknown
  bool endless = false;   // it took too many steps, or too long
  bool expected = false;  // by the filter is_defined: the value is to be ignored, nobody has to know
};

[[noreturn]] void fail(FailureKind kind, std::string message);
[[noreturn]] void fail_endless(std::string message);

// The function's result; a failure that does not know its line has this one.
template <class Function>
auto with_line(int line, Function&& function) {
  try {
    return function();
  } catch (Failure& failure) {
    if (!failure.line) failure.line = line;
    throw;
  }
}

// The greatest cost of a rendering. Each evaluation, each 16 bytes or elements of a new value, and each 64 bytes that
// an operation reads take a unit.
struct Limits {
  std::uint64_t units = 1'000'000;
  std::size_t output_bytes = 256 * 1024;
  int depth = 250;                        // of nested expressions, loops and calls
  int milliseconds = 500;                 // of the processor; checked every 1,024 units
  std::size_t value_bytes = 1024 * 1024;  // of one text
};

// Limits the renderings of this thread while it exists. Nested renderings share the outer budget.
class Budget {
 public:
  explicit Budget(const Limits& limits);
  ~Budget();
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

 private:
  bool outermost_;
};

// Fail with limit.
void charge(std::size_t units = 1);
// At once, without waiting for further units: for work that no unit measures.
void check_time();
// For a value of that many bytes or elements.
void charge_size(std::size_t size);
// For a text of that many bytes.
void charge_text(std::size_t bytes);
// For one more piece of a text that has so many bytes with it.
void charge_piece(std::size_t bytes, std::size_t whole);
// For reading so many bytes: searching, comparing, converting.
void charge_reading(std::size_t bytes);
// As charge() and check_time(), but false instead of a failure: within a library that an exception cannot leave.
bool may_spend(std::size_t units) noexcept;
bool is_time_left() noexcept;
void check_output(std::size_t bytes);

// One more level of nesting while it exists.
class Deeper {
 public:
  Deeper();
  ~Deeper();
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;
};

}  // namespace hearth::templates

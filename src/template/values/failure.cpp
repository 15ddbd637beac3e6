// SPDX-License-Identifier: Apache-2.0
#include "template/values/failure.h"

#include <fmt/format.h>

#include <time.h>

#include <chrono>

namespace hearth::templates {
namespace {

constexpr std::uint64_t kBetweenLooks = 1024;  // units

struct Spending {
  Limits limits;
  std::uint64_t units = 0;
  std::uint64_t next_look = 0;
  int depth = 0;
  std::chrono::nanoseconds start{-1};  // of the thread's time; looked up when the first units are spent
  bool active = false;
};

thread_local Spending spending;

// Of the processor, which this thread has taken: a busy machine makes no template too slow.
std::chrono::nanoseconds thread_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

bool too_many_steps() {
  return spending.units > spending.limits.units;
}

bool too_long() {
  const auto now = thread_time();
  if (spending.start.count() < 0) spending.start = now;
  return now - spending.start > std::chrono::milliseconds(spending.limits.milliseconds);
}

void look_at_clock() {
  spending.next_look = spending.units + kBetweenLooks;
  if (too_many_steps()) fail_endless(fmt::format("the template takes more than {} steps", spending.limits.units));
  if (too_long()) fail_endless(fmt::format("the template takes longer than {} ms", spending.limits.milliseconds));
}

}  // namespace

std::string_view to_string(FailureKind kind) {
  switch (kind) {
    case FailureKind::syntax:
      return "syntax";
    case FailureKind::name:
      return "name";
    case FailureKind::undefined:
      return "undefined";
    case FailureKind::type:
      return "type";
    case FailureKind::value:
      return "value";
    case FailureKind::zero_division:
      return "zero_division";
    case FailureKind::security:
      return "security";
    case FailureKind::limit:
      return "limit";
  }
  return "value";
}

void fail(FailureKind kind, std::string message) {
  throw Failure{kind, std::move(message)};
}

void fail_endless(std::string message) {
  throw Failure{.kind = FailureKind::limit, .message = std::move(message), .endless = true};
}

Budget::Budget(const Limits& limits) : outermost_(!spending.active) {
  if (!outermost_) return;
  spending = Spending{.limits = limits, .next_look = kBetweenLooks, .active = true};
}

Budget::~Budget() {
  if (outermost_) spending.active = false;
}

void check_time() {
  if (spending.active) look_at_clock();
}

void charge(std::size_t units) {
  spending.units += units;
  if (spending.active && spending.units >= spending.next_look) look_at_clock();
}

void charge_size(std::size_t size) {
  charge(size / 16 + 1);
}

void charge_piece(std::size_t bytes, std::size_t whole) {
  if (spending.active && whole > spending.limits.value_bytes) {
    fail(FailureKind::limit, fmt::format("a text may have at most {} bytes", spending.limits.value_bytes));
  }
  charge_size(bytes);
}

void charge_text(std::size_t bytes) {
  charge_piece(bytes, bytes);
}

void charge_reading(std::size_t bytes) {
  if (bytes >= 64) charge(bytes / 64);
}

bool may_spend(std::size_t units) noexcept {
  spending.units += units;
  return !spending.active || !too_many_steps();
}

bool is_time_left() noexcept {
  return !spending.active || !too_long();
}

void check_output(std::size_t bytes) {
  if (!spending.active || bytes <= spending.limits.output_bytes) return;
  fail(FailureKind::limit, fmt::format("the result may have at most {} bytes", spending.limits.output_bytes));
}

Deeper::Deeper() {
  if (++spending.depth > spending.limits.depth && spending.active) {
    --spending.depth;
    fail(FailureKind::limit, fmt::format("the template is nested more than {} levels deep", spending.limits.depth));
  }
}

Deeper::~Deeper() {
  --spending.depth;
}

}  // namespace hearth::templates

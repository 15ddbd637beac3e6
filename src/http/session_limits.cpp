// SPDX-License-Identifier: Apache-2.0
// A session's limits: time, and its place when others need it.
#include "http/session.h"
#include "http/worker.h"

namespace hearth::http {
namespace {

constexpr auto kFreshTime = std::chrono::seconds(1);

}  // namespace

void Session::sweep() {
  if (closed_) return;
  if (phase_ == Phase::websocket)
    websocket_->sweep();
  else if (worker_.now() > deadline_ || is_too_slow())
    close();
}

bool Session::is_too_slow() const {
  if (phase_ != Phase::body) return false;
  const Limits& limits = worker_.options().limits;
  const auto taken = worker_.now() - body_since_;
  if (taken <= limits.body_rate_time) return false;
  const auto seconds = std::chrono::duration<double>(taken).count();
  const std::uint64_t received = given_ + exchange_->request.body.size();
  return static_cast<double>(received) < seconds * static_cast<double>(limits.body_rate);
}

Session::Claim Session::claim() const {
  if (request_number_ == 0 && worker_.now() <= opened_at_ + kFreshTime) return Claim::fresh;
  switch (phase_) {
    case Phase::idle:
    case Phase::head:
    case Phase::lingering:
      return admitted_ ? Claim::idle : Claim::none;
    case Phase::websocket:
      return admitted_ ? Claim::works : Claim::none;
    case Phase::body:
    case Phase::writing:
      return admitted_ ? Claim::works : Claim::unauthenticated;
    case Phase::storing:
    case Phase::handling:
    case Phase::streaming:
      break;
  }
  return Claim::works;
}

}  // namespace hearth::http

// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/node/node_session.h"

#include <fmt/format.h>

#include "base/text/timestamp.h"

namespace hearth::integrations::esphome {
namespace {

// Without the colours of a terminal: ESC, a bracket, numbers, a letter.
std::string without_colors(std::string_view line) {
  std::string plain;
  while (!line.empty()) {
    const auto escape = line.find('\x1b');
    plain += line.substr(0, escape);
    if (escape == std::string_view::npos) break;
    line.remove_prefix(escape + 1);
    if (!line.starts_with('[')) continue;
    const auto end = line.find_first_not_of("[0123456789;");
    line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
  }
  return plain;
}

}  // namespace

NodeSession::NodeSession(const domains::IntegrationHome& home, NodeOptions options, SessionOptions session,
                         std::function<void(const SessionEnd&)> ended)
    : home_(home),
      options_(std::move(session)),
      ended_(std::move(ended)),
      recent_(home.hub.clock),
      node_(home, *this, std::move(options)) {}

void NodeSession::begin(Wire& wire) {
  SessionEvents& events = *this;
  session_ = std::make_unique<Session>(home_.bus, home_.hub.clock, options_, wire, events, recent_);
  session_->begin();
}

void NodeSession::receive(std::string_view bytes) {
  if (session_) session_->receive(bytes);
}

void NodeSession::lost(std::string why) {
  if (session_) session_->lost(std::move(why));
}

void NodeSession::close() {
  if (session_) session_->close();
}

bool NodeSession::send(std::uint32_t type, const google::protobuf::MessageLite& message) {
  return session_ && session_->send(type, message);
}

bool NodeSession::on_message(std::uint32_t type, std::string_view payload) {
  return type == message::log_line ? take_log_line(payload) : node_.receive(type, payload);
}

bool NodeSession::take_log_line(std::string_view payload) {
  const auto line = parse_message<proto::LogLine>(payload);
  if (!line) return false;
  if (log_.size() == kMaxLogLines) log_.pop_front();
  log_.push_back(fmt::format("{} {}", base::to_string(home_.hub.clock.now()),
                             clean_text(without_colors(line->message().substr(0, 2 * kMaxText)))));
  return true;
}

void NodeSession::on_end(const SessionEnd& end) {
  // Without a key that fits, or with another node there, nothing of it is there.
  node_.connection_lost(end.waits_for_person());
  ended_(end);
}

json::object NodeSession::diagnosis() const {
  json::object report = recent_.report();
  report["log"] = json::array(log_.begin(), log_.end());
  return report;
}

}  // namespace hearth::integrations::esphome

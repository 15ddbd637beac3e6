// SPDX-License-Identifier: Apache-2.0
#include "app/sections/limits_section.h"

#include <string_view>

#include "core/values/glob.h"

namespace hearth::app {
namespace {

using namespace std::chrono_literals;

// Whole seconds, rounded up.
void read_seconds(base::ConfigReader& in, std::string_view key, std::chrono::seconds& value) {
  base::Duration read = value;
  in.duration(key, read, 1s, 24h);
  value = std::chrono::ceil<std::chrono::seconds>(read);
}

}  // namespace

void read_limits(base::ConfigReader& in, http::Limits& limits) {
  in.byte_size("header_size", limits.header_bytes, 1 << 10, 60 << 10);  // below Worker::kReadBuffer
  in.integer("header_fields", limits.header_fields, 16, 1'000);
  read_seconds(in, "header_time", limits.header_time);
  read_seconds(in, "stall_time", limits.stall_time);
  read_seconds(in, "idle_time", limits.idle_time);
  in.byte_size("open_body_size", limits.open_body_bytes, 1 << 10, 1 << 30);
  in.byte_size("webhook_body_size", limits.webhook_body_bytes, 1 << 10, 1 << 30);
  in.byte_size("upload_size", limits.upload_bytes, 1 << 20, std::uint64_t{1024} << 30);
  in.byte_size("body_rate", limits.body_rate, 1, 1 << 30);
  read_seconds(in, "body_rate_time", limits.body_rate_time);
  in.byte_size("receiving_size", limits.receiving_bytes, 1 << 20, std::size_t{64} << 30);
  in.integer("prefix_connections", limits.prefix_connections, 1, 1'000'000);
  in.byte_size("websocket_message_size", limits.websocket_message_bytes, 16 << 10, 1 << 30);
  in.byte_size("websocket_login_size", limits.websocket_login_bytes, 1 << 10, 1 << 30);
  read_seconds(in, "websocket_login_time", limits.websocket_login_time);
  in.integer("requests_per_second", limits.requests_per_second, 1, 1'000'000);
  in.integer("token_sockets", limits.token_sockets, 1, 1'000'000);
  in.integer("token_streams", limits.token_streams, 1, 1'000'000);
  in.integer("token_subscriptions", limits.token_subscriptions, 1, 10'000'000);
  base::Duration template_time = limits.template_time;
  in.duration("template_time", template_time, 1ms, 64s);
  limits.template_time = std::chrono::ceil<std::chrono::milliseconds>(template_time);
}

void read_limits(base::ConfigReader& in, core::Limits& limits) {
  in.integer("subscriptions", limits.subscriptions, 1, 1'000'000);
  in.integer("commands", limits.commands, 16, 1'000'000);
  in.byte_size("attributes_size", limits.attributes_bytes, 1 << 10, 16 << 20);
  in.byte_size("event_data_size", limits.event_bytes, 1 << 10, 16 << 20);
  in.byte_size("states_size", limits.states_bytes, 1 << 20, std::uint64_t(64) << 30);
  in.integer("entities", limits.entities, 100, 10'000'000);
  in.integer("filter_entries", limits.filter_entries, 1, 1'000'000);
  in.integer("filter_globs", limits.filter_globs, 1, 10'000);
  in.integer("glob_length", limits.glob_length, 1, core::Glob::kMaxLength);
  in.integer("glob_stars", limits.glob_stars, 1, core::Glob::kMaxLength);
  in.byte_size("filters_size", limits.filters_bytes, 1 << 10, 1 << 30);
  in.integer("questions", limits.questions, 1, 1'000);
  in.integer("tokens_per_user", limits.tokens_per_user, 1, 100'000);
  in.integer("sessions_per_user", limits.sessions_per_user, 1, 100'000);
}

}  // namespace hearth::app

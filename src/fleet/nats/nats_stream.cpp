// SPDX-License-Identifier: Apache-2.0
#include "fleet/nats/nats_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/json/json_fields.h"
#include "base/net/authority.h"
#include "fleet/batch.h"
#include "fleet/snapshot.h"

namespace hearth::fleet {
namespace {

using base::ErrorCode;
using base::Result;

constexpr std::chrono::minutes kDuplicateWindow{2};
// Settings of the stream, and the options that name them.
constexpr std::pair<std::string_view, std::string_view> kRaised[] = {
    {"max_bytes", "max_size"}, {"max_age", "keep"}, {"num_replicas", "replicas"}};

// JetStream's own numbers of errors (server/errors.json of nats-server).
constexpr std::int64_t kStreamNotFound = 10059, kConsumerNotFound = 10014, kStoreFailed = 10077, kTooLarge = 10054;
constexpr std::int64_t kNoRoom[] = {10002, 10023, 10028, 10047};

std::int64_t nanoseconds(base::Duration time) {
  return std::chrono::nanoseconds(time).count();
}

const json::object* object_of(const json::object& object, std::string_view key) {
  const auto* const value = object.if_contains(key);
  return value ? value->if_object() : nullptr;
}

ErrorCode code_of(std::int64_t number, std::string_view description) {
  if (number == kStreamNotFound || number == kConsumerNotFound) return ErrorCode::not_found;
  if (number == kTooLarge) return ErrorCode::invalid;
  // "maximum bytes exceeded", "maximum messages exceeded"; otherwise the disk has failed
  if (number == kStoreFailed && description.contains("maximum")) return ErrorCode::full;
  return std::ranges::find(kNoRoom, number) != std::end(kNoRoom) ? ErrorCode::full : ErrorCode::unavailable;
}

// A token of a subject.
bool is_nats_token(std::string_view text) {
  return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
                              std::string_view::npos;
}

// The name of another one is no part of a snapshot: each keeps a message for as long as the stream keeps any.
bool is_part_number(std::string_view text) {
  std::size_t number = SnapshotPart::kMaxParts;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number < SnapshotPart::kMaxParts;
}

struct SubjectRest {
  std::string_view site, rest;
};

// Empty if it is not below the prefix.
SubjectRest subject_rest(const LinkOptions& options, std::string_view subject) {
  if (!subject.starts_with(options.prefix) || !subject.substr(options.prefix.size()).starts_with('.')) return {};
  subject.remove_prefix(options.prefix.size() + 1);
  const auto dot = subject.find('.');
  if (dot == std::string_view::npos || !is_site_name(subject.substr(0, dot))) return {};
  return {subject.substr(0, dot), subject.substr(dot + 1)};
}

json::array kept_subjects(const LinkOptions& options) {
  json::array subjects;
  for (const char* kind : {"log", "snapshot.*", "registry"}) {
    subjects.emplace_back(fmt::format("{}.*.{}", options.prefix, kind));
  }
  return subjects;
}

}  // namespace

std::string nats_subject(const LinkOptions& options, std::string_view site, Kind kind, std::size_t part) {
  std::string subject = fmt::format("{}.{}.{}", options.prefix, site, to_string(kind));
  if (kind == Kind::snapshot) subject += fmt::format(".{}", part);
  return subject;
}

std::optional<NatsOrigin> nats_origin(const LinkOptions& options, std::string_view subject) {
  const auto [site, rest] = subject_rest(options, subject);
  if (rest == "log") return NatsOrigin{std::string(site), Kind::log};
  if (rest == "registry") return NatsOrigin{std::string(site), Kind::registry};
  if (rest.starts_with("snapshot.") && is_part_number(rest.substr(9)))
    return NatsOrigin{std::string(site), Kind::snapshot};
  return {};
}

std::string nats_alive_site(const LinkOptions& options, std::string_view subject) {
  const auto [site, rest] = subject_rest(options, subject);
  return rest == "alive" ? std::string(site) : std::string();
}

Result<void> check_nats_names(const LinkOptions& options) {
  for (const std::string& name : {options.stream, options.prefix}) {
    if (is_nats_token(name)) continue;
    return base::fail(
        ErrorCode::invalid,
        fmt::format("Expected letters, digits, _ and - as the name of a stream or of subjects, got: {}", name));
  }
  return {};
}

Result<json::object> jetstream_answer(Result<NatsMessage> answer) {
  if (!answer) return std::unexpected(std::move(answer.error()));
  if (answer->status == 503) {
    return base::fail(ErrorCode::unavailable, "JetStream of the NATS server does not run, or has no leader right now.");
  }
  auto parsed = base::parse_json(answer->payload);
  if (!parsed || !parsed->is_object()) {
    return base::fail(ErrorCode::unavailable,
                      fmt::format("JetStream answered with something unknown: {}", answer->payload.substr(0, 100)));
  }
  json::object object = std::move(parsed->as_object());
  const auto* const error = object_of(object, "error");
  if (!error) return object;
  const std::string description(base::text_at(*error, "description"));
  return base::fail(code_of(base::number_at(*error, "err_code"), description),
                    fmt::format("JetStream says: {}.", description));
}

std::optional<json::object> raised_config(const LinkOptions& options, const json::object& config) {
  json::object more = config;
  const auto raise = [&](std::string_view key, std::int64_t wanted, bool may_be_unbounded) {
    const std::int64_t has = base::number_at(config, key);
    if (has < wanted && !(may_be_unbounded && has <= 0)) more[key] = wanted;
  };
  raise("max_bytes", options.max_bytes, true);
  raise("max_age", nanoseconds(options.keep), true);
  raise("num_replicas", options.replicas, false);
  return more == config ? std::nullopt : std::optional(std::move(more));
}

StreamInfo read_stream_info(const LinkOptions& options, const json::object& answer) {
  StreamInfo info;
  info.created = base::text_at(answer, "created");
  if (const auto* const state = object_of(answer, "state")) {
    info.first = static_cast<std::uint64_t>(base::number_at(*state, "first_seq"));
    info.last = static_cast<std::uint64_t>(base::number_at(*state, "last_seq"));
  }
  const auto* const config = object_of(answer, "config");
  if (!config) return info;
  const auto weak = [&](std::string_view what) {
    info.weaknesses.push_back(fmt::format("The stream {} of the NATS server {}", options.stream, what));
  };
  if (base::text_at(*config, "storage") == "memory") weak("is kept in memory: it is gone when the server stops.");
  if (base::text_at(*config, "retention") != "limits") weak("drops what somebody has read (retention).");
  if (base::text_at(*config, "discard") != "new") {
    weak("drops its oldest messages when it is full, instead of refusing new ones (discard).");
  }
  if (base::number_at(*config, "max_msgs_per_subject") > 0)
    weak("keeps few messages of each site (max_msgs_per_subject).");
  const auto* const cluster = object_of(answer, "cluster");
  if (cluster && !base::text_at(*cluster, "name").empty() && base::number_at(*config, "num_replicas") == 1) {
    weak("is on one node of the cluster only (num_replicas).");
  }
  if (const auto more = raised_config(options, *config)) {
    for (const auto& [key, option] : kRaised) {
      if (more->at(key) != config->at(key)) weak(fmt::format("has less of {} than is configured ({}).", key, option));
    }
  }
  const auto* const subjects = config->if_contains("subjects");
  const auto* const taken = subjects ? subjects->if_array() : nullptr;
  for (const auto& wanted : kept_subjects(options)) {
    if (taken && std::ranges::find(*taken, wanted) != taken->end()) continue;
    weak(fmt::format("does not name {} among its subjects.", std::string_view(wanted.get_string())));
  }
  return info;
}

std::string read_server_version(Result<NatsMessage> answer) {
  if (answer && answer->status == 503) return "2.9 or older";
  const auto said = jetstream_answer(std::move(answer));
  const auto* const server = said ? object_of(*said, "server") : nullptr;
  return server ? std::string(base::text_at(*server, "ver")) : std::string();
}

std::vector<std::string> server_weaknesses(std::string_view version, std::string_view url, bool encrypted) {
  std::vector<std::string> found;
  int major = 0, minor = 0;
  const char* const end = version.data() + version.size();
  const auto [dot, failed] = std::from_chars(version.data(), end, major);
  if (failed == std::errc() && dot != end) std::from_chars(dot + 1, end, minor);
  if (!version.empty() && (major < 2 || (major == 2 && minor < 10))) {
    found.push_back(
        fmt::format("The NATS server is version {}. Only 2.10 and newer can keep each message on the disk "
                    "before they say that they keep it (sync_interval: always).",
                    version));
  }
  const auto host = base::parse_authority(url.substr(std::min(url.find("//") + 2, url.size())), 0);
  if (!encrypted && host && !base::is_own_machine(host->host)) {
    found.push_back(fmt::format(
        "The connection to the NATS server {} need not be encrypted: write tls:// instead of nats://.", url));
  }
  return found;
}

Result<json::object> NatsStream::ask(const std::string& what, const json::object& request) {
  const std::string body = base::to_json(request);
  auto answer = jetstream_answer(connection_.request({.subject = "$JS.API." + what, .payload = body}, kNatsPatience));
  if (!answer && answer.error().code != ErrorCode::not_found) answer.error().code = ErrorCode::unavailable;
  return answer;
}

Result<StreamInfo> NatsStream::info() {
  auto answer = ask("STREAM.INFO." + options_.stream, {});
  if (answer) return read_stream_info(options_, *answer);
  if (answer.error().code == ErrorCode::not_found) {
    answer.error().message = fmt::format("The NATS server has no stream {}.", options_.stream);
  }
  return std::unexpected(std::move(answer.error()));
}

Result<StreamInfo> NatsStream::find_or_make() {
  auto found = info();
  if (found || found.error().code != ErrorCode::not_found) return found;
  const json::object config = {
      {"name", options_.stream},
      {"subjects", kept_subjects(options_)},
      {"retention", "limits"},
      {"discard", "new"},
      {"storage", "file"},
      {"max_age", nanoseconds(options_.keep)},
      {"max_bytes", options_.max_bytes},
      {"max_msgs", -1},
      {"max_consumers", -1},
      {"num_replicas", options_.replicas},
      {"duplicate_window", nanoseconds(std::min<base::Duration>(kDuplicateWindow, options_.keep))}};
  const auto made = ask("STREAM.CREATE." + options_.stream, config);
  if (made) return read_stream_info(options_, *made);
  // Another portal may have made it at the same time.
  if (auto again = info(); again) return again;
  return base::fail(ErrorCode::unavailable,
                    fmt::format("The stream {} cannot be made. {}", options_.stream, made.error().message));
}

}  // namespace hearth::fleet

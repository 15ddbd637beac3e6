// SPDX-License-Identifier: Apache-2.0
// The stream of JetStream that stores the messages of sites: its subjects, its settings, and its state at the server,
// as JSON (https://docs.nats.io/reference/reference-protocols/nats_api_reference).
//
// One thread; the free functions any.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "base/result.h"
#include "fleet/link.h"
#include "fleet/nats/nats_connection.h"

namespace hearth::fleet {

constexpr std::chrono::seconds kNatsPatience{5};  // for an answer of the server

// hearth.kitchen.log, hearth.kitchen.snapshot.3, hearth.kitchen.registry
std::string nats_subject(const LinkOptions& options, std::string_view site, Kind kind, std::size_t part);
struct NatsOrigin {
  std::string site;
  Kind kind;
};
// Null for a subject that no site's message has.
std::optional<NatsOrigin> nats_origin(const LinkOptions& options, std::string_view subject);
// Of hearth.kitchen.alive, kitchen; empty if it is another subject.
std::string nats_alive_site(const LinkOptions& options, std::string_view subject);
// Fails with invalid if a name cannot be a part of a subject.
base::Result<void> check_nats_names(const LinkOptions& options);

// The object that JetStream answers with. Its errors are not_found for a stream or consumer that is not there, full for
// what has no room, invalid for a message that is too large, and else unavailable.
base::Result<json::object> jetstream_answer(base::Result<NatsMessage> answer);

struct StreamInfo {
  std::string created;      // names it: no other stream was made at this time
  std::uint64_t first = 0;  // places; none is kept if first > last
  std::uint64_t last = 0;
  std::vector<std::string> weaknesses;  // settings by which it may lose what it has taken
};
StreamInfo read_stream_info(const LinkOptions& options, const json::object& answer);
// A stream's settings with what the options want more of; null if it has as much of all. Nothing becomes less: that
// drops messages.
std::optional<json::object> raised_config(const LinkOptions& options, const json::object& config);

// The version of the server that answered to $SYS.REQ.USER.INFO; empty if it does not say. Servers before 2.10 do not
// know the question.
std::string read_server_version(base::Result<NatsMessage> answer);
// Faults of the server, by its version and by how it is reached.
std::vector<std::string> server_weaknesses(std::string_view version, std::string_view url, bool encrypted);

class NatsStream {
 public:
  // Both must outlive it.
  NatsStream(NatsConnection& connection, const LinkOptions& options) : connection_(connection), options_(options) {}

  // Fails with unavailable, not_found.
  base::Result<StreamInfo> info();
  // Makes it if it is missing. Fails with unavailable.
  base::Result<StreamInfo> find_or_make();
  // `what`: STREAM.INFO.HEARTH.
  base::Result<json::object> ask(const std::string& what, const json::object& request);

 private:
  NatsConnection& connection_;
  const LinkOptions& options_;
};

}  // namespace hearth::fleet

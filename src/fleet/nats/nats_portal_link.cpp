// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/json/json_fields.h"
#include "base/log/log.h"
#include "base/mutex.h"
#include "fleet/link.h"
#include "fleet/nats/nats_connection.h"
#include "fleet/nats/nats_links.h"
#include "fleet/nats/nats_stream.h"

namespace hearth::fleet {
namespace {

using base::Result;

class NatsPortalLink final : public PortalLink {
 public:
  NatsPortalLink(const LinkOptions& options, NatsWay way)
      : options_(options),
        way_(std::move(way)),
        encrypted_(nats_encrypted(options, way_.addresses)),
        connection_(*way_.library,
                    {.link = options,
                     .addresses = way_.addresses,
                     .name = "hearth portal",
                     .inbox = "_INBOX",
                     .heard = fmt::format("{}.*.alive", options.prefix)},
                    [this] { look(); }) {}

  Result<std::unique_ptr<FleetReader>> reader() override { return make_nats_reader(options_, way_); }

  void hear_alive(std::function<void(std::string site, std::string payload)> hear) override {
    if (!hear) return connection_.hear(nullptr);
    connection_.hear([this, hear = std::move(hear)](NatsMessage message, const NatsConnection::Reply&) {
      std::string site = nats_alive_site(options_, message.subject);
      if (!site.empty()) hear(std::move(site), std::move(message.payload));
    });
  }

  void ask(std::string_view site, std::string request, base::Duration patience,
           std::function<void(Result<std::string> answer)> answered) override {
    connection_.request(
        {.subject = fmt::format("{}.{}.call", options_.prefix, site), .payload = request}, patience,
        [site = std::string(site), answered = std::move(answered)](Result<NatsMessage> answer) {
          if (!answer) {
            const std::string why = std::move(answer.error().message);
            return answered(base::fail(base::ErrorCode::unavailable, fmt::format("The site {}: {}", site, why)));
          }
          if (answer->status == 503) {
            return answered(
                base::fail(base::ErrorCode::unavailable, fmt::format("The site {} is not connected.", site)));
          }
          answered(std::move(answer->payload));
        });
  }

  std::vector<std::string> weaknesses() const override {
    const std::string server = connection_.server();
    base::MutexLock lock(mutex_);
    if (server.empty()) return {};
    auto found = server_weaknesses(version_, server, encrypted_);
    found.insert(found.end(), of_stream_.begin(), of_stream_.end());
    return found;
  }

  void cancel() override { connection_.cancel(); }

 private:
  // The stream may have been made by another portal, or by the administrator.
  void look() {
    connection_.request({.subject = "$SYS.REQ.USER.INFO"}, kNatsPatience, [this](Result<NatsMessage> answer) {
      std::string version = read_server_version(std::move(answer));
      base::MutexLock lock(mutex_);
      version_ = std::move(version);
    });
    connection_.request({.subject = "$JS.API.STREAM.INFO." + options_.stream}, kNatsPatience,
                        [this](Result<NatsMessage> answer) {
                          const auto said = jetstream_answer(std::move(answer));
                          if (said) return look_at_stream(*said);
                          if (said.error().code != base::ErrorCode::not_found) connection_.look_again();
                        });
  }

  // A stream that is smaller than configured is raised. If the server refuses that, a weakness says so.
  void look_at_stream(const json::object& info) {
    const auto* const config = base::value_at(info, "config").if_object();
    const auto more = config ? raised_config(options_, *config) : std::nullopt;
    if (!more) return note_stream(info);
    const std::string body = base::to_json(*more);
    connection_.request({.subject = "$JS.API.STREAM.UPDATE." + options_.stream, .payload = body}, kNatsPatience,
                        [this, info](Result<NatsMessage> answer) {
                          const auto done = jetstream_answer(std::move(answer));
                          if (done)
                            base::log_info("fleet", "the stream {} has the configured limits now", options_.stream);
                          else
                            connection_.look_again();
                          note_stream(done ? *done : info);
                        });
  }

  void note_stream(const json::object& info) {
    base::MutexLock lock(mutex_);
    of_stream_ = read_stream_info(options_, info).weaknesses;
  }

  const LinkOptions options_;
  const NatsWay way_;
  const bool encrypted_;
  mutable base::Mutex mutex_;
  std::string version_ __attribute__((guarded_by(mutex_)));
  std::vector<std::string> of_stream_ __attribute__((guarded_by(mutex_)));
  NatsConnection connection_;  // last: its threads use the others
};

}  // namespace

Result<std::unique_ptr<PortalLink>> connect_portal(const LinkOptions& options) {
  auto way = prepare_nats(options);
  if (!way) return std::unexpected(std::move(way.error()));
  return std::make_unique<NatsPortalLink>(options, std::move(*way));
}

}  // namespace hearth::fleet

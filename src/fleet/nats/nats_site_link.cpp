// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/mutex.h"
#include "fleet/batch.h"
#include "fleet/link.h"
#include "fleet/nats/nats_connection.h"
#include "fleet/nats/nats_links.h"
#include "fleet/nats/nats_stream.h"

namespace hearth::fleet {
namespace {

using namespace std::chrono_literals;
using base::ErrorCode;
using base::Result;
using Steady = std::chrono::steady_clock;

// An election takes up to 9 s.
constexpr auto kPublishPatience = 12s;
// A leader that dies says nothing. With the same id, the message is kept once.
constexpr auto kAgain = 1s;
// While a stream changes its leader, nobody hears its subjects.
constexpr auto kNobodyPause = 200ms;

class NatsSiteLink final : public SiteLink {
 public:
  NatsSiteLink(const NatsLibrary& library, const LinkOptions& options, std::vector<NatsAddress> addresses,
               std::string site)
      : options_(options),
        site_(std::move(site)),
        encrypted_(nats_encrypted(options, addresses)),
        connection_(library,
                    {.link = options,
                     .addresses = std::move(addresses),
                     .name = fmt::format("hearth site {}", site_),
                     .inbox = fmt::format("_INBOX_{}.{}", options.prefix, site_),
                     .heard = fmt::format("{}.{}.call", options.prefix, site_)},
                    [this] { look(); }) {}

  Result<void> publish(Kind kind, std::size_t part, std::string_view id, std::string_view payload) override {
    const auto deadline = Steady::now() + kPublishPatience;
    const std::string subject = nats_subject(options_, site_, kind, part);
    const NatsSession::Outgoing message{
        .subject = subject, .payload = payload, .id = std::string(id), .stream = options_.stream};
    auto question = NatsQuestion::ask(connection_, message);
    if (!question) return std::unexpected(std::move(question.error()));
    for (bool nobody = false;;) {
      const auto again = id.empty() ? deadline : std::min(deadline, Steady::now() + kAgain);
      auto answer = question->next(again);
      if (!answer && Steady::now() < again) return std::unexpected(std::move(answer.error()));
      if (answer && answer->status != 503) return kept(std::move(*answer));
      nobody |= answer.has_value();
      if (Steady::now() >= deadline) {
        if (!nobody) return std::unexpected(std::move(answer.error()));
        return base::fail(ErrorCode::unavailable,
                          fmt::format("No stream of the NATS server takes {}: {} is missing until a portal or the "
                                      "administrator makes it, or has no leader right now.",
                                      subject, options_.stream));
      }
      if (answer) {
        // A pause that cancel, a broken connection and a late answer to an earlier try end.
        auto late = question->next(Steady::now() + kNobodyPause);
        if (late && late->status != 503) return kept(std::move(*late));
      }
      if (auto sent = question->repeat(message); !sent) return sent;
    }
  }

  void publish_alive(std::string_view payload) override {
    static_cast<void>(connection_.publish(fmt::format("{}.{}.alive", options_.prefix, site_), payload));
  }

  void answer(Answer answer) override {
    if (!answer) return connection_.hear(nullptr);
    connection_.hear([answer = std::move(answer)](NatsMessage message, NatsConnection::Reply reply) {
      answer(std::move(message.payload), std::move(reply));
    });
  }

  std::vector<std::string> weaknesses() const override {
    const std::string server = connection_.server();
    base::MutexLock lock(mutex_);
    return server.empty() ? std::vector<std::string>() : server_weaknesses(version_, server, encrypted_);
  }

  void cancel() override { connection_.cancel(); }

 private:
  Result<void> kept(NatsMessage answer) const {
    const auto said = jetstream_answer(std::move(answer));
    if (!said) return std::unexpected(said.error());
    const auto* const stream = said->if_contains("stream");
    if (stream && stream->is_string() && stream->get_string() == options_.stream) return {};
    return base::fail(ErrorCode::unavailable, "Something other than JetStream answered: nobody keeps the message.");
  }

  void look() {
    connection_.request({.subject = "$SYS.REQ.USER.INFO"}, kNatsPatience, [this](Result<NatsMessage> answer) {
      std::string version = read_server_version(std::move(answer));
      base::MutexLock lock(mutex_);
      version_ = std::move(version);
    });
  }

  const LinkOptions options_;
  const std::string site_;
  const bool encrypted_;
  mutable base::Mutex mutex_;
  std::string version_ __attribute__((guarded_by(mutex_)));
  NatsConnection connection_;  // last: its threads use the others
};

}  // namespace

Result<std::unique_ptr<SiteLink>> connect_site(const LinkOptions& options, std::string site) {
  if (!is_site_name(site)) {
    return base::fail(
        ErrorCode::invalid,
        fmt::format("Expected a slug of at most {} characters as the site's name, got: {}", kMaxSiteName, site));
  }
  auto way = prepare_nats(options);
  if (!way) return std::unexpected(std::move(way.error()));
  return std::make_unique<NatsSiteLink>(*way->library, options, std::move(way->addresses), std::move(site));
}

}  // namespace hearth::fleet

// SPDX-License-Identifier: Apache-2.0
#include "fleet/nats/nats_session.h"

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <new>

#include "base/net/authority.h"
#include "base/text/text.h"

namespace hearth::fleet {
namespace {

using base::ErrorCode;
using base::Result;

constexpr std::uint16_t kNatsPort = 4222;
constexpr std::chrono::milliseconds kHandshake{4000};
// A server that is gone without a word is noticed after two of them.
constexpr std::chrono::milliseconds kPing{5000};
constexpr std::chrono::milliseconds kWrite{5000};

// The library's threads take no signals, and a connection that breaks is none: they inherit this thread's mask.
class NoSignals {
 public:
  NoSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  ~NoSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  NoSignals(const NoSignals&) = delete;
  NoSignals& operator=(const NoSignals&) = delete;

 private:
  sigset_t before_;
};

// The library's words for what has just failed in this thread.
std::string reason(const NatsLibrary& library, natsStatus status) {
  natsStatus last = NATS_OK;
  const char* const text = library.last_error(&last);
  std::string_view words = text && last == status && *text ? text : library.status_text(status);
  // "(conn.c:1905): Authorization Violation"
  if (const auto place = words.find("): "); words.starts_with('(') && place != words.npos)
    words.remove_prefix(place + 3);
  while (words.ends_with('.') || words.ends_with('\n')) words.remove_suffix(1);
  return std::string(words);
}

struct DestroyOptions {
  const NatsLibrary& library;
  void operator()(natsOptions* options) const { library.destroy_options(options); }
};
using OptionsPtr = std::unique_ptr<natsOptions, DestroyOptions>;

// Refusals are asked for; without a handler, newer versions write to standard error.
void ignore_error(natsConnection*, natsSubscription*, natsStatus, void*) {}

Result<void> check_file(std::string_view what, const std::string& file) {
  if (file.empty() || ::access(file.c_str(), R_OK) == 0) return {};
  return base::fail(ErrorCode::invalid, fmt::format("The file of {} cannot be read: {}", what, file));
}

Result<OptionsPtr> make_options(const NatsLibrary& library, const LinkOptions& link) {
  natsOptions* made = nullptr;
  if (library.create_options(&made) != NATS_OK) throw std::bad_alloc();
  OptionsPtr options(made, {library});
  library.set_timeout(made, kHandshake.count());
  library.set_allow_reconnect(made, false);
  library.set_ping_interval(made, kPing.count());
  library.set_max_pings_out(made, 1);
  library.set_write_deadline(made, kWrite.count());
  library.set_send_asap(made, true);
  library.set_error_handler(made, ignore_error, nullptr);
  const auto no_good = [&](std::string_view what, natsStatus status) {
    return base::fail(ErrorCode::invalid, fmt::format("{} is no good: {}.", what, reason(library, status)));
  };
  natsStatus done = NATS_OK;
  if (!link.credentials.empty()) done = library.set_credentials(made, link.credentials.c_str(), nullptr);
  if (done != NATS_OK) return no_good("The file of credentials", done);
  if (link.credentials.empty() && !link.user.empty()) {
    done = library.set_user(made, link.user.c_str(), link.password.c_str());
    if (done != NATS_OK) return no_good("The user", done);
  }
  if (!link.ca.empty()) done = library.load_ca(made, link.ca.c_str());
  if (done != NATS_OK) return no_good("The file of certificates to trust (ca)", done);
  if (!link.certificate.empty()) {
    done = library.load_certificate(made, link.certificate.c_str(), link.key.c_str());
    if (done != NATS_OK) return no_good("The certificate or its key", done);
  }
  return options;
}

Result<NatsAddress> parse_nats_server(std::string_view server) {
  const auto scheme = server.substr(0, std::min(server.find("://"), server.size()));
  const bool secure = base::equals_ignoring_case(scheme, "tls");
  if ((secure || base::equals_ignoring_case(scheme, "nats")) && scheme.size() < server.size()) {
    std::string_view rest = server.substr(scheme.size() + 3);
    if (rest.ends_with('/')) rest.remove_suffix(1);
    if (auto place = base::parse_authority(rest, kNatsPort)) {
      std::string url = fmt::format("nats://{}:{}", place->host, place->port);
      std::string host = std::move(place->host);
      if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
      return NatsAddress{std::move(host), fmt::to_string(place->port), std::move(url), secure};
    }
  }
  // A text that could be a password is not shown.
  const auto at = server.rfind('@');
  return base::fail(ErrorCode::invalid,
                    at == std::string_view::npos
                        ? fmt::format("Expected a server as nats://host:4222 or tls://host:4222, got: {}", server)
                        : "Expected a server as nats://host:4222, with its user and password apart from it.");
}

}  // namespace

Result<std::vector<NatsAddress>> parse_nats_servers(const LinkOptions& options) {
  std::vector<NatsAddress> addresses;
  for (const std::string& server : options.servers) {
    auto address = parse_nats_server(server);
    if (!address) return std::unexpected(std::move(address.error()));
    addresses.push_back(std::move(*address));
  }
  if (addresses.empty()) return base::fail(ErrorCode::invalid, "Expected one server of NATS at least, got none.");
  return addresses;
}

Result<void> check_nats_options(const NatsLibrary& library, const LinkOptions& options) {
  const std::pair<std::string_view, const std::string*> files[] = {{"credentials", &options.credentials},
                                                                   {"certificates to trust (ca)", &options.ca},
                                                                   {"the certificate", &options.certificate},
                                                                   {"the certificate's key", &options.key}};
  for (const auto& [what, file] : files) {
    if (auto checked = check_file(what, *file); !checked) return checked;
  }
  if (options.certificate.empty() != options.key.empty()) {
    return base::fail(ErrorCode::invalid, "A certificate needs its key, and a key its certificate.");
  }
  const NoSignals no_signals;
  if (auto made = make_options(library, options); !made) return std::unexpected(std::move(made.error()));
  return {};
}

Result<std::shared_ptr<NatsSession>> NatsSession::connect(const NatsLibrary& library, const LinkOptions& options,
                                                          const NatsAddress& address, const std::string& name) {
  const NoSignals no_signals;
  auto made = make_options(library, options);
  if (!made) return std::unexpected(std::move(made.error()));
  library.set_url(made->get(), address.url.c_str());
  library.set_name(made->get(), name.c_str());
  if (address.secure || !options.ca.empty() || !options.certificate.empty()) library.set_secure(made->get(), true);
  library.set_expected_host(made->get(), address.host.c_str());
  natsConnection* connection = nullptr;
  const natsStatus done = library.connect(&connection, made->get());
  if (done == NATS_OK) return std::make_shared<NatsSession>(library, connection);
  std::string why = reason(library, done);
  if (done == NATS_CONNECTION_AUTH_FAILED || done == NATS_NOT_PERMITTED) {
    return base::fail(ErrorCode::forbidden,
                      fmt::format("The NATS server {} does not accept the credentials: {}.", address.url, why));
  }
  return base::fail(ErrorCode::unavailable, fmt::format("The NATS server {} cannot be reached: {}.", address.url, why));
}

NatsSession::~NatsSession() {
  const NoSignals no_signals;
  library_.destroy_connection(connection_);
}

Result<void> NatsSession::publish(const Outgoing& message) {
  const std::int64_t largest = library_.max_payload(connection_);
  if (largest > 0 && message.payload.size() > static_cast<std::uint64_t>(largest)) {
    return base::fail(ErrorCode::invalid,
                      fmt::format("A message of {} bytes is larger than the {} bytes that the NATS server takes "
                                  "(max_payload).",
                                  message.payload.size(), largest));
  }
  natsMsg* made = nullptr;
  natsStatus done =
      library_.create_message(&made, message.subject.c_str(), message.reply.empty() ? nullptr : message.reply.c_str(),
                              message.payload.data(), static_cast<int>(message.payload.size()));
  if (done == NATS_OK && !message.id.empty()) done = library_.set_header(made, "Nats-Msg-Id", message.id.c_str());
  if (done == NATS_OK && !message.stream.empty()) {
    done = library_.set_header(made, "Nats-Expected-Stream", message.stream.c_str());
  }
  if (done == NATS_OK) done = library_.publish(connection_, made);
  std::string why = done == NATS_OK ? "" : reason(library_, done);
  library_.destroy_message(made);
  if (done == NATS_OK) return {};
  // With its headers it is larger than without.
  const ErrorCode code = done == NATS_MAX_PAYLOAD ? ErrorCode::invalid : ErrorCode::unavailable;
  return base::fail(
      code, fmt::format("The NATS server does not get the message of {} bytes: {}.", message.payload.size(), why));
}

Result<void> NatsSession::flush(std::chrono::milliseconds patience) {
  const natsStatus done = library_.flush(connection_, patience.count());
  if (done == NATS_OK) return {};
  return base::fail(ErrorCode::unavailable,
                    fmt::format("The NATS server does not answer: {}.", reason(library_, done)));
}

std::optional<std::string> NatsSession::refusal(std::string_view subject) const {
  const char* text = nullptr;
  if (library_.connection_error(connection_, &text) != NATS_NOT_PERMITTED || !text) return {};
  std::string words = text;
  // Permissions Violation for Publish to "hearth.b.log"
  if (!words.contains(fmt::format("\"{}\"", subject))) return {};
  return words;
}

}  // namespace hearth::fleet

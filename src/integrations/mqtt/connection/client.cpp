// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/connection/client.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/log/log.h"
#include "base/text/utf8.h"
#include "integrations/mqtt/connection/client_id.h"
#include "integrations/mqtt/protocol/text.h"

namespace hearth::integrations::mqtt {
namespace {

constexpr std::string_view kName = "mqtt";
constexpr std::size_t kMaxRefusals = 1'000;

// Files are relative to the home's folder.
std::string path_in(const std::string& folder, const std::string& file) {
  return file.empty() || file.starts_with('/') ? file : fmt::format("{}/{}", folder, file);
}

}  // namespace

Options completed(Options options, const core::HubConfig& config) {
  if (options.client_id.empty()) options.client_id = own_client_id(config.config_dir, config.uuid);
  if (options.certificate != "auto") options.certificate = path_in(config.config_dir, options.certificate);
  options.client_certificate = path_in(config.config_dir, options.client_certificate);
  options.client_key = path_in(config.config_dir, options.client_key);
  return options;
}

Client::Client(const domains::IntegrationHome& home, Options options)
    : home_(home),
      options_(completed(std::move(options), *home.hub.config.load_once())),
      subscriptions_(std::make_shared<Subscriptions>(
          [this](const std::function<void()>& call) { guard("the handler of a message", call); })) {
  status_.broker = options_.address();
  status_.since = home_.hub.clock.now();
  status_.error = "not yet connected";
}

Client::~Client() {
  stop();
}

base::Result<void> Client::start() {
  reconnector_ = std::make_unique<Reconnector>(options_, home_.hub.clock, [this] { post_turn(); });
  return reconnector_->start();
}

base::Result<void> Client::change(Options options) {
  options = completed(std::move(options), *home_.hub.config.load_once());
  if (options == options_ && reconnector_) return {};
  const bool was_connected = status_.connected;
  end_link();
  options_ = std::move(options);
  status_.broker = options_.address();
  status_.protocol.clear();
  status_.error = "not yet connected";
  status_.since = home_.hub.clock.now();
  if (was_connected) {
    patience_ = home_.bus.schedule(kPatience, [this] {
      if (!status_.connected) tell(false);
    });
  }
  return start();
}

void Client::end_link() {
  if (reconnector_) {
    if (const std::size_t messages = reconnector_->stop(); messages > 0)
      base::log_warning(kName, "{} has not confirmed all messages; lost: {}", status_.broker, messages);
  }
  reconnector_.reset();
  taken_.clear();
  next_ = 0;
  gathering_ = {};
  retrying_ = {};
  status_.connected = false;
}

void Client::stop() {
  if (!reconnector_) return;
  end_link();
  patience_ = {};
  status_.error = "stopped";
  status_.since = home_.hub.clock.now();
}

// Also the connection's thread. At most one such task waits.
void Client::post_turn() {
  home_.bus.post_past_bound([weak = std::weak_ptr(self_)] {
    if (const auto self = weak.lock()) (*self)->take_turn();
  });
}

void Client::take_turn() {
  const auto until = home_.hub.clock.steady_now() + kTurnTime;
  while (reconnector_) {
    if (next_ == taken_.size()) {
      taken_ = reconnector_->inbound().drain(kTurn);
      next_ = 0;
      if (taken_.empty()) return;
    }
    // It may end the reconnector, and with it what has been taken.
    Arrival arrival = std::move(taken_[next_++]);
    handle(arrival);
    if (home_.hub.clock.steady_now() >= until) return post_turn();
  }
}

void Client::handle(Arrival& arrival) {
  if (const auto* const received = std::get_if<Received>(&arrival)) {
    ++status_.received;
    home_.hub.counters.mqtt_received.increase();
    subscriptions_->pass(received->message, received->numbers);
  } else if (const auto* const made = std::get_if<Connected>(&arrival)) {
    connected(made->protocol);
  } else if (const auto* const loss = std::get_if<Lost>(&arrival)) {
    lost(*loss);
  } else if (const auto* const refusal = std::get_if<NotSubscribed>(&arrival)) {
    not_subscribed(*refusal);
  } else {
    refused(std::get<Refused>(arrival).what);
  }
}

void Client::connected(const std::string& protocol) {
  base::log_info(kName, "connected to {} with MQTT {}", status_.broker, protocol);
  status_.connected = true;
  status_.protocol = protocol;
  status_.error.clear();
  status_.since = home_.hub.clock.now();
  refusals_.clear();
  gathered_.clear();
  not_subscribed_.clear();
  retrying_ = {};
  retry_ = kFirstRetry;
  subscriptions_->connected();
  for (const auto& filter : subscriptions_->filters())
    static_cast<void>(reconnector_->outbound().put(Subscribe{filter.text, filter.qos, filter.number}));
  if (options_.birth) {
    const StatusMessage& birth = *options_.birth;
    if (auto sent = publish(birth.topic, birth.payload, birth.qos, birth.retain); !sent)
      base::log_warning(kName, "birth_message: {}", sent.error().message);
  }
  tell(true);
}

void Client::lost(const Lost& loss) {
  const std::string error = base::utf8_repaired(loss.error);
  const bool is_news = status_.connected || status_.error != error;
  const auto level = is_news ? base::LogLevel::warning : base::LogLevel::debug;
  base::log(level, kName, "there is no connection to {}: {}; the next try is in {:.1f} s", status_.broker, error,
            std::chrono::duration<double>(loss.retry_in).count());
  if (loss.messages > 0) {
    base::log_warning(
        kName, "messages lost with the connection to {}: {}; those with a quality of service above 0 are sent again",
        status_.broker, loss.messages);
  }
  status_.error = error;
  if (!std::exchange(status_.connected, false)) return;
  status_.since = home_.hub.clock.now();
  tell(false);
}

// The first, second, fourth, eighth … of a kind is logged.
void Client::refused(const std::string& what) {
  if (refusals_.size() >= kMaxRefusals && !refusals_.contains(what)) return;
  const std::uint64_t times = ++refusals_[what];
  if (std::has_single_bit(times))
    base::log_warning(kName, "{}{}", base::utf8_repaired(what), times > 1 ? fmt::format(" ({} times)", times) : "");
}

void Client::not_subscribed(const NotSubscribed& refusal) {
  refused(fmt::format("the broker refuses the subscription to {}: {}; the hub tries it again", refusal.filter,
                      refusal.why));
  if (!status_.connected || !subscriptions_->find(refusal.filter)) return;
  if (not_subscribed_.empty()) {
    retrying_ = home_.bus.schedule(retry_, [this] {
      for (const std::string& filter : std::exchange(not_subscribed_, {})) gather(filter);
    });
    retry_ = std::min(2 * retry_, kLongestRetry);
  }
  not_subscribed_.insert(refusal.filter);
}

void Client::tell(bool is_connected) {
  const auto listeners = listeners_;
  for (const auto& [id, callback] : listeners) {
    if (listeners_.contains(id)) guard("a listener of the connection", [&] { callback(is_connected); });
  }
}

void Client::guard(std::string_view what, const std::function<void()>& call) {
  home_.domains.failures().guard(kName, what, call);
}

base::Result<base::Handle> Client::subscribe(std::string filter, int qos, Handler handler) {
  const auto id = subscriptions_->add(std::move(filter), qos, std::move(handler));
  if (!id) return std::unexpected(id.error());
  gather(subscriptions_->filter_of(*id).text);
  return base::Handle([weak = std::weak_ptr(self_), id = *id] {
    const auto self = weak.lock();
    if (!self) return;
    if (const auto last = (*self)->subscriptions_->remove(id)) (*self)->gather(last->text);
  });
}

void Client::gather(const std::string& filter) {
  if (!status_.connected) return;
  if (gathered_.empty()) gathering_ = home_.bus.schedule(kGather, [this] { send_gathered(); });
  gathered_.insert(filter);
}

void Client::send_gathered() {
  for (const std::string& text : std::exchange(gathered_, {})) {
    const Subscriptions::Filter* const filter = subscriptions_->find(text);
    if (!reconnector_ || !status_.connected) return;
    if (filter)
      static_cast<void>(reconnector_->outbound().put(Subscribe{text, filter->qos, filter->number}));
    else
      static_cast<void>(reconnector_->outbound().put(Unsubscribe{text}));
  }
}

base::Result<void> Client::publish(std::string topic, std::string payload, int qos, bool retain) {
  return publish(std::move(topic), std::move(payload), qos, retain, 0);
}

base::Result<void> Client::publish(std::string topic, std::string payload, int qos, bool retain, std::uint32_t expiry) {
  if (auto checked = check_topic(topic); !checked) return checked;
  if (auto checked = check_qos(qos); !checked) return checked;
  if (payload.size() > kMaxPayload) {
    return base::fail(base::ErrorCode::invalid,
                      fmt::format("expected a payload of at most {} bytes, found {}", kMaxPayload, payload.size()));
  }
  if (!reconnector_ || !status_.connected) {
    return base::fail(base::ErrorCode::unavailable,
                      fmt::format("There is no connection to the MQTT broker {}: {}", status_.broker, status_.error));
  }
  auto put = reconnector_->outbound().put(Publish{std::move(topic), std::move(payload), qos, retain, expiry});
  if (put) {
    ++status_.published;
    home_.hub.counters.mqtt_published.increase();
  }
  return put;
}

core::MqttStatus Client::status() const {
  core::MqttStatus status = status_;
  status.subscriptions = subscriptions_->size();
  return status;
}

base::Handle Client::listen(std::function<void(bool)> callback) {
  const std::uint64_t id = ++last_listener_;
  listeners_.emplace(id, std::move(callback));
  return base::Handle([weak = std::weak_ptr(self_), id] {
    if (const auto self = weak.lock()) (*self)->listeners_.erase(id);
  });
}

json::array Client::discovery_report() const {
  return discovery_ ? discovery_->report() : json::array();
}

json::object Client::device_debug_info(std::string_view device_id) const {
  return discovery_ ? discovery_->debug_info(device_id) : json::object();
}

}  // namespace hearth::integrations::mqtt

// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/session.h"

#include <fmt/format.h>
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "base/utf8.h"

namespace hearth::integrations::mqtt {
namespace {

constexpr char kSystemAuthorities[] = "/etc/ssl/certs";
// Messages that are read before the orders have their turn.
constexpr int kReads = 200;
constexpr std::chrono::milliseconds kPause{1'000};
constexpr int kRefusedProtocol = 1, kRefusedPassword = 4, kRefusedUser = 5;  // of MQTT 3.1.1 §3.2.2.3

using Properties = std::unique_ptr<mosquitto_property, void (*)(mosquitto_property*)>;

Properties no_properties() {
  return {nullptr, [](mosquitto_property* list) { mosquitto_property_free_all(&list); }};
}

void add_number(Properties& properties, int what, std::uint32_t number, bool variable) {
  mosquitto_property* list = properties.release();
  if (variable)
    mosquitto_property_add_varint(&list, what, number);
  else
    mosquitto_property_add_int32(&list, what, number);
  properties.reset(list);
}

const char* text_or_null(const std::string& text) {
  return text.empty() ? nullptr : text.c_str();
}

int version_of(Protocol protocol) {
  if (protocol == Protocol::v5) return MQTT_PROTOCOL_V5;
  return protocol == Protocol::v31 ? MQTT_PROTOCOL_V31 : MQTT_PROTOCOL_V311;
}

// Of the broker's answer to the attempt.
std::string refusal(int code, bool v5) {
  if ((!v5 && (code == kRefusedPassword || code == kRefusedUser)) ||
      (v5 && (code == MQTT_RC_BAD_USERNAME_OR_PASSWORD || code == MQTT_RC_NOT_AUTHORIZED)))
    return "the broker refuses the user name or the password";
  if (code == kRefusedProtocol || code == MQTT_RC_UNSUPPORTED_PROTOCOL_VERSION)
    return "the broker does not speak this version of MQTT";
  return fmt::format("the broker refuses the connection: {}",
                     v5 ? mosquitto_reason_string(code) : mosquitto_connack_string(code));
}

}  // namespace

struct Session::Callbacks {
  static Session& of(void* session) { return *static_cast<Session*>(session); }
  static void set(mosquitto* library) {
    mosquitto_connect_v5_callback_set(
        library, [](mosquitto*, void* session, int code, int, const mosquitto_property* properties) {
          of(session).on_connect(code, properties);
        });
    mosquitto_disconnect_v5_callback_set(library, [](mosquitto*, void* session, int code, const mosquitto_property*) {
      of(session).on_disconnect(code);
    });
    mosquitto_message_v5_callback_set(
        library, [](mosquitto*, void* session, const mosquitto_message* message, const mosquitto_property* properties) {
          const auto size = static_cast<std::size_t>(message->payloadlen);
          const std::string_view payload(size > 0 ? static_cast<const char*>(message->payload) : "", size);
          try {
            of(session).on_message(message->topic, payload, message->qos, message->retain, properties);
          } catch (const std::bad_alloc&) {
            of(session).lost_ = "there is no memory for a message";
          }
        });
    mosquitto_publish_v5_callback_set(library, [](mosquitto*, void* session, int id, int code,
                                                  const mosquitto_property*) { of(session).on_published(id, code); });
    mosquitto_subscribe_v5_callback_set(
        library, [](mosquitto*, void* session, int id, int count, const int* granted, const mosquitto_property*) {
          of(session).on_subscribed(id, count > 0 ? granted[0] : MQTT_RC_UNSPECIFIED);
        });
    mosquitto_log_callback_set(library, [](mosquitto*, void* session, int level, const char* text) {
      if (level == MOSQ_LOG_ERR && of(session).detail_.empty())
        of(session).detail_ = base::utf8_excerpt(base::utf8_repaired(text), 300);
    });
  }
};

Session::Session(const Options& options, Protocol protocol, Arrivals& arrivals, Orders& orders,
                 const base::Clock& clock)
    : options_(options),
      protocol_(protocol),
      arrivals_(arrivals),
      orders_(orders),
      clock_(clock),
      library_(mosquitto_new(options.client_id.c_str(), true, this), mosquitto_destroy) {}

Session::~Session() = default;

base::Result<void> Session::prepare() {
  mosquitto* const library = library_.get();
  if (!library) return base::fail(base::ErrorCode::unavailable, std::generic_category().message(errno));
  Callbacks::set(library);
  mosquitto_int_option(library, MOSQ_OPT_PROTOCOL_VERSION, version_of(protocol_));
  mosquitto_int_option(library, MOSQ_OPT_TCP_NODELAY, 1);
  // The broker may send ahead what it has kept; a smaller number makes some brokers drop it.
  mosquitto_int_option(library, MOSQ_OPT_RECEIVE_MAXIMUM, 65'535);
  mosquitto_username_pw_set(library, text_or_null(options_.username), text_or_null(options_.password));
  if (options_.will) {
    const auto& will = *options_.will;
    const int set = mosquitto_will_set(library, will.topic.c_str(), static_cast<int>(will.payload.size()),
                                       will.payload.data(), will.qos, will.retain);
    if (set != MOSQ_ERR_SUCCESS) return base::fail(base::ErrorCode::invalid, "will_message: " + reason(set));
  }
  return options_.secure() ? prepare_tls() : base::Result<void>();
}

base::Result<void> Session::prepare_tls() {
  const bool system = options_.certificate == "auto";
  for (const std::string& file : {options_.certificate, options_.client_certificate, options_.client_key}) {
    if (file.empty() || (system && file == options_.certificate) || ::access(file.c_str(), R_OK) == 0) continue;
    return base::fail(base::ErrorCode::invalid,
                      fmt::format("{} cannot be read: {}", file, std::generic_category().message(errno)));
  }
  // An encrypted key would otherwise ask for its password in the terminal.
  const auto no_password = [](char*, int, int, void*) { return 0; };
  int set = mosquitto_tls_set(library_.get(), system ? nullptr : options_.certificate.c_str(),
                              system ? kSystemAuthorities : nullptr, text_or_null(options_.client_certificate),
                              text_or_null(options_.client_key), no_password);
  if (set == MOSQ_ERR_SUCCESS) set = mosquitto_tls_insecure_set(library_.get(), options_.tls_insecure);
  if (set == MOSQ_ERR_SUCCESS) return {};
  return base::fail(base::ErrorCode::invalid, "TLS: " + reason(set));
}

base::Result<void> Session::connect() {
  if (auto prepared = prepare(); !prepared) return prepared;
  Properties properties = no_properties();
  if (protocol_ == Protocol::v5) {
    constexpr std::uint32_t kPacket = core::MqttBroker::kMaxPayload + 128 * 1024;
    add_number(properties, MQTT_PROP_MAXIMUM_PACKET_SIZE, kPacket, false);
  }
  errno = 0;
  const int code = mosquitto_connect_bind_v5(library_.get(), options_.broker.c_str(), options_.port, options_.keepalive,
                                             nullptr, properties.get());
  if (code == MOSQ_ERR_SUCCESS) return {};
  return base::fail(base::ErrorCode::unavailable, reason(code));
}

base::Result<void> Session::serve() {
  const auto deadline = std::chrono::steady_clock::now() + kHandshakeTime;
  while (!lost_) {
    const bool stopping = orders_.stopping();
    if (accepted()) {
      for (Order& order : orders_.take()) perform(order);
      if (stopping) say_goodbye();
    }
    if (stopping) return {};
    if (!accepted() && std::chrono::steady_clock::now() >= deadline)
      return base::fail(base::ErrorCode::unavailable, "the broker does not answer");
    const int code = turn(kPause);
    if (code != MOSQ_ERR_SUCCESS && !lost_) lost_ = reason(code);
  }
  return base::fail(base::ErrorCode::unavailable, *lost_);
}

void Session::perform(Order& order) {
  if (const auto* const publishing = std::get_if<Publish>(&order)) return publish(*publishing);
  if (const auto* const subscribing = std::get_if<Subscribe>(&order)) return subscribe(*subscribing);
  mosquitto_unsubscribe(library_.get(), nullptr, std::get<Unsubscribe>(order).filter.c_str());
}

void Session::subscribe(const Subscribe& order) {
  Properties properties = no_properties();
  if (numbers_) add_number(properties, MQTT_PROP_SUBSCRIPTION_IDENTIFIER, order.number, true);
  int id = 0;
  const int code = mosquitto_subscribe_v5(library_.get(), &id, order.filter.c_str(), order.qos, 0, properties.get());
  if (code == MOSQ_ERR_SUCCESS) subscribing_[id] = order.filter;
}

void Session::publish(const Publish& message) {
  int id = 0;
  const std::size_t bytes = size_of(message);
  reported_ = 0;  // a message may have gone before the library returns
  Properties properties = no_properties();
  if (protocol_ == Protocol::v5 && message.expiry > 0)
    add_number(properties, MQTT_PROP_MESSAGE_EXPIRY_INTERVAL, message.expiry, false);
  const int code =
      mosquitto_publish_v5(library_.get(), &id, message.topic.c_str(), static_cast<int>(message.payload.size()),
                           message.payload.data(), message.qos, message.retain, properties.get());
  if (code != MOSQ_ERR_SUCCESS) {
    arrivals_.put(Refused{fmt::format("a message to {} cannot be sent: {}", message.topic, reason(code))});
    return orders_.done(1, bytes);
  }
  if (reported_ == id)
    orders_.done(1, bytes);
  else
    sent_[id] = {bytes, message.qos > 0 ? message.topic : std::string()};
}

int Session::turn(std::chrono::milliseconds longest) {
  mosquitto* const library = library_.get();
  const int socket = mosquitto_socket(library);
  if (socket < 0) return MOSQ_ERR_CONN_LOST;
  const short wanted = mosquitto_want_write(library) ? POLLIN | POLLOUT : POLLIN;
  pollfd watched[] = {{socket, wanted, 0}, {orders_.descriptor(), POLLIN, 0}};
  ::poll(watched, 2, static_cast<int>(longest.count()));
  errno = 0;
  int code = MOSQ_ERR_SUCCESS;
  if (watched[0].revents & (POLLIN | POLLHUP | POLLERR)) {
    // One call reads one message.
    std::uint64_t before;
    int reads = 0;
    do {
      before = arrived_;
      code = mosquitto_loop_read(library, 1);
    } while (code == MOSQ_ERR_SUCCESS && arrived_ != before && ++reads < kReads && !lost_);
  }
  if (code == MOSQ_ERR_SUCCESS && mosquitto_want_write(library)) code = mosquitto_loop_write(library, 1);
  return code == MOSQ_ERR_SUCCESS ? mosquitto_loop_misc(library) : code;
}

// A broker publishes the will only if the connection breaks.
void Session::say_goodbye() {
  const auto deadline = std::chrono::steady_clock::now() + kFarewellTime;
  if (options_.will) publish({options_.will->topic, options_.will->payload, options_.will->qos, options_.will->retain});
  while ((!sent_.empty() || mosquitto_want_write(library_.get())) && !lost_ &&
         std::chrono::steady_clock::now() < deadline) {
    if (turn(std::chrono::milliseconds(20)) != MOSQ_ERR_SUCCESS) break;
  }
  mosquitto_disconnect(library_.get());
}

std::string Session::reason(int code) const {
  switch (code) {
    case MOSQ_ERR_EAI:
      return fmt::format("the host {} is not found", options_.broker);
    case MOSQ_ERR_ERRNO:
      return errno == 0 ? "the connection is closed" : std::generic_category().message(errno);
    case MOSQ_ERR_CONN_LOST:
      return accepted() ? "the broker has closed the connection" : "the broker closes the connection before it answers";
    case MOSQ_ERR_KEEPALIVE:
      return "the broker does not answer any more";
    case MOSQ_ERR_PROTOCOL:
    case MOSQ_ERR_MALFORMED_PACKET:
    case MOSQ_ERR_MALFORMED_UTF8:
      return "what answers there does not speak MQTT as it should";
    case MOSQ_ERR_TLS:
      return detail_.empty() ? "TLS fails" : fmt::format("TLS fails: {}", detail_);
    default:
      return mosquitto_strerror(code);
  }
}

void Session::on_connect(int code, const mosquitto_property* properties) {
  const bool v5 = protocol_ == Protocol::v5;
  if (code != 0) {
    const bool protocol = code == kRefusedProtocol || code == MQTT_RC_UNSUPPORTED_PROTOCOL_VERSION;
    answer_ = protocol ? Answer::refused_protocol : Answer::refused;
    lost_ = refusal(code, v5);
    return;
  }
  std::uint8_t available = 1;
  mosquitto_property_read_byte(properties, MQTT_PROP_SUBSCRIPTION_ID_AVAILABLE, &available, false);
  numbers_ = v5 && available != 0;
  answer_ = Answer::accepted;
  orders_.clear();
  arrivals_.put(Connected{std::string(to_string(protocol_))});
}

void Session::on_message(const char* topic, std::string_view payload, int qos, bool retain,
                         const mosquitto_property* properties) {
  ++arrived_;
  if (payload.size() > core::MqttBroker::kMaxPayload) {
    return arrivals_.put(Refused{fmt::format("a message of {} bytes on {} is dropped: {} are the limit", payload.size(),
                                             topic, core::MqttBroker::kMaxPayload)});
  }
  FilterNumbers numbers;
  std::uint32_t number = 0;
  for (auto* found = mosquitto_property_read_varint(properties, MQTT_PROP_SUBSCRIPTION_IDENTIFIER, &number, false);
       found; found = mosquitto_property_read_varint(found, MQTT_PROP_SUBSCRIPTION_IDENTIFIER, &number, true))
    numbers.push_back(number);
  arrivals_.put(
      Received{core::MqttMessage(topic, std::string(payload), qos, retain, clock_.now()), std::move(numbers)});
}

void Session::on_published(int id, int code) {
  reported_ = id;
  const auto found = sent_.find(id);
  if (found == sent_.end()) return;
  if (code >= MQTT_RC_UNSPECIFIED) {
    arrivals_.put(Refused{
        fmt::format("the broker refuses a message to {}: {}", found->second.topic, mosquitto_reason_string(code))});
  }
  orders_.done(1, found->second.bytes);
  sent_.erase(found);
}

void Session::on_subscribed(int id, int code) {
  const auto found = subscribing_.find(id);
  if (found == subscribing_.end()) return;
  if (code >= MQTT_RC_UNSPECIFIED)
    arrivals_.put(Refused{fmt::format("the broker refuses the subscription to {}: {}", found->second,
                                      protocol_ == Protocol::v5 ? mosquitto_reason_string(code) : "not authorised")});
  subscribing_.erase(found);
}

void Session::on_disconnect(int code) {
  if (answer_ == Answer::none && code == MOSQ_ERR_CONN_LOST) answer_ = Answer::hung_up;
  if (lost_) return;
  if (protocol_ == Protocol::v5 && code == MQTT_RC_SESSION_TAKEN_OVER)
    lost_ = fmt::format("another client uses the client id {}", options_.client_id);
  else if (protocol_ == Protocol::v5 && code >= MQTT_RC_UNSPECIFIED)
    lost_ = fmt::format("the broker ends the connection: {}", mosquitto_reason_string(code));
  else
    lost_ = reason(code);
}

}  // namespace hearth::integrations::mqtt

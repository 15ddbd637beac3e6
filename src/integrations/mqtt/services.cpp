// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/services.h"

#include <fmt/format.h>

#include <cerrno>
#include <fstream>
#include <system_error>

#include "base/log/log.h"
#include "core/view.h"
#include "integrations/mqtt/bytes_literal.h"
#include "template/language/template.h"

namespace hearth::integrations::mqtt {
namespace {

namespace field = core::field;

core::ServiceDescription described(std::string service, std::string name, std::string description) {
  core::ServiceDescription made;
  made.domain = "mqtt";
  made.service = std::move(service);
  made.name = std::move(name);
  made.description = std::move(description);
  made.has_target = false;
  return made;
}

// Devices expect text: a number or an object goes out as its JSON.
std::string payload_text(const json::value* value) {
  if (!value || value->is_null()) return {};
  return value->is_string() ? std::string(value->get_string()) : base::to_json(*value);
}

base::Result<std::string> rendered_payload(core::Hub& hub, const core::ServiceCall& call, std::string_view source) {
  const core::View home(hub, call.request().rights);
  templates::Environment environment;
  environment.home = &home;
  environment.clock = &hub.clock;
  environment.zone = templates::Zone::of(hub.config.load_once()->time_zone);
  const auto failed = [](const templates::Failure& failure) {
    return base::fail(base::ErrorCode::invalid,
                      fmt::format("payload_template: line {}: {}", failure.line, failure.message));
  };
  const auto compiled = templates::Template::compile(source, environment.limits);
  if (!compiled) return failed(compiled.error());
  auto text = compiled->render(environment, {});
  if (!text) return failed(text.error());
  return std::move(*text);
}

base::Result<std::string> payload_of(core::Hub& hub, const core::ServiceCall& call) {
  const json::value* const given = call.data().if_contains("payload");
  const json::value* const source = call.data().if_contains("payload_template");
  if (given && source)
    return base::fail(base::ErrorCode::invalid, "payload_template: expected either this or payload, got both");
  if (source) return rendered_payload(hub, call, source->get_string());
  std::string text = payload_text(given);
  const json::value* const evaluate = call.data().if_contains("evaluate_payload");
  return evaluate && evaluate->get_bool() ? evaluated_bytes(text) : text;
}

// A line stays one, whatever bytes are in it.
void append_line(std::string& out, std::string_view topic, std::string_view payload) {
  const auto append = [&out](std::string_view text) {
    for (const char c : text) {
      if (c == '\n')
        out += "\\n";
      else if (c == '\r')
        out += "\\r";
      else
        out += c;
    }
  };
  append(topic);
  out += ',';
  append(payload);
  out += '\n';
}

void write_dump(const std::filesystem::path& file, std::string_view text) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << text << std::flush;
  if (out)
    base::log_info("mqtt", "{} is written", file.native());
  else
    base::log_warning("mqtt", "{} cannot be written: {}", file.native(), std::generic_category().message(errno));
}

}  // namespace

Services::Services(const domains::IntegrationHome& home, Client& client)
    : home_(home),
      client_(client),
      dump_file_(std::filesystem::path(home.hub.config.load_once()->config_dir) / kDumpFile) {
  const auto add = [this](core::ServiceDescription description,
                          base::Result<void> (Services::*handler)(const core::ServiceCall&)) {
    registrations_.push_back(home_.hub.services.add(
        std::move(description), [this, handler](const core::ServiceCall& call, const core::ServiceReply& reply) {
          if (auto done = (this->*handler)(call); !done) return reply(std::unexpected(std::move(done.error())));
          reply(json::value());
        }));
  };
  auto publish = described("publish", "Publish", "Publishes a message to a topic of the MQTT broker.");
  publish.fields = {
      {"topic", "The topic, without + and #.", "home/bell/set", field::Text{}, true},
      {"payload", "The message; empty if nothing is said. A number or an object goes out as JSON.", "ON"},
      {"payload_template", "Instead of payload: a template that makes the message.", "{{ states('sun.sun') }}",
       field::Text{}},
      {"evaluate_payload", "Whether a payload such as b'\\x01\\xff' stands for these bytes.", false, field::Boolean{}},
      {"qos", "Quality of service: 0 at most once, 1 at least once, 2 exactly once.", 0, field::Integer{0, 2}},
      {"retain", "Whether the broker keeps it for those who subscribe later.", false, field::Boolean{}},
      {"message_expiry_interval", "After how many seconds the broker drops it, with MQTT 5; never if nothing is said.",
       60, field::Integer{1, UINT32_MAX, "s"}},
  };
  add(std::move(publish), &Services::publish);
  auto dump = described("dump", "Dump messages",
                        "Writes the messages of some topics into the file mqtt_dump.txt of the "
                        "home's folder.");
  dump.administrator = true;
  dump.fields = {
      {"topic", "A filter of topics, with + and # if several are meant.", "zigbee2mqtt/#", field::Text{}, true},
      {"duration", "For how many seconds: 5 if nothing is said.", 5, field::Integer{1, kLongestDump, "s"}},
  };
  add(std::move(dump), &Services::dump);
  writer_.start();
}

base::Result<void> Services::publish(const core::ServiceCall& call) {
  const json::object& data = call.data();
  auto payload = payload_of(home_.hub, call);
  if (!payload) return std::unexpected(std::move(payload.error()));
  const json::value* const qos = data.if_contains("qos");
  const json::value* const retain = data.if_contains("retain");
  const json::value* const expiry = data.if_contains("message_expiry_interval");
  return client_.publish(std::string(data.at("topic").get_string()), std::move(*payload),
                         qos ? static_cast<int>(qos->as_int64()) : 0, retain && retain->get_bool(),
                         expiry ? static_cast<std::uint32_t>(expiry->as_int64()) : 0);
}

base::Result<void> Services::dump(const core::ServiceCall& call) {
  const json::object& data = call.data();
  auto dumping = client_.subscribe(std::string(data.at("topic").get_string()), 0,
                                   [this](const core::MqttMessage& message) { note(message); });
  if (!dumping) return std::unexpected(std::move(dumping.error()));
  const json::value* const duration = data.if_contains("duration");
  dumped_.clear();
  left_out_ = false;
  dumping_ = std::move(*dumping);
  dump_end_ = home_.bus.schedule(std::chrono::seconds(duration ? duration->as_int64() : 5), [this] { end_dump(); });
  return {};
}

void Services::note(const core::MqttMessage& message) {
  left_out_ = left_out_ || dumped_.size() + message.topic().size() + message.payload().size() > kMaxDumpBytes;
  if (!left_out_) append_line(dumped_, message.topic(), message.payload());
}

void Services::end_dump() {
  dumping_ = {};
  if (left_out_) dumped_ += fmt::format("# more than {} MiB: the rest is left out\n", kMaxDumpBytes / 1024 / 1024);
  const bool posted = writer_.post([file = dump_file_, text = std::exchange(dumped_, {})] { write_dump(file, text); });
  if (!posted) base::log_warning("mqtt", "{} is still being written: this dump is skipped", dump_file_.native());
}

}  // namespace hearth::integrations::mqtt

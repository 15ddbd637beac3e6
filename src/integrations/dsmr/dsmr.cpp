// SPDX-License-Identifier: Apache-2.0
#include "integrations/dsmr/dsmr.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/json/json_fields.h"
#include "base/log/log.h"
#include "base/text/number.h"
#include "integrations/dsmr/flow/meter_flow.h"
#include "integrations/dsmr/protocol/telegram.h"

namespace hearth::integrations::dsmr {
namespace {

using Health = domains::ConnectionHealth;

// `port` is a number, or, as in older files, the serial device.
void read_port(base::ConfigReader& in, FeedOptions& feed) {
  const base::ConfigNode* const port = in.find("port");
  if (!port) return;
  const auto text = port->text();
  if (text && text->starts_with('/') && feed.host.empty() && feed.device.empty())
    feed.device = *text;
  else
    in.integer("port", feed.port, 1, 65'535);
}

void read(base::ConfigReader& in, Dsmr::Options& options) {
  FeedOptions& feed = options.feed;
  // Of older files, where a meter is an item of `sensor:`. The hub rounds nothing, and connects again by itself.
  for (const char* const older : {"platform", "precision", "reconnect_interval"}) in.find(older);
  in.text("host", feed.host);
  in.text("device", feed.device);
  read_port(in, feed);
  enum class Version { fast, slow } version = Version::fast;
  in.option("dsmr_version", version,
            {{"2.2", Version::slow},
             {"4", Version::fast},
             {"5", Version::fast},
             {"5B", Version::fast},
             {"5L", Version::fast},
             {"5S", Version::fast}});
  feed.slow = version == Version::slow;
  const auto report = [&](std::string_view what) { in.report(in.node(), in.node().error(what)); };
  if (!feed.host.empty() && !feed.device.empty())
    report("expected either host and port, or device");
  else if (feed.host.empty() && feed.device.empty())
    report("expected host and port, or device");
  else if (!feed.host.empty() && !in.find("port"))
    report("port: missing; expected the port of the host that passes the telegrams on");
  else if (!feed.device.empty() && !feed.device.starts_with('/'))
    report("device: expected a path, such as /dev/ttyUSB0");
}

std::vector<const base::ConfigNode*> meters_of(const base::ConfigNode& section) {
  std::vector<const base::ConfigNode*> all;
  if (section.is_list()) {
    for (const base::ConfigNode& each : section.items()) all.push_back(&each);
  } else if (!section.is_empty()) {
    all.push_back(&section);
  }
  return all;
}

}  // namespace

base::Result<Dsmr::Options> Dsmr::Options::parse(const base::ConfigNode& node) {
  Options options;
  base::ConfigReader in(node);
  read(in, options);
  return in.finish(options);
}

std::vector<base::ConfigProblem> Dsmr::Options::check(const base::ConfigNode& section) {
  std::vector<base::ConfigProblem> all;
  for (const base::ConfigNode* const meter : meters_of(section)) {
    Options options;
    base::ConfigReader in(*meter);
    read(in, options);
    for (base::ConfigProblem& problem : in.problems()) all.push_back(std::move(problem));
  }
  return all;
}

Dsmr::Options Dsmr::Options::of(const core::Connection& connection) {
  Options options;
  options.feed.host = base::text_at(connection.data, "host");
  const json::value* const port = connection.data.if_contains("port");
  if (port && port->is_number()) options.feed.port = port->to_number<std::uint16_t>();
  return options;
}

std::vector<domains::FileConnection> Dsmr::connections(const base::ConfigNode& section) {
  std::vector<domains::FileConnection> all;
  for (const base::ConfigNode* const meter : meters_of(section)) {
    const auto options = Options::parse(*meter);
    if (!options) continue;
    const std::string address = options->feed.str();
    const bool known =
        std::ranges::any_of(all, [&](const domains::FileConnection& each) { return each.unique_id == address; });
    if (!known) all.push_back({address, address, *meter});
  }
  return all;
}

std::unique_ptr<domains::ConnectionFlow> Dsmr::flow(const domains::FlowHome& home, const domains::Discovered*) {
  return std::make_unique<MeterFlow>(home);
}

// A connection of the file has the address for its unique id; one of a page, the serial number.
Dsmr::Dsmr(const domains::IntegrationHome& home, Options options)
    : home_(home),
      options_(std::move(options)),
      meter_(home_, home_.connection->source == core::Connection::Source::yaml ? "" : home_.connection->unique_id) {}

base::Result<void> Dsmr::start() {
  if (!home_.reactor) return base::fail(base::ErrorCode::unavailable, "There are no links to devices.");
  meter_.restore();
  Feed::Events& events = *this;
  feed_ = std::make_unique<Feed>(*home_.reactor, home_.bus, options_.feed, events);
  home_.report({Health::State::waiting, fmt::format("Connecting to {}.", options_.feed.str())});
  wait(kStartGrace);
  return {};
}

void Dsmr::stop() {
  grace_ = {};
  missing_ = {};
  if (feed_) feed_->stop();
}

void Dsmr::wait(base::Duration grace) {
  grace_ = home_.bus.schedule(grace, [this] { meter_.set_available(false); });
}

void Dsmr::on_connected() {
  ++connections_;
  if (!flows_)
    home_.report({Health::State::waiting, fmt::format("Waiting for a telegram of {}.", options_.feed.str())});
}

void Dsmr::on_telegram(const std::string& text) {
  const auto telegram = Telegram::parse(text);
  if (!telegram) return on_wrong(telegram.error().message);
  last_ = text;
  if (const auto taken = meter_.take(*telegram); !taken) {
    home_.report({Health::State::needs_person, taken.error().message});
    meter_.set_available(false);
    return;
  }
  if (telegrams_++ == 0) missing_ = home_.bus.schedule(kMissingAfter, [this] { meter_.forget_missing(); });
  flows_ = true;
  grace_ = {};
  meter_.set_available(true);
  home_.report({});
}

void Dsmr::on_wrong(const std::string& why) {
  ++wrong_;
  last_wrong_ = why;
  base::log_info("dsmr", "{}: {}", options_.feed.str(), why);
  if (!flows_) home_.report({Health::State::waiting, fmt::format("{}: {}", options_.feed.str(), why)});
}

void Dsmr::on_lost(const net::Failure& why) {
  home_.report({Health::State::waiting, why.message});
  if (std::exchange(flows_, false)) wait(kGrace);
}

json::object Dsmr::diagnosis() const {
  return {{"feed", options_.feed.str()}, {"serial", meter_.serial()}, {"entities", meter_.entity_count()},
          {"telegrams", telegrams_},     {"wrong_telegrams", wrong_}, {"connections", connections_},
          {"last_telegram", last_},      {"last_error", last_wrong_}};
}

}  // namespace hearth::integrations::dsmr

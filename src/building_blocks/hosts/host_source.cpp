// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/hosts/host_source.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/json/json.h"
#include "building_blocks/polled/workers.h"

namespace hearth::building_blocks {

HostSource::HostSource(const PolledEnvironment& environment, std::shared_ptr<const Options> options)
    : environment_(environment),
      options_(std::move(options)),
      lookup_(std::make_shared<HostLookup>(options_->host)),
      runs_(options_->turn_off ? std::make_unique<automation::Runs>(options_->turn_off, environment.home, [] {})
                               : nullptr) {}

void HostSource::fetch(Done done) {
  environment_.workers.run(
      [lookup = lookup_, options = options_](const auto& is_wanted) -> base::Result<std::string> {
        const auto address = lookup->find(is_wanted);
        if (!address) return std::unexpected(address.error());
        const auto echoes = ask_for_echo(*address, options->echo, is_wanted);
        if (!echoes) return std::unexpected(echoes.error());
        return base::to_json(round_trip_times(*echoes));
      },
      [alive = std::weak_ptr(alive_), done](base::Result<std::string> times) {
        if (alive.expired()) return;
        if (!times) return done(std::unexpected(std::move(times.error())));
        json::value json = base::parse_json(*times).value_or(json::object());
        const bool there = !json.as_object().empty();
        done(Parts{Fetched{.text = there ? "on" : "off", .json = std::move(json)}});
      });
}

void HostSource::command(std::size_t, const domains::Action& action, const json::object&, Commanded done) {
  if (action.service == "turn_on") return done(send_magic_packet(*options_->wake));
  if (!runs_) return done(base::fail(base::ErrorCode::unsupported, "there are no steps under turn_off"));
  const core::Context context = core::Context::create(environment_.home.hub.clock.now());
  environment_.home.cause_chain.add(context, this);
  runs_->begin({context, {}, [alive = std::weak_ptr(alive_), done](const automation::Run::Result* result) {
                  if (alive.expired()) return;
                  if (result && result->end == automation::Run::End::failed)
                    return done(base::fail(base::ErrorCode::unavailable, "the steps have failed"));
                  done({});
                }});
}

json::object round_trip_times(const Echoes& echoes) {
  const auto& times = echoes.milliseconds;
  if (times.empty()) return {};
  const auto rounded = [](double value) { return std::round(value * 1'000) / 1'000; };
  const double count = static_cast<double>(times.size());
  double sum = 0, squares = 0;
  for (const double each : times) {
    sum += each;
    squares += each * each;
  }
  const double mean = sum / count;
  return {{"round_trip_time_avg", rounded(mean)},
          {"round_trip_time_max", rounded(*std::ranges::max_element(times))},
          {"round_trip_time_mdev", rounded(std::sqrt(std::max(0.0, squares / count - mean * mean)))},
          {"round_trip_time_min", rounded(*std::ranges::min_element(times))}};
}

}  // namespace hearth::building_blocks

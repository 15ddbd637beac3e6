// SPDX-License-Identifier: Apache-2.0
#include "integrations/demo/player.h"

#include <algorithm>
#include <cmath>

#include "base/text/timestamp.h"

namespace hearth::integrations::demo {
namespace {

struct Track {
  const char *title, *artist, *album;
  int seconds;
};
constexpr Track kTracks[] = {
    {"Morning Frost", "The Window Seats", "Four Seasons Indoors", 214},
    {"Kettle Song", "The Window Seats", "Four Seasons Indoors", 187},
    {"Lamps at Five", "Nora Hall", "Short Days", 251},
    {"Snow on the Line", "Nora Hall", "Short Days", 233},
};

}  // namespace

Player::Player(World& world, const domains::EntityInfo& info, json::array sources)
    : world_(world), since_(world.steady_now()) {
  domains::Report first{.value = "idle"};
  first.attributes = {{"volume_level", 0.35},
                      {"is_volume_muted", false},
                      {"source", sources.front()},
                      {"shuffle", false},
                      {"repeat", "off"}};
  first = world.remembered(domains::kMediaPlayer, info, std::move(first));
  if (*first.value != json::value("off")) first.value = "idle";
  thing_ = &world.add(
      domains::kMediaPlayer, std::move(first), info,
      {.features = "pause play stop seek volume_set volume_mute volume_step previous_track next_track turn_on turn_off "
                   "play_media select_source shuffle_set repeat_set",
       .attributes = {{"source_list", std::move(sources)}}},
      this);
}

void Player::act(const domains::Action& action, const json::object& data) {
  const std::string_view service = action.service;
  const bool playing = thing_->reported() == "playing";
  if (service == "media_play") return playing ? thing_->report({}) : play(track_, position_);
  if (service == "play_media") return play((track_ + 1) % std::size(kTracks), 0);
  if (service == "media_next_track") return play((track_ + 1) % std::size(kTracks), 0);
  if (service == "media_previous_track") return play((track_ + std::size(kTracks) - 1) % std::size(kTracks), 0);
  if (service == "media_seek") {
    const double to = std::min(data.at("seek_position").to_number<double>(), kTracks[track_].seconds - 1.0);
    return playing ? play(track_, to) : show("paused", to);
  }
  if (service == "media_pause") return show("paused", position());
  if (service == "media_stop" || service == "turn_on" || service == "turn_off") return show(action.value, 0);
  if (service == "volume_up" || service == "volume_down") {
    const double to = thing_->number("volume_level").value_or(0) + (service == "volume_up" ? 0.05 : -0.05);
    return thing_->report({.attributes = {{"volume_level", std::clamp(std::round(to * 100) / 100, 0.0, 1.0)}}});
  }
  thing_->report(domains::outcome(domains::kMediaPlayer, action, data));
}

void Player::play(std::size_t track, double position) {
  track_ = track;
  show("playing", position);
  if (world_.still()) return;
  const double rest = std::max(kTracks[track_].seconds - position, 1.0);
  end_ = world_.after(base::Duration(std::llround(rest * 1e6)), [this] { play((track_ + 1) % std::size(kTracks), 0); });
}

// A paused or playing player has a track; an idle one or one that is off has none.
void Player::show(std::string_view value, double position) {
  end_ = core::Timer();
  position_ = position;
  since_ = world_.steady_now();
  const bool has_track = value == "playing" || value == "paused";
  const Track& track = kTracks[track_];
  const auto of_track = [&](json::value shown) { return has_track ? std::move(shown) : json::value(); };
  domains::Report report{.value = value};
  report.attributes["media_content_type"] = of_track("music");
  report.attributes["media_title"] = of_track(track.title);
  report.attributes["media_artist"] = of_track(track.artist);
  report.attributes["media_album_name"] = of_track(track.album);
  report.attributes["media_duration"] = of_track(track.seconds);
  report.attributes["media_position"] = of_track(std::floor(position));
  if (!world_.still()) {
    report.attributes["media_position_updated_at"] = of_track(json::value(base::to_string(thing_->now())));
  }
  thing_->report(std::move(report));
}

double Player::position() const {
  if (thing_->reported() != "playing" || world_.still()) return position_;
  return position_ + std::chrono::duration<double>(world_.steady_now() - since_).count();
}

}  // namespace hearth::integrations::demo

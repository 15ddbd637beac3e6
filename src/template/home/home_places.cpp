// SPDX-License-Identifier: Apache-2.0
// The functions of places: how far entities are from each other.
#include <fmt/format.h>

#include "base/geodesy.h"
#include "core/values/entity_id.h"
#include "template/home/state_value.h"
#include "template/language/builtins.h"
#include "template/language/home.h"
#include "template/language/render.h"

namespace hearth::templates {
namespace {

struct Place {
  double latitude, longitude;
};

double kilometres(Place a, Place b) {
  return base::metres_between(a.latitude, a.longitude, b.latitude, b.longitude) / 1000;
}

// The state that a value names or is; null if it is none.
core::StatePtr state_in(Render& render, const Value& value) {
  if (value.is_text()) return find_state(render, value.text());
  const auto* const object = value.get<ObjectPtr>();
  const core::StatePtr state = object ? state_of(*object) : nullptr;
  return state ? find_state(render, state->entity_id()) : nullptr;
}

// Null if it has none.
std::optional<Place> place_of(const core::State& state) {
  const auto latitude = as_double(attribute_of_state(state, "latitude")),
             longitude = as_double(attribute_of_state(state, "longitude"));
  if (!latitude || !longitude) return {};
  return Place{*latitude, *longitude};
}

std::optional<Place> place_of(const Value& latitude, const Value& longitude) {
  const auto north = to_number(latitude), east = to_number(longitude);
  if (!north || !east) return {};
  return Place{*north, *east};
}

std::optional<Place> home_place(Render& render) {
  if (!render.environment.home) return {};
  const auto config = render.environment.home->config();
  return Place{config->latitude, config->longitude};
}

// Of entities, and of latitudes each with a longitude.
Value distance(Call& call) {
  call.render.saw_beyond_lists();
  if (!call.named.empty()) fail(FailureKind::type, "distance() takes no keyword arguments");
  if (call.positional.empty()) fail(FailureKind::type, "distance() needs a place");
  std::vector<Place> places;
  for (std::size_t i = 0; i < call.positional.size(); ++i) {
    const core::StatePtr state = state_in(call.render, call.positional[i]);
    const bool pair = !state && i + 1 < call.positional.size();
    const auto place = state  ? place_of(*state)
                       : pair ? place_of(call.positional[i], call.positional[i + 1])
                              : std::nullopt;
    if (!place) return {};
    if (pair) ++i;
    places.push_back(*place);
  }
  if (places.size() == 1) {
    if (const auto home = home_place(call.render)) places.push_back(*home);
  }
  if (places.size() < 2) return {};
  const double length = kilometres(places[0], places[1]);
  const bool miles = call.render.environment.home &&
                     call.render.environment.home->config()->unit_system == core::UnitSystem::us_customary;
  return miles ? length / 1.609344 : length;
}

// closest(entities), closest(place, entities), closest(latitude, longitude, entities).
Value closest(Call& call) {
  call.render.saw_beyond_lists();
  if (!call.named.empty()) fail(FailureKind::type, "closest() takes no keyword arguments");
  const Values& given = call.positional;
  if (given.empty() || given.size() > 3) {
    fail(FailureKind::type, fmt::format("closest() takes from 1 to 3 arguments, {} are given", given.size()));
  }
  std::optional<Place> from = home_place(call.render);
  if (given.size() == 2) {
    const core::StatePtr state = state_in(call.render, given[0]);
    from = state ? place_of(*state) : std::nullopt;
  } else if (given.size() == 3) {
    from = place_of(given[0], given[1]);
  }
  if (!from) return {};
  core::StatePtr best;
  double least = 0;
  for (const core::StatePtr& state : expanded(call.render, given.back())) {
    const auto place = place_of(*state);
    if (!place) continue;
    const double length = kilometres(*from, *place);
    if (best && length >= least) continue;
    best = state;
    least = length;
  }
  return state_value(std::move(best));
}

// entities | closest(place): what it is applied to comes last.
Value closest_of(Call& call) {
  std::rotate(call.positional.begin(), call.positional.begin() + 1, call.positional.end());
  return closest(call);
}

constexpr Builtin kPlaceFunctions[] = {{"closest", closest}, {"distance", distance}};
constexpr Builtin kPlaceFilters[] = {{"closest", closest_of}, {"distance", distance}};

}  // namespace

std::span<const Builtin> place_functions() {
  return kPlaceFunctions;
}
std::span<const Builtin> place_filters() {
  return kPlaceFilters;
}

}  // namespace hearth::templates

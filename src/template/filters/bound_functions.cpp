// SPDX-License-Identifier: Apache-2.0
// clamp, wrap and remap: numbers within bounds.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "template/language/builtins.h"
#include "template/values/arithmetic.h"

namespace hearth::templates {
namespace {

double number_at(const Parameters& in, std::size_t index, std::string_view function) {
  if (const auto* undefined = in[index].get<Undefined>()) fail(undefined->kind, *undefined->message);
  if (const auto number = to_number(in[index])) return *number;
  std::string shown;
  print_quoted(shown, in[index]);
  fail(FailureKind::value, fmt::format("{} needs numbers, got {}", function, shown));
}

// As Python's min and max: the first of two that have no order.
double smaller(double a, double b) {
  return b < a ? b : a;
}
double larger(double a, double b) {
  return b > a ? b : a;
}

double remainder(double a, double b) {
  return *calculate(Operator::modulo, a, b).get<double>();
}

Value clamp(Call& call) {
  const Parameters in(call, "clamp", {"value", "min_value", "max_value"}, 3);
  const double value = number_at(in, 0, "clamp"), least = number_at(in, 1, "clamp"), most = number_at(in, 2, "clamp");
  return larger(least, smaller(most, value));
}

Value wrap(Call& call) {
  const Parameters in(call, "wrap", {"value", "min_value", "max_value"}, 3);
  const double value = number_at(in, 0, "wrap"), least = number_at(in, 1, "wrap"), most = number_at(in, 2, "wrap");
  if (most == least) return least;
  return remainder(value - least, most - least) + least;
}

// The value within the input's range, as `edges` says.
double within(double value, double least, double most, std::string_view edges) {
  if (edges == "clamp") return larger(least, smaller(most, value));
  if (edges != "wrap" && edges != "mirror") return value;
  if (least == most)
    fail(FailureKind::value, fmt::format("remap: in_min {} must not equal in_max", number_text(least)));
  const double size = most - least;
  if (edges == "wrap") return remainder(value - least, size) + least;
  const double period = std::floor((value - least) / size);
  double place = value - least - period * size;
  if (period < 0 || std::fmod(period, 2) != 0) place = size - place;
  return least + place;
}

Value remap(Call& call) {
  if (call.positional.size() > 5) {
    fail(FailureKind::type,
         fmt::format("remap() takes 5 positional arguments but {} were given", call.positional.size()));
  }
  const Parameters in(call, "remap", {"value", "in_min", "in_max", "out_min", "out_max", "steps", "edges"}, 5);
  const double given = number_at(in, 0, "remap"), in_min = number_at(in, 1, "remap"),
               in_max = number_at(in, 2, "remap"), out_min = number_at(in, 3, "remap"),
               out_max = number_at(in, 4, "remap");
  const double value = within(given, in_min, in_max, in.has(6) && in[6].is_text() ? in[6].text() : "none");
  const double steps = std::max(in.number(5, 0), 0.0);
  if (steps == 0 && in_min == out_min && in_max == out_max) return value;
  double share = *calculate(Operator::divide, value - in_min, in_max - in_min).get<double>();
  if (steps > 0) share = std::nearbyint(share * steps) / steps;
  return out_min + share * (out_max - out_min);
}

constexpr Builtin kBoundFunctions[] = {{"clamp", clamp}, {"remap", remap}, {"wrap", wrap}};

}  // namespace

std::span<const Builtin> bound_functions() {
  return kBoundFunctions;
}

}  // namespace hearth::templates

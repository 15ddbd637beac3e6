// SPDX-License-Identifier: Apache-2.0
#include "derived/engines/calendar_rules.h"

#include <array>
#include <cmath>
#include <numbers>

namespace hearth::derived {
namespace {

double cosine(double degrees) {
  return std::cos(degrees * std::numbers::pi / 180);
}

// Of the mean instant: powers of the millennia since 2000.
constexpr std::array<std::array<double, 5>, 4> kMean{{{2451623.80984, 365242.37404, 0.05169, -0.00411, -0.00057},
                                                      {2451716.56767, 365241.62603, 0.00325, 0.00888, -0.00030},
                                                      {2451810.21715, 365242.01767, -0.11575, 0.00337, 0.00078},
                                                      {2451900.05952, 365242.74049, -0.06223, -0.00823, 0.00032}}};

struct Term {
  double size, phase, speed;
};
constexpr Term kTerms[] = {
    {485, 324.96, 1934.136}, {203, 337.23, 32964.467}, {199, 342.08, 20.186},   {182, 27.85, 445267.112},
    {156, 73.14, 45036.886}, {136, 171.52, 22518.443}, {77, 222.54, 65928.934}, {74, 296.72, 3034.906},
    {70, 243.58, 9037.513},  {58, 119.81, 33718.147},  {52, 297.17, 150.678},   {50, 21.02, 2281.226},
    {45, 247.54, 29929.562}, {44, 325.15, 31555.956},  {29, 60.93, 4443.417},   {18, 155.12, 67555.328},
    {17, 288.79, 4562.452},  {16, 198.04, 62894.029},  {14, 199.76, 31436.921}, {12, 95.39, 14577.848},
    {12, 287.11, 31931.756}, {12, 320.81, 34777.259},  {9, 227.73, 1222.114},   {8, 15.45, 16859.074}};

constexpr double kDayOf1970 = 2440587.5, kSecondsOfDay = 86'400;
constexpr double kAhead = 69;  // seconds that the time of the equations is ahead of UTC, as of 2020

}  // namespace

base::Timestamp quarter_of(int year, Quarter quarter) {
  const double y = (year - 2000) / 1000.0;
  const auto& mean = kMean[static_cast<std::size_t>(quarter)];
  double day = 0, power = 1;
  for (const double each : mean) {
    day += each * power;
    power *= y;
  }
  const double t = (day - 2451545.0) / 36525;
  const double w = 35999.373 * t - 2.47;
  const double speed = 1 + 0.0334 * cosine(w) + 0.0007 * cosine(2 * w);
  double sum = 0;
  for (const Term& each : kTerms) sum += each.size * cosine(each.phase + each.speed * t);
  day += 0.00001 * sum / speed;
  return base::Timestamp(base::Duration(std::llround(((day - kDayOf1970) * kSecondsOfDay - kAhead) * 1e6)));
}

std::int64_t easter_of(int year) {
  const int a = year % 19, b = year / 100, c = year % 100, d = b / 4, e = b % 4, f = (b + 8) / 25, g = (b - f + 1) / 3;
  const int h = (19 * a + b - d - g + 15) % 30, i = c / 4, k = c % 4, l = (32 + 2 * e + 2 * i - h - k) % 7;
  const int m = (a + 11 * h + 22 * l) / 451, n = h + l - 7 * m + 114;
  const std::chrono::year_month_day sunday(std::chrono::year(year), std::chrono::month(static_cast<unsigned>(n / 31)),
                                           std::chrono::day(static_cast<unsigned>(n % 31 + 1)));
  return std::chrono::sys_days(sunday).time_since_epoch().count();
}

}  // namespace hearth::derived

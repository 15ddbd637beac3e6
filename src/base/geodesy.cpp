// SPDX-License-Identifier: Apache-2.0
#include "base/geodesy.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace hearth::base {
namespace {

constexpr double kEquator = 6378137, kFlattening = 1 / 298.257223563, kPole = kEquator * (1 - kFlattening);
constexpr double kMeanRadius = 6371008.8, kDegree = std::numbers::pi / 180;
constexpr int kMostSteps = 200;

double along_sphere(double latitude_a, double latitude_b, double longitude) {
  const double north = std::sin((latitude_b - latitude_a) / 2), east = std::sin(longitude / 2);
  const double half = north * north + std::cos(latitude_a) * std::cos(latitude_b) * east * east;
  return 2 * kMeanRadius * std::asin(std::min(1.0, std::sqrt(half)));
}

}  // namespace

double metres_between(double latitude_a, double longitude_a, double latitude_b, double longitude_b) {
  const double north_a = latitude_a * kDegree, north_b = latitude_b * kDegree,
               east = (longitude_b - longitude_a) * kDegree;
  const double u_a = std::atan((1 - kFlattening) * std::tan(north_a)),
               u_b = std::atan((1 - kFlattening) * std::tan(north_b));
  const double sin_a = std::sin(u_a), cos_a = std::cos(u_a), sin_b = std::sin(u_b), cos_b = std::cos(u_b);
  double lambda = east;
  for (int step = 0; step < kMostSteps; ++step) {
    const double sin_l = std::sin(lambda), cos_l = std::cos(lambda);
    const double sin_s = std::hypot(cos_b * sin_l, cos_a * sin_b - sin_a * cos_b * cos_l);
    if (sin_s == 0) return 0;
    const double cos_s = sin_a * sin_b + cos_a * cos_b * cos_l, sigma = std::atan2(sin_s, cos_s);
    const double sin_azimuth = cos_a * cos_b * sin_l / sin_s, cos2_azimuth = 1 - sin_azimuth * sin_azimuth;
    const double cos_2m = cos2_azimuth == 0 ? 0 : cos_s - 2 * sin_a * sin_b / cos2_azimuth;  // 0 along the equator
    const double c = kFlattening / 16 * cos2_azimuth * (4 + kFlattening * (4 - 3 * cos2_azimuth));
    const double before = lambda;
    lambda = east + (1 - c) * kFlattening * sin_azimuth *
                        (sigma + c * sin_s * (cos_2m + c * cos_s * (2 * cos_2m * cos_2m - 1)));
    if (std::abs(lambda - before) > 1e-12) continue;
    const double u2 = cos2_azimuth * (kEquator * kEquator / (kPole * kPole) - 1);
    const double a = 1 + u2 / 16384 * (4096 + u2 * (-768 + u2 * (320 - 175 * u2)));
    const double b = u2 / 1024 * (256 + u2 * (-128 + u2 * (74 - 47 * u2)));
    const double delta = b * sin_s *
                         (cos_2m + b / 4 *
                                       (cos_s * (2 * cos_2m * cos_2m - 1) -
                                        b / 6 * cos_2m * (4 * sin_s * sin_s - 3) * (4 * cos_2m * cos_2m - 3)));
    return kPole * a * (sigma - delta);
  }
  return along_sphere(north_a, north_b, east);
}

}  // namespace hearth::base

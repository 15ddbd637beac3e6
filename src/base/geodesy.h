// SPDX-License-Identifier: Apache-2.0
// Distances on the earth. Any thread.
#pragma once

namespace hearth::base {

// Metres along the surface of the ellipsoid WGS 84, between two places in degrees: to the millimetre, by Vincenty's
// formula (1975); of places on opposite sides, where that finds no end, along a sphere.
double metres_between(double latitude_a, double longitude_a, double latitude_b, double longitude_b);

}  // namespace hearth::base

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace hearth::integrations::esphome {

// The rule of a time zone such as Europe/Berlin as POSIX writes it, CET-1CEST,M3.5.0,M10.5.0/3: the last line of its
// file in the system's database (RFC 9636, section 3.3). Empty if the system does not know it. Reads a small file.
std::string posix_time_zone(const std::string& zone);

}  // namespace hearth::integrations::esphome

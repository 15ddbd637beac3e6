// SPDX-License-Identifier: Apache-2.0
// The name under which a broker knows this hub, if nobody has chosen one. It belongs to the home's folder and is in no
// backup, so that a home that is restored beside the running one has another: a broker closes the older of two
// connections with the same name. Any thread.
#pragma once

#include <string>

namespace hearth::integrations::mqtt {

// Made and kept in the folder at the first call; made of the home's id if it cannot be kept there.
std::string own_client_id(const std::string& folder, std::string home_id);

}  // namespace hearth::integrations::mqtt

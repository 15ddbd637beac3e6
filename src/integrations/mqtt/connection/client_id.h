// SPDX-License-Identifier: Apache-2.0
// The client id by which a broker knows this hub, if nobody has chosen one. It is stored in the home's folder and in no
// backup, so that a copy restored beside the running home has another one: a broker closes the older of two connections
// with the same name. Any thread.
#pragma once

#include <string>

namespace hearth::integrations::mqtt {

// Made and kept in the folder at the first call; made of the home's id if it cannot be kept there.
std::string own_client_id(const std::string& folder, std::string home_id);

}  // namespace hearth::integrations::mqtt

// SPDX-License-Identifier: Apache-2.0
// The files of the web interface, as web/ was built, embedded in the program. Any thread.
#pragma once

#include <span>

#include "http/messages/static_file.h"

namespace hearth::web {

std::span<const http::StaticFile> files();

}  // namespace hearth::web

// SPDX-License-Identifier: Apache-2.0
// Pictures that people gave to persons and areas: the old hub keeps them in a store, this one shows files of www/.
// Any thread.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "import_ha/source/source.h"

namespace hearth::import_ha {

// True if the address is one of the old hub's store.
bool is_stored_picture(std::string_view address);

// Copies the picture of that address into www/pictures/ and returns its new address, /local/pictures/…; empty if it is
// another address, or there is no such picture. Fails with unavailable if it cannot be read or written.
base::Result<std::string> take_picture(const Source& source, const std::filesystem::path& home,
                                       std::string_view address);

// Writes a new file, with the folders that it needs. Fails with unavailable.
base::Result<void> write_new_file(const std::filesystem::path& file, std::string_view text);

}  // namespace hearth::import_ha

// SPDX-License-Identifier: Apache-2.0
// Text files of a home that the hub changes, and their former texts, which are kept in .revisions. One thread at a
// time.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "base/json/json.h"
#include "base/result.h"

namespace hearth::app {

constexpr std::size_t kRevisions = 50;  // of each file
constexpr std::size_t kMaxNoteBytes = 4096;

// Puts the text in place of the former one, which is kept unless it is empty, with a note on the change beside it.
// REQUIRES: it can be read, as YAML. Fails with invalid if it is too large for a file, with unavailable if it cannot be
// written; then the file is as it was.
base::Result<void> write_revised(const std::filesystem::path& home, const std::filesystem::path& file,
                                 const std::string& former, const std::string& text, const json::object& note = {});

// Takes the file away; its text is kept likewise.
base::Result<void> remove_revised(const std::filesystem::path& home, const std::filesystem::path& file,
                                  const std::string& former, const json::object& note);
// As if the last of these had not been; `former` is what it was given.
base::Result<void> undo_revised(const std::filesystem::path& home, const std::filesystem::path& file,
                                const std::string& former);

// The folder of the file's former texts, and those, newest first.
std::filesystem::path revisions_of(const std::filesystem::path& home, const std::filesystem::path& file);
std::vector<std::filesystem::path> revisions_in(const std::filesystem::path& home, const std::filesystem::path& file);
// The same; `error` says if they cannot be read.
std::vector<std::filesystem::path> revisions_in(const std::filesystem::path& home, const std::filesystem::path& file,
                                                std::error_code& error);
// The note beside a former text; empty if there is none.
json::object note_in(const std::filesystem::path& revision);

}  // namespace hearth::app

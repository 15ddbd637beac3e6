// SPDX-License-Identifier: Apache-2.0
// The words of configuration.yaml that this hub reads, asked where they are read: the import keeps no list of its own.
// Filled by app. Its thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace hearth::import_ha {

struct KnownConfiguration {
  enum class Kind {
    read,        // as it stands
    translated,  // as a word of this hub's
    built_in,    // works without it, or has no effect here
    not_here,    // of another hub; this one has it not
    unknown,     // nobody knows it
  };
  struct Word {
    Kind kind = Kind::unknown;
    std::string meaning = {};  // of what is not read: how it works here, or what to do instead
  };

  // A section of configuration.yaml, or of a package: "automation", "automation kitchen".
  std::function<Word(const std::string& section, bool in_package)> section;
  // A key: "home.media_dirs", "http.ssl_key", "recorder.exclude.event_types"; the section `homeassistant` is `home`.
  std::function<Word(const std::string& path)> key;
  // True if its value is a platform or a list of them: "sensor".
  std::function<bool(const std::string& section)> has_platforms;
  // True if `platform: NAME` in that section makes something.
  std::function<bool(const std::string& section, const std::string& platform)> knows_platform;
};

}  // namespace hearth::import_ha

// SPDX-License-Identifier: Apache-2.0
#include "base/threads/spawn.h"

#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include <cstring>

namespace hearth::base {
namespace {

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> all;
  all.reserve(texts.size() + 1);
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

}  // namespace

Result<pid_t> spawn(Spawn what) {
  const std::vector<char*> arguments = pointers_to(what.arguments);
  std::vector<char*> variables;
  if (what.environment) variables = pointers_to(*what.environment);

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, what.input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, what.output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, what.errors, STDERR_FILENO);
  posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
  if (!what.folder.empty()) posix_spawn_file_actions_addchdir_np(&files, what.folder.c_str());
  // The threads here block signals; the other process must hear them.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
  if (what.own_group) flags = static_cast<short>(flags | POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setflags(&attributes, flags);
  pid_t id = -1;
  const int failed = ::posix_spawn(&id, what.program.c_str(), &files, &attributes, arguments.data(),
                                   what.environment ? variables.data() : environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  if (failed != 0) return fail(ErrorCode::unavailable, std::strerror(failed));
  return id;
}

}  // namespace hearth::base

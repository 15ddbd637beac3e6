// SPDX-License-Identifier: Apache-2.0
// A library that is loaded when the first part of the hub needs it, because it brings others, which would take memory
// and time of every start. It is never unloaded: threads of its own may still end.
#pragma once

#include <dlfcn.h>

#include <type_traits>

namespace hearth::base {

class LoadedLibrary {
 public:
  // `file` as the system's linker names it: "libcurl.so.4".
  explicit LoadedLibrary(const char* file) : library_(dlopen(file, RTLD_NOW | RTLD_LOCAL)) {}

  void find(auto& function, const char* name) {
    if (library_) function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library_, name));
    complete_ = complete_ && function != nullptr;
  }
  // Whether it is installed and has every function that was looked for.
  bool complete() const { return library_ && complete_; }

 private:
  void* library_;
  bool complete_ = true;
};

}  // namespace hearth::base

// SPDX-License-Identifier: Apache-2.0
// A library that is loaded when the first part of the hub needs it, because it loads others, which would cost memory
// and time at every start. It is never unloaded: threads of its own may still end.
#pragma once

#include <dlfcn.h>

namespace hearth::base {

class LoadedLibrary {
 public:
  // `file` as the system's linker names it: "libcurl.so.4".
  explicit LoadedLibrary(const char* file) : library_(dlopen(file, RTLD_NOW | RTLD_LOCAL)) {}

  // The address of a function, for a pointer of its type. Null if the library lacks it.
  class Found {
   public:
    explicit Found(void* address) : address_(address) {}
    template <class Function>
    operator Function*() const {  // NOLINT: initialises members
      return reinterpret_cast<Function*>(address_);
    }

   private:
    void* address_;
  };
  Found find(const char* function) {
    void* const address = library_ ? dlsym(library_, function) : nullptr;
    complete_ = complete_ && address;
    return Found(address);
  }
  // True if it is installed and has every function that was looked for.
  bool complete() const { return library_ && complete_; }

 private:
  void* library_;
  bool complete_ = true;
};

}  // namespace hearth::base

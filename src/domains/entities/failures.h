// SPDX-License-Identifier: Apache-2.0
// Calls into the code of integrations: an exception ends only that call. It is caught, named in the log and counted.
// Bus thread only.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace hearth::domains {

class Failures {
 public:
  // Runs work of an integration. False if it threw. `what` describes it for the log: "a timer".
  template <class Work>
  bool guard(std::string_view integration, std::string_view what, const Work& work) {
    try {
      work();
      return true;
    } catch (const std::exception& thrown) {
      note(integration, what, thrown.what());
    } catch (...) {
      note(integration, what, "something that is no exception was thrown");
    }
    return false;
  }

  struct Record {
    std::uint64_t count = 0;
    std::string last;  // the last message
  };
  Record of(std::string_view integration) const;
  // Called after each failure.
  void on_failure(std::function<void(std::string_view integration)> callback) { on_failure_ = std::move(callback); }

 private:
  void note(std::string_view integration, std::string_view what, std::string_view thrown);

  std::map<std::string, Record, std::less<>> records_;
  std::function<void(std::string_view)> on_failure_;
};

}  // namespace hearth::domains

// SPDX-License-Identifier: Apache-2.0
#include "base/json/json_memory.h"

#include <gtest/gtest.h>

namespace hearth::base {
namespace {

std::size_t memory(std::string_view text) {
  return memory_of(parse_json(text).value());
}

// Counts what parsing allocates; nothing is given back here.
class Counted final : public json::memory_resource {
 public:
  std::size_t bytes = 0;

 private:
  void* do_allocate(std::size_t size, std::size_t) override {
    bytes += size;
    return ::operator new(size);
  }
  void do_deallocate(void* place, std::size_t size, std::size_t) override {
    bytes -= size;
    ::operator delete(place);
  }
  bool do_is_equal(const json::memory_resource& other) const noexcept override { return this == &other; }
};

TEST(JsonMemory, IsNothingForValuesThatAreAllInOnePlace) {
  for (const char* text : {"null", "true", "12", "1.5", "[]", "{}"}) EXPECT_EQ(memory(text), 0u) << text;
}

TEST(JsonMemory, IsWhatTheLibraryTakesExceptAFewBytesPerArrayOrObject) {
  std::string many = "[0";
  for (int i = 0; i < 100'000; ++i) many += ",0";
  const std::string texts[] = {many + "]", R"({"text":")" + std::string(100'000, 'x') + R"("})",
                               R"([{"a":[1,2,3],"b":{"c":"0123456789012345678901234567890123456789"}},[[[[]]]]])"};
  for (const std::string& text : texts) {
    Counted counted;
    const json::value value(parse_json(text).value(), json::storage_ptr(&counted));
    const auto told = static_cast<double>(memory_of(value));
    EXPECT_GT(told, 0.5 * static_cast<double>(counted.bytes)) << text.substr(0, 50);
    EXPECT_LT(told, 1.5 * static_cast<double>(counted.bytes)) << text.substr(0, 50);
  }
}

}  // namespace
}  // namespace hearth::base

// SPDX-License-Identifier: Apache-2.0
#include "web/file_packer.h"

#include <gtest/gtest.h>
#include <libdeflate.h>

namespace hearth::web {
namespace {

const BuiltFile kPage{"index.html", "<p>"};

std::string row(const PackedFiles& packed, std::string_view path) {
  const auto at = packed.source.find(fmt::format("{{\"/{}\"", path));
  return at == std::string::npos ? "" : packed.source.substr(at, packed.source.find('\n', at) - at);
}

TEST(FilePacker, PlacesBodiesOneAfterTheOther) {
  const auto packed = pack({{"robots.txt", "no"}, kPage, {"favicon.svg", ""}});
  ASSERT_TRUE(packed);
  EXPECT_EQ(packed->bytes, "<p>no");
  EXPECT_EQ(row(*packed, "favicon.svg"),
            R"({"/favicon.svg", "image/svg+xml", )"
            R"("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", false, {}, {}, {}},)");
  EXPECT_NE(row(*packed, "index.html").find("{hearth_web_files + 0, 3}, {}, {}},"), std::string::npos);
  EXPECT_NE(row(*packed, "robots.txt").find("{hearth_web_files + 3, 2}, {}, {}},"), std::string::npos);
}

TEST(FilePacker, CompressesWhatGetsSmaller) {
  const std::string text(2'000, 'x');
  std::string noise;
  for (unsigned i = 0, random = 1; i < 2'000; ++i, random = random * 1103515245 + 12345)
    noise += static_cast<char>(random >> 16);
  const auto packed = pack({kPage, {"a.css", text}, {"b.png", noise}, {"c.css", text.substr(0, 1'023)}});
  ASSERT_TRUE(packed);
  for (const char* path : {"b.png", "c.css"})
    EXPECT_NE(row(*packed, path).find("}, {}, {}},"), std::string::npos) << path;
  // First gzip and then zstd, each with its magic number, in place of the body.
  EXPECT_EQ(packed->bytes.substr(0, 2), "\x1f\x8b");
  std::string back(2'000, '\0');
  const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)> decompressor(
      libdeflate_alloc_decompressor(), &libdeflate_free_decompressor);
  std::size_t used = 0, size = 0;
  ASSERT_EQ(libdeflate_gzip_decompress_ex(decompressor.get(), packed->bytes.data(), packed->bytes.size(), back.data(),
                                          back.size(), &used, &size),
            LIBDEFLATE_SUCCESS);
  EXPECT_EQ(back, text);
  EXPECT_EQ(packed->bytes.substr(used, 4), "\x28\xb5\x2f\xfd");
  EXPECT_NE(row(*packed, "a.css")
                .find(fmt::format("false, {{}}, {{hearth_web_files + 0, {}}}, {{hearth_web_files + {}, ", used, used)),
            std::string::npos);
}

TEST(FilePacker, MarksFilesNamedByTheirContent) {
  const std::pair<const char*, bool> paths[] = {{"assets/main-BkX2f9aQ.js", true}, {"assets/a-b-_X-f9aQ_.css", true},
                                                {"assets/main-BkX2f9a.js", false}, {"assets/main.js", false},
                                                {"assets/mainBkX2f9aQ.js", false}, {"main-BkX2f9aQ.js", false}};
  for (const auto& [path, immutable] : paths) {
    const auto packed = pack({kPage, {path, ""}});
    ASSERT_TRUE(packed);
    EXPECT_NE(row(*packed, path).find(immutable ? "\", true, " : "\", false, "), std::string::npos) << path;
  }
}

TEST(FilePacker, NamesWhatIsWrong) {
  const auto error = [](std::vector<BuiltFile> files) {
    const auto packed = pack(std::move(files));
    return packed ? "none" : packed.error().message;
  };
  EXPECT_EQ(error({{"main.js", ""}}), "expected an index.html");
  EXPECT_EQ(error({kPage, {"a.xyz", ""}}),
            "a.xyz: no content type is known for its ending; src/web/file_packer.cpp lists them");
  for (const char* path : {"a\"b.js", "{a}.js", "a b.js", "\xC3\xA4.js"}) {
    EXPECT_EQ(error({kPage, {path, ""}}),
              std::string(path) + ": expected a name of letters, digits, hyphens, underscores and points");
  }
}

}  // namespace
}  // namespace hearth::web

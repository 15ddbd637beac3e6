// SPDX-License-Identifier: Apache-2.0
#include "import_ha/steps/pictures.h"

#include <fmt/format.h>

#include <utility>

#include "backup/file.h"

namespace hearth::import_ha {
namespace {

namespace fs = std::filesystem;
using base::Result;

constexpr std::string_view kStore = "/api/image/serve/";
constexpr std::string_view kFolder = "www/pictures";

// By how the file begins; empty if it is no picture that browsers show.
std::string_view ending_of(std::string_view bytes) {
  using namespace std::string_view_literals;
  constexpr std::pair<std::string_view, std::string_view> kPictureKinds[] = {
      {"\x89PNG"sv, "png"}, {"\xff\xd8\xff"sv, "jpg"}, {"GIF8"sv, "gif"}};
  for (const auto& [start, ending] : kPictureKinds)
    if (bytes.starts_with(start)) return ending;
  return bytes.starts_with("RIFF"sv) && bytes.substr(0, 12).ends_with("WEBP"sv) ? "webp"sv : ""sv;
}

}  // namespace

bool is_stored_picture(std::string_view address) {
  return address.starts_with(kStore);
}

Result<std::string> take_picture(const Source& source, const fs::path& home, std::string_view address) {
  if (!is_stored_picture(address)) return std::string();
  const std::string_view rest = address.substr(kStore.size());
  const std::string id(rest.substr(0, rest.find('/')));
  if (id.empty() || id.find_first_not_of("0123456789abcdef") != std::string::npos) return std::string();
  auto bytes = source.read_text(fs::path("image") / id / "original");
  if (!bytes) return std::unexpected(std::move(bytes.error()));
  const std::string_view ending = *bytes ? ending_of(**bytes) : std::string_view();
  if (ending.empty()) return std::string();
  const std::string name = fmt::format("{}.{}", id, ending);
  if (auto written = write_new_file(home / kFolder / name, **bytes); !written)
    return std::unexpected(std::move(written.error()));
  return fmt::format("/local/pictures/{}", name);
}

Result<void> write_new_file(const fs::path& file, std::string_view text) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error)
    return base::fail(base::ErrorCode::unavailable,
                      fmt::format("{} cannot be made: {}.", file.parent_path().string(), error.message()));
  auto made = backup::File::create(file);
  if (!made) return std::unexpected(std::move(made.error()));
  return made->write(text);
}

}  // namespace hearth::import_ha

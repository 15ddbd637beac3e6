// SPDX-License-Identifier: Apache-2.0
// Used by the build: pack_web FOLDER OUT packs what `npm run build` left in FOLDER into OUT/web_files.bin and
// OUT/web_files.cpp.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "web/file_packer.h"

namespace {

namespace fs = std::filesystem;

// All but what has a hidden name, such as Vite's own manifest.
std::vector<hearth::web::BuiltFile> read_files(const fs::path& folder) {
  std::vector<hearth::web::BuiltFile> files;
  for (auto entry = fs::recursive_directory_iterator(folder); entry != fs::recursive_directory_iterator(); ++entry) {
    if (entry->path().filename().string().starts_with('.')) {
      entry.disable_recursion_pending();
    } else if (entry->is_regular_file()) {
      std::ifstream in;
      in.exceptions(std::ios::failbit | std::ios::badbit);
      in.open(entry->path(), std::ios::binary);
      std::string content(entry->file_size(), '\0');
      in.read(content.data(), static_cast<std::streamsize>(content.size()));
      files.push_back({entry->path().lexically_relative(folder).generic_string(), std::move(content)});
    }
  }
  return files;
}

void write_file(const fs::path& path, std::string_view text) {
  std::ofstream out;
  out.exceptions(std::ios::failbit | std::ios::badbit);
  out.open(path, std::ios::binary);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) {
    std::cerr << "pack_web: expected two folders: what to pack, and where to write\n";
    return 1;
  }
  const fs::path folder = argv[1], out = argv[2];
  const auto packed = hearth::web::pack(read_files(folder));
  if (!packed) {
    std::cerr << "pack_web: " << folder.string() << ": " << packed.error().message << '\n';
    return 1;
  }
  write_file(out / "web_files.bin", packed->bytes);
  write_file(out / "web_files.cpp", packed->source);
  return 0;
} catch (const std::exception& failure) {
  std::cerr << "pack_web: " << failure.what() << '\n';
  return 1;
}

// SPDX-License-Identifier: Apache-2.0
#include "template/language/custom_templates.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "template/language/template.h"

namespace hearth::templates {
namespace {

namespace files = std::filesystem;

base::Result<Imports> read_folder(const files::path& folder) {
  Imports texts;
  std::error_code failed;
  if (!files::is_directory(folder, failed)) return texts;
  std::size_t bytes = 0;
  files::recursive_directory_iterator file(folder, failed);
  for (; !failed && file != files::recursive_directory_iterator(); file.increment(failed)) {
    if (file.depth() + 1 >= CustomTemplates::kMostFolders) file.disable_recursion_pending();
    std::error_code unknown;
    if (file->path().extension() != ".jinja" || !file->is_regular_file(unknown)) continue;
    const std::string name = file->path().lexically_relative(folder).generic_string();
    std::ifstream stream(file->path(), std::ios::binary);
    bytes += stream ? file->file_size(unknown) : 0;
    if (texts.size() == CustomTemplates::kMostFiles || unknown || bytes > CustomTemplates::kMostBytes) {
      return base::fail(base::ErrorCode::invalid,
                        fmt::format("custom_templates: expected at most {} files with {} bytes in all.",
                                    CustomTemplates::kMostFiles, CustomTemplates::kMostBytes));
    }
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (!stream && !stream.eof()) {
      return base::fail(base::ErrorCode::invalid, fmt::format("custom_templates/{} cannot be read.", name));
    }
    texts.emplace(name, std::move(text));
  }
  if (failed)
    return base::fail(base::ErrorCode::invalid, fmt::format("custom_templates cannot be read: {}.", failed.message()));
  return texts;
}

}  // namespace

base::Result<void> CustomTemplates::reload() {
  auto texts = read_folder(folder_);
  if (!texts) return std::unexpected(std::move(texts.error()));
  base::Result<void> result;
  for (const auto& [name, text] : *texts) {
    const auto compiled = Template::compile(text);
    if (compiled) continue;
    result = base::fail(base::ErrorCode::invalid, fmt::format("custom_templates/{}, line {}: {}", name,
                                                              compiled.error().line, compiled.error().message));
    break;
  }
  texts_.publish(std::make_shared<const Imports>(std::move(*texts)));
  return result;
}

}  // namespace hearth::templates

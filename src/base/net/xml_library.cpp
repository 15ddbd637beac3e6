// SPDX-License-Identifier: Apache-2.0
#include "base/net/xml_library.h"

namespace hearth::base {
namespace {

XmlLibrary loaded_xml() {
  XmlLibrary made{LoadedLibrary("libxml2.so.2")};
  if (made.library.complete()) made.xmlInitParser();
  return made;
}

}  // namespace

Result<const XmlLibrary*> load_xml() {
  static const XmlLibrary kLoaded = loaded_xml();
  if (kLoaded.library.complete()) return &kLoaded;
  return fail(ErrorCode::unsupported, "XML and HTML need the library libxml2, which is not installed.");
}

}  // namespace hearth::base

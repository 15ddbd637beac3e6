// SPDX-License-Identifier: Apache-2.0
// The functions of libxml2 that read XML and HTML. It brings some 30 MB of Unicode with it, so it is loaded with the
// first such answer. Any thread.
#pragma once

#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/tree.h>

#include "base/net/loaded_library.h"
#include "base/result.h"

namespace hearth::base {

struct XmlLibrary {
  LoadedLibrary library;
  decltype(&::htmlReadMemory) htmlReadMemory = library.find("htmlReadMemory");
  decltype(&::xmlDocGetRootElement) xmlDocGetRootElement = library.find("xmlDocGetRootElement");
  decltype(&::xmlFreeDoc) xmlFreeDoc = library.find("xmlFreeDoc");
  decltype(&::xmlInitParser) xmlInitParser = library.find("xmlInitParser");
  decltype(&::xmlReadMemory) xmlReadMemory = library.find("xmlReadMemory");
};

// Fails with unsupported if it is not installed.
Result<const XmlLibrary*> load_xml();

}  // namespace hearth::base

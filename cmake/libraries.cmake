# SPDX-License-Identifier: Apache-2.0
# The libraries from the system's packages, one target each. Static archives if the packages have them: the binary then
# depends less on its machine and starts faster.
find_package(Threads REQUIRED)
find_package(Boost 1.81 REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(CLI11 REQUIRED)
find_package(date REQUIRED)

# hearth_library(NAME PKG_CONFIG_NAME ARCHIVE): a target hearth_lib_NAME, from the archive if there is one.
function(hearth_library name pkg archive)
  pkg_check_modules(${name} REQUIRED IMPORTED_TARGET ${pkg})
  add_library(hearth_lib_${name} INTERFACE)
  find_library(${name}_ARCHIVE ${archive} HINTS ${${name}_LIBRARY_DIRS})
  if(${name}_ARCHIVE)
    target_include_directories(hearth_lib_${name} SYSTEM INTERFACE ${${name}_INCLUDE_DIRS})
    target_link_libraries(hearth_lib_${name} INTERFACE ${${name}_ARCHIVE} Threads::Threads ${CMAKE_DL_LIBS} m)
  else()
    target_link_libraries(hearth_lib_${name} INTERFACE PkgConfig::${name})
  endif()
endfunction()

hearth_library(sqlite sqlite3 libsqlite3.a)
hearth_library(sodium libsodium libsodium.a)
hearth_library(bsd libbsd libbsd.a)  # for readpassphrase
hearth_library(deflate libdeflate libdeflate.a)
hearth_library(zstd libzstd libzstd.a)
hearth_library(zlib zlib libz.a)  # gzip in pieces, as other hubs' backups have it
hearth_library(regex libpcre2-8 libpcre2-8.a)
# TLS with the MQTT broker. Always shared, so that the system's updates reach it.
pkg_check_modules(ssl REQUIRED IMPORTED_TARGET libssl)
add_library(hearth_lib_ssl INTERFACE)
target_link_libraries(hearth_lib_ssl INTERFACE PkgConfig::ssl)
# Hashes of templates. Shared, too: that library brings it, and two copies in one process would meet.
pkg_check_modules(crypto REQUIRED IMPORTED_TARGET libcrypto)
add_library(hearth_lib_crypto INTERFACE)
target_link_libraries(hearth_lib_crypto INTERFACE PkgConfig::crypto)
# bcrypt, as other hubs store passwords. Shared, as its licence suggests: every Debian has it.
find_path(CRYPT_INCLUDE_DIR crypt.h REQUIRED)
find_library(CRYPT_LIBRARY crypt REQUIRED)
add_library(hearth_lib_crypt INTERFACE)
target_include_directories(hearth_lib_crypt SYSTEM INTERFACE ${CRYPT_INCLUDE_DIR})
target_link_libraries(hearth_lib_crypt INTERFACE ${CRYPT_LIBRARY})
# For reading tar: only that part of the archive is linked, without the dependencies of its other formats.
hearth_library(archive libarchive libarchive.a)

# The messages of ESPHome's nodes, and the compiler of their description.
hearth_library(protobuf protobuf-lite libprotobuf-lite.a)
find_program(HEARTH_PROTOC protoc REQUIRED)

# Recurring events, and what other calendars export: the headers only. The hub loads the library when it needs it, because
# it brings another of 30 MB.
pkg_check_modules(ical REQUIRED libical)
add_library(hearth_lib_ical_headers INTERFACE)
target_include_directories(hearth_lib_ical_headers SYSTEM INTERFACE ${ical_INCLUDE_DIRS})

# XML and HTML: the headers only, for the same reason.
pkg_check_modules(xml REQUIRED libxml-2.0)
add_library(hearth_lib_xml_headers INTERFACE)
target_include_directories(hearth_lib_xml_headers SYSTEM INTERFACE ${xml_INCLUDE_DIRS})

# The names of Unicode's characters, for templates. Without a file for pkg-config; shared, as its licence suggests.
find_path(UNISTRING_INCLUDE_DIR uniname.h REQUIRED)
find_library(UNISTRING_LIBRARY unistring REQUIRED)
add_library(hearth_lib_unicode_names INTERFACE)
target_include_directories(hearth_lib_unicode_names SYSTEM INTERFACE ${UNISTRING_INCLUDE_DIR})
target_link_libraries(hearth_lib_unicode_names INTERFACE ${UNISTRING_LIBRARY})

# mDNS. Shared, as its licence suggests. Without it the hub is not found in the network by itself.
pkg_check_modules(mdns IMPORTED_TARGET avahi-core)
if(mdns_FOUND)
  # It asks for -D_REENTRANT, which means nothing any more, and keeps GCC from using a precompiled header.
  set_target_properties(PkgConfig::mdns PROPERTIES INTERFACE_COMPILE_OPTIONS "" INTERFACE_COMPILE_DEFINITIONS "")
  add_library(hearth_lib_mdns INTERFACE)
  target_link_libraries(hearth_lib_mdns INTERFACE PkgConfig::mdns)
else()
  message(STATUS "libavahi-core-dev is missing: the hub is built without mDNS, and is not found in the network by itself")
endif()

find_library(BOOST_JSON_LIBRARY NAMES libboost_json.a boost_json REQUIRED)
add_library(hearth_lib_boost INTERFACE)
target_link_libraries(hearth_lib_boost INTERFACE Boost::headers ${BOOST_JSON_LIBRARY} Threads::Threads)
target_compile_definitions(hearth_lib_boost INTERFACE BOOST_ASIO_NO_DEPRECATED BOOST_ASIO_DISABLE_BOOST_COROUTINE)

add_library(hearth_lib_log INTERFACE)
target_link_libraries(hearth_lib_log INTERFACE spdlog::spdlog fmt::fmt)
add_library(hearth_lib_yaml INTERFACE)
target_link_libraries(hearth_lib_yaml INTERFACE yaml-cpp)
add_library(hearth_lib_command_line INTERFACE)
target_link_libraries(hearth_lib_command_line INTERFACE CLI11::CLI11)
add_library(hearth_lib_time_zone INTERFACE)
target_link_libraries(hearth_lib_time_zone INTERFACE date::date-tz)

if(BUILD_TESTING OR HEARTH_FUZZ)
  find_package(GTest REQUIRED)
endif()
if(BUILD_TESTING)
  include(GoogleTest)
endif()

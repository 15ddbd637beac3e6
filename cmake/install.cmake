# SPDX-License-Identifier: Apache-2.0
# `cmake --install`: the program, its man page and completions, the documents, and, unless a package has other means for them, what
# systemd needs. The last, with the program's folder in it, stands below the prefix; systemd reads /usr/local/lib, too.
include(GNUInstallDirs)
option(HEARTH_INSTALL_SERVICE "Install the unit, and the files for systemd-sysusers and systemd-tmpfiles" ON)

install(TARGETS hearth DESTINATION ${CMAKE_INSTALL_BINDIR})

# Made by the program itself; a cross build runs it by CMAKE_CROSSCOMPILING_EMULATOR.
set(made ${CMAKE_BINARY_DIR}/made)
set(program ${CMAKE_CROSSCOMPILING_EMULATOR} ${CMAKE_BINARY_DIR}/hearth)
install(CODE "
  file(MAKE_DIRECTORY \"${made}\")
  foreach(each IN ITEMS \"man;hearth.1\" \"completion;bash;hearth\" \"completion;zsh;_hearth\" \"completion;fish;hearth.fish\")
    list(POP_BACK each file)
    execute_process(COMMAND ${program} \${each} OUTPUT_FILE \"${made}/\${file}\" COMMAND_ERROR_IS_FATAL ANY)
  endforeach()")
install(FILES ${made}/hearth.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${made}/hearth DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${made}/_hearth DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${made}/hearth.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN "decisions" EXCLUDE)
install(DIRECTORY packaging/reverse-proxy packaging/systemd/drop-ins DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)

if(HEARTH_INSTALL_SERVICE)
  file(READ packaging/systemd/hearth.service unit)
  string(REPLACE "/usr/bin/hearth" "${CMAKE_INSTALL_FULL_BINDIR}/hearth" unit "${unit}")
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/hearth.service CONTENT "${unit}" @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/hearth.service DESTINATION lib/systemd/system)
  install(FILES packaging/systemd/hearth.sysusers.conf DESTINATION lib/sysusers.d RENAME hearth.conf)
  install(FILES packaging/systemd/hearth.tmpfiles.conf DESTINATION lib/tmpfiles.d RENAME hearth.conf)
endif()

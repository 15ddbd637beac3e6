// SPDX-License-Identifier: Apache-2.0
// The bytes of web_files.bin; web_files.cpp, made with it, says what is where. Pages of the program's file: the kernel
// reads them when they are asked for, and may drop them again.
#if defined(__CET__) && defined(__has_include)
#if __has_include(<cet.h>)
#include <cet.h>  // the note that code of this object, of which there is none, keeps to -fcf-protection
#endif
#endif
    .section .rodata, "a", %progbits
    .global hearth_web_files
    .hidden hearth_web_files
    .type hearth_web_files, %object
    .balign 16
hearth_web_files:
    .incbin HEARTH_WEB_FILES
    .size hearth_web_files, . - hearth_web_files

    .section .note.GNU-stack, "", %progbits

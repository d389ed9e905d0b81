// SPDX-License-Identifier: Apache-2.0
/**
 * The layouts of C structures and the offsets of their members: one class per structure, with its header file and the
 * versions of libibverbs in which the layout is valid. All layouts have the alignment and the byte order of the
 * platform. If the C header files are installed, a test compares the layouts of the structures with those of the C
 * compiler. The package calls no native library and owns no memory.
 */
package dev.verbena.ibverbs.struct;

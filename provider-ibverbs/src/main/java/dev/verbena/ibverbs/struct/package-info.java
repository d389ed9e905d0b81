// SPDX-License-Identifier: Apache-2.0
/**
 * The layouts of C structures and the offsets of their members: one class per structure, with its header file and the
 * releases in which the layout is valid. All layouts have the alignment and the byte order of the platform. A test
 * compares the layouts with those of the C compiler if the header files are installed. The package calls no native
 * library and owns no memory.
 */
package dev.verbena.ibverbs.struct;

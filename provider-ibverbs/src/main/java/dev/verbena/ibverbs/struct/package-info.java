// SPDX-License-Identifier: Apache-2.0
/**
 * The layouts of C structures and the offsets of their members. Each class describes one structure and states its header
 * file. Most classes also state the library version since which the structure exists or is unchanged. All layouts have the
 * alignment and the byte order of the platform. If the C header files are installed, a test compares the layouts of the
 * structures with those of the C compiler. The package calls no native library and owns no memory.
 */
package dev.verbena.ibverbs.struct;

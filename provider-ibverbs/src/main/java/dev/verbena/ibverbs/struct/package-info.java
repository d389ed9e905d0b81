// SPDX-License-Identifier: Apache-2.0
/**
 * Layouts of C structures and offsets of their members: one class per structure, with its header and the versions in
 * which the layout is valid. All layouts have the platform's alignment and byte order. A test compares the layouts with
 * the C compiler if the headers are installed. The package calls no library and owns no memory.
 */
package dev.verbena.ibverbs.struct;

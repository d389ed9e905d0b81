// SPDX-License-Identifier: Apache-2.0
/**
 * Layouts of C structures, one class per structure, each with its header and the versions for which it holds. A test
 * compares them with the C compiler where the headers are installed. The package has constant offsets, layouts and
 * handles. It calls no library and owns no memory.
 */
package dev.verbena.ibverbs.struct;

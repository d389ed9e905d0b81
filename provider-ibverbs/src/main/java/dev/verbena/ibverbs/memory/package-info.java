// SPDX-License-Identifier: Apache-2.0
/** Memory regions and memory windows. */
package dev.verbena.ibverbs.memory;

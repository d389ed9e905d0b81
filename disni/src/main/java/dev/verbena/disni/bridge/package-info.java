// SPDX-License-Identifier: Apache-2.0
/** Implements the objects and calls of DiSNI 2.1 over the verbs SPI, and selects the provider of the SPI. */
@NullMarked
package dev.verbena.disni.bridge;

import org.jspecify.annotations.NullMarked;

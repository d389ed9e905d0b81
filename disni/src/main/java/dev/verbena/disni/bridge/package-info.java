// SPDX-License-Identifier: Apache-2.0
/** Implements DiSNI's objects and calls over the verbs SPI, and selects the SPI's provider, for DiSNI 2.1. */
@NullMarked
package dev.verbena.disni.bridge;

import org.jspecify.annotations.NullMarked;

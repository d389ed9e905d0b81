// SPDX-License-Identifier: Apache-2.0
/** DiSNI 2.1 over the verbs SPI: DiSNI's objects, DiSNI's calls, and the selection of the SPI's provider. */
@NullMarked
package dev.verbena.disni.bridge;

import org.jspecify.annotations.NullMarked;

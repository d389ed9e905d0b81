// SPDX-License-Identifier: Apache-2.0
/** DiSNI 2.1 over the verbs SPI: its objects, its calls, and the selection of the provider. */
@NullMarked
package dev.verbena.disni.bridge;

import org.jspecify.annotations.NullMarked;

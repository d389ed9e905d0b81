// SPDX-License-Identifier: Apache-2.0
/** Connection management by librdmacm: its ids, its event channels, and their translation to the SPI. */
package dev.verbena.ibverbs.cm;

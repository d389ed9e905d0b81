// SPDX-License-Identifier: Apache-2.0
/** Connection management by librdmacm: its connection ids and event channels, and their conversion to the SPI. */
package dev.verbena.ibverbs.cm;

// SPDX-License-Identifier: Apache-2.0
/**
 * Capture files in pcapng format, which Wireshark and tshark can read. The package only writes files, and does not
 * interpret the packets.
 */
package dev.verbena.wire.pcapng;

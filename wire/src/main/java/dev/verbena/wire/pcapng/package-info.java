/**
 * Capture files in the pcapng format, which Wireshark and tshark read. Only writing lives here, and nothing here knows what
 * the packets mean.
 */
package dev.verbena.wire.pcapng;

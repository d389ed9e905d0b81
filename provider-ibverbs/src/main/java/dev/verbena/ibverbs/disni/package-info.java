/**
 * DiSNI as a provider of the verbs SPI: a second binding, over {@code com.ibm.disni:disni:2.1} and its {@code libdisni}, for
 * machines where that is installed.
 *
 * <p>What DiSNI tells nobody (devices, ports, GIDs) is read below {@code /sys}; what it gets wrong is repaired or refused here.
 * Its calls carry the fields of a request from Java objects to C and cannot change all of them later, so that a post makes a
 * call for each request and, unlike with other providers, allocates. Native code is called by DiSNI alone.
 */
package dev.verbena.ibverbs.disni;

/**
 * A JUnit extension for programs that use RDMA. Each test method with {@link dev.verbena.junit.VerbsTest} gets a network
 * of software devices of its own, in virtual time from a seed, as parameters.
 */
package dev.verbena.junit;

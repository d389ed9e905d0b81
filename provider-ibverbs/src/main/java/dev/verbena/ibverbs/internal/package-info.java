/**
 * What the bindings of this module have in common: memory that may be registered, records of who uses what, time, and queues
 * of events. Nothing here calls the library, and nothing here is for users.
 */
package dev.verbena.ibverbs.internal;

/**
 * Layouts of C structures, one class a structure, each with the header it comes from. Here live offsets, layouts and handles
 * that are made once; no call into a library and no memory that anybody owns.
 */
package dev.verbena.ibverbs.struct;

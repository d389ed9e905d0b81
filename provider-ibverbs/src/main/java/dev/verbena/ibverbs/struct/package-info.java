/**
 * Layouts of C structures, one class a structure, each with the header it comes from and the versions it holds for. A test
 * compares them with the C compiler where the headers are installed. Here live offsets, layouts and handles
 * that are made once; no call into a library and no memory that anybody owns.
 */
package dev.verbena.ibverbs.struct;

/**
 * Clusters of LNet nodes in virtual time: nodes and links in software, random traffic between them, crashes and partitions, and
 * the books that say whether a message was lost or doubled. All follows from the description and its seed. Nothing here knows the
 * command line or the format of a file.
 */
@NullMarked
package dev.verbena.cli.cluster;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
package program.crail;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.apache.crail.CrailNodeType;
import org.apache.crail.conf.CrailConstants;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.metadata.FileInfo;

/** A file of the namenode, with the blocks that it owns. */
final class StoredFile extends FileInfo {
    private final List<BlockInfo> blocks = new ArrayList<>();

    StoredFile(long number, CrailNodeType type) {
        super(number, type, false);
    }

    /** Returns a block of the file, after free blocks were added up to this index. */
    BlockInfo block(int index, Queue<BlockInfo> free) {
        while (blocks.size() <= index) {
            blocks.add(free.remove());
        }
        return blocks.get(index);
    }

    /** Gives the file a record of the directory, and returns the index of the block that has the record. */
    int enter(StoredFile directory) {
        setDirOffset(directory.getCapacity());
        directory.incCapacity(CrailConstants.DIRECTORY_RECORD);
        return (int) (getDirOffset() / CrailConstants.BLOCK_SIZE);
    }

    void free(Queue<BlockInfo> free) {
        free.addAll(blocks);
        blocks.clear();
    }
}

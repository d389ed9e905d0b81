// SPDX-License-Identifier: Apache-2.0
package program.crail;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import org.apache.crail.CrailNodeType;
import org.apache.crail.conf.CrailConfiguration;
import org.apache.crail.conf.CrailConstants;
import org.apache.crail.metadata.BlockInfo;
import org.apache.crail.namenode.rpc.darpc.DaRPCNameNode;
import org.apache.crail.rpc.RpcErrors;
import org.apache.crail.rpc.RpcNameNodeService;
import org.apache.crail.rpc.RpcNameNodeState;
import org.apache.crail.rpc.RpcRequestMessage.CreateFileReq;
import org.apache.crail.rpc.RpcRequestMessage.DumpNameNodeReq;
import org.apache.crail.rpc.RpcRequestMessage.GetBlockReq;
import org.apache.crail.rpc.RpcRequestMessage.GetDataNodeReq;
import org.apache.crail.rpc.RpcRequestMessage.GetFileReq;
import org.apache.crail.rpc.RpcRequestMessage.GetLocationReq;
import org.apache.crail.rpc.RpcRequestMessage.PingNameNodeReq;
import org.apache.crail.rpc.RpcRequestMessage.RemoveFileReq;
import org.apache.crail.rpc.RpcRequestMessage.RenameFileReq;
import org.apache.crail.rpc.RpcRequestMessage.SetBlockReq;
import org.apache.crail.rpc.RpcRequestMessage.SetFileReq;
import org.apache.crail.rpc.RpcResponseMessage.CreateFileRes;
import org.apache.crail.rpc.RpcResponseMessage.DeleteFileRes;
import org.apache.crail.rpc.RpcResponseMessage.GetBlockRes;
import org.apache.crail.rpc.RpcResponseMessage.GetDataNodeRes;
import org.apache.crail.rpc.RpcResponseMessage.GetFileRes;
import org.apache.crail.rpc.RpcResponseMessage.GetLocationRes;
import org.apache.crail.rpc.RpcResponseMessage.PingNameNodeRes;
import org.apache.crail.rpc.RpcResponseMessage.RenameRes;
import org.apache.crail.rpc.RpcResponseMessage.VoidRes;
import org.apache.crail.rpc.RpcServer;

/** Crail's namenode, as far as files of one directory need it: Crail's own was never published. Its server is Crail's. */
public final class NameNode implements RpcNameNodeService {
    private static final long MILLIS_BETWEEN_CHECKS = 10;

    private final Queue<BlockInfo> free = new ArrayDeque<>();
    private final Map<String, StoredFile> byName = new HashMap<>();
    private final Map<Long, StoredFile> byNumber = new HashMap<>();
    private final StoredFile root = new StoredFile(0, CrailNodeType.DIRECTORY);
    private long lastNumber;

    /** Without arguments: the configuration names the address. Prints a line once a datanode has registered its blocks. */
    public static void main(String[] args) throws Exception {
        start(new NameNode()).join();
    }

    static Thread start(NameNode service) throws Exception {
        CrailConfiguration configuration = new CrailConfiguration();
        CrailConstants.updateConstants(configuration);
        RpcServer server = new DaRPCNameNode().launchServer(service);
        server.init(configuration, null);
        Thread serving = new Thread(server::run, "namenode");
        serving.start();
        while (!accepts(serving)) {
            serving.join(MILLIS_BETWEEN_CHECKS);
        }
        System.out.println("listening");
        return serving;
    }

    /** Returns whether the server listens. Crail writes this only to its log, so this method searches the stack for the call after it. */
    private static boolean accepts(Thread thread) {
        if (!thread.isAlive()) {
            throw new IllegalStateException("the server ended");
        }
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("accept"));
    }

    /** Waits until the datanode has registered blocks. Throws if the datanode's thread ends before. */
    synchronized void awaitBlocks(Thread datanode) throws InterruptedException {
        while (free.isEmpty()) {
            if (!datanode.isAlive()) {
                throw new IllegalStateException("the datanode ended");
            }
            wait(MILLIS_BETWEEN_CHECKS);
        }
    }

    public NameNode() {
        byNumber.put(root.getFd(), root);
    }

    @Override
    public synchronized short createFile(CreateFileReq request, CreateFileRes response, RpcNameNodeState state) {
        StoredFile file = new StoredFile(++lastNumber, request.getFileType());
        byName.put(request.getFileName().toString(), file);
        byNumber.put(file.getFd(), file);
        if (request.isEnumerable()) {
            response.setDirBlock(root.block(file.enter(root), free));
        }
        file.updateToken();
        response.shipToken(true);
        response.setFileInfo(file);
        response.setParentInfo(root);
        response.setFileBlock(file.block(0, free));
        return RpcErrors.ERR_OK;
    }

    @Override
    public synchronized short getFile(GetFileReq request, GetFileRes response, RpcNameNodeState state) {
        StoredFile file = byName.get(request.getFileName().toString());
        if (file == null) {
            return RpcErrors.ERR_GET_FILE_FAILED;
        }
        response.setFileInfo(file);
        response.setFileBlock(file.block(0, free));
        return RpcErrors.ERR_OK;
    }

    @Override
    public synchronized short setFile(SetFileReq request, VoidRes response, RpcNameNodeState state) {
        byNumber.get(request.getFileInfo().getFd())
                .setCapacity(request.getFileInfo().getCapacity());
        return RpcErrors.ERR_OK;
    }

    @Override
    public synchronized short removeFile(RemoveFileReq request, DeleteFileRes response, RpcNameNodeState state) {
        StoredFile file = byName.remove(request.getFileName().toString());
        if (file == null) {
            return RpcErrors.ERR_GET_FILE_FAILED;
        }
        byNumber.remove(file.getFd());
        file.free(free);
        response.setFileInfo(file);
        response.setParentInfo(root);
        return RpcErrors.ERR_OK;
    }

    @Override
    public synchronized short getBlock(GetBlockReq request, GetBlockRes response, RpcNameNodeState state) {
        int index = (int) (request.getPosition() / CrailConstants.BLOCK_SIZE);
        response.setBlockInfo(byNumber.get(request.getFd()).block(index, free));
        return RpcErrors.ERR_OK;
    }

    /** Cuts the region of a datanode into blocks. */
    @Override
    public synchronized short setBlock(SetBlockReq request, VoidRes response, RpcNameNodeState state) throws Exception {
        BlockInfo region = request.getBlockInfo();
        int size = (int) CrailConstants.BLOCK_SIZE;
        for (int offset = 0; offset < region.getLength(); offset += size) {
            free.add(new BlockInfo(
                    region.getDnInfo(), region.getLba() + offset, region.getAddr() + offset, size, region.getLkey()));
        }
        notifyAll();
        System.out.println("has blocks");
        return RpcErrors.ERR_OK;
    }

    @Override
    public synchronized short getDataNode(GetDataNodeReq request, GetDataNodeRes response, RpcNameNodeState state) {
        response.setFreeBlockCount(free.size());
        return RpcErrors.ERR_OK;
    }

    @Override
    public short renameFile(RenameFileReq request, RenameRes response, RpcNameNodeState state) {
        return RpcErrors.ERR_INVALID_RPC_CMD;
    }

    @Override
    public short getLocation(GetLocationReq request, GetLocationRes response, RpcNameNodeState state) {
        return RpcErrors.ERR_INVALID_RPC_CMD;
    }

    @Override
    public short dump(DumpNameNodeReq request, VoidRes response, RpcNameNodeState state) {
        return RpcErrors.ERR_INVALID_RPC_CMD;
    }

    @Override
    public short ping(PingNameNodeReq request, PingNameNodeRes response, RpcNameNodeState state) {
        return RpcErrors.ERR_OK;
    }
}

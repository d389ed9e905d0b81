// SPDX-License-Identifier: Apache-2.0
// The execution of requests, and the thread that tries waiting requests again. IBTA volume 1, 9.7 and 9.8.
#include <signal.h>
#include <time.h>
#include "unruly.h"

enum { WAITS = -1 };

static pthread_cond_t earlier = PTHREAD_COND_INITIALIZER;
static bool has_thread;

// Milliseconds * 100 of the RNR timer codes; IBTA volume 1, table 45.
static const uint32_t RNR_TIMER[32] = { 65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536,
  2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152 };

void u_send_done(struct u_qp *qp, struct u_send *send, enum ibv_wc_status status, uint32_t length) {
  static const enum ibv_wc_opcode OPCODES[] = { [IBV_WR_RDMA_WRITE] = IBV_WC_RDMA_WRITE, [IBV_WR_RDMA_WRITE_WITH_IMM] = IBV_WC_RDMA_WRITE,
    [IBV_WR_SEND] = IBV_WC_SEND, [IBV_WR_SEND_WITH_IMM] = IBV_WC_SEND, [IBV_WR_RDMA_READ] = IBV_WC_RDMA_READ,
    [IBV_WR_ATOMIC_CMP_AND_SWP] = IBV_WC_COMP_SWAP, [IBV_WR_ATOMIC_FETCH_AND_ADD] = IBV_WC_FETCH_ADD,
    [IBV_WR_LOCAL_INV] = IBV_WC_LOCAL_INV, [IBV_WR_BIND_MW] = IBV_WC_BIND_MW, [IBV_WR_SEND_WITH_INV] = IBV_WC_SEND };
  qp->head++;
  qp->deadline = 0;
  bool signaled = qp->initial.sq_sig_all || (send->wr.send_flags & IBV_SEND_SIGNALED);
  if (u_fault(LOST_COMPLETION) && qp->head % 3 == 0) {
    return;
  }
  if (signaled || status != IBV_WC_SUCCESS) {
    struct u_cqe entry = { .qp = qp, .freed = qp->head, .send = true, .wc = { .wr_id = send->wr.wr_id, .status = status,
      .opcode = OPCODES[send->wr.opcode], .qp_num = qp->qp.qp_num, .byte_len = length } };
    u_complete(qp->qp.send_cq, &entry, false);
  }
}

// Copies the payload of a request. Returns 0, or a status.
int u_gather(struct u_qp *qp, const struct u_send *send, char **bytes, uint64_t *length) {
  uint64_t total = send->inlined_bytes;
  bool inlined = send->wr.send_flags & IBV_SEND_INLINE;
  for (int i = 0; !inlined && i < send->wr.num_sge; i++) {
    total += send->entries[i].length;
  }
  char *copy = malloc(total + 1);
  if (inlined) {
    memcpy(copy, send->inlined, total);
  }
  uint64_t at = 0;
  for (int i = 0; !inlined && i < send->wr.num_sge; i++) {
    const struct ibv_sge *entry = &send->entries[i];
    char *from = entry->length == 0 ? copy : u_local(qp->qp.pd, entry, 0);
    if (from == NULL) {
      free(copy);
      return IBV_WC_LOC_PROT_ERR;
    }
    memcpy(copy + at, from, entry->length);
    at += entry->length;
  }
  if (u_fault(DAMAGED_END) && total > 1024) {
    copy[total - 1] ^= 1;
  }
  *bytes = copy;
  *length = total;
  return 0;
}

static bool scatter(struct ibv_pd *pd, const struct ibv_sge *entries, int count, const char *bytes, uint64_t length) {
  uint64_t left = length;
  for (int i = 0; i < count && left > 0; i++) {
    uint64_t part = left < entries[i].length ? left : entries[i].length;
    if (part > 0 && u_local(pd, &entries[i], IBV_ACCESS_LOCAL_WRITE) == NULL) {
      return false;
    }
    left -= part;
  }
  for (int i = 0; i < count && length > 0; i++) {
    uint64_t part = length < entries[i].length ? length : entries[i].length;
    if (part > 0) {
      memcpy(u_local(pd, &entries[i], IBV_ACCESS_LOCAL_WRITE), bytes, part);
    }
    bytes += part;
    length -= part;
  }
  return true;
}

// Writes a message to the entries of a receive. Returns false, and writes nothing, if an entry does not permit it.
bool u_scatter(struct u_qp *qp, const struct u_receive *receive, const char *bytes, uint64_t length) {
  struct ibv_pd *pd = qp->qp.srq == NULL ? qp->qp.pd : qp->qp.srq->pd;
  return scatter(pd, receive->entries, receive->count, bytes, length);
}

uint64_t u_room(const struct u_receive *receive) {
  uint64_t room = 0;
  for (int i = 0; i < receive->count; i++) {
    room += receive->entries[i].length;
  }
  return room;
}

static struct u_qp *peer_of(struct u_qp *qp) {
  struct u_qp *peer = u_find(qp->attr.dest_qp_num);
  bool answers = peer != NULL && peer->qp.qp_type == qp->qp.qp_type && peer->attr.dest_qp_num == qp->qp.qp_num
      && (peer->qp.state == IBV_QPS_RTR || peer->qp.state == IBV_QPS_RTS || peer->qp.state == IBV_QPS_SQD
          || peer->qp.state == IBV_QPS_SQE)
      && u_reaches(&qp->attr.ah_attr);
  return answers ? peer : NULL;
}

static int wait_for(struct u_qp *qp, uint64_t nanoseconds) {
  qp->deadline = nanoseconds == NEVER ? NEVER : u_now() + nanoseconds;
  return WAITS;
}

static int no_answer(struct u_qp *qp) {
  if (qp->attr.timeout == 0) {
    return wait_for(qp, NEVER);
  }
  return qp->retries-- > 0 ? wait_for(qp, 4096ull << qp->attr.timeout) : IBV_WC_RETRY_EXC_ERR;
}

static int no_receive(struct u_qp *qp, struct u_qp *peer) {
  if (qp->rnr_retries == 0) {
    return IBV_WC_RNR_RETRY_EXC_ERR;
  }
  if (qp->attr.rnr_retry != 7) {
    qp->rnr_retries--;
  }
  return wait_for(qp, RNR_TIMER[peer->attr.min_rnr_timer] * 10000ull);
}

// The responder refuses a request. An unreliable connection drops the message.
static int refuse(struct u_qp *peer, enum ibv_wc_status status) {
  if (peer->qp.qp_type != IBV_QPT_RC) {
    return IBV_WC_SUCCESS;
  }
  if (!u_fault(NO_ACCESS_EVENT) || status != IBV_WC_REM_ACCESS_ERR) {
    u_async(peer->qp.context, status == IBV_WC_REM_ACCESS_ERR ? IBV_EVENT_QP_ACCESS_ERR : IBV_EVENT_QP_REQ_ERR, peer);
  }
  u_to_error(peer);
  return status;
}

static int deliver(struct u_qp *peer, const struct u_send *send, const char *bytes, uint64_t length) {
  struct u_receive receive;
  bool writes = send->wr.opcode == IBV_WR_RDMA_WRITE_WITH_IMM;
  bool reliable = peer->qp.qp_type == IBV_QPT_RC;
  struct ibv_wc wc = { .opcode = writes ? IBV_WC_RECV_RDMA_WITH_IMM : IBV_WC_RECV, .byte_len = length };
  if (send->wr.opcode == IBV_WR_SEND_WITH_INV && !u_can_invalidate(peer, send->wr.invalidate_rkey)) {
    return refuse(peer, IBV_WC_REM_ACCESS_ERR);
  }
  u_take_receive(peer, &receive, false);
  if (!writes && length > u_room(&receive)) {
    wc.status = IBV_WC_LOC_LEN_ERR;
  } else if (!writes && !u_scatter(peer, &receive, bytes, length)) {
    wc.status = IBV_WC_LOC_PROT_ERR;
  }
  if (wc.status != IBV_WC_SUCCESS && !reliable) {
    return IBV_WC_SUCCESS;
  }
  if (send->wr.opcode == IBV_WR_SEND_WITH_INV) {
    u_invalidate(peer, send->wr.invalidate_rkey);
    wc.wc_flags = IBV_WC_WITH_INV;
    wc.invalidated_rkey = send->wr.invalidate_rkey;
  } else if (writes || send->wr.opcode == IBV_WR_SEND_WITH_IMM) {
    wc.wc_flags = IBV_WC_WITH_IMM;
    wc.imm_data = u_fault(IMMEDIATE) ? __builtin_bswap32(send->wr.imm_data) : send->wr.imm_data;
  }
  u_take_receive(peer, &receive, true);
  if (u_fault(SILENT_RESPONDER)) {
    return IBV_WC_SUCCESS;
  }
  u_receive_done(peer, &receive, wc, send->wr.send_flags & IBV_SEND_SOLICITED);
  if (wc.status != IBV_WC_SUCCESS) {
    u_to_error(peer);
    return wc.status == IBV_WC_LOC_LEN_ERR ? IBV_WC_REM_INV_REQ_ERR : IBV_WC_REM_OP_ERR;
  }
  return IBV_WC_SUCCESS;
}

// Sends a message, or writes. The packets before the last one of a WRITE with immediate data need no receive.
static int transmit(struct u_qp *qp, struct u_qp *peer, struct u_send *send, const char *bytes, uint64_t length) {
  enum ibv_wr_opcode opcode = send->wr.opcode;
  bool writes = opcode == IBV_WR_RDMA_WRITE || opcode == IBV_WR_RDMA_WRITE_WITH_IMM;
  struct u_receive ignored;
  bool received = opcode != IBV_WR_RDMA_WRITE || u_fault(WRITE_TAKES_RECEIVE);
  bool ready = !received || u_take_receive(peer, &ignored, false);
  bool reliable = qp->qp.qp_type == IBV_QPT_RC;
  char *to = NULL;
  if (writes && length > 0) {
    bool may = peer->attr.qp_access_flags & IBV_ACCESS_REMOTE_WRITE;
    to = may ? u_remote(peer, send->wr.wr.rdma.rkey, send->wr.wr.rdma.remote_addr, length, IBV_ACCESS_REMOTE_WRITE) : NULL;
    if (to == NULL) {
      return refuse(peer, IBV_WC_REM_ACCESS_ERR);
    }
    uint64_t packet = 128ull << qp->attr.path_mtu;
    uint64_t before = ready ? length : (length - 1) / packet * packet;
    memcpy(to, bytes, reliable || ready ? before : 0);
  }
  if (!ready) {
    return reliable && !u_fault(LOST_MESSAGE) ? no_receive(qp, peer) : IBV_WC_SUCCESS;
  }
  return received ? deliver(peer, send, bytes, length) : IBV_WC_SUCCESS;
}

static int fetch(struct u_qp *qp, struct u_qp *peer, struct u_send *send, uint32_t *length) {
  bool reads = send->wr.opcode == IBV_WR_RDMA_READ;
  int right = reads ? IBV_ACCESS_REMOTE_READ : IBV_ACCESS_REMOTE_ATOMIC;
  uint32_t rkey = reads ? send->wr.wr.rdma.rkey : send->wr.wr.atomic.rkey;
  uint64_t address = reads ? send->wr.wr.rdma.remote_addr : send->wr.wr.atomic.remote_addr;
  uint64_t total = 0;
  for (int i = 0; i < send->wr.num_sge; i++) {
    total += send->entries[i].length;
    if (send->entries[i].length > 0 && u_local(qp->qp.pd, &send->entries[i], IBV_ACCESS_LOCAL_WRITE) == NULL) {
      return IBV_WC_LOC_PROT_ERR;
    }
  }
  char *from = peer->attr.qp_access_flags & right ? u_remote(peer, rkey, address, total, right) : NULL;
  *length = total;
  if (total == 0) {
    return IBV_WC_SUCCESS;
  }
  if (!reads && address % 8 != 0) {
    return refuse(peer, IBV_WC_REM_INV_REQ_ERR);
  }
  if (from == NULL) {
    return refuse(peer, IBV_WC_REM_ACCESS_ERR);
  }
  char *copy = malloc(total);
  memcpy(copy, from, total);
  if (!reads) {
    uint64_t value;
    memcpy(&value, from, sizeof value);
    if (send->wr.opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
      value += u_fault(SMALL_ADD) ? (uint32_t)send->wr.wr.atomic.compare_add : send->wr.wr.atomic.compare_add;
    } else if (value == send->wr.wr.atomic.compare_add || u_fault(NO_CAS)) {
      value = send->wr.wr.atomic.swap;
    }
    memcpy(from, &value, sizeof value);
  }
  scatter(qp->qp.pd, send->entries, send->wr.num_sge, copy, total);
  free(copy);
  return IBV_WC_SUCCESS;
}

static int execute(struct u_qp *qp, struct u_send *send, uint32_t *length) {
  switch (send->wr.opcode) {
    case IBV_WR_BIND_MW:
      return u_bind(qp, &send->wr, send->region_key) == 0 ? IBV_WC_SUCCESS : IBV_WC_MW_BIND_ERR;
    case IBV_WR_LOCAL_INV: return u_invalidate(qp, send->wr.invalidate_rkey) ? IBV_WC_SUCCESS : IBV_WC_LOC_QP_OP_ERR;
    default: break;
  }
  bool fetches = send->wr.opcode == IBV_WR_RDMA_READ || send->wr.opcode == IBV_WR_ATOMIC_CMP_AND_SWP
      || send->wr.opcode == IBV_WR_ATOMIC_FETCH_AND_ADD;
  char *bytes = NULL;
  uint64_t total = 0;
  int status = fetches ? 0 : u_gather(qp, send, &bytes, &total);
  if (status != 0) {
    return status;
  }
  *length = total;
  if (qp->qp.qp_type == IBV_QPT_UD) {
    status = u_send_datagram(qp, send, bytes, total);
    free(bytes);
    return status;
  }
  struct u_qp *peer = peer_of(qp);
  if (peer != NULL && peer->qp.state == IBV_QPS_RTR && !peer->communicated) {
    peer->communicated = true;
    u_async(peer->qp.context, IBV_EVENT_COMM_EST, peer);
    if (u_fault(ESTABLISHED_TWICE)) {
      u_async(peer->qp.context, IBV_EVENT_COMM_EST, peer);
    }
  }
  if (peer == NULL) {
    status = qp->qp.qp_type == IBV_QPT_RC ? no_answer(qp) : IBV_WC_SUCCESS;
  } else {
    status = fetches ? fetch(qp, peer, send, length) : transmit(qp, peer, send, bytes, total);
  }
  free(bytes);
  return status;
}

static void fail(struct u_qp *qp) {
  if (qp->qp.qp_type == IBV_QPT_RC || u_fault(NO_SQE)) {
    u_to_error(qp);
  } else {
    qp->qp.state = IBV_QPS_SQE;
    u_flush_sends(qp);
  }
}

static bool may_send(const struct u_qp *qp) {
  return qp->head != qp->tail && qp->deadline == 0
      && (qp->qp.state == IBV_QPS_RTS || (qp->qp.state == IBV_QPS_SQD && ((int)(qp->drain_until - qp->head) > 0 || u_fault(SENDS_IN_SQD))));
}

static void *retry(void *nothing) {
  u_lock();
  for (;;) {
    uint64_t now = u_now(), next = NEVER;
    for (struct u_qp *qp = u_qps; qp != NULL; qp = qp->next) {
      if (qp->deadline != 0 && qp->deadline <= now) {
        qp->deadline = 0;
        u_run(qp);
      }
      if (qp->deadline != 0 && qp->deadline < next) {
        next = qp->deadline;
      }
    }
    u_sleep(&earlier, next);
  }
  return nothing;
}

static void wake_thread(void) {
  if (has_thread) {
    pthread_cond_signal(&earlier);
    return;
  }
  has_thread = true;
  sigset_t all, before;
  pthread_t thread;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_create(&thread, NULL, retry, NULL);
  pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

// Executes the sends of a queue pair until none is left or one has to wait.
void u_run(struct u_qp *qp) {
  if (qp->running) {
    return;
  }
  qp->running = true;
  while (may_send(qp)) {
    struct u_send *send = &qp->sends[qp->head % qp->initial.cap.max_send_wr];
    if (u_me->iwarp) {
      if (i_execute(qp, send)) {
        continue;
      }
      break;
    }
    if (!send->tried) {
      send->tried = true;
      qp->retries = qp->attr.retry_cnt;
      qp->rnr_retries = qp->attr.rnr_retry;
    }
    uint32_t length = 0;
    unsigned head = qp->head;
    int status = execute(qp, send, &length);
    if (status == WAITS) {
      wake_thread();
      break;
    }
    if (qp->head != head) {
      break; // the peer is this queue pair, and its error flushed the request
    }
    u_send_done(qp, send, status, length);
    if (status != IBV_WC_SUCCESS) {
      fail(qp);
    }
  }
  if (qp->qp.state == IBV_QPS_SQD && qp->draining && (int)(qp->drain_until - qp->head) <= 0) {
    qp->draining = false;
    if (u_fault(DRAINED_TWICE)) {
      u_async(qp->qp.context, IBV_EVENT_SQ_DRAINED, qp);
    }
    u_async(qp->qp.context, IBV_EVENT_SQ_DRAINED, qp);
  }
  qp->running = false;
}

// SPDX-License-Identifier: Apache-2.0
// What the kernel's Soft-RoCE does otherwise than the rules of the conformance kit, shown without Java: two queue pairs of one
// device in loop-back for each. Prints a line for each rule of which it sees the divergence; lab/tests/rxe.divergences has
// the same rules, with reasons.
//
//   rxe [DEVICE [GID_INDEX]]        default: rxe0, 1
#include <errno.h>
#include <infiniband/verbs.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SIZE 65536
#define QKEY 0x11111111
#define ALL (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC | IBV_ACCESS_MW_BIND)
#define MUST(done) do { if (!(done)) { fprintf(stderr, "line %d: %s: %s\n", __LINE__, #done, strerror(errno)); exit(2); } } while (0)

struct end {
  struct ibv_cq *sends, *receives;
  struct ibv_qp *qp;
  struct ibv_mr *mr;
  uint8_t *memory;
};

static struct ibv_context *context;
static struct ibv_pd *pd;
static union ibv_gid gid;
static int gid_index = 1;
static int reads_as_responder = 4;

static void end_open(struct end *e, enum ibv_qp_type type) {
  memset(e, 0, sizeof *e);
  MUST(e->memory = aligned_alloc(4096, SIZE));
  memset(e->memory, 0, SIZE);
  MUST(e->mr = ibv_reg_mr(pd, e->memory, SIZE, ALL));
  MUST(e->sends = ibv_create_cq(context, 64, NULL, NULL, 0));
  MUST(e->receives = ibv_create_cq(context, 64, NULL, NULL, 0));
  struct ibv_qp_init_attr a = { .send_cq = e->sends, .recv_cq = e->receives, .qp_type = type,
    .cap = { .max_send_wr = 16, .max_recv_wr = 16, .max_send_sge = 4, .max_recv_sge = 4 } };
  MUST(e->qp = ibv_create_qp(pd, &a));
}

static void end_close(struct end *e) {
  MUST(ibv_destroy_qp(e->qp) == 0);
  MUST(ibv_destroy_cq(e->sends) == 0);
  MUST(ibv_destroy_cq(e->receives) == 0);
  if (e->mr) MUST(ibv_dereg_mr(e->mr) == 0);
  free(e->memory);
}

static int to_state(struct end *e, enum ibv_qp_state state) {
  struct ibv_qp_attr a = { .qp_state = state };
  return ibv_modify_qp(e->qp, &a, IBV_QP_STATE);
}

static void connected_as_far_as_rtr(struct end *e, struct end *peer) {
  struct ibv_qp_attr a = { .qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = ALL & ~IBV_ACCESS_MW_BIND };
  MUST(ibv_modify_qp(e->qp, &a, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS) == 0);
  memset(&a, 0, sizeof a);
  a = (struct ibv_qp_attr){ .qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024, .dest_qp_num = peer->qp->qp_num, .rq_psn = 7,
    .max_dest_rd_atomic = reads_as_responder, .min_rnr_timer = 1,
    .ah_attr = { .is_global = 1, .port_num = 1, .grh = { .dgid = gid, .sgid_index = gid_index, .hop_limit = 64 } } };
  MUST(ibv_modify_qp(e->qp, &a, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN
    | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER) == 0);
}

static void connect_to(struct end *e, struct end *peer) {
  connected_as_far_as_rtr(e, peer);
  struct ibv_qp_attr a = { .qp_state = IBV_QPS_RTS, .sq_psn = 7, .timeout = 19, .retry_cnt = 6, .rnr_retry = 7, .max_rd_atomic = 4 };
  MUST(ibv_modify_qp(e->qp, &a, IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY
    | IBV_QP_MAX_QP_RD_ATOMIC) == 0);
}

static void pair_open(struct end *a, struct end *b) {
  end_open(a, IBV_QPT_RC);
  end_open(b, IBV_QPT_RC);
  connect_to(a, b);
  connect_to(b, a);
}

static void pair_close(struct end *a, struct end *b) {
  end_close(a);
  end_close(b);
}

static int send_request(struct end *e, enum ibv_wr_opcode opcode, uint32_t length, uint32_t lkey, uint64_t remote, uint32_t rkey) {
  struct ibv_sge entry = { (uintptr_t)e->memory, length, lkey };
  struct ibv_send_wr w = { .wr_id = 1, .opcode = opcode, .send_flags = IBV_SEND_SIGNALED, .sg_list = &entry, .num_sge = length > 0 }, *bad;
  if (opcode == IBV_WR_SEND_WITH_INV) w.invalidate_rkey = rkey;
  w.wr.rdma.remote_addr = remote;
  if (opcode != IBV_WR_SEND_WITH_INV) w.wr.rdma.rkey = rkey;
  return ibv_post_send(e->qp, &w, &bad);
}

static void receive(struct end *e, uint32_t length, uint32_t lkey) {
  struct ibv_sge entry = { (uintptr_t)e->memory, length, lkey };
  struct ibv_recv_wr w = { .wr_id = 2, .sg_list = &entry, .num_sge = 1 }, *bad;
  MUST(ibv_post_recv(e->qp, &w, &bad) == 0);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}

// The next completion within some seconds, or one of status -1.
static struct ibv_wc await(struct ibv_cq *cq, double seconds) {
  struct ibv_wc c;
  for (double end = now() + seconds; now() < end; usleep(1000)) {
    int n = ibv_poll_cq(cq, 1, &c);
    MUST(n >= 0);
    if (n == 1) return c;
  }
  memset(&c, 0, sizeof c);
  c.status = -1;
  return c;
}

// A status that has to come, of a slow machine, too.
static enum ibv_wc_status status(struct ibv_cq *cq) {
  struct ibv_wc c = await(cq, 60);
  MUST((int)c.status >= 0);
  return c.status;
}

// Something that must not happen has a second to.
static int nothing(struct ibv_cq *cq) { return (int)await(cq, 1).status < 0; }

static void seen(const char *rule, int diverges, const char *what) {
  printf(diverges ? "%s %s\n" : "# %s is kept: not %s\n", rule, what);
}

static void pkey_index(void) {
  struct end e;
  end_open(&e, IBV_QPT_RC);
  struct ibv_port_attr port;
  MUST(ibv_query_port(context, 1, &port) == 0);
  struct ibv_qp_attr a = { .qp_state = IBV_QPS_INIT, .port_num = 1, .pkey_index = port.pkey_tbl_len };
  int refused = ibv_modify_qp(e.qp, &a, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
  seen("STATE-07", refused == 0, "an index behind the end of the P_Key table is taken");
  end_close(&e);
}

static void sends_in_sqd(void) {
  struct end a, b;
  pair_open(&a, &b);
  MUST(to_state(&a, IBV_QPS_SQD) == 0);
  receive(&b, 8, b.mr->lkey);
  MUST(send_request(&a, IBV_WR_SEND, 8, a.mr->lkey, 0, 0) == 0);
  MUST(nothing(a.sends));
  MUST(to_state(&a, IBV_QPS_RTS) == 0);
  int stuck = (int)await(a.sends, 5).status < 0;
  seen("STATE-11", stuck, "what is posted in SQD is not sent after the return to RTS");
  pair_close(&a, &b);
}

// The type of the next event, -1 if none comes within that time.
static int event_within(int milliseconds) {
  struct pollfd fd = { .fd = context->async_fd, .events = POLLIN };
  if (poll(&fd, 1, milliseconds) != 1) return -1;
  struct ibv_async_event event;
  MUST(ibv_get_async_event(context, &event) == 0);
  int type = event.event_type;
  ibv_ack_async_event(&event);
  return type;
}

static void drained_early(void) {
  struct end a, b;
  pair_open(&a, &b);
  // The first of two packets is placed, the second waits for a receive that is not there.
  memset(a.memory, 9, 2048);
  MUST(send_request(&a, IBV_WR_RDMA_WRITE_WITH_IMM, 2048, a.mr->lkey, (uintptr_t)b.memory, b.mr->rkey) == 0);
  for (double end = now() + 60; *(volatile uint8_t *)b.memory != 9;) MUST(now() < end);
  struct ibv_qp_attr sqd = { .qp_state = IBV_QPS_SQD, .en_sqd_async_notify = 1 };
  MUST(ibv_modify_qp(a.qp, &sqd, IBV_QP_STATE | IBV_QP_EN_SQD_ASYNC_NOTIFY) == 0);
  int early = event_within(1000) == IBV_EVENT_SQ_DRAINED;
  MUST(nothing(a.sends));
  seen("STATE-13", early, "SQ_DRAINED comes while a message is under way");
  receive(&b, 8, b.mr->lkey);
  await(a.sends, 5);
  event_within(early ? 0 : 1000);
  pair_close(&a, &b);
}

static void capabilities(void) {
  struct end a, b;
  pair_open(&a, &b);
  struct ibv_qp_attr attr = { .cap = { .max_send_wr = 16, .max_recv_wr = 16, .max_send_sge = 4, .max_recv_sge = 4 } };
  seen("STATE-17", ibv_modify_qp(a.qp, &attr, IBV_QP_CAP) == 0, "capabilities can be modified of a device without RESIZE_MAX_WR");
  pair_close(&a, &b);
}

static void receives_in_err(void) {
  struct end a, b;
  pair_open(&a, &b);
  MUST(to_state(&a, IBV_QPS_ERR) == 0);
  usleep(200000);
  receive(&a, 8, a.mr->lkey);
  seen("COMP-03", nothing(a.receives), "a receive that is posted in ERR is not flushed");
  pair_close(&a, &b);
}

static void stale_completion(void) {
  struct end a, b;
  pair_open(&a, &b);
  receive(&b, 8, b.mr->lkey);
  MUST(send_request(&a, IBV_WR_SEND, 8, a.mr->lkey, 0, 0) == 0);
  MUST(status(b.receives) == IBV_WC_SUCCESS);
  usleep(500000);
  MUST(to_state(&a, IBV_QPS_RESET) == 0);
  seen("COMP-11", !nothing(a.sends), "a completion stays in its queue when the queue pair is reset");
  pair_close(&a, &b);
}

static void local_failure(void) {
  struct end a, b;
  pair_open(&a, &b);
  receive(&b, 8, b.mr->lkey);
  MUST(send_request(&a, IBV_WR_SEND, 8, a.mr->lkey ^ 0xff, 0, 0) == 0);
  seen("MEM-11", status(a.sends) == IBV_WC_WR_FLUSH_ERR, "a send that fails at its own side is reported as flushed");
  pair_close(&a, &b);
}

static void datagram_open(struct end *e) {
  end_open(e, IBV_QPT_UD);
  struct ibv_qp_attr a = { .qp_state = IBV_QPS_INIT, .port_num = 1, .qkey = QKEY };
  MUST(ibv_modify_qp(e->qp, &a, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY) == 0);
  MUST(to_state(e, IBV_QPS_RTR) == 0);
  a.qp_state = IBV_QPS_RTS;
  MUST(ibv_modify_qp(e->qp, &a, IBV_QP_STATE | IBV_QP_SQ_PSN) == 0);
}

static struct ibv_ah *path_to(union ibv_gid whom) {
  struct ibv_ah_attr path = { .is_global = 1, .port_num = 1, .grh = { .dgid = whom, .sgid_index = gid_index, .hop_limit = 64 } };
  struct ibv_ah *ah = ibv_create_ah(pd, &path);
  MUST(ah);
  return ah;
}

static void datagram(struct end *e, struct ibv_ah *ah, uint32_t lkey, uint32_t to, uint32_t qkey) {
  struct ibv_sge entry = { (uintptr_t)e->memory, 8, lkey };
  struct ibv_send_wr w = { .opcode = IBV_WR_SEND, .send_flags = IBV_SEND_SIGNALED, .sg_list = &entry, .num_sge = 1 }, *bad;
  w.wr.ud.ah = ah;
  w.wr.ud.remote_qpn = to;
  w.wr.ud.remote_qkey = qkey;
  MUST(ibv_post_send(e->qp, &w, &bad) == 0);
}

static void datagram_failure(void) {
  struct end e;
  datagram_open(&e);
  struct ibv_ah *ah = path_to(gid);
  datagram(&e, ah, e.mr->lkey ^ 0xff, e.qp->qp_num, QKEY);
  int flushed = status(e.sends) == IBV_WC_WR_FLUSH_ERR;
  struct ibv_qp_attr a;
  struct ibv_qp_init_attr initial;
  MUST(ibv_query_qp(e.qp, &a, IBV_QP_STATE, &initial) == 0);
  seen("STATE-15", flushed && a.qp_state == IBV_QPS_ERR, "a datagram that fails at its own side is reported as flushed, and takes the queue pair to ERR");
  MUST(ibv_destroy_ah(ah) == 0);
  end_close(&e);
}

static void bad_receives(void) {
  struct end a, b;
  pair_open(&a, &b);
  struct ibv_mr *readable = ibv_reg_mr(pd, b.memory, SIZE, IBV_ACCESS_REMOTE_READ);
  MUST(readable);
  receive(&b, 64, readable->lkey);
  MUST(send_request(&a, IBV_WR_SEND, 64, a.mr->lkey, 0, 0) == 0);
  seen("MEM-12", status(b.receives) == IBV_WC_LOC_QP_OP_ERR, "a receive whose memory is not granted completes with LOC_QP_OP_ERR");
  MUST(ibv_dereg_mr(readable) == 0);
  pair_close(&a, &b);

  pair_open(&a, &b);
  receive(&b, 16, b.mr->lkey);
  MUST(send_request(&a, IBV_WR_SEND, 64, a.mr->lkey, 0, 0) == 0);
  seen("MEM-14", status(a.sends) == IBV_WC_REM_OP_ERR, "a message longer than its receive is answered as an error of the responder's own");
  pair_close(&a, &b);

  pair_open(&a, &b);
  receive(&b, 64, b.mr->lkey);
  MUST(ibv_dereg_mr(b.mr) == 0);
  b.mr = NULL;
  MUST(send_request(&a, IBV_WR_SEND, 64, a.mr->lkey, 0, 0) == 0);
  seen("MEM-16", status(b.receives) == IBV_WC_LOC_QP_OP_ERR, "a receive whose memory is gone completes with LOC_QP_OP_ERR");
  pair_close(&a, &b);
}

static void window_bounds(void) {
  struct end a, b;
  pair_open(&a, &b);
  struct ibv_mw *window = ibv_alloc_mw(pd, IBV_MW_TYPE_1);
  MUST(window);
  struct ibv_mw_bind bind = { .send_flags = IBV_SEND_SIGNALED,
    .bind_info = { b.mr, (uintptr_t)b.memory + 4096, 64, IBV_ACCESS_REMOTE_WRITE } };
  MUST(ibv_bind_mw(b.qp, window, &bind) == 0);
  MUST(status(b.sends) == IBV_WC_SUCCESS);
  MUST(send_request(&a, IBV_WR_RDMA_WRITE, 16, a.mr->lkey, (uintptr_t)b.memory, window->rkey) == 0);
  seen("MEM-21", status(a.sends) == IBV_WC_SUCCESS, "the bounds of a window are not looked at, only those of its region");
  MUST(ibv_dealloc_mw(window) == 0);
  pair_close(&a, &b);
}

static void invalidated_key(void) {
  struct end a, b;
  pair_open(&a, &b);
  struct ibv_mw *window = ibv_alloc_mw(pd, IBV_MW_TYPE_2);
  MUST(window);
  struct ibv_send_wr w = { .opcode = IBV_WR_BIND_MW, .send_flags = IBV_SEND_SIGNALED }, *bad;
  w.bind_mw.mw = window;
  w.bind_mw.rkey = ibv_inc_rkey(window->rkey);
  w.bind_mw.bind_info = (struct ibv_mw_bind_info){ b.mr, (uintptr_t)b.memory, 64, IBV_ACCESS_REMOTE_WRITE };
  MUST(ibv_post_send(b.qp, &w, &bad) == 0);
  MUST(status(b.sends) == IBV_WC_SUCCESS);
  receive(&b, 64, b.mr->lkey);
  MUST(send_request(&a, IBV_WR_SEND_WITH_INV, 8, a.mr->lkey, 0, w.bind_mw.rkey) == 0);
  struct ibv_wc c = await(b.receives, 60);
  MUST(c.status == IBV_WC_SUCCESS);
  seen("MEM-25", !(c.wc_flags & IBV_WC_WITH_INV), "the completion of a receive does not name the key that was invalidated");
  MUST(ibv_dealloc_mw(window) == 0);
  pair_close(&a, &b);
}

static struct ibv_srq *shared(uint32_t entries) {
  struct ibv_srq_init_attr a = { .attr = { .max_wr = entries, .max_sge = 1 } };
  struct ibv_srq *srq = ibv_create_srq(pd, &a);
  MUST(srq);
  return srq;
}

static void last_wqe_reached(void) {
  struct ibv_srq *srq = shared(16);
  struct end a, b;
  pair_open(&a, &b);
  MUST(ibv_destroy_qp(b.qp) == 0);
  struct ibv_qp_init_attr with = { .send_cq = b.sends, .recv_cq = b.receives, .srq = srq, .qp_type = IBV_QPT_RC,
    .cap = { .max_send_wr = 16, .max_send_sge = 4 } };
  MUST(b.qp = ibv_create_qp(pd, &with));
  connect_to(&b, &a);
  MUST(to_state(&b, IBV_QPS_ERR) == 0);
  MUST(event_within(60000) == IBV_EVENT_QP_LAST_WQE_REACHED);
  MUST(send_request(&b, IBV_WR_SEND, 0, 0, 0, 0) == 0);
  MUST(send_request(&a, IBV_WR_SEND, 0, 0, 0, 0) == 0);
  int events = 1;
  while (events < 100 && event_within(1000) == IBV_EVENT_QP_LAST_WQE_REACHED) events++;
  seen("SRQ-06", events > 1, "LAST_WQE_REACHED is raised again and again");
  pair_close(&a, &b);
  MUST(ibv_destroy_srq(srq) == 0);
}

static void srq_below_contents(void) {
  struct ibv_srq *srq = shared(16);
  for (int i = 0; i < 10; i++) {
    struct ibv_recv_wr w = { .wr_id = i }, *bad;
    MUST(ibv_post_srq_recv(srq, &w, &bad) == 0);
  }
  struct ibv_srq_attr smaller = { .max_wr = 9 };
  seen("SRQ-08", ibv_modify_srq(srq, &smaller, IBV_SRQ_MAX_WR) == 0,
    "a shared queue that holds ten receives can be made one of nine");
  MUST(ibv_destroy_srq(srq) == 0);
}

static void handle_gone(void) {
  struct end a, b;
  datagram_open(&a);
  datagram_open(&b);
  struct ibv_ah *ah = path_to(gid);
  // Many, so that the kernel is not through with them when the handle goes.
  struct ibv_sge entry = { (uintptr_t)a.memory, 8, a.mr->lkey };
  struct ibv_send_wr w[8], *bad;
  for (int i = 0; i < 8; i++) {
    receive(&b, 128, b.mr->lkey);
    w[i] = (struct ibv_send_wr){ .next = i < 7 ? &w[i + 1] : NULL, .opcode = IBV_WR_SEND, .send_flags = IBV_SEND_SIGNALED,
      .sg_list = &entry, .num_sge = 1 };
    w[i].wr.ud.ah = ah;
    w[i].wr.ud.remote_qpn = b.qp->qp_num;
    w[i].wr.ud.remote_qkey = QKEY;
  }
  MUST(ibv_post_send(a.qp, w, &bad) == 0);
  MUST(ibv_destroy_ah(ah) == 0);
  int arrived = 0;
  while (arrived < 8 && (int)await(b.receives, 2).status == IBV_WC_SUCCESS) arrived++;
  seen("UD-04", arrived < 8, "a datagram whose handle is closed before it is sent does not arrive");
  pair_close(&a, &b);
}

static void privileged_key(void) {
  struct end a, b;
  datagram_open(&a);
  datagram_open(&b);
  struct ibv_ah *ah = path_to(gid);
  receive(&b, 128, b.mr->lkey);
  datagram(&a, ah, a.mr->lkey, b.qp->qp_num, 0x80000000);
  seen("UD-06", (int)await(b.receives, 2).status < 0, "a Q_Key with the top bit set is sent as it is");
  MUST(ibv_destroy_ah(ah) == 0);
  pair_close(&a, &b);
}

static void multicast(void) {
  struct end a, b;
  datagram_open(&a);
  datagram_open(&b);
  union ibv_gid group = { .raw = { [10] = 0xff, 0xff, 239, 0, 0, 77 } };
  MUST(ibv_attach_mcast(b.qp, &group, 0) == 0);
  struct ibv_ah *ah = path_to(group);
  receive(&b, 128, b.mr->lkey);
  datagram(&a, ah, a.mr->lkey, 0xffffff, QKEY);
  seen("UD-08", (int)await(b.receives, 2).status < 0, "a datagram to a group does not come back to its own device");
  MUST(ibv_destroy_ah(ah) == 0);
  MUST(ibv_detach_mcast(b.qp, &group, 0) == 0);
  pair_close(&a, &b);
}

static void error_solicited(void) {
  struct ibv_comp_channel *channel = ibv_create_comp_channel(context);
  MUST(channel);
  struct end a, b;
  pair_open(&a, &b);
  struct ibv_cq *cq = ibv_create_cq(context, 16, NULL, channel, 0);
  MUST(cq);
  struct ibv_qp_init_attr with = { .send_cq = cq, .recv_cq = a.receives, .qp_type = IBV_QPT_RC,
    .cap = { .max_send_wr = 16, .max_recv_wr = 16, .max_send_sge = 4, .max_recv_sge = 4 } };
  struct end c = a;
  MUST(c.qp = ibv_create_qp(pd, &with));
  connect_to(&c, &b);
  MUST(to_state(&c, IBV_QPS_ERR) == 0);
  MUST(ibv_req_notify_cq(cq, 1) == 0);
  MUST(send_request(&c, IBV_WR_SEND, 8, a.mr->lkey, 0, 0) == 0);
  struct pollfd fd = { .fd = channel->fd, .events = POLLIN };
  int announced = poll(&fd, 1, 2000);
  MUST(status(cq) == IBV_WC_WR_FLUSH_ERR);
  seen("EVENT-05", announced == 0, "a failed completion does not count as solicited");
  if (announced == 1) {
    void *of;
    MUST(ibv_get_cq_event(channel, &cq, &of) == 0);
    ibv_ack_cq_events(cq, 1);
  }
  MUST(ibv_destroy_qp(c.qp) == 0);
  MUST(ibv_destroy_cq(cq) == 0);
  MUST(ibv_destroy_comp_channel(channel) == 0);
  pair_close(&a, &b);
}

static void access_error(void) {
  struct end a, b;
  pair_open(&a, &b);
  MUST(send_request(&a, IBV_WR_RDMA_WRITE, 8, a.mr->lkey, (uintptr_t)b.memory, b.mr->rkey ^ 0xff) == 0);
  MUST(status(a.sends) == IBV_WC_REM_ACCESS_ERR);
  seen("EVENT-07", event_within(2000) != IBV_EVENT_QP_ACCESS_ERR, "a responder that refuses for want of rights raises no event");
  pair_close(&a, &b);
}

static void established(void) {
  struct end a, b;
  end_open(&a, IBV_QPT_RC);
  end_open(&b, IBV_QPT_RC);
  connect_to(&a, &b);
  connected_as_far_as_rtr(&b, &a);
  receive(&b, 8, b.mr->lkey);
  MUST(send_request(&a, IBV_WR_SEND, 8, a.mr->lkey, 0, 0) == 0);
  MUST(status(b.receives) == IBV_WC_SUCCESS);
  seen("EVENT-08", event_within(2000) != IBV_EVENT_COMM_EST, "a message that arrives in RTR raises no event");
  pair_close(&a, &b);
}

static void too_many_reads(void) {
  struct end a, b;
  pair_open(&a, &b);
  MUST(to_state(&b, IBV_QPS_RESET) == 0);
  struct ibv_device_attr limits;
  MUST(ibv_query_device(context, &limits) == 0);
  reads_as_responder = limits.max_qp_rd_atom + 1;
  // Ends the program if it is refused.
  connected_as_far_as_rtr(&b, &a);
  reads_as_responder = 4;
  seen("LIMITS-09", 1, "more READs as responder than max_qp_rd_atom are taken");
  pair_close(&a, &b);
}

int main(int count, char **arguments) {
  const char *name = count > 1 ? arguments[1] : "rxe0";
  if (count > 2) gid_index = atoi(arguments[2]);
  int devices;
  struct ibv_device **list = ibv_get_device_list(&devices);
  MUST(list);
  for (int i = 0; i < devices; i++) {
    if (!strcmp(ibv_get_device_name(list[i]), name)) MUST(context = ibv_open_device(list[i]));
  }
  MUST(context);
  MUST(ibv_query_gid(context, 1, gid_index, &gid) == 0);
  MUST(pd = ibv_alloc_pd(context));
  setvbuf(stdout, NULL, _IOLBF, 0);
  pkey_index();
  sends_in_sqd();
  drained_early();
  capabilities();
  receives_in_err();
  stale_completion();
  local_failure();
  datagram_failure();
  bad_receives();
  window_bounds();
  invalidated_key();
  last_wqe_reached();
  srq_below_contents();
  handle_gone();
  privileged_key();
  multicast();
  error_solicited();
  access_error();
  established();
  too_many_reads();
  return 0;
}

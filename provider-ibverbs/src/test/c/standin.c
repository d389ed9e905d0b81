// SPDX-License-Identifier: Apache-2.0
// Stands in for libibverbs and a driver, for verbs that Soft-RoCE lacks: what a call got is kept in a journal that the test reads, and
// what it answers is set by the test. The structures are declared here as verbs.h has them, so that no header is needed.
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct ibv_cq;
struct ibv_qp;

struct ibv_modify_cq_attr {
  uint32_t attr_mask;
  struct {
    uint16_t cq_count;
    uint16_t cq_period;
  } moderate;
};

struct ibv_values_ex {
  uint32_t comp_mask;
  struct {
    uint64_t tv_sec;
    uint64_t tv_nsec;
  } raw_clock;
};

struct ibv_cq_init_attr_ex {
  uint32_t cqe;
  void *cq_context;
  void *channel;
  uint32_t comp_vector;
  uint64_t wc_flags;
  uint32_t comp_mask;
  uint32_t flags;
  void *parent_domain;
};

struct ibv_cq_ex {
  void *context;
  void *channel;
  void *cq_context;
  uint32_t handle;
  int cqe;
  pthread_mutex_t mutex;
  pthread_cond_t cond;
  uint32_t comp_events_completed;
  uint32_t async_events_completed;
  uint32_t comp_mask;
  int status;
  uint64_t wr_id;
  int (*start_poll)(struct ibv_cq_ex *cq, const uint32_t *attributes);
  int (*next_poll)(struct ibv_cq_ex *cq);
  void (*end_poll)(struct ibv_cq_ex *cq);
  int (*read_opcode)(struct ibv_cq_ex *cq);
  uint32_t (*read_vendor_err)(struct ibv_cq_ex *cq);
  uint32_t (*read_byte_len)(struct ibv_cq_ex *cq);
  uint32_t (*read_imm_data)(struct ibv_cq_ex *cq);
  uint32_t (*read_qp_num)(struct ibv_cq_ex *cq);
  uint32_t (*read_src_qp)(struct ibv_cq_ex *cq);
  unsigned (*read_wc_flags)(struct ibv_cq_ex *cq);
  uint32_t (*read_slid)(struct ibv_cq_ex *cq);
  uint8_t (*read_sl)(struct ibv_cq_ex *cq);
  uint8_t (*read_dlid_path_bits)(struct ibv_cq_ex *cq);
  uint64_t (*read_completion_ts)(struct ibv_cq_ex *cq);
};

struct ibv_qp_init_attr_ex {
  void *qp_context;
  void *send_cq;
  void *recv_cq;
  void *srq;
  uint32_t cap[5];
  uint32_t qp_type;
  int sq_sig_all;
  uint32_t comp_mask;
  void *pd;
  void *xrcd;
  uint32_t create_flags;
  uint16_t max_tso_header;
  void *rwq_ind_tbl;
  uint64_t rx_hash_conf[3];
  uint32_t source_qpn;
  uint64_t send_ops_flags;
};

struct ibv_qp {
  void *context;
  void *qp_context;
  void *pd;
  void *send_cq;
  void *recv_cq;
  void *srq;
  uint32_t handle;
  uint32_t qp_num;
  int state;
  int qp_type;
  pthread_mutex_t mutex;
  pthread_cond_t cond;
  uint32_t events_completed;
};

struct ibv_qp_ex {
  struct ibv_qp qp_base;
  uint64_t comp_mask;
  uint64_t wr_id;
  unsigned wr_flags;
  void *unused[17];
  void (*wr_start)(struct ibv_qp_ex *qp);
  int (*wr_complete)(struct ibv_qp_ex *qp);
  void (*wr_abort)(struct ibv_qp_ex *qp);
  void (*wr_atomic_write)(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr, const void *value);
  void (*wr_flush)(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr, size_t len, uint8_t type, uint8_t level);
};

// The upper end of struct verbs_context since rdma-core 22, as far as it is used, with room for a struct ibv_context.
struct context {
  void *query_port;
  void *unused_before[16];
  int (*modify_cq)(struct ibv_cq *cq, struct ibv_modify_cq_attr *attributes);
  void *unused_between[6];
  int (*query_rt_values)(void *context, struct ibv_values_ex *values);
  struct ibv_cq_ex *(*create_cq_ex)(void *context, struct ibv_cq_init_attr_ex *attributes);
  void *priv;
  int (*query_device_ex)(void *context, const void *input, void *attributes, size_t length);
  void *unused_behind[5];
  struct ibv_qp *(*create_qp_ex)(void *context, struct ibv_qp_init_attr_ex *attributes);
  void *unused_last[5];
  size_t sz;
  unsigned char context[1024];
};

struct standin_call {
  uint32_t verb;
  uint32_t arguments[6];
};

enum { MODIFY_CQ = 1, QUERY_DATA_IN_ORDER = 2, QUERY_DEVICE_EX = 3, CREATE_CQ_EX = 4, START_POLL = 5, END_POLL = 6, CREATE_QP_EX = 7,
  ATOMIC_WRITE = 8, FLUSH = 9, REG_DMABUF_MR = 10, SET_ECE = 11, SET_LOCAL_ECE = 12, MOST_CALLS = 16 };

static struct context opened;
static struct standin_call journal[MOST_CALLS];
static int calls;
static int answer;

static void note(uint32_t verb, uint32_t first, uint32_t second, uint32_t third) {
  journal[calls++ % MOST_CALLS] = (struct standin_call){ verb, { first, second, third } };
}

// The same with the further arguments of a request.
static void note_request(uint32_t verb, uint64_t wr_id, unsigned flags, uint32_t rkey, uint64_t remote_addr, uint64_t fifth,
                         uint32_t sixth) {
  journal[calls++ % MOST_CALLS] = (struct standin_call){ verb, { wr_id, flags, rkey, remote_addr, fifth, sixth } };
}

static int modify_cq(struct ibv_cq *cq, struct ibv_modify_cq_attr *attributes) {
  note(MODIFY_CQ, attributes->attr_mask, attributes->moderate.cq_count, attributes->moderate.cq_period);
  return cq == NULL ? 22 : answer;
}

static uint64_t claimed;

// struct ibv_device_attr_ex, as far as it is used, after the 232 bytes of struct ibv_device_attr.
struct attributes_ex {
  unsigned char before[264];
  uint64_t completion_timestamp_mask;
  uint64_t hca_core_clock;
  uint64_t device_cap_flags_ex;
  unsigned char between[80];
  uint16_t max_cq_count;
  uint16_t max_cq_period;
  unsigned char behind[28];
};

static int query_device_ex(void *context, const void *input, void *attributes, size_t length) {
  struct attributes_ex found = { .completion_timestamp_mask = UINT64_C(0xffffffffffff), .hca_core_clock = 156250,
    .device_cap_flags_ex = claimed, .max_cq_count = 0xffff, .max_cq_period = 0xfff };
  note(QUERY_DEVICE_EX, context == opened.context, input != NULL, length);
  memcpy(attributes, &found, length < sizeof found ? length : sizeof found);
  return answer;
}

static int query_rt_values(void *context, struct ibv_values_ex *values) {
  if (values->comp_mask != 1) return 22;
  values->raw_clock.tv_sec = 0;
  values->raw_clock.tv_nsec = 77 + (context != opened.context);
  return answer;
}

// The completions that a test has ordered, and the one that a poll is at: those before it were polled.
enum { MOST_COMPLETIONS = 16 };
static struct completion {
  uint64_t wr_id;
  int status;
  uint64_t timestamp;
} completions[MOST_COMPLETIONS];
static int ordered;
static int polled;
static int is_polling;

static int next_poll(struct ibv_cq_ex *cq) {
  if (polled == ordered) return 2;
  cq->wr_id = completions[polled].wr_id;
  cq->status = completions[polled].status;
  polled++;
  return 0;
}

static int start_poll(struct ibv_cq_ex *cq, const uint32_t *attributes) {
  note(START_POLL, *attributes, is_polling, 0);
  if (answer != 0) return answer;
  is_polling = next_poll(cq) == 0;
  return is_polling ? 0 : 2;
}

static void end_poll(struct ibv_cq_ex *cq) {
  note(END_POLL, cq != NULL, is_polling, 0);
  is_polling = 0;
}

// A member that a failed completion does not have.
static uint32_t of_success(struct ibv_cq_ex *cq, uint32_t value) {
  if (cq->status != 0 || !is_polling) abort();
  return value;
}

static int read_opcode(struct ibv_cq_ex *cq) { return (int) of_success(cq, 128); }
static uint32_t read_vendor_err(struct ibv_cq_ex *cq) { return cq->status == 0 ? 0 : 0x51; }
static uint32_t read_byte_len(struct ibv_cq_ex *cq) { return of_success(cq, 4000000000u); }
static uint32_t read_imm_data(struct ibv_cq_ex *cq) { return of_success(cq, 0x04030201); }
static uint32_t read_qp_num(struct ibv_cq_ex *cq) { return cq->handle + 17; }
static uint32_t read_src_qp(struct ibv_cq_ex *cq) { return of_success(cq, 0x123456); }
static unsigned read_wc_flags(struct ibv_cq_ex *cq) { return of_success(cq, 1 | 2); }
static uint32_t read_slid(struct ibv_cq_ex *cq) { return of_success(cq, 0xfffe); }
static uint8_t read_sl(struct ibv_cq_ex *cq) { return of_success(cq, 15); }
static uint8_t read_dlid_path_bits(struct ibv_cq_ex *cq) { return of_success(cq, 127); }
static uint64_t read_completion_ts(struct ibv_cq_ex *cq) {
  of_success(cq, 0);
  return completions[polled - 1].timestamp;
}

static struct ibv_cq_ex *create_cq_ex(void *context, struct ibv_cq_init_attr_ex *attributes) {
  static struct ibv_cq_ex made;
  note(CREATE_CQ_EX, attributes->cqe, attributes->wc_flags, attributes->comp_mask);
  made = (struct ibv_cq_ex){ .context = context, .channel = attributes->channel, .cqe = attributes->cqe, .start_poll = start_poll,
    .next_poll = next_poll, .end_poll = end_poll, .read_opcode = read_opcode, .read_vendor_err = read_vendor_err,
    .read_byte_len = read_byte_len, .read_imm_data = read_imm_data, .read_qp_num = read_qp_num, .read_src_qp = read_src_qp,
    .read_wc_flags = read_wc_flags, .read_slid = read_slid, .read_sl = read_sl, .read_dlid_path_bits = read_dlid_path_bits,
    .read_completion_ts = read_completion_ts };
  return &made;
}

// Between wr_start and wr_complete; a request outside of it is a fault of the caller.
static int is_building;

static void wr_start(struct ibv_qp_ex *qp) {
  if (is_building++) abort();
}

static int wr_complete(struct ibv_qp_ex *qp) {
  is_building--;
  return answer;
}

static void wr_atomic_write(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr, const void *value) {
  uint64_t bytes;
  if (!is_building) abort();
  memcpy(&bytes, value, sizeof bytes);
  note_request(ATOMIC_WRITE, qp->wr_id, qp->wr_flags, rkey, remote_addr, bytes, bytes >> 32);
}

static void wr_flush(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr, size_t len, uint8_t type, uint8_t level) {
  if (!is_building) abort();
  note_request(FLUSH, qp->wr_id, qp->wr_flags, rkey, remote_addr, len, type << 8 | level);
}

static struct ibv_qp_ex made_qp;

static struct ibv_qp *create_qp_ex(void *context, struct ibv_qp_init_attr_ex *attributes) {
  note(CREATE_QP_EX, attributes->comp_mask, attributes->pd != NULL, attributes->send_ops_flags);
  made_qp = (struct ibv_qp_ex){ .qp_base = { .context = context, .qp_num = 77, .qp_type = attributes->qp_type },
    .wr_start = wr_start, .wr_complete = wr_complete };
  if (attributes->send_ops_flags & 1 << 11) made_qp.wr_flush = wr_flush;
  if (attributes->send_ops_flags & 1 << 12) made_qp.wr_atomic_write = wr_atomic_write;
  return &made_qp.qp_base;
}

struct ibv_qp_ex *ibv_qp_to_qp_ex(struct ibv_qp *qp) { return qp == &made_qp.qp_base ? &made_qp : NULL; }

struct ibv_mr {
  void *context;
  void *pd;
  void *addr;
  size_t length;
  uint32_t handle;
  uint32_t lkey;
  uint32_t rkey;
};

struct ibv_mr *ibv_reg_dmabuf_mr(void *pd, uint64_t offset, size_t length, uint64_t iova, int fd, int access) {
  static struct ibv_mr made = { .lkey = 0x11, .rkey = 0x22 };
  note_request(REG_DMABUF_MR, offset, length, iova >> 32, iova, fd, access);
  if (answer == 0 && fd >= 0) return &made;
  errno = answer == 0 ? EBADF : answer;
  return NULL;
}

struct ibv_ece {
  uint32_t vendor_id;
  uint32_t options;
  uint32_t comp_mask;
};

int ibv_set_ece(struct ibv_qp *qp, struct ibv_ece *ece) {
  note(SET_ECE, ece->vendor_id, ece->options, ece->comp_mask);
  return qp == NULL ? 22 : answer;
}

int ibv_query_ece(struct ibv_qp *qp, struct ibv_ece *ece) {
  *ece = (struct ibv_ece){ .vendor_id = 0x15b3, .options = 0x80000001u };
  return qp == NULL ? 22 : answer;
}

// Those of librdmacm, which answer -1 and errno.
int rdma_set_local_ece(void *id, struct ibv_ece *ece) {
  note(SET_LOCAL_ECE, ece->vendor_id, ece->options, ece->comp_mask);
  errno = answer;
  return answer == 0 ? 0 : -1;
}

int rdma_get_remote_ece(void *id, struct ibv_ece *ece) {
  *ece = (struct ibv_ece){ .vendor_id = 0x15b3, .options = 2 };
  errno = answer;
  return answer == 0 ? 0 : -1;
}

int ibv_query_qp_data_in_order(struct ibv_qp *qp, int opcode, uint32_t flags) {
  note(QUERY_DATA_IN_ORDER, qp != NULL, opcode, flags);
  return answer;
}

// What follows is for the test.

// A struct ibv_context of CONTEXT_SIZE bytes, with or without modify_cq in the table before it.
void *standin_context(size_t context_size, int has_modify_cq) {
  memset(&opened, 0, sizeof opened);
  opened.modify_cq = has_modify_cq ? modify_cq : NULL;
  opened.query_device_ex = query_device_ex;
  opened.query_rt_values = query_rt_values;
  opened.create_cq_ex = create_cq_ex;
  opened.create_qp_ex = create_qp_ex;
  ordered = polled = is_polling = 0;
  opened.sz = offsetof(struct context, context) + context_size;
  return opened.context;
}

void standin_claims(uint64_t flags) { claimed = flags; }

void standin_complete(uint64_t wr_id, int status, uint64_t timestamp) {
  completions[ordered++] = (struct completion){ wr_id, status, timestamp };
}

void standin_answer(int value) { answer = value; }

int standin_calls(void) { return calls; }

uint32_t standin_call(int call, int field) {
  struct standin_call *made = &journal[(unsigned)call % MOST_CALLS];
  return field == 0 ? made->verb : made->arguments[field - 1];
}

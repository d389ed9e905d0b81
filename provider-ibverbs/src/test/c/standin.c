// Stands in for libibverbs and a driver, for verbs that Soft-RoCE lacks: what a call got is kept in a journal that the test reads, and
// what it answers is set by the test. The structures are declared here as verbs.h has them, so that no header is needed.
#include <stddef.h>
#include <stdint.h>
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

// The upper end of struct verbs_context since rdma-core 22, as far as it is used, with room for a struct ibv_context.
struct context {
  void *query_port;
  void *unused_before[16];
  int (*modify_cq)(struct ibv_cq *cq, struct ibv_modify_cq_attr *attributes);
  void *unused_between[9];
  int (*query_device_ex)(void *context, const void *input, void *attributes, size_t length);
  void *unused_behind[11];
  size_t sz;
  unsigned char context[1024];
};

struct standin_call {
  uint32_t verb;
  uint32_t arguments[3];
};

enum { MODIFY_CQ = 1, QUERY_DATA_IN_ORDER = 2, QUERY_DEVICE_EX = 3, MOST_CALLS = 16 };

static struct context opened;
static struct standin_call journal[MOST_CALLS];
static int calls;
static int answer;

static void note(uint32_t verb, uint32_t first, uint32_t second, uint32_t third) {
  journal[calls++ % MOST_CALLS] = (struct standin_call){ verb, { first, second, third } };
}

static int modify_cq(struct ibv_cq *cq, struct ibv_modify_cq_attr *attributes) {
  note(MODIFY_CQ, attributes->attr_mask, attributes->moderate.cq_count, attributes->moderate.cq_period);
  return cq == NULL ? 22 : answer;
}

// struct ibv_device_attr_ex, as far as it is used, after the 232 bytes of struct ibv_device_attr.
struct attributes_ex {
  unsigned char before[264];
  uint64_t completion_timestamp_mask;
  uint64_t hca_core_clock;
  unsigned char between[88];
  uint16_t max_cq_count;
  uint16_t max_cq_period;
  unsigned char behind[28];
};

static int query_device_ex(void *context, const void *input, void *attributes, size_t length) {
  struct attributes_ex found = { .completion_timestamp_mask = UINT64_C(0xffffffffffff), .hca_core_clock = 156250,
    .max_cq_count = 0xffff, .max_cq_period = 0xfff };
  note(QUERY_DEVICE_EX, context == opened.context, input != NULL, length);
  memcpy(attributes, &found, length < sizeof found ? length : sizeof found);
  return answer;
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
  opened.sz = offsetof(struct context, context) + context_size;
  return opened.context;
}

void standin_answer(int value) { answer = value; }

int standin_calls(void) { return calls; }

uint32_t standin_call(int call, int field) {
  struct standin_call *made = &journal[(unsigned)call % MOST_CALLS];
  return field == 0 ? made->verb : made->arguments[field - 1];
}

// SPDX-License-Identifier: Apache-2.0
// The table of transitions and attributes: ibv_modify_qp(3); IBTA volume 1, table 91.
#include "unruly.h"

enum { PKEY = IBV_QP_PKEY_INDEX, PORT = IBV_QP_PORT, QKEY = IBV_QP_QKEY, RIGHTS = IBV_QP_ACCESS_FLAGS, AV = IBV_QP_AV,
  ALT = IBV_QP_ALT_PATH | IBV_QP_PATH_MIG_STATE, CUR = IBV_QP_CUR_STATE, RNR_TIMER = IBV_QP_MIN_RNR_TIMER };

struct attributes {
  int required, optional;
};

static struct attributes to_rtr(enum ibv_qp_type type) {
  int unreliable = AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN;
  switch (type) {
    case IBV_QPT_RC: return (struct attributes){ unreliable | IBV_QP_MAX_DEST_RD_ATOMIC | RNR_TIMER, IBV_QP_ALT_PATH | RIGHTS | PKEY };
    case IBV_QPT_UC: return (struct attributes){ unreliable, IBV_QP_ALT_PATH | RIGHTS | PKEY };
    default: return (struct attributes){ 0, PKEY | QKEY };
  }
}

static struct attributes to_rts(enum ibv_qp_type type, enum ibv_qp_state from) {
  int again = CUR | (type == IBV_QPT_UD ? QKEY : RIGHTS) | (type == IBV_QPT_UD || from == IBV_QPS_SQE ? 0 : ALT)
      | (type == IBV_QPT_RC ? RNR_TIMER : 0);
  int timing = IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC;
  int required = from == IBV_QPS_RTR ? IBV_QP_SQ_PSN | (type == IBV_QPT_RC ? timing : 0) : 0;
  return (struct attributes){ required, again };
}

static struct attributes to_sqd(enum ibv_qp_type type, enum ibv_qp_state from) {
  if (from == IBV_QPS_RTS) {
    return (struct attributes){ 0, IBV_QP_EN_SQD_ASYNC_NOTIFY };
  }
  int connected = AV | ALT | RIGHTS | PKEY;
  int reliable = PORT | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC | IBV_QP_MAX_DEST_RD_ATOMIC
      | RNR_TIMER;
  return (struct attributes){ 0, type == IBV_QPT_UD ? PKEY | QKEY : connected | (type == IBV_QPT_RC ? reliable : 0) };
}

static bool exists(enum ibv_qp_state from, enum ibv_qp_state to) {
  switch (to) {
    case IBV_QPS_RESET: return true;
    case IBV_QPS_INIT: return from == IBV_QPS_RESET || from == IBV_QPS_INIT;
    case IBV_QPS_RTR: return from == IBV_QPS_INIT;
    case IBV_QPS_RTS: return from == IBV_QPS_RTR || from == IBV_QPS_RTS || from == IBV_QPS_SQD || from == IBV_QPS_SQE;
    case IBV_QPS_SQD: return from == IBV_QPS_RTS || from == IBV_QPS_SQD;
    case IBV_QPS_ERR: return from != IBV_QPS_RESET;
    default: return false;
  }
}

// Returns whether a queue pair of a type may change its state with the attributes of a mask.
bool u_transition(enum ibv_qp_type type, enum ibv_qp_state from, enum ibv_qp_state to, int mask) {
  int first = PKEY | PORT | (type == IBV_QPT_UD ? QKEY : RIGHTS);
  struct attributes found = { 0, 0 };
  switch (to) {
    case IBV_QPS_INIT: found = from == IBV_QPS_RESET ? (struct attributes){ first, 0 } : (struct attributes){ 0, first }; break;
    case IBV_QPS_RTR: found = to_rtr(type); break;
    case IBV_QPS_RTS: found = to_rts(type, from); break;
    case IBV_QPS_SQD: found = to_sqd(type, from); break;
    default: break;
  }
  return exists(from, to) && (mask & found.required) == found.required
      && (mask & ~(found.required | found.optional | IBV_QP_STATE)) == 0;
}

// SPDX-License-Identifier: Apache-2.0
// Datagrams, multicast groups, and address handles from completions.
#include <arpa/inet.h>
#include "unruly.h"

struct member {
  union ibv_gid group;
  struct u_qp *qp;
};
static struct member members[MAX_ATTACHED];

static struct member *find(struct u_qp *qp, const union ibv_gid *gid) {
  for (int i = 0; i < MAX_ATTACHED; i++) {
    if (members[i].qp == qp && (qp == NULL || memcmp(&members[i].group, gid, sizeof *gid) == 0)) {
      return &members[i];
    }
  }
  return NULL;
}

int u_attach(struct u_qp *qp, const union ibv_gid *gid, uint16_t lid) {
  bool wrong_lid = u_me->infiniband && (lid < 0xc000 || lid == 0xffff);
  if (!u_me->full || u_me->iwarp || qp->qp.qp_type != IBV_QPT_UD || !u_is_group(gid) || wrong_lid) {
    return EINVAL;
  }
  if (find(qp, gid) != NULL) {
    return 0;
  }
  struct member *place = find(NULL, gid);
  if (place == NULL) {
    return ENOMEM;
  }
  *place = (struct member){ *gid, qp };
  qp->attached++;
  return 0;
}

int u_detach(struct u_qp *qp, const union ibv_gid *gid) {
  struct member *found = find(qp, gid);
  if (found == NULL) {
    return EINVAL;
  }
  found->qp = u_fault(DETACHED_RECEIVES) ? qp : NULL;
  qp->attached--;
  return 0;
}

// A member that the fault DETACHED_RECEIVES kept must not outlive its queue pair, whose memory is unmapped.
void u_forget_memberships(const struct u_qp *qp) {
  for (int i = 0; i < MAX_ATTACHED; i++) {
    if (members[i].qp == qp) {
      members[i].qp = NULL;
    }
  }
}

// Writes the header as RoCE v2 does: the last 20 of the 40 bytes are the IPv4 header, or all are the GRH.
static void header(char *to, const union ibv_gid *from, const struct ibv_ah_attr *path, uint64_t length) {
  memset(to, 0, GRH_BYTES);
  if (u_is_ipv4(from)) {
    uint8_t *ip = (uint8_t *)to + 20;
    ip[0] = 0x45;
    ip[1] = path->grh.traffic_class;
    ip[2] = (length + 20) >> 8;
    ip[3] = length + 20;
    ip[8] = path->grh.hop_limit;
    ip[9] = 17;
    memcpy(ip + 12, &from->raw[12], 4);
    memcpy(ip + 16, &path->grh.dgid.raw[12], 4);
  } else {
    struct ibv_grh *grh = (struct ibv_grh *)to;
    grh->version_tclass_flow = htonl(6u << 28 | (uint32_t)path->grh.traffic_class << 20 | path->grh.flow_label);
    grh->paylen = htons(length);
    grh->next_hdr = 0x1b;
    grh->hop_limit = path->grh.hop_limit;
    grh->sgid = *from;
    grh->dgid = path->grh.dgid;
  }
}

static void receive(struct u_qp *from, struct u_qp *to, const struct u_send *send, const char *message, uint64_t length) {
  uint32_t qkey = send->wr.wr.ud.remote_qkey & 0x80000000 ? from->attr.qkey : send->wr.wr.ud.remote_qkey;
  bool hears = to->qp.qp_type == IBV_QPT_UD && (to->qp.state == IBV_QPS_RTR || to->qp.state == IBV_QPS_RTS
      || to->qp.state == IBV_QPS_SQD || to->qp.state == IBV_QPS_SQE) && (u_fault(QKEY_IGNORED) || to->attr.qkey == qkey);
  struct u_receive into;
  if (!hears || !u_take_receive(to, &into, false) || u_room(&into) < length || !u_scatter(to, &into, message, length)) {
    return;
  }
  bool immediate = send->wr.opcode == IBV_WR_SEND_WITH_IMM;
  struct ibv_wc wc = { .opcode = IBV_WC_RECV, .byte_len = length, .src_qp = from->qp.qp_num,
    .wc_flags = IBV_WC_GRH | (immediate ? IBV_WC_WITH_IMM : 0), .imm_data = immediate ? send->wr.imm_data : 0,
    .sl = send->path.sl, .slid = u_lid(send->path.port_num) };
  u_take_receive(to, &into, true);
  u_receive_done(to, &into, wc, send->wr.send_flags & IBV_SEND_SOLICITED);
}

// Sends a datagram. Returns a status.
int u_send_datagram(struct u_qp *qp, struct u_send *send, const char *bytes, uint64_t length) {
  if (length > 1024) {
    return IBV_WC_LOC_LEN_ERR;
  }
  char *message = malloc(GRH_BYTES + length);
  const union ibv_gid *to = &send->path.grh.dgid;
  header(message, u_gid(send->path.port_num, send->path.grh.sgid_index), &send->path, length);
  memcpy(message + GRH_BYTES, bytes, length);
  if (u_is_group(to)) {
    for (int i = 0; i < MAX_ATTACHED && send->path.dlid == u_group_lid(to); i++) {
      if (members[i].qp != NULL && memcmp(&members[i].group, to, sizeof *to) == 0) {
        receive(qp, members[i].qp, send, message, GRH_BYTES + length);
      }
    }
  } else if (u_reaches(&send->path)) {
    struct u_qp *found = u_find(send->wr.wr.ud.remote_qpn);
    if (found != NULL) {
      receive(qp, found, send, message, GRH_BYTES + length);
    }
  }
  free(message);
  return IBV_WC_SUCCESS;
}

int ibv_init_ah_from_wc(struct ibv_context *context, uint8_t port, struct ibv_wc *wc, struct ibv_grh *grh, struct ibv_ah_attr *attr) {
  (void)context;
  int error = u_enter(__func__);
  if (error == 0 && !(wc->wc_flags & IBV_WC_GRH)) {
    error = EINVAL;
  }
  if (error == 0) {
    union ibv_gid from = grh->sgid, to = grh->dgid;
    const uint8_t *ip = (const uint8_t *)grh + 20;
    if (ntohl(grh->version_tclass_flow) >> 28 != 6) {
      memset(&from, 0, sizeof from);
      from.raw[10] = from.raw[11] = 0xff;
      to = from;
      memcpy(&from.raw[12], ip + 12, 4);
      memcpy(&to.raw[12], ip + 16, 4);
    }
    const struct ibv_gid_entry *own = u_gid_entry(&to);
    memset(attr, 0, sizeof *attr);
    attr->is_global = 1;
    attr->port_num = port;
    attr->sl = wc->sl;
    attr->dlid = wc->slid;
    attr->grh = (struct ibv_global_route){ .dgid = from, .sgid_index = own == NULL ? 0 : own->gid_index, .hop_limit = 0xff };
    error = own == NULL ? EINVAL : 0;
  }
  return u_minus(error);
}

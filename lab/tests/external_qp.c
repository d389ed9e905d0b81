// SPDX-License-Identifier: Apache-2.0
// The end in C of a connection whose other end brings its queue pair up by itself (ExternalQp.java): the id's own queue pair, as
// programs have it.
//
//   external_qp server ADDRESS PORT
//   external_qp client ADDRESS PORT
//
// The server's private data is the address and the key of its memory. The client writes a pattern there, reads it back, and says so by
// a message, which the server answers.
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <rdma/rdma_cma.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MUST(done) do { if (!(done)) { fprintf(stderr, "line %d: %s: %s\n", __LINE__, #done, strerror(errno)); exit(2); } } while (0)
#define BYTES 5000
#define MESSAGE 16

static struct rdma_event_channel *channel;
static struct ibv_mr *region;
static struct ibv_cq *cq;
static unsigned char *memory;

struct grant { uint64_t address; uint32_t rkey; } __attribute__((packed));

static struct rdma_cm_id *expect(enum rdma_cm_event_type type, struct grant *granted) {
  struct rdma_cm_event *event;
  MUST(rdma_get_cm_event(channel, &event) == 0);
  if (event->event != type) {
    fprintf(stderr, "%s came, status %d, where %s was expected\n", rdma_event_str(event->event), event->status, rdma_event_str(type));
    exit(2);
  }
  if (granted) {
    memcpy(granted, event->param.conn.private_data, sizeof *granted);
  }
  struct rdma_cm_id *id = event->id;
  MUST(rdma_ack_cm_event(event) == 0);
  return id;
}

static void queue_pair(struct rdma_cm_id *id) {
  struct ibv_pd *pd = ibv_alloc_pd(id->verbs);
  MUST(pd);
  MUST(cq = ibv_create_cq(id->verbs, 16, NULL, NULL, 0));
  MUST(memory = calloc(2, BYTES));
  MUST(region = ibv_reg_mr(pd, memory, 2 * BYTES, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ));
  struct ibv_qp_init_attr a = { .send_cq = cq, .recv_cq = cq, .qp_type = IBV_QPT_RC, .cap = { 4, 4, 1, 1, 0 }, .sq_sig_all = 1 };
  MUST(rdma_create_qp(id, pd, &a) == 0);
  struct ibv_sge entry = { (uintptr_t)memory + BYTES, MESSAGE, region->lkey };
  struct ibv_recv_wr receive = { .sg_list = &entry, .num_sge = 1 }, *bad;
  MUST(ibv_post_recv(id->qp, &receive, &bad) == 0);
}

static void complete(enum ibv_wc_opcode opcode) {
  struct ibv_wc completion;
  int taken;
  while ((taken = ibv_poll_cq(cq, 1, &completion)) == 0) {
    usleep(1000);
  }
  MUST(taken == 1);
  if (completion.status != IBV_WC_SUCCESS || completion.opcode != opcode) {
    fprintf(stderr, "opcode %d ended with %s, opcode %d was expected\n", completion.opcode, ibv_wc_status_str(completion.status), opcode);
    exit(2);
  }
}

static void post(struct rdma_cm_id *id, enum ibv_wr_opcode opcode, size_t offset, size_t length, struct grant to) {
  struct ibv_sge entry = { (uintptr_t)memory + offset, length, region->lkey };
  struct ibv_send_wr send = { .sg_list = &entry, .num_sge = 1, .opcode = opcode }, *bad;
  send.wr.rdma.remote_addr = be64toh(to.address);
  send.wr.rdma.rkey = be32toh(to.rkey);
  MUST(ibv_post_send(id->qp, &send, &bad) == 0);
}

static void message(struct rdma_cm_id *id, const char *text) {
  memset(memory, 0, MESSAGE);
  strcpy((char *)memory, text);
  post(id, IBV_WR_SEND, 0, MESSAGE, (struct grant){0});
  complete(IBV_WC_SEND);
}

static int is_pattern(size_t offset) {
  for (size_t i = 0; i < BYTES; i++) {
    if (memory[offset + i] != (unsigned char)(7 * i + 1)) {
      return 0;
    }
  }
  return 1;
}

static void serve(struct sockaddr_in *address) {
  struct rdma_cm_id *listener;
  MUST(rdma_create_id(channel, &listener, NULL, RDMA_PS_TCP) == 0);
  MUST(rdma_bind_addr(listener, (struct sockaddr *)address) == 0);
  MUST(rdma_listen(listener, 4) == 0);
  struct rdma_cm_id *id = expect(RDMA_CM_EVENT_CONNECT_REQUEST, NULL);
  queue_pair(id);
  struct grant grant = { htobe64((uintptr_t)memory), htobe32(region->rkey) };
  struct rdma_conn_param wish = { .responder_resources = 2, .initiator_depth = 2, .rnr_retry_count = 7,
    .private_data = &grant, .private_data_len = sizeof grant };
  MUST(rdma_accept(id, &wish) == 0);
  expect(RDMA_CM_EVENT_ESTABLISHED, NULL);
  complete(IBV_WC_RECV);
  MUST(strcmp((char *)memory + BYTES, "written") == 0);
  MUST(is_pattern(0));
  message(id, "seen");
  expect(RDMA_CM_EVENT_DISCONNECTED, NULL);
  MUST(rdma_disconnect(id) == 0);
}

static void ask(struct sockaddr_in *address) {
  struct rdma_cm_id *id;
  MUST(rdma_create_id(channel, &id, NULL, RDMA_PS_TCP) == 0);
  MUST(rdma_resolve_addr(id, NULL, (struct sockaddr *)address, 60000) == 0);
  expect(RDMA_CM_EVENT_ADDR_RESOLVED, NULL);
  MUST(rdma_resolve_route(id, 60000) == 0);
  expect(RDMA_CM_EVENT_ROUTE_RESOLVED, NULL);
  queue_pair(id);
  struct rdma_conn_param wish = { .responder_resources = 2, .initiator_depth = 2, .retry_count = 7, .rnr_retry_count = 7 };
  MUST(rdma_connect(id, &wish) == 0);
  struct grant grant;
  expect(RDMA_CM_EVENT_ESTABLISHED, &grant);
  for (size_t i = 0; i < BYTES; i++) {
    memory[i] = 7 * i + 1;
  }
  post(id, IBV_WR_RDMA_WRITE, 0, BYTES, grant);
  complete(IBV_WC_RDMA_WRITE);
  memset(memory, 0, BYTES);
  post(id, IBV_WR_RDMA_READ, 0, BYTES, grant);
  complete(IBV_WC_RDMA_READ);
  MUST(is_pattern(0));
  message(id, "written");
  complete(IBV_WC_RECV);
  MUST(strcmp((char *)memory + BYTES, "seen") == 0);
  MUST(rdma_disconnect(id) == 0);
}

int main(int count, char **arguments) {
  struct sockaddr_in address = { .sin_family = AF_INET };
  MUST(count == 4 && inet_pton(AF_INET, arguments[2], &address.sin_addr) == 1);
  address.sin_port = htons(atoi(arguments[3]));
  MUST(channel = rdma_create_event_channel());
  if (strcmp(arguments[1], "server") == 0) {
    serve(&address);
  } else {
    ask(&address);
  }
  puts("every byte is right");
  return 0;
}

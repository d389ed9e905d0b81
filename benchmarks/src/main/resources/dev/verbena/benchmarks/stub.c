// SPDX-License-Identifier: Apache-2.0
/*
 * Two devices without hardware: the functions of libibverbs as far as posting and polling need them. As a library this stands in for
 * libibverbs.so.1; with -DMEASURE it is the program that goes the same way by the header's own inline functions.
 *
 * stub0 does what the user-space half of a card's driver does: it lays each request out as an entry of 64 bytes in the card's byte
 * order, writes the doorbell record and rings, and makes a struct ibv_wc of an entry that a card would have written. The card itself
 * is card_rung(), which only completes. Left out are the drivers' locks, and the instruction by which x86 flushes stores to a register
 * that combines them, as there is no such register: a real driver takes longer.
 * bare0 does nothing but hand wr_id over: what is measured with it is the way to the table of operations.
 *
 * cc -O2 -shared -fPIC -Wl,-soname,libibverbs.so.1 -o libibverbs.so.1 stub.c
 * cc -O2 -DMEASURE -o measure stub.c && ./measure LIST OPERATIONS DEVICE
 */
#include <endian.h>
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#undef ibv_query_port
#undef ibv_reg_mr

#define SLOTS 64
#define MAX_SGE 2

/* ---- stub0 ---- */

struct control {
    __be32 index_opcode;
    __be32 qpn_size; /* the size in units of 16 bytes */
    __be32 flags;
    __be32 immediate;
};

struct remote {
    __be64 address;
    __be32 key;
    __be32 reserved;
};

struct data {
    __be32 length;
    __be32 key;
    __be64 address;
};

/* Control, then the remote address if the opcode has one, then the data. */
struct send_entry {
    struct control control;
    union {
        struct remote remote;
        struct data data;
    } rest[1 + MAX_SGE];
};

/* By the card; as long as those of real ones. What valid is changes with each round of the ring. */
struct completion_entry {
    uint8_t reserved[44];
    __be32 byte_count;
    __be32 qpn;
    __be16 index;
    uint8_t syndrome;
    uint8_t opcode;
    uint8_t padding[7];
    _Atomic uint8_t valid;
};

_Static_assert(sizeof(struct send_entry) == 64, "an entry of the send queue is 64 bytes");
_Static_assert(sizeof(struct completion_entry) == 64, "an entry of the completion queue is 64 bytes");

struct queue_pair {
    struct ibv_qp verbs;
    unsigned head, tail, done_by_card;
    _Atomic __be32 doorbell_record;
    _Atomic uint64_t card_register;
    uint64_t ids[SLOTS];
    struct send_entry entries[SLOTS] __attribute__((aligned(64)));
};

struct completion_queue {
    struct ibv_cq verbs;
    struct queue_pair *last_found;
    unsigned consumer, producer;
    int overrun;
    _Atomic __be32 doorbell_record;
    struct completion_entry entries[SLOTS] __attribute__((aligned(64)));
};

#define QPNS 16
static struct queue_pair *queue_pairs[QPNS];

static uint8_t valid_in_round(unsigned index) { return 1 + (index / SLOTS & 1); }

/* What a card would do: completes what it finds, where that is asked for. */
static inline void card_rung(struct queue_pair *qp)
{
    struct completion_queue *cq = (struct completion_queue *) qp->verbs.send_cq;
    for (; qp->done_by_card != qp->head; qp->done_by_card++) {
        const struct control *control = &qp->entries[qp->done_by_card % SLOTS].control;
        if (!(be32toh(control->flags) & IBV_SEND_SIGNALED))
            continue;
        if (cq->producer - cq->consumer == SLOTS) {
            cq->overrun = 1;
            return;
        }
        struct completion_entry *entry = &cq->entries[cq->producer % SLOTS];
        entry->byte_count = 0;
        entry->qpn = htobe32(qp->verbs.qp_num);
        entry->index = htobe16(qp->done_by_card);
        entry->syndrome = 0;
        entry->opcode = be32toh(control->index_opcode) & 0xff;
        atomic_store_explicit(&entry->valid, valid_in_round(cq->producer++), memory_order_release);
    }
}

static int lay_out(struct queue_pair *qp, const struct ibv_send_wr *wr)
{
    struct send_entry *entry = &qp->entries[qp->head % SLOTS];
    __be32 immediate = 0;
    unsigned next = 0;
    if (qp->head - qp->tail == SLOTS)
        return ENOMEM;
    if (wr->num_sge < 0 || wr->num_sge > MAX_SGE || wr->send_flags & IBV_SEND_INLINE)
        return EINVAL;
    switch (wr->opcode) {
    case IBV_WR_RDMA_WRITE_WITH_IMM:
        immediate = wr->imm_data;
        /* fall through */
    case IBV_WR_RDMA_WRITE:
    case IBV_WR_RDMA_READ:
        entry->rest[next].remote.address = htobe64(wr->wr.rdma.remote_addr);
        entry->rest[next].remote.key = htobe32(wr->wr.rdma.rkey);
        entry->rest[next++].remote.reserved = 0;
        break;
    case IBV_WR_SEND_WITH_IMM:
        immediate = wr->imm_data;
        break;
    case IBV_WR_SEND:
        break;
    default:
        return EINVAL;
    }
    for (int i = 0; i < wr->num_sge; i++) {
        const struct ibv_sge *sge = &wr->sg_list[i];
        if (!sge->length)
            continue;
        entry->rest[next].data.length = htobe32(sge->length);
        entry->rest[next].data.key = htobe32(sge->lkey);
        entry->rest[next++].data.address = htobe64(sge->addr);
    }
    entry->control.index_opcode = htobe32((qp->head & 0xffff) << 8 | wr->opcode);
    entry->control.qpn_size = htobe32(qp->verbs.qp_num << 8 | (1 + next));
    entry->control.flags = htobe32(wr->send_flags);
    entry->control.immediate = immediate;
    qp->ids[qp->head++ % SLOTS] = wr->wr_id;
    return 0;
}

static __attribute__((noinline)) int post_send(struct ibv_qp *to, struct ibv_send_wr *wr, struct ibv_send_wr **bad)
{
    struct queue_pair *qp = (struct queue_pair *) to;
    unsigned before = qp->head;
    int refused = 0;
    for (; wr; wr = wr->next) {
        refused = lay_out(qp, wr);
        if (refused) {
            *bad = wr;
            break;
        }
    }
    if (qp->head != before) {
        uint64_t first_words;
        memcpy(&first_words, &qp->entries[(qp->head - 1) % SLOTS].control, sizeof first_words);
        atomic_store_explicit(&qp->doorbell_record, htobe32(qp->head & 0xffff), memory_order_release);
        atomic_store_explicit(&qp->card_register, first_words, memory_order_release);
        card_rung(qp);
    }
    return refused;
}

static struct queue_pair *find(struct completion_queue *cq, uint32_t qpn)
{
    if (!cq->last_found || cq->last_found->verbs.qp_num != qpn)
        cq->last_found = queue_pairs[qpn % QPNS];
    return cq->last_found;
}

static enum ibv_wc_opcode completed(uint8_t opcode)
{
    switch (opcode) {
    case IBV_WR_RDMA_WRITE:
    case IBV_WR_RDMA_WRITE_WITH_IMM:
        return IBV_WC_RDMA_WRITE;
    case IBV_WR_RDMA_READ:
        return IBV_WC_RDMA_READ;
    default:
        return IBV_WC_SEND;
    }
}

static __attribute__((noinline)) int poll_cq(struct ibv_cq *of, int count, struct ibv_wc *wc)
{
    struct completion_queue *cq = (struct completion_queue *) of;
    int found = 0;
    if (cq->overrun)
        return -1;
    for (; found < count; found++, wc++) {
        struct completion_entry *entry = &cq->entries[cq->consumer % SLOTS];
        if (atomic_load_explicit(&entry->valid, memory_order_acquire) != valid_in_round(cq->consumer))
            break;
        struct queue_pair *qp = find(cq, be32toh(entry->qpn));
        uint16_t index = be16toh(entry->index);
        wc->wr_id = qp->ids[index % SLOTS];
        wc->status = entry->syndrome ? IBV_WC_GENERAL_ERR : IBV_WC_SUCCESS;
        wc->opcode = completed(entry->opcode);
        wc->vendor_err = entry->syndrome;
        wc->byte_len = be32toh(entry->byte_count);
        wc->imm_data = 0;
        wc->qp_num = qp->verbs.qp_num;
        wc->src_qp = 0;
        wc->wc_flags = 0;
        wc->pkey_index = 0;
        wc->slid = 0;
        wc->sl = 0;
        wc->dlid_path_bits = 0;
        /* Also what came before without asking to be completed is done. */
        qp->tail += (uint16_t) (index - qp->tail) + 1;
        cq->consumer++;
    }
    if (found)
        atomic_store_explicit(&cq->doorbell_record, htobe32(cq->consumer & 0xffffff), memory_order_release);
    return found;
}

/* ---- bare0 ---- */

static uint64_t pending[SLOTS];
static unsigned oldest, next_slot;

static __attribute__((noinline)) int bare_post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad)
{
    for (; wr; wr = wr->next) {
        if (next_slot - oldest == SLOTS) {
            *bad = wr;
            return ENOMEM;
        }
        pending[next_slot++ % SLOTS] = wr->wr_id;
    }
    return 0;
}

static __attribute__((noinline)) int bare_poll_cq(struct ibv_cq *cq, int count, struct ibv_wc *wc)
{
    int found = 0;
    for (; found < count && oldest != next_slot; found++) {
        wc[found].wr_id = pending[oldest++ % SLOTS];
        wc[found].status = IBV_WC_SUCCESS;
        wc[found].opcode = IBV_WC_SEND;
    }
    return found;
}

/* ---- the way to both ---- */

static struct ibv_device devices[] = {
    {.node_type = IBV_NODE_CA, .transport_type = IBV_TRANSPORT_IB, .name = "stub0"},
    {.node_type = IBV_NODE_CA, .transport_type = IBV_TRANSPORT_IB, .name = "bare0"},
};
#define DEVICES (int) (sizeof devices / sizeof devices[0])

struct ibv_device **ibv_get_device_list(int *count)
{
    struct ibv_device **list = calloc(DEVICES + 1, sizeof *list);
    for (int i = 0; i < DEVICES; i++)
        list[i] = &devices[i];
    if (count)
        *count = DEVICES;
    return list;
}

void ibv_free_device_list(struct ibv_device **list) { free(list); }

const char *ibv_get_device_name(struct ibv_device *of) { return of->name; }

__be64 ibv_get_device_guid(struct ibv_device *of) { return 0; }

int ibv_fork_init(void) { return 0; }

struct ibv_context *ibv_open_device(struct ibv_device *of)
{
    struct ibv_context *context = calloc(1, sizeof *context);
    int events[2];
    if (pipe(events))
        return NULL;
    context->device = of;
    context->async_fd = events[0];
    context->num_comp_vectors = 1;
    context->ops.post_send = of == devices ? post_send : bare_post_send;
    context->ops.poll_cq = of == devices ? poll_cq : bare_poll_cq;
    return context;
}

int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attributes)
{
    memset(attributes, 0, sizeof *attributes);
    attributes->max_qp_wr = attributes->max_cqe = SLOTS;
    attributes->max_sge = attributes->max_sge_rd = MAX_SGE;
    attributes->phys_port_cnt = 1;
    return 0;
}

int ibv_query_port(struct ibv_context *context, uint8_t port, struct _compat_ibv_port_attr *old)
{
    struct ibv_port_attr *attributes = (struct ibv_port_attr *) old;
    attributes->state = IBV_PORT_ACTIVE;
    attributes->max_msg_sz = 1 << 30;
    return 0;
}

struct ibv_pd *ibv_alloc_pd(struct ibv_context *context)
{
    struct ibv_pd *pd = calloc(1, sizeof *pd);
    pd->context = context;
    return pd;
}

int ibv_dealloc_pd(struct ibv_pd *pd) { return 0; }

struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *address, size_t length, int access)
{
    struct ibv_mr *mr = calloc(1, sizeof *mr);
    mr->addr = address;
    mr->length = length;
    mr->lkey = mr->rkey = 1;
    return mr;
}

int ibv_dereg_mr(struct ibv_mr *mr) { return 0; }

struct ibv_cq *ibv_create_cq(struct ibv_context *context, int cqe, void *owner, struct ibv_comp_channel *channel, int vector)
{
    struct completion_queue *cq = aligned_alloc(64, sizeof *cq);
    memset(cq, 0, sizeof *cq);
    cq->verbs.context = context;
    cq->verbs.cqe = cqe;
    return &cq->verbs;
}

struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attributes)
{
    unsigned number = 0;
    while (number < QPNS && queue_pairs[number])
        number++;
    if (number == QPNS) {
        errno = ENOMEM;
        return NULL;
    }
    struct queue_pair *qp = aligned_alloc(64, sizeof *qp);
    memset(qp, 0, sizeof *qp);
    qp->verbs.context = pd->context;
    qp->verbs.send_cq = attributes->send_cq;
    qp->verbs.qp_num = number;
    queue_pairs[number] = qp;
    return &qp->verbs;
}

/* The provider makes queue pairs to find out what the device can do, and destroys them. */
int ibv_destroy_qp(struct ibv_qp *qp)
{
    queue_pairs[qp->qp_num] = NULL;
    free(qp);
    return 0;
}

int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attributes, int mask) { return 0; }

int ibv_query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attributes, int mask, struct ibv_qp_init_attr *initial)
{
    attributes->qp_state = IBV_QPS_RTS;
    return 0;
}

/* The rest is there to be found, and refuses. */
int stub_refuses(void) { return EOPNOTSUPP; }

#define REFUSED(name) __asm__(".globl " #name "\n.set " #name ", stub_refuses\n")
REFUSED(ibv_close_device);
REFUSED(_ibv_query_gid_table);
REFUSED(ibv_query_pkey);
REFUSED(ibv_get_async_event);
REFUSED(ibv_ack_async_event);
REFUSED(ibv_reg_mr_iova);
REFUSED(ibv_reg_mr_iova2);
REFUSED(ibv_rereg_mr);
REFUSED(ibv_create_comp_channel);
REFUSED(ibv_destroy_comp_channel);
REFUSED(ibv_resize_cq);
REFUSED(ibv_destroy_cq);
REFUSED(ibv_get_cq_event);
REFUSED(ibv_ack_cq_events);
REFUSED(ibv_attach_mcast);
REFUSED(ibv_detach_mcast);
REFUSED(ibv_create_srq);
REFUSED(ibv_modify_srq);
REFUSED(ibv_query_srq);
REFUSED(ibv_destroy_srq);
REFUSED(ibv_create_ah);
REFUSED(ibv_destroy_ah);
REFUSED(ibv_init_ah_from_wc);

#ifdef MEASURE
/* Of this thread alone, so that others on the machine do not count. */
static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
    int list = atoi(argv[1]);
    long operations = atol(argv[2]);
    struct ibv_device *device = devices;
    while (strcmp(device->name, argv[3]))
        if (++device == devices + DEVICES)
            return 3;
    struct ibv_context *context = ibv_open_device(device);
    struct ibv_cq *cq = ibv_create_cq(context, SLOTS, NULL, NULL, 0);
    struct ibv_qp_init_attr initial = {.send_cq = cq, .recv_cq = cq, .qp_type = IBV_QPT_RC};
    struct ibv_qp *qp = ibv_create_qp(ibv_alloc_pd(context), &initial);
    static char bytes[64];
    struct ibv_sge entries[SLOTS] = {{0}};
    struct ibv_send_wr requests[SLOTS] = {{0}}, *bad;
    struct ibv_wc completions[SLOTS];
    for (int i = 0; i < list; i++) {
        entries[i] = (struct ibv_sge) {.addr = (uintptr_t) bytes, .length = sizeof bytes, .lkey = 1};
        requests[i].wr_id = i;
        requests[i].sg_list = &entries[i];
        requests[i].num_sge = 1;
        requests[i].opcode = IBV_WR_SEND;
        requests[i].send_flags = IBV_SEND_SIGNALED;
        requests[i].next = i + 1 < list ? &requests[i + 1] : NULL;
    }
    double begin = seconds();
    for (long i = 0; i < operations; i++) {
        if (ibv_post_send(qp, requests, &bad) || ibv_poll_cq(cq, list, completions) != list)
            return 1;
        for (int c = 0; c < list; c++)
            if (completions[c].status != IBV_WC_SUCCESS)
                return 2;
    }
    printf("%.3f\n", (seconds() - begin) * 1e9 / operations);
    return 0;
}
#endif

/*
 * A device without hardware: the functions of libibverbs as far as posting and polling need them, so that only the way to the
 * table of operations is measured. As a library it stands in for libibverbs.so.1; with -DMEASURE it is the program that goes the
 * same way by the header's own inline functions.
 *
 * cc -O2 -shared -fPIC -Wl,-soname,libibverbs.so.1 -o libibverbs.so.1 stub.c
 * cc -O2 -DMEASURE -o measure stub.c && ./measure LIST OPERATIONS
 */
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#undef ibv_query_port
#undef ibv_reg_mr

#define SLOTS 64

static uint64_t pending[SLOTS];
static unsigned oldest, next_slot;

static __attribute__((noinline)) int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad)
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

static __attribute__((noinline)) int poll_cq(struct ibv_cq *cq, int count, struct ibv_wc *wc)
{
    int found = 0;
    for (; found < count && oldest != next_slot; found++) {
        wc[found].wr_id = pending[oldest++ % SLOTS];
        wc[found].status = IBV_WC_SUCCESS;
        wc[found].opcode = IBV_WC_SEND;
    }
    return found;
}

static struct ibv_device device = {.node_type = IBV_NODE_CA, .transport_type = IBV_TRANSPORT_IB, .name = "stub0"};

struct ibv_device **ibv_get_device_list(int *count)
{
    struct ibv_device **list = calloc(2, sizeof *list);
    list[0] = &device;
    if (count)
        *count = 1;
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
    context->ops.post_send = post_send;
    context->ops.poll_cq = poll_cq;
    return context;
}

int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attributes)
{
    memset(attributes, 0, sizeof *attributes);
    attributes->max_qp_wr = attributes->max_cqe = SLOTS;
    attributes->max_sge = attributes->max_sge_rd = 4;
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
    struct ibv_cq *cq = calloc(1, sizeof *cq);
    cq->context = context;
    cq->cqe = cqe;
    return cq;
}

struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attributes)
{
    struct ibv_qp *qp = calloc(1, sizeof *qp);
    qp->context = pd->context;
    qp->qp_num = 1;
    return qp;
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
REFUSED(ibv_destroy_qp);
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
    struct ibv_device **all = ibv_get_device_list(NULL);
    struct ibv_context *context = ibv_open_device(all[0]);
    struct ibv_cq *cq = ibv_create_cq(context, SLOTS, NULL, NULL, 0);
    struct ibv_qp_init_attr initial = {.send_cq = cq, .recv_cq = cq, .qp_type = IBV_QPT_RC};
    struct ibv_qp *qp = ibv_create_qp(ibv_alloc_pd(context), &initial);
    struct ibv_sge entries[SLOTS] = {{0}};
    struct ibv_send_wr requests[SLOTS] = {{0}}, *bad;
    struct ibv_wc completions[SLOTS];
    for (int i = 0; i < list; i++) {
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

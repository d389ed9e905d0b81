// SPDX-License-Identifier: Apache-2.0
/*
 * What UDP over loopback can do at most, for the figures of dev.verbena.benchmarks.UdpSpeed to be held against. The sockets are
 * bound and not connected, may not fragment, and do not block; two threads spin.
 *
 *   cc -O3 -pthread -o udp udp.c
 *   udp pp BYTES ROUNDS             half of the round trip, median, microseconds
 *   udp gso|mmsg|plain BYTES MILLIS one way in datagrams of BYTES: GB/s, and million datagrams a second
 *
 * gso: UDP_SEGMENT and UDP_GRO. mmsg: sendmmsg and recvmmsg of 32. plain: sendto and recvfrom. The sender is never more than
 * 512 KiB or 256 datagrams ahead of the receiver, and so none is lost.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif
#ifndef UDP_GRO
#define UDP_GRO 104
#endif
#define BATCH 32
#define MOST_SEGMENTS 64
#define MOST_BYTES 65507
#define WINDOW_BYTES (512L << 10)
#define WINDOW_DATAGRAMS 256L

static int left, right;
static struct sockaddr_in left_address, right_address;
static size_t bytes;
static long rounds;
static _Atomic int done;
static _Alignas(64) _Atomic long received;

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static int open_socket(struct sockaddr_in *address)
{
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    int never_fragment = IP_PMTUDISC_DO, room = 4 << 20;
    socklen_t length = sizeof *address;
    memset(address, 0, sizeof *address);
    address->sin_family = AF_INET;
    address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0 || bind(fd, (struct sockaddr *) address, length) < 0
        || getsockname(fd, (struct sockaddr *) address, &length) < 0)
        fail("bind");
    setsockopt(fd, IPPROTO_IP, IP_MTU_DISCOVER, &never_fragment, sizeof never_fragment);
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    return fd;
}

static void send_one(int fd, const void *data, size_t length, const struct sockaddr_in *to)
{
    if (sendto(fd, data, length, 0, (const struct sockaddr *) to, sizeof *to) < 0)
        fail("sendto");
}

static void receive_one(int fd, void *data)
{
    struct sockaddr_in from;
    socklen_t length = sizeof from;
    while (recvfrom(fd, data, MOST_BYTES, MSG_DONTWAIT, (struct sockaddr *) &from, &length) < 0)
        ;
}

static void *answer(void *unused)
{
    char *data = calloc(1, MOST_BYTES);
    for (long i = 0; i < rounds; i++) {
        receive_one(right, data);
        send_one(right, data, bytes, &left_address);
    }
    free(data);
    return unused;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *) a, y = *(const double *) b;
    return (x > y) - (x < y);
}

static void ping_pong(void)
{
    pthread_t other;
    char *data = calloc(1, MOST_BYTES);
    double *times = calloc(rounds, sizeof *times);
    pthread_create(&other, NULL, answer, NULL);
    for (long i = 0; i < rounds; i++) {
        double begin = seconds();
        send_one(left, data, bytes, &right_address);
        receive_one(left, data);
        times[i] = seconds() - begin;
    }
    pthread_join(other, NULL);
    qsort(times, rounds, sizeof *times, compare);
    printf("c_udp_pingpong_half_rtt %.3f us\n", times[rounds / 2] / 2 * 1e6);
    free(times);
    free(data);
}

static void *take_merged(void *unused)
{
    char *data = malloc(1 << 16), control[64];
    int on = 1;
    if (setsockopt(right, IPPROTO_UDP, UDP_GRO, &on, sizeof on) < 0)
        fail("UDP_GRO");
    while (!done) {
        struct iovec piece = {data, 1 << 16};
        struct sockaddr_in from;
        struct msghdr message = {&from, sizeof from, &piece, 1, control, sizeof control, 0};
        ssize_t taken = recvmsg(right, &message, MSG_DONTWAIT);
        if (taken > 0)
            received += (taken + bytes - 1) / bytes;
    }
    free(data);
    return unused;
}

static void *take_many(void *unused)
{
    struct mmsghdr messages[BATCH];
    struct iovec pieces[BATCH];
    struct sockaddr_in from[BATCH];
    char *data = malloc(BATCH * bytes);
    memset(messages, 0, sizeof messages);
    while (!done) {
        for (int i = 0; i < BATCH; i++) {
            pieces[i] = (struct iovec) {data + i * bytes, bytes};
            messages[i].msg_hdr = (struct msghdr) {&from[i], sizeof from[i], &pieces[i], 1, NULL, 0, 0};
        }
        int taken = recvmmsg(right, messages, BATCH, MSG_DONTWAIT, NULL);
        if (taken > 0)
            received += taken;
    }
    free(data);
    return unused;
}

static void *take_one(void *unused)
{
    char *data = malloc(MOST_BYTES);
    struct sockaddr_in from;
    while (!done) {
        socklen_t length = sizeof from;
        if (recvfrom(right, data, MOST_BYTES, MSG_DONTWAIT, (struct sockaddr *) &from, &length) >= 0)
            received++;
    }
    free(data);
    return unused;
}

static long send_merged(const char *data)
{
    long count = MOST_BYTES / bytes < MOST_SEGMENTS ? MOST_BYTES / bytes : MOST_SEGMENTS;
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(uint16_t))] = {0};
    struct iovec piece = {(char *) data, count * bytes};
    struct msghdr message = {&right_address, sizeof right_address, &piece, 1, control, sizeof control, 0};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = IPPROTO_UDP;
    header->cmsg_type = UDP_SEGMENT;
    header->cmsg_len = CMSG_LEN(sizeof(uint16_t));
    *(uint16_t *) CMSG_DATA(header) = bytes;
    if (sendmsg(left, &message, 0) < 0)
        fail("sendmsg");
    return count;
}

static long send_many(const char *data)
{
    struct mmsghdr messages[BATCH];
    struct iovec piece = {(char *) data, bytes};
    memset(messages, 0, sizeof messages);
    for (int i = 0; i < BATCH; i++)
        messages[i].msg_hdr = (struct msghdr) {&right_address, sizeof right_address, &piece, 1, NULL, 0, 0};
    int count = sendmmsg(left, messages, BATCH, 0);
    if (count < 0)
        fail("sendmmsg");
    return count;
}

static long send_plain(const char *data)
{
    send_one(left, data, bytes, &right_address);
    return 1;
}

static void one_way(const char *mode, long millis)
{
    int merged = !strcmp(mode, "gso"), many = !strcmp(mode, "mmsg");
    long (*send)(const char *) = merged ? send_merged : many ? send_many : send_plain;
    long ahead = WINDOW_BYTES / bytes < WINDOW_DATAGRAMS ? WINDOW_BYTES / bytes : WINDOW_DATAGRAMS;
    char *data = calloc(1, MOST_BYTES);
    pthread_t other;
    pthread_create(&other, NULL, merged ? take_merged : many ? take_many : take_one, NULL);
    long sent = 0, at_begin = 0;
    double begin = seconds(), warm = begin + millis / 4e3, end = begin + millis * 1.25e-3, now = begin;
    while (now < end) {
        if (!at_begin && now >= warm) {
            at_begin = received;
            begin = now;
        }
        sent += send(data);
        while (sent - received > ahead)
            if (seconds() > end + 10) {
                fprintf(stderr, "datagrams were lost\n");
                exit(1);
            }
        now = seconds();
    }
    double rate = (received - at_begin) / (now - begin);
    done = 1;
    pthread_join(other, NULL);
    printf("c_udp_%s_%zu %.3f GB/s %.3f M/s\n", mode, bytes, rate * bytes / 1e9, rate / 1e6);
    free(data);
}

int main(int count, char **arguments)
{
    if (count != 4) {
        fprintf(stderr, "usage: udp pp BYTES ROUNDS | udp gso|mmsg|plain BYTES MILLIS\n");
        return 2;
    }
    bytes = strtoul(arguments[2], NULL, 10);
    if (bytes < 1 || bytes > MOST_BYTES) {
        fprintf(stderr, "udp: a datagram has 1 to %d bytes\n", MOST_BYTES);
        return 2;
    }
    left = open_socket(&left_address);
    right = open_socket(&right_address);
    if (!strcmp(arguments[1], "pp")) {
        rounds = strtol(arguments[3], NULL, 10);
        ping_pong();
    } else {
        one_way(arguments[1], strtol(arguments[3], NULL, 10));
    }
    return 0;
}

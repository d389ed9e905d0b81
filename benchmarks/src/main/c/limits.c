// SPDX-License-Identifier: Apache-2.0
// What the machine itself can do: copying, checksums, handing over from one core to another.
//
//   limits handoff      one way between two cores that spin: the round trips of a cache line, halved
//   limits copy         memcpy of 1 MiB
//   limits crc          CRC-32 of 4096 bytes by ISA-L, if it was compiled with -DISAL
//
// Prints lines of name, value and unit.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef ISAL
#include <isa-l/crc.h>
#endif

enum { MEBIBYTE = 1 << 20, PACKET = 4096, ROUNDS = 9, TRIPS = 200000, COPIES = 3000, SUMS = 200000 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

static void pin(int core) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    sched_setaffinity(0, sizeof set, &set);
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values) {
    qsort(values, ROUNDS, sizeof *values, ascending);
    return values[ROUNDS / 2];
}

static _Alignas(128) atomic_long ping;
static _Alignas(128) atomic_long pong;

static void *answer(void *unused) {
    pin(1);
    for (long i = 1; i <= (long)TRIPS * ROUNDS; i++) {
        while (atomic_load_explicit(&ping, memory_order_acquire) != i) {
        }
        atomic_store_explicit(&pong, i, memory_order_release);
    }
    return unused;
}

static void handoff(void) {
    double took[ROUNDS];
    pthread_t other;
    pin(0);
    pthread_create(&other, NULL, answer, NULL);
    long i = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double begin = now();
        for (int trip = 0; trip < TRIPS; trip++) {
            atomic_store_explicit(&ping, ++i, memory_order_release);
            while (atomic_load_explicit(&pong, memory_order_acquire) != i) {
            }
        }
        took[round] = (now() - begin) / TRIPS / 2;
    }
    pthread_join(other, NULL);
    printf("c_handoff %.1f ns\n", median(took));
}

static void *pages(size_t bytes) {
    void *memory = NULL;
    if (posix_memalign(&memory, PACKET, bytes)) {
        exit(1);
    }
    memset(memory, 1, bytes);
    return memory;
}

static void copy(void) {
    double took[ROUNDS];
    char *from = pages(MEBIBYTE), *to = pages(MEBIBYTE);
    for (int round = 0; round < ROUNDS; round++) {
        double begin = now();
        for (int i = 0; i < COPIES; i++) {
            memcpy(to, from, MEBIBYTE);
            __asm__ volatile("" : : "r"(to) : "memory");
        }
        took[round] = (now() - begin) / COPIES;
    }
    printf("c_memcpy_1m %.2f GB/s\n", MEBIBYTE / median(took));
}

static void crc(void) {
#ifdef ISAL
    double took[ROUNDS];
    unsigned char *bytes = pages(PACKET);
    unsigned sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double begin = now();
        for (int i = 0; i < SUMS; i++) {
            sum = crc32_gzip_refl(sum, bytes, PACKET);
        }
        took[round] = (now() - begin) / SUMS;
    }
    // Looked at, so that nobody leaves it out.
    fprintf(sum == 0 ? stderr : stdout, "c_crc_4096 %.2f GB/s\n", PACKET / median(took));
#endif
}

int main(int count, char **arguments) {
    const char *what = count == 2 ? arguments[1] : "";
    if (!strcmp(what, "handoff")) {
        handoff();
    } else if (!strcmp(what, "copy")) {
        copy();
    } else if (!strcmp(what, "crc")) {
        crc();
    } else {
        fprintf(stderr, "usage: limits handoff|copy|crc\n");
        return 2;
    }
    return 0;
}

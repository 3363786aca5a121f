/* For a test: a machine whose clocks are not as they should be. Loaded before everything else (LD_PRELOAD).
 *
 * SHIFT: the time of day is wrong by so many seconds. SLEEP: with every SIGCONT all clocks leap by so many seconds, as if the
 * process, or this machine, had slept for so long until then. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

static volatile long slept;

static long seconds(const char *name)
{
    const char *value = getenv(name);
    return value ? atol(value) : 0;
}

static void wake(int number)
{
    (void)number;
    slept += seconds("SLEEP");
}

__attribute__((constructor)) static void begin(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = wake;
    action.sa_flags = SA_RESTART;
    if (seconds("SLEEP"))
        sigaction(SIGCONT, &action, NULL);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int (*real)(clockid_t, struct timespec *) = dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, now);
    if (clock == CLOCK_REALTIME)
        now->tv_sec += seconds("SHIFT") + slept;
    if (clock == CLOCK_MONOTONIC)
        now->tv_sec += slept;
    return result;
}

time_t time(time_t *seconds)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (seconds)
        *seconds = now.tv_sec;
    return now.tv_sec;
}

int gettimeofday(struct timeval *now, void *zone)
{
    struct timespec fine;
    clock_gettime(CLOCK_REALTIME, &fine);
    now->tv_sec = fine.tv_sec;
    now->tv_usec = fine.tv_nsec / 1000;
    return 0;
}

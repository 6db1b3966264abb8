/* What a process does to the files of one folder, in order, as a disk sees it: put in front of the C library (LD_PRELOAD).
   Each record: what, how long the path is, where in the file, how many bytes; then the path, then the bytes.
   With FAIL_AT=n FAIL_FOR=m FAIL_WITH=errno, from the n-th on, m things that change a file fail, as on a disk that is ill. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define MOST 4096
static char *known[MOST]; /* by file descriptor: its path, if it lies in the folder */
static int record = -1;

static void say(char what, const char *path, uint64_t at, const void *bytes, uint64_t length)
{
    struct __attribute__((packed)) { char what; uint16_t path; uint64_t at, length; } head = {what, strlen(path), at, length};
    struct iovec parts[] = {{&head, sizeof head}, {(void *)path, head.path}, {(void *)bytes, bytes ? length : 0}};
    if (writev(record, parts, 3) != (ssize_t)(sizeof head + head.path + (bytes ? length : 0))) abort();
}

static const char *inside(const char *path)
{
    const char *folder = getenv("RECORDED_FOLDER");
    return folder && path && !strncmp(path, folder, strlen(folder)) ? path : NULL;
}

static const char *of(int file) { return file >= 0 && file < MOST ? known[file] : NULL; }

static int fails(int file)
{
    static int done;
    if (!getenv("FAIL_AT") || !of(file)) return 0;
    int at = ++done - atoi(getenv("FAIL_AT"));
    if (at < 0 || at >= atoi(getenv("FAIL_FOR"))) return 0;
    errno = atoi(getenv("FAIL_WITH"));
    return 1;
}

static int opened(int file, const char *path, int flags, int was_there)
{
    if (file < 0 || file >= MOST || !inside(path)) return file;
    if (record < 0) record = open(getenv("RECORD"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    free(known[file]);
    known[file] = strdup(path);
    if (flags & O_CREAT && !was_there) say('c', path, 0, NULL, 0);
    return file;
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) \
    { \
        static int (*usual)(const char *, int, ...); \
        if (!usual) usual = dlsym(RTLD_NEXT, #name); \
        va_list more; va_start(more, flags); int mode = va_arg(more, int); va_end(more); \
        int was_there = inside(path) && !access(path, F_OK); \
        return opened(usual(path, flags, mode), path, flags, was_there); \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name) \
    int name(int folder, const char *path, int flags, ...) \
    { \
        static int (*usual)(int, const char *, int, ...); \
        if (!usual) usual = dlsym(RTLD_NEXT, #name); \
        va_list more; va_start(more, flags); int mode = va_arg(more, int); va_end(more); \
        int was_there = inside(path) && !access(path, F_OK); \
        return opened(usual(folder, path, flags, mode), path, flags, was_there); \
    }
OPENAT(openat)
OPENAT(openat64)

int close(int file)
{
    static int (*usual)(int);
    if (!usual) usual = dlsym(RTLD_NEXT, "close");
    if (of(file)) { free(known[file]); known[file] = NULL; }
    return usual(file);
}

ssize_t write(int file, const void *bytes, size_t length)
{
    static ssize_t (*usual)(int, const void *, size_t);
    if (!usual) usual = dlsym(RTLD_NEXT, "write");
    if (fails(file)) return -1;
    off_t at = of(file) ? lseek(file, 0, SEEK_CUR) : 0;
    ssize_t done = usual(file, bytes, length);
    if (of(file) && done > 0) say('w', of(file), at, bytes, done);
    return done;
}

#define PWRITE(name, offset) \
    ssize_t name(int file, const void *bytes, size_t length, offset at) \
    { \
        static ssize_t (*usual)(int, const void *, size_t, offset); \
        if (!usual) usual = dlsym(RTLD_NEXT, #name); \
        if (fails(file)) return -1; \
        ssize_t done = usual(file, bytes, length, at); \
        if (of(file) && done > 0) say('w', of(file), at, bytes, done); \
        return done; \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define TRUNCATE(name, offset) \
    int name(int file, offset size) \
    { \
        static int (*usual)(int, offset); \
        if (!usual) usual = dlsym(RTLD_NEXT, #name); \
        if (fails(file)) return -1; \
        int done = usual(file, size); \
        if (of(file) && !done) say('t', of(file), size, NULL, 0); \
        return done; \
    }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

#define SYNC(name) \
    int name(int file) \
    { \
        if (fails(file)) return -1; \
        if (of(file)) say('s', of(file), 0, NULL, 0); /* nothing depends here on whether this disk has done it */ \
        return 0; \
    }
SYNC(fsync)
SYNC(fdatasync)

int unlink(const char *path)
{
    static int (*usual)(const char *);
    if (!usual) usual = dlsym(RTLD_NEXT, "unlink");
    int done = usual(path);
    if (!done && inside(path) && record >= 0) say('u', path, 0, NULL, 0);
    return done;
}

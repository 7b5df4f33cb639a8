// Replay: every file of the folders and every file given, through the target.
#include "fuzz.h"

#include <dirent.h>
#include <sys/stat.h>

static int n_replayed;

static void replay_file(const char* path)
{
    static uint8_t bytes[4 << 20];
    FILE* file = fopen(path, "rb");
    FUZZ_CHECK(file);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    uint8_t* exact = malloc(size ? size : 1); // so that sanitizers see the end
    FUZZ_CHECK(exact);
    memcpy(exact, bytes, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    ++n_replayed;
}

static void replay_folder(const char* folder)
{
    DIR* dir = opendir(folder);
    FUZZ_CHECK(dir);
    for (struct dirent* entry; (entry = readdir(dir));) {
        char path[1024];
        struct stat info;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (stat(path, &info) == 0 && S_ISREG(info.st_mode)) replay_file(path);
    }
    closedir(dir);
}

int main(int argc, char** argv)
{
    FUZZ_CHECK(setenv("PKM_FUZZ_ALL", "1", 1) == 0);
    for (int i = 1; i < argc; ++i) {
        struct stat info;
        if (stat(argv[i], &info) != 0) continue;
        if (S_ISDIR(info.st_mode))
            replay_folder(argv[i]);
        else
            replay_file(argv[i]);
    }
    printf("%d replayed\n", n_replayed);
    return n_replayed > 0 ? 0 : 1;
}

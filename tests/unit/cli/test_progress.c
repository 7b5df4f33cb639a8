#include "cli/progress.h"

#include "check.h"

#include <signal.h>
#include <unistd.h>

static const char* text_of(double fraction, double elapsed)
{
    static char text[128];
    pkm_progress_text(text, (int)sizeof text, "map", fraction, elapsed);
    return text;
}

static void time_left_follows_from_the_time_used(void)
{
    CHECK_TEXT(text_of(0.25, 2.0), "map  25 %, 6 s left");
    CHECK_TEXT(text_of(0.5, 80.0), "map  50 %, 1 min 20 s left");
    CHECK_TEXT(text_of(0.1, 1000.0), "map  10 %, 2 h 30 min left");
    CHECK_TEXT(text_of(1.0, 5.0), "map 100 %, 0 s left");
}

static void nothing_is_promised_before_anything_is_done(void)
{
    CHECK_TEXT(text_of(0.0, 1.0), "map ...");
    CHECK_TEXT(text_of(NAN, 1.0), "map ...");
    CHECK_TEXT(text_of(1e-300, 1.0), "map   0 %, 100000 h 0 min left");
}

static void the_last_percent_is_not_rounded_up(void)
{
    CHECK_TEXT(text_of(0.9999, 9999.0), "map  99 %, 1 s left");
}

static void a_long_name_is_cut(void)
{
    char text[12];
    pkm_progress_text(text, (int)sizeof text, "inverse dynamics", 0.5, 1.0);
    CHECK_TEXT(text, "inverse dyn");
}

// Redirects stderr into a pipe, which is no terminal.
static void a_pipe_sees_nothing(void)
{
    int ends[2];
    CHECK(pipe(ends) == 0);
    const int saved = dup(STDERR_FILENO);
    dup2(ends[1], STDERR_FILENO);

    pkm_progress progress = pkm_progress_begin("map");
    progress.last -= 1.0; // as if a second had passed
    pkm_progress_update(&progress, 0.5);
    pkm_progress_end(&progress);

    dup2(saved, STDERR_FILENO);
    close(saved);
    close(ends[1]);
    char byte;
    CHECK(read(ends[0], &byte, 1) == 0);
    close(ends[0]);
}

// Pretends that the pipe is a terminal: two updates at once draw one line, and the end erases it.
static void a_terminal_sees_ten_lines_per_second_and_then_none(void)
{
    int ends[2];
    CHECK(pipe(ends) == 0);
    const int saved = dup(STDERR_FILENO);
    dup2(ends[1], STDERR_FILENO);

    pkm_progress progress = pkm_progress_begin("map");
    progress.shown = true;
    pkm_progress_update(&progress, 0.1); // too early
    progress.last -= 1.0;
    progress.start -= 1.0;
    pkm_progress_update(&progress, 0.5);
    pkm_progress_update(&progress, 0.6); // too soon after the one before
    pkm_progress_end(&progress);
    pkm_progress_end(&progress);

    dup2(saved, STDERR_FILENO);
    close(saved);
    close(ends[1]);
    char text[256] = {0};
    CHECK(read(ends[0], text, sizeof text - 1) > 0);
    close(ends[0]);
    CHECK_CONTAINS(text, "\rmap  50 %, ");
    CHECK(strstr(text, "10 %") == NULL && strstr(text, "60 %") == NULL);
    const size_t length = strlen(text);
    CHECK(length >= 4 && strcmp(text + length - 4, "\r\033[K") == 0);
    CHECK(strstr(text, "\r\033[K\r\033[K") == NULL);
}

static void ctrl_c_raises_the_flag(void)
{
    pkm_interrupt_watch();
    CHECK(!pkm_interrupted());
    raise(SIGINT);
    CHECK(pkm_interrupted());
}

int main(void)
{
    RUN(time_left_follows_from_the_time_used);
    RUN(nothing_is_promised_before_anything_is_done);
    RUN(the_last_percent_is_not_rounded_up);
    RUN(a_long_name_is_cut);
    RUN(a_pipe_sees_nothing);
    RUN(a_terminal_sees_ten_lines_per_second_and_then_none);
    RUN(ctrl_c_raises_the_flag);
    return check_report();
}

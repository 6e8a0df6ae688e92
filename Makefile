# GNU make.  Everything built goes to build/; see README.md for what is needed.

all:

PREFIX = /usr/local
BINDIR = $(PREFIX)/bin
MANDIR = $(PREFIX)/share/man
DESTDIR =
INSTALL = install
PKG_CONFIG ?= pkg-config
BATS = bats
WARNINGS = -Werror=implicit-function-declaration -Werror=switch -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wmissing-prototypes

# Folders of src/ are concerns; src/pipeline.h says what they are and who may call whom.
SOURCES = $(sort $(wildcard src/*.c src/*/*.c))

# A line for each file that is compiled; V=1 shows the commands.
ifeq ($(V),1)
Q =
else
Q = @
SAY = @echo "$(1) $(patsubst $(CURDIR)/%,%,$(2))";
endif

# CPPFLAGS=-DPLAIN_JANSSON gives every line to jansson whole (see src/json/prefilter.h).
# SANITIZE=1 builds with the address and undefined-behaviour sanitizers, apart: with clang
# where it is and no other compiler is named, since its sanitizers see more than gcc's
# (arithmetic on null pointers).
ifeq ($(SANITIZE),1)
ifeq ($(origin CC),default)
CC := $(shell command -v clang || echo cc)
endif
BUILD = build/asan
CFLAGS ?= -O1 -g -fno-omit-frame-pointer
HARDENING = -fsanitize=address,undefined -fno-sanitize-recover=all
HARDENING_LDFLAGS = -fsanitize=address,undefined
else
BUILD = build
CFLAGS ?= -O2 -g
# What the compiler and the linker know of these; see below.  Whoever sets _FORTIFY_SOURCE
# decides on it, and without optimisation there is none.
HARDENING = $(TRIED_CFLAGS) $(FORTIFY)
HARDENING_LDFLAGS = $(if $(filter -static,$(LDFLAGS)),$(filter-out -pie,$(TRIED_LDFLAGS)),$(TRIED_LDFLAGS))
FORTIFY = $(if $(findstring _FORTIFY_SOURCE,$(CPPFLAGS) $(CFLAGS)),,$(if $(filter-out -O0, \
          $(filter -O%,$(CFLAGS))),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2))
endif

PROGRAM = $(BUILD)/edgefold
OBJECTS = $(SOURCES:src/%.c=$(BUILD)/%.o)
PACKAGES = jansson libutf8proc

# Which Debian package has what pkg-config does not find.
DEBIAN_jansson = libjansson-dev
DEBIAN_libutf8proc = libutf8proc-dev

# Only what compiles needs the libraries.  Before 4.3, make runs what has no character of
# the shell's without one, and so nothing that is built into it: hence the redirections.
ifneq ($(filter-out clean deb dist lint tables uninstall,$(or $(MAKECMDGOALS),all)),)
ifeq ($(shell command -v $(PKG_CONFIG) 2>/dev/null),)
$(error $(PKG_CONFIG) is missing: on Debian, apt-get install pkg-config)
endif
MISSING = $(foreach p,$(PACKAGES),$(if $(shell $(PKG_CONFIG) --exists $(p) && echo yes),,$(p)))
ifneq ($(strip $(MISSING)),)
$(error missing: $(strip $(MISSING)); on Debian, \
apt-get install $(foreach p,$(MISSING),$(DEBIAN_$(p))))
endif
LIBRARY_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(PACKAGES))
LIBRARY_LIBS := $(shell $(PKG_CONFIG) --libs $(PACKAGES))

# Each flag is tried once, and again with another compiler: not all linkers have -z.
TRIED = $(BUILD)/tried.mk
-include $(TRIED)
ifneq ($(strip $(TRIED_CC)),$(strip $(CC)))
$(TRIED): FORCE
endif
$(TRIED): Makefile
	$(Q)mkdir -p $(@D) && try=$@.$$$$ && echo 'int main(void) { return 0; }' >$$try.c && \
	{ echo 'TRIED_CC = $(CC)'; \
	    for flag in -fstack-protector-strong -fPIE; do \
	        ! $(call try,-c) || echo "TRIED_CFLAGS += $$flag"; \
	    done; \
	    for flag in -pie -Wl,-z,relro -Wl,-z,now; do \
	        ! $(call try,-fPIE) || echo "TRIED_LDFLAGS += $$flag"; \
	    done; \
	    for flag in -static -static-pie; do \
	        ! $(call try,-fPIE) || echo "TRIED_STATIC = $$flag"; \
	    done; } >$$try.new && mv $$try.new $@ && rm -f $$try.*
try = $(CC) -Werror $(1) $$flag -o $$try.out $$try.c >/dev/null 2>&1
endif

# The commit that is built, and a + where the tree is not quite its own.  Only what says
# so is compiled again for another one.  Without git it is what `git archive` wrote there.
ifneq ($(wildcard .git),)
COMMIT := $(shell commit=$$(git rev-parse -q --verify HEAD 2>/dev/null) && \
            echo "$$commit$$(git status --porcelain -- Makefile src 2>/dev/null | sed -n '1s/.*/+/p')")
endif
ifneq ($(COMMIT),$(shell cat $(BUILD)/commit 2>/dev/null))
$(BUILD)/commit: FORCE
endif
$(BUILD)/commit:
	$(Q)mkdir -p $(@D) && echo '$(COMMIT)' >$@
$(BUILD)/cli/version.o: $(BUILD)/commit
$(BUILD)/cli/version.o: COMMIT_CPPFLAGS = $(if $(COMMIT),-DVERSION_COMMIT='"$(COMMIT)"')

ALL_CFLAGS = -std=c11 -D_XOPEN_SOURCE=700 -D_FILE_OFFSET_BITS=64 -Isrc -I$(BUILD) $(WARNINGS) $(HARDENING) \
             -ffile-prefix-map='$(CURDIR)'=. $(LIBRARY_CFLAGS) $(COMMIT_CPPFLAGS) $(CPPFLAGS) $(CFLAGS)

all: $(PROGRAM)

$(PROGRAM): $(OBJECTS)
	$(call SAY,LD,$@)
	$(Q)$(CC) $(HARDENING_LDFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $(OBJECTS) $(LIBRARY_LIBS) $(LDLIBS)

# The page's style and script become the initialisers of arrays.
PAGE_PARTS = output/page.css.inc output/page.js.inc

$(BUILD)/%.inc: src/% Makefile
	$(call SAY,INC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)od -An -v -tx1 $< | sed 's/\([0-9a-f][0-9a-f]\)/0x\1,/g' >$@.new
	$(Q)mv -f $@.new $@

$(BUILD)/output/page.o: $(addprefix $(BUILD)/,$(PAGE_PARTS))

$(BUILD)/%.o: src/%.c Makefile
	$(call SAY,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

-include $(OBJECTS:.o=.d)

# The tests know the program by its path alone: these differ in how it is built or run.
check: $(PROGRAM) tests
	EDGEFOLD_CHECK=$(if $(filter 1,$(SANITIZE)),asan,plain) tests/run $(PROGRAM) $(TESTS)

check-asan:
	$(MAKE) check SANITIZE=1

check-valgrind: $(PROGRAM) tests
	EDGEFOLD_CHECK=valgrind tests/run $(PROGRAM) $(TESTS)

# Each call that can fail is made to, at each place; see tests/faults/run.py.
check-faults: $(PROGRAM) $(BUILD)/fail.so
	tests/faults/run.py $(PROGRAM) $(BUILD)/fail.so $(BUILD)/faults

# Without the hardening, whose headers have some of the functions that are defined there.
$(BUILD)/fail.so: tests/faults/fail.c Makefile
	$(call SAY,LD,$@)
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE $(WARNINGS) $(CPPFLAGS) $(CFLAGS) -U_FORTIFY_SOURCE -fPIC -shared -o $@ $< $(LDFLAGS) -ldl

# The lines of src/ that no test reaches, by file; gcov comes with gcc.
coverage:
	$(MAKE) check BUILD=build/coverage CFLAGS='-O0 -g --coverage' HARDENING= || :
	tests/coverage build/coverage

SCRIPTS = tests/run tests/bare tests/coverage tests/deb/build tests/distcheck tests/foreign tests/packages tests/readme tests/systems \
          tests/valgrind tests/peers tests/fuzz/seeds .ci/run

# cppcheck would take minutes for the table of estimate.c.
lint:
	mandoc -Tlint -Wwarning man/edgefold.1 man/edgefold-recipes.7
	cppcheck --std=c11 --enable=warning,performance,portability --inline-suppr \
	    --error-exitcode=1 --quiet $(filter-out src/tokens/estimate.c,$(SOURCES))
	shellcheck -x $(SCRIPTS)
	shellcheck -s bash tests/helper.bash

# The page in the README, as chromium shows it; pngquant and optipng make it small.
picture-report: $(PROGRAM)
	cd tests && "$(CURDIR)/$(PROGRAM)" -q 'How long does delivery take?' -b 340 -d 0.75 -n 9 \
	    --report="$(CURDIR)/$(BUILD)/report.html" picture.ndjson >/dev/null
	tests/page_browser.py picture $(BUILD)/report.html tests/report.png 1000 1270 light '.chunk:has(.pair)'
	pngquant --force --output tests/report.png 24 tests/report.png
	optipng -quiet -o5 -strip all tests/report.png

# Fits the token estimate and writes its table anew: takes packages from Debian,
# npm and PyPI, and minutes; see src/tokens/tables/Makefile.
tables:
	$(MAKE) -C src/tokens/tables

# Where the shells look for completions.
BASH_COMPLETION = $(PREFIX)/share/bash-completion/completions/edgefold
ZSH_COMPLETION = $(PREFIX)/share/zsh/site-functions/_edgefold
FISH_COMPLETION = $(PREFIX)/share/fish/vendor_completions.d/edgefold.fish

# What --completion prints, from the source: a program for another machine does not run.
define INSTALL_COMPLETION
$(INSTALL) -d "$$(dirname "$(DESTDIR)$(2)")"
sed -n '/^static const char $(1)_script/,/;$$/{/^ *"/{s/^ *"\(.*\)\\n";*$$/\1/;s/\\\(.\)/\1/g;p;};}' \
    src/cli/completion_scripts.h >"$(DESTDIR)$(2)"
chmod 644 "$(DESTDIR)$(2)"
endef

# What goes in and what comes out, for the README, drawn from a run of the program.
picture: $(PROGRAM)
	python3 tests/picture.py $(PROGRAM) >$(BUILD)/picture.svg
	mv $(BUILD)/picture.svg man/picture.svg

# To a temporary name first: a running edgefold keeps its file.
install: $(PROGRAM)
	$(INSTALL) -d "$(DESTDIR)$(BINDIR)" "$(DESTDIR)$(MANDIR)/man1" "$(DESTDIR)$(MANDIR)/man7"
	$(INSTALL) -m 755 $(PROGRAM) "$(DESTDIR)$(BINDIR)/edgefold.new"
	mv -f "$(DESTDIR)$(BINDIR)/edgefold.new" "$(DESTDIR)$(BINDIR)/edgefold"
	$(INSTALL) -m 644 man/edgefold.1 "$(DESTDIR)$(MANDIR)/man1/edgefold.1"
	$(INSTALL) -m 644 man/edgefold-recipes.7 "$(DESTDIR)$(MANDIR)/man7/edgefold-recipes.7"
	$(call INSTALL_COMPLETION,bash,$(BASH_COMPLETION))
	$(call INSTALL_COMPLETION,zsh,$(ZSH_COMPLETION))
	$(call INSTALL_COMPLETION,fish,$(FISH_COMPLETION))

uninstall:
	rm -f "$(DESTDIR)$(BINDIR)/edgefold" "$(DESTDIR)$(MANDIR)/man1/edgefold.1" \
	    "$(DESTDIR)$(MANDIR)/man7/edgefold-recipes.7" "$(DESTDIR)$(BASH_COMPLETION)" \
	    "$(DESTDIR)$(ZSH_COMPLETION)" "$(DESTDIR)$(FISH_COMPLETION)"

# One file that needs no other at run time, of the same objects.
static: $(BUILD)/static/edgefold

$(BUILD)/static/edgefold: $(OBJECTS)
	$(if $(TRIED_STATIC),,$(error nothing can be linked statically here))
	$(call SAY,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(filter-out -pie,$(HARDENING_LDFLAGS)) $(CFLAGS) $(LDFLAGS) $(TRIED_STATIC) -o $@ $(OBJECTS) \
	    $$($(PKG_CONFIG) --static --libs $(PACKAGES)) $(LDLIBS)

# The last commit as a tarball, of the same bytes wherever it is made: what git does here
# is up to no settings of this machine's.
DIST_GIT = git -c core.autocrlf=false -c core.attributesFile=/dev/null -c tar.umask=0022
DIST_VERSION = $(shell git show HEAD:src/output/output.h 2>/dev/null | sed -n 's/^.define OUTPUT_VERSION "\(.*\)"/\1/p')
DIST = edgefold-$(DIST_VERSION)

dist:
	$(if $(DIST_VERSION),,$(error make dist needs git, and a clone made by it))
	$(call SAY,DIST,build/$(DIST).tar.gz)
	$(Q)mkdir -p build
	$(Q)$(DIST_GIT) archive --format=tar --prefix=$(DIST)/ HEAD >build/$(DIST).tar
	$(Q)gzip -9 -n <build/$(DIST).tar >build/$(DIST).tar.gz.new && rm build/$(DIST).tar
	$(Q)mv build/$(DIST).tar.gz.new build/$(DIST).tar.gz

# Builds, tests, installs and uninstalls what is in the tarball, in a folder of its own.
distcheck: dist
	tests/distcheck build/$(DIST).tar.gz build/distcheck $(TESTS)

# A package for the Debian that this runs on, by its own tools; see tests/deb/build.
deb: dist
	tests/deb/build build/$(DIST).tar.gz build/deb

clean:
	rm -rf build

# In front of what is to be made whatever is there.
FORCE:

.PHONY: all FORCE bench fuzz picture picture-report tables tests check coverage check-asan check-valgrind check-faults lint \
        deb dist distcheck static install uninstall clean

# C tests: what the command line cannot show.  The weak one is built with hashes
# of a few bits, so that collisions are the rule, with an index of few sets, so that it
# is made anew all the time, and with the plain twins of code that looks at many bytes at
# a time; the plain one only with those.
TEST_OBJECTS = $(filter-out $(BUILD)/main.o,$(OBJECTS))
JOIN_SOURCES = $(wildcard src/base/*.c) $(patsubst %,src/dedup/%.c,candidates collection index join \
               number_index partners signature similarity termset verify words)

SPLIT_SOURCES = $(wildcard src/base/*.c) $(patsubst %,src/tokens/%.c,ascii_block estimate pretokenize)

tests: $(patsubst %,$(BUILD)/%,join_test join_test_weak count_docs skeleton_test interner_test split_test \
       split_test_plain)

$(patsubst %,$(BUILD)/%,join_test count_docs skeleton_test interner_test split_test): $(BUILD)/%: tests/%.c $(TEST_OBJECTS)
	$(call SAY,LD,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(HARDENING_LDFLAGS) -o $@ $< $(TEST_OBJECTS) \
	    $(LDFLAGS) $(LIBRARY_LIBS)

$(BUILD)/join_test_weak: tests/join_test.c $(JOIN_SOURCES)
	$(call SAY,LD,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(HARDENING_LDFLAGS) -DINTERNER_HASH_MASK="(UINT64_MAX << 58)" \
	    -DSET_HASH_MASK=7 -DNO_SIMD -DFEW_SETS=2 -DFIRST_INDEXED=4 \
	    -D"MOST_PAIRS(sets)=((sets) / 8)" -DCHEAP_SWEEP=64 \
	    -DCHEAP_BY_NUMBERS=0 -DPOSTING_BITS=14 -DMANY_CANDIDATES=2 -DMANY_SETS=2 -DMEETINGS=8 -DCANDIDATES_ROOM=16 -o $@ tests/join_test.c $(JOIN_SOURCES) $(LDFLAGS) $(LIBRARY_LIBS)

$(BUILD)/split_test_plain: tests/split_test.c $(SPLIT_SOURCES)
	$(call SAY,LD,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(HARDENING_LDFLAGS) -DNO_SIMD -o $@ tests/split_test.c $(SPLIT_SOURCES) \
	    $(LDFLAGS) $(LIBRARY_LIBS)

# Times and memory beside other programs', as Markdown; BENCH has options, such as
# --baseline=COMMIT, of tests/bench/run --help.
BENCH =

bench: $(PROGRAM)
	tests/bench/run $(BENCH) $(PROGRAM)

# libFuzzer, which is clang's: all targets one after another, or those of FUZZ=NAME.
# FUZZ_TIME is in seconds and for each; findings go to build/fuzz.
FUZZ = options outputs pipeline templates vocab
FUZZ_TIME = 60
FUZZ_OBJECTS = $(patsubst src/%.c,build/fuzz/%.o,$(filter-out src/main.c,$(SOURCES)))
FUZZ_CFLAGS = -std=c11 -D_GNU_SOURCE $(WARNINGS) -O1 -g -Isrc -Ibuild/fuzz \
              -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined \
              $(LIBRARY_CFLAGS)
FUZZ_RUNS = $(patsubst %,fuzz-%,$(FUZZ))

fuzz: $(FUZZ_RUNS)

$(FUZZ_RUNS): fuzz-%: build/fuzz/fuzz_%
	tests/fuzz/seeds $* build/fuzz/corpus-$*
	cd build/fuzz && ./fuzz_$* -max_total_time=$(FUZZ_TIME) -max_len=4096 -timeout=10 \
	    -rss_limit_mb=2048 -close_fd_mask=2 -dict=../../tests/fuzz/words.dict \
	    -print_final_stats=1 corpus-$*

build/fuzz/fuzz_%: build/fuzz/tests/fuzz_%.o build/fuzz/tests/common.o $(FUZZ_OBJECTS)
	$(call SAY,LD,$@)
	$(Q)clang -fsanitize=fuzzer,address,undefined -o $@ $^ $(LIBRARY_LIBS)

build/fuzz/tests/%.o: tests/fuzz/%.c Makefile
	$(call SAY,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)clang $(FUZZ_CFLAGS) -MMD -MP -c -o $@ $<

build/fuzz/%.inc: src/% Makefile
	$(Q)mkdir -p $(@D)
	$(Q)od -An -v -tx1 $< | sed 's/\([0-9a-f][0-9a-f]\)/0x\1,/g' >$@

build/fuzz/output/page.o: $(addprefix build/fuzz/,$(PAGE_PARTS))

build/fuzz/%.o: src/%.c Makefile
	$(call SAY,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)clang $(FUZZ_CFLAGS) -MMD -MP -c -o $@ $<

.PHONY: $(FUZZ_RUNS)
.SECONDARY: $(FUZZ_OBJECTS) $(patsubst %,build/fuzz/tests/%.o,common $(FUZZ:%=fuzz_%))
-include $(wildcard build/fuzz/*.d build/fuzz/*/*.d)

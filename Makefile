# The verbs people type; CMake does the work. `make help` lists them.

PREFIX ?= /usr/local
JOBS ?= $(shell nproc)

.PHONY: help setup build demo site check test mutants coverage campaign fuzz faults bench install clean measure format reference python windows

help:
	@echo 'make setup     install the Debian packages that are missing (root or sudo), and those of web/'
	@echo 'make build     build the release library and program in build/release'
	@echo 'make demo      the study of the SIAX Delta with its report, then every robot: build/demo'
	@echo 'make site      every robot live in the browser, the guides, the reports of make demo: build/site'
	@echo 'make test      release build and unit tests: the inner loop'
	@echo 'make check     build release and sanitizer versions and run the tests: all, and a chosen set with sanitizers'
	@echo 'make mutants   break statements one at a time and see that tests go red (SEED=1, COUNT=100)'
	@echo 'make coverage  lines that the tests reach, per folder'
	@echo 'make campaign  the tests with random cases at full size: seeds and counts'
	@echo 'make fuzz      a minute of libFuzzer for each reader and the command line'
	@echo 'make faults    every allocation fails, every disk is full, 1000 kills, 10^6 impacts: hours'
	@echo 'make bench     timings, beside MuJoCo and Simbody'
	@echo 'make python    the wheel of the Python package in build/python'
	@echo 'make windows   the library of FMUs for Windows (mingw-w64), which the next make build carries along'
	@echo 'make install   library, headers, program, robots into PREFIX (now $(PREFIX))'
	@echo 'make format    clang-format over the sources'
	@echo 'make reference schema/ and the tables of docs/reference from the keys and options of the program'
	@echo 'make measure   sizes of functions and files'
	@echo 'make clean     remove build/'

setup:
	@tools/setup.sh
	@tools/web.sh

build: setup
	@tools/wasm.sh $(JOBS) engine || test $$? -eq 77
	@tools/build.sh release $(JOBS)

demo: build
	@tools/demo.sh

site: build
	@python3 tools/site.py build/release/pkm

test: build
	@OPENBLAS_NUM_THREADS=1 ctest --test-dir build/release -j $(JOBS) -R '^unit\.' --output-on-failure --timeout 60

mutants: setup
	@python3 tools/mutants.py --seed $(or $(SEED),1) --count $(or $(COUNT),100) --jobs $(JOBS)

coverage: setup
	@tools/coverage.sh $(JOBS)

check: setup
	@tools/check.sh $(JOBS)

campaign: setup
	@tools/campaign.sh $(JOBS)

fuzz:
	@tools/setup.sh fuzz
	@tools/fuzz.sh

faults: build
	@tools/faults.sh

windows:
	@tools/setup.sh windows
	@tools/windows.sh $(JOBS)

python: build
	@tools/python.sh

bench:
	@tools/setup.sh bench
	@tools/bench.sh $(JOBS)

install: build
	cmake --install build/release --prefix '$(PREFIX)'

reference: build
	@python3 tools/reference.py build/release/pkm

format:
	@tools/format.sh --fix

measure:
	@python3 tools/measure.py

clean:
	rm -rf build

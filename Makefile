# Cairn. The two commands: `make demo` and `make test`. `make help` lists the rest.
PREFIX ?= /usr/local
JOBS   ?= $(shell nproc 2>/dev/null || echo 2)
FUZZ_SECONDS ?= 600

.PHONY: help demo test build python debug sanitize thread clang install bench gallery wasm npm playground site deb archive fuzz check format lint clean

help:
	@echo "make demo             build, let a ball hit a wall, write it as a page: demo.html"
	@echo "make test             build, and test everything"
	@echo "make build            release build in build/release, without the tests"
	@echo "make install PREFIX=D install libraries, headers, CMake package, cairn.pc and the program"
	@echo "make python           build the Python package: wheel and source distribution in build/python"
	@echo "make bench            install the peers, run every suite, write report.html and docs/results.md (half an hour;"
	@echo "                      BENCH_OPTIONS=--quick: two minutes)"
	@echo "make gallery          make the pictures of README.md and docs/ again (a quarter of an hour, most of it to"
	@echo "                      measure the peers; PICTURES='wall overhang page scenes': without that)"
	@echo "make wasm             the engine as WebAssembly in build/wasm (emscripten, a minute); its hashes against the native ones"
	@echo "make npm              that as the npm package cairn-physics, packed in build/npm, not published"
	@echo "make playground       one page that runs scenes in the browser: build/site/playground.html"
	@echo "make site             playground, manual and gallery as one static site in build/site"
	@echo "make deb              Debian packages in build/deb, installed into an empty root, used there and removed"
	@echo "make archive          the installed tree as a .tar.gz that runs from any folder, in build/archive"
	@echo "make fuzz             fuzz every reader and the C interface for FUZZ_SECONDS=$(FUZZ_SECONDS) each (clang),"
	@echo "                      make a million hostile calls, soak ten scenes for ten simulated minutes"
	@echo "make check            layers and formatting"
	@echo "make lint             clang-tidy over the library"
	@echo "make format           clang-format over everything"
	@echo "make debug|sanitize|thread|clang   the other builds"

demo:
	@scripts/setup build
	@scripts/build release $(JOBS) cairn
	@scripts/demo build/release/cairn

test:
	@scripts/test $(JOBS)

build:
	@scripts/setup build
	@scripts/build release $(JOBS) installed

debug sanitize clang:
	@scripts/setup test
	@scripts/build $@ $(JOBS)

thread:
	@scripts/setup test
	@scripts/thread $(JOBS)

install: build
	@cmake --install build/release --prefix "$(PREFIX)" > build/install.log || { cat build/install.log; exit 1; }
	@echo "installed under $(PREFIX)"

python: build
	@scripts/setup python
	@scripts/python build/release build/python
	@ls build/python/*.whl build/python/*.tar.gz

bench: build
	@scripts/bench build/release/cairn $(JOBS) $(BENCH_OPTIONS)

gallery:
	@scripts/setup gallery
	@scripts/build release $(JOBS) installed
	@scripts/gallery build/release $(PICTURES)

wasm: build
	@scripts/setup wasm
	@scripts/wasm $(JOBS)
	@bash tests/web/test_hashes.sh build/release/cairn .

npm: wasm
	@mkdir -p build/npm
	@scripts/npm-package build/npm
	@bash tests/web/test_package.sh build/release/cairn .

playground: wasm
	@scripts/site playground

site: wasm
	@scripts/setup site
	@scripts/site

deb:
	@scripts/setup deb
	@scripts/deb $(JOBS)
	@bash tests/install/test_deb.sh build/packages/cairn .

archive: build
	@scripts/archive build/release

fuzz:
	@scripts/setup test
	@scripts/build fuzz $(JOBS) fuzzers
	@scripts/build release $(JOBS)
	@scripts/fuzz $(FUZZ_SECONDS) $(JOBS)

check:
	@scripts/check-layers
	@scripts/check-system
	@scripts/check-format

lint: build
	@scripts/lint

format:
	@git ls-files '*.c' '*.h' '*.cpp' | xargs clang-format -i

clean:
	rm -rf build

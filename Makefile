# The short commands. Each one first installs what is missing (tools/setup), then builds what has changed.
# CMake alone does as well: cmake --preset release && cmake --build --preset release
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
env := . build/env.sh

# What there is depends on what has been written so far: a target without its script is not offered.
scripts := $(notdir $(wildcard tools/demo tools/bench tools/gpu-check))

.PHONY: help demo test lint format bench gpu-test install clean setup build test-release test-asan test-tsan

help:
	@echo "make demo      build, run the main job on real-sized data, and check it"
	@echo "make test      build and run every test that needs no GPU, then again under sanitizers"
	@echo "make lint      check formatting, types and layout of the sources"
	@echo "make format    format the sources"
ifneq ($(filter bench,$(scripts)),)
	@echo "make bench     measure, beside others and beside the limit of the machine"
endif
ifneq ($(filter gpu-check,$(scripts)),)
	@echo "make gpu-test  run the tests that need a GPU"
endif
	@echo "make install   install to PREFIX ($(PREFIX)); DESTDIR is respected"
	@echo "make clean     remove everything that was built"

setup:
	@tools/setup

# $(call build_preset,NAME,OPTIONS). At a terminal Ninja tells its progress on one line; elsewhere only what fails.
define build_preset
	@$(env); log=build/configure-$(1).log; quiet=; \
	[ -t 1 ] || ! ninja --quiet --version >/dev/null 2>&1 || quiet="-- --quiet"; \
	echo "== $(1): build"; \
	cmake --preset $(1) $(2) >$$log 2>&1 || { cat $$log; exit 1; }; \
	cmake --build --preset $(1) -j $(JOBS) $$quiet
endef

build: setup
	$(call build_preset,release,-DWARPPRIM_CUDA=$$WARPPRIM_WITH_CUDA)

demo: build
	@$(env); tools/demo

test:
	@$(MAKE) test-release && $(MAKE) test-asan && $(MAKE) test-tsan

test-release: build
	@echo "== release: test"; $(env); ctest --preset release -j $(JOBS)

test-asan: setup
	$(call build_preset,asan)
	@echo "== asan: test"; $(env); ctest --preset asan -j $(JOBS)

# The thread sanitizer needs its part of the address space free, which the randomisation of newer kernels may take.
test-tsan: setup
	$(call build_preset,tsan)
	@echo "== tsan: test"; $(env); fixed=; ! setarch -R true 2>/dev/null || fixed="setarch -R"; $$fixed ctest --preset tsan -j $(JOBS)

lint:
	@tools/setup lint && tools/lint

format:
	@tools/setup lint && tools/lint --fix

ifneq ($(filter bench,$(scripts)),)
bench: build
	@$(env); tools/bench
endif

ifneq ($(filter gpu-check,$(scripts)),)
gpu-test: setup
	@$(env); tools/gpu-check
endif

install: build
	@$(env); cmake --install build/release --prefix "$(PREFIX)"

clean:
	rm -rf build

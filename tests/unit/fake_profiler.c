/* Stands for a profiler in the tests of NVTX ranges: NVTX loads it (NVTX_INJECTION64_PATH), and it prints what it is told,
 * one "push=DOMAIN: NAME" or "pop=DOMAIN" a line. */
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>

static nvtxDomainHandle_t create(const char* name) {
  return (nvtxDomainHandle_t)name;
} /* names are literals */

static int push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* range) {
  printf("push=%s: %s\n", (const char*)domain, range->message.ascii);
  return 0;
}

static int pop(nvtxDomainHandle_t domain) {
  printf("pop=%s\n", (const char*)domain);
  return 0;
}

__attribute__((visibility("default"))) int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table) {
  const NvtxExportTableCallbacks* callbacks = (const NvtxExportTableCallbacks*)get_table(NVTX_ETID_CALLBACKS);
  NvtxFunctionTable functions;
  unsigned int count;
  if (!callbacks || !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &functions, &count)) return 0;
  *functions[NVTX_CBID_CORE2_DomainCreateA] = (NvtxFunctionPointer)create;
  *functions[NVTX_CBID_CORE2_DomainRangePushEx] = (NvtxFunctionPointer)push;
  *functions[NVTX_CBID_CORE2_DomainRangePop] = (NvtxFunctionPointer)pop;
  return 1;
}

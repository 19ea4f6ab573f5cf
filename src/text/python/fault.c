#include "text/python/fault.h"

/* Which CUDA knows which GPU of these generations. */
/* Which of the two is said depends on the toolkit that the text names. */
#define PTXAS_OF_TEXT "The text names a CUDA toolkit that is new enough, so name its ptxas: "
#define PTXAS_OF_TOOLKIT                                                                                               \
    "Or name the ptxas of a CUDA toolkit that knows the GPU (" FAULT_TOOLKITS "; the driver's version is another): "

/* For programs whose workers share a directory. */
#define WORKERS_CACHE                                                                                                  \
    "Under pytest-xdist, in conftest.py, before torch is imported: `os.environ[\"TORCHINDUCTOR_CACHE_DIR\"] = "        \
    "os.path.join(tempfile.gettempdir(), \"ti-\" + os.environ.get(\"PYTEST_XDIST_WORKER\", \"main\"))`"

/* A library of Visual Studio or of the Windows SDK. */
#define LNK1104(library) "fatal error LNK1104\t'" library "\n"

static const struct fault faults[] = {
    /* names that hide others come first, because the errors that follow from them can look like anything */
    {"hidden-module", "A file of the program has the name of a module that PyTorch needs",
     "Rename the file that the message names: Python imports it instead of the module.",
     .sure = "partially initialized module 'torch\npartially initialized module 'numpy'\nhas the same name as the "
             "standard library module\n"
             "shadowing the standard library",
     .within = "(most likely due to a circular import)"},

    /* Triton */
    {"old-python-c", "The C code of Triton's driver does not fit this Python",
     "Take another version of Triton, the one of a newer or older PyTorch (`pip install --force-reinstall "
     "torch==VERSION` brings the one that fits), or a Python that it was made for. Remove `~/.triton/cache`, which "
     "keeps what was built.",
     .sure = "PY_SSIZE_T_CLEAN macro must be defined"},
    {"wrong-triton", "Triton and PyTorch do not fit together",
     "Install the version of Triton that this PyTorch was built for; `pip check` names it, and `pip install "
     "--force-reinstall torch==VERSION` brings it. Where `pip list` shows several (triton, pytorch-triton, "
     "triton-nightly), remove all of them before: they overwrite each other. On Windows each version of PyTorch needs "
     "its own version of triton-windows.",
     .alone = "from 'triton.compiler\nfrom 'triton.runtime\nmodule 'triton' has no attribute\n"
              "'KernelMetadata' object has no attribute\n'CompiledKernel' object has no attribute\n"
              "Triton only support CUDA 10.0 or higher\n"
              "'AttrsDescriptor' object has no attribute\n'JITFunction' object has no attribute\n"
              "type object 'CompiledKernel' has no attribute\ntype object 'JITFunction' has no attribute\n"
              "JITFunction.__init__() got an unexpected keyword argument\nrequires triton\tbut you have triton\n"
              "requires pytorch-triton\tbut you have\nASTSource.\tmissing 1 required positional argument\n"
              "assert isinstance(k, tuple)\ntarget must be of GPUTarget type\n'GPUTarget' object has no attribute",
     .sure = "must be called with a dataclass type or instance\ncannot import name\t'triton\nNo module named "
             "'triton.\nmodule 'triton.\thas no attribute",
     .within = "triton\tgot an unexpected keyword argument"},
    {"two-tritons", "Not one backend of Triton fits this GPU, but none or several",
     "Leave one Triton, the one of this PyTorch: `pip list` shows which are installed (triton, pytorch-triton, "
     "triton-rocm, triton-windows); remove all, then `pip install --force-reinstall torch==VERSION`.",
     .alone = "compatible backends for target (\n2 active drivers ("},
    {"no-vc-runtime", "The library of Triton cannot be loaded",
     "On Windows install the Visual C++ Redistributable (x64) of Microsoft, and the triton-windows that belongs to "
     "this PyTorch and Python.",
     .alone = "DLL load failed while importing libtriton"},
    {"no-triton", "Triton is not installed",
     "Install the Triton that fits this PyTorch: `pip install --force-reinstall torch==VERSION` brings it. Where conda "
     "installed PyTorch, take both from one channel: `conda install -c conda-forge pytorch triton`. On Windows it is "
     "called `triton-windows`, and each version of PyTorch needs its own. Where there is none (on a Mac, or for an "
     "old GPU), run this part without torch.compile.",
     .alone = "Cannot find a working triton installation\nNo module named 'triton'", .within = "TritonMissing"},
    {"no-libcuda", "The library of the GPU's driver, libcuda, is not found by the linker",
     "Look where it is: `ldconfig -p | grep libcuda`. If there is only libcuda.so.1, put a link libcuda.so beside "
     "it, or name the directory: `TRITON_LIBCUDA_PATH=/usr/lib/x86_64-linux-gnu` (and `LIBRARY_PATH`). In a "
     "container, start it with `--gpus all`.",
     .alone = "cannot find -lcuda\nlibcuda.so cannot found\nunable to find library -lcuda"},
    {"no-c-compiler", "Triton finds no C compiler",
     "Install one, or name the one to use: `CC=gcc`. On Debian and Ubuntu: `apt install gcc`.",
     .alone = "Failed to find C compiler. Please specify via CC",
     .within = "No such file or directory: 'gcc'\nNo such file or directory: 'cc'\nNo such file or directory: 'clang'",
     .eager = true},
    {"no-execute-file", "A program that the compiler calls may not be run",
     "Let this user run the file that the message names (`chmod +x`), or move it to a disk that is not mounted with "
     "`noexec`.",
     .within = "Permission denied: '/\t/bin/ptxas'\nPermission denied: '/\t/bin/gcc'\nPermission denied: '/\t/bin/cc'\n"
               "Permission denied: '/\t/bin/g++'\nPermission denied: '/\t/bin/clang'\n"
               "Permission denied: '/\t/bin/clang++'\nPermission denied: '/\t/bin/nvcc'\n"
               "Permission denied: '/\t/bin/ld'\nPermission denied: '/\t/bin/ld.lld'\n"
               "Permission denied: '/\t/bin/hipcc'\nPermission denied: '/\t/bin/ninja'"},
    {"no-ptxas", "CUDA's assembler, ptxas, is not found",
     "Triton comes with it: `pip install --force-reinstall torch==VERSION` brings the Triton that fits. Or name the "
     "one of the CUDA toolkit: `TRITON_PTXAS_PATH=/usr/local/cuda/bin/ptxas`.",
     .within = "Cannot find ptxas\nNo such file or directory: 'ptxas'\nbin/ptxas'"},
    {"no-match", "A package is installed that does not fit this PyTorch",
     "Install versions that belong together, in one command: `pip install torch torchvision torchaudio`, with the "
     "package that the message names. `pip check` lists what does not fit.",
     .alone = "requires torch==\tbut you have torch"},
    {"no-libdevice", "A file of Triton, libdevice, is missing",
     "Triton brings it, and `pip install --force-reinstall torch==VERSION` the Triton that fits. Where conda "
     "installed PyTorch, take both from one channel: `conda install -c conda-forge pytorch triton`. Or name the one "
     "of the CUDA toolkit: `TRITON_LIBDEVICE_PATH`.",
     .alone = "Can't find libdevice at"},
    {"miopen", "MIOpen, AMD's library of operators, cannot build or find its kernel",
     "It does the same without `torch.compile`. Remove its caches (`~/.cache/miopen`, `~/.config/miopen`), and use the "
     "PyTorch build for this ROCm and this GPU, or a newer one.",
     .alone = "miopenStatus", .sure = "HIPRTC_ERROR_COMPILATION"},
    {"no-fp8", "The GPU does not have this kind of fp8",
     "`fp8e4nv` (`float8_e4m3fn`) needs compute capability 8.9 (Ada, Hopper). On an older GPU, leave that part "
     "uncompiled, as eager mode converts it, or convert to bfloat16 or float16 before the compiled function. `fp8e5` "
     "(`float8_e5m2`), where the message lists it, has other values.",
     .alone = "not supported in this architecture. The supported fp8 dtypes\n_scaled_mm is only supported on CUDA "
              "devices",
     .within = "type fp8e4nv not supported\ntype fp8\tnot supported in this architecture"},
    {"no-dtype", "The GPU does not have this data type",
     "Use another dtype on this GPU: bfloat16 needs compute capability 8.0, fp8 needs 8.9. float16 works on older "
     "GPUs, and no newer CUDA toolkit changes that. Kernels of SageAttention are Triton's, "
     "too: take another attention, such as `sdpa`. Without torch.compile, bfloat16 is emulated. "
     "`torch.cuda.is_bf16_supported()` counts that, too; "
     "`is_bf16_supported(including_emulation=False)` (2.4 and later) does not.",
     .alone = "' requires .target sm_", .within = "Feature '.bf16'\tsm_80 or higher"},
    {"no-fp64", "The GPU does not compute in float64",
     "Use float32: float64 often comes from NumPy arrays, Python numbers in `torch.tensor`, or a default dtype.",
     .alone = "Required aspect fp64 is not supported\nthe MPS framework doesn't support float64\n"
              "Trying to convert Double to the MPS backend"},
    {"no-mps-operator", "The operator is not there for GPUs of Apple",
     "Let the CPU compute it: `PYTORCH_ENABLE_MPS_FALLBACK=1`, or try a newer PyTorch.",
     .alone = "is not currently implemented for the MPS device"},
    {"triton-of-nvidia", "The Triton that is installed is made for GPUs of NVIDIA",
     "Remove it (`pip uninstall triton`), then install the PyTorch that was built for this ROCm, which brings its own "
     "Triton (pytorch-triton-rocm): `pip install --force-reinstall torch==VERSION`, from the index for ROCm.",
     .alone = "gpu-name', on a GPU of AMD"},
    {"old-ptxas-blackwell", "CUDA's assembler, ptxas-blackwell, does not know this GPU",
     PTXAS_OF_TEXT "`TRITON_PTXAS_BLACKWELL_PATH=/usr/local/cuda/bin/ptxas`. Triton brings its own ptxas-blackwell, "
     "which is older than the GPU: install a newer PyTorch with its Triton. " PTXAS_OF_TOOLKIT
     "`TRITON_PTXAS_BLACKWELL_PATH=/usr/local/cuda/bin/ptxas`",
     .alone = "ptxas-blackwell\tis not defined for option 'gpu-name'", .within = "ptxas-blackwell fatal"},
    {"old-ptxas", "CUDA's assembler, ptxas, does not know this GPU",
     PTXAS_OF_TEXT "`TRITON_PTXAS_PATH=/usr/local/cuda/bin/ptxas`. Triton's ptxas, or the one that is named, is older "
     "than the GPU: install a newer PyTorch with its Triton. For sm_100 and sm_120 that is 2.7 or later, built for "
     "CUDA 12.8. " PTXAS_OF_TOOLKIT "`TRITON_PTXAS_PATH=/usr/local/cuda/bin/ptxas`",
     .alone = "is not defined for option 'gpu-name'", .within = "PTXASError\tsm_\nptxas fatal"},

    /* compilers */
    {"blank-in-path", "A path with a blank in it is taken apart by the compiler",
     "Use a Python, and cache directories (`TORCHINDUCTOR_CACHE_DIR`), whose paths have no blanks, or a newer PyTorch.",
     .sure = "fatal error C1083: Cannot open source file\nerror D8003 : missing source filename\n"
             "D9024\tunrecognized source file type 'Files"},
    {"no-msvc", "Visual Studio's C++ compiler is not found",
     "Install the Build Tools of Visual Studio with C++, then start Python from the \"x64 Native Tools Command "
     "Prompt\" of Visual Studio, or run its `vcvarsall.bat x64` first.",
     .alone = "Compiler: cl is not found",
     .within = "'cl' is not recognized\nNo such file or directory: 'cl'\n[WinError 2]\tcl", .eager = true},
    {"no-msvc-headers", "Visual Studio's C++ compiler runs, but does not find its own headers or libraries",
     "It is the 32-bit compiler (`for x86`), but Python needs the 64-bit one. Start Python from the \"x64 Native Tools "
     "Command Prompt\" of Visual Studio, or run its `vcvarsall.bat x64` first: they set `INCLUDE` and `LIB`, which "
     "`cl` on the `PATH` alone does not. Start a notebook or an editor from that prompt, too: its Python has the "
     "variables of where it was started. Where they are set, the installation is incomplete: repair it in the Visual "
     "Studio Installer. `where cl` shows which one is used.",
     .alone = LNK1104("msvcrt") LNK1104("msvcprt") LNK1104("libcmt") LNK1104("libcpmt") LNK1104("vcruntime")
              LNK1104("ucrt") LNK1104("oldnames") LNK1104("kernel32") LNK1104("user32") LNK1104("uuid")
              "Cannot open include file: 'algorithm'\n"
              "Cannot open include file: 'omp.h'\nCannot open include file: 'stdint.h'\n"
              "Cannot open include file: 'cstdint'\nCannot open include file: 'stddef.h'\n"
              "Cannot open include file: 'crtdefs.h'\nCannot open include file: 'corecrt.h'\n"
              "Cannot open include file: 'vcruntime.h'\nCannot open include file: 'float.h'\n"
              "Cannot open include file: 'math.h'\nCannot open include file: 'stdio.h'\n"
              "Cannot open include file: 'stdlib.h'\nCannot open include file: 'iostream'\n"
              "fatal error C1083\t omp.h\nfatal error C1083\t algorithm:\nfatal error C1083\t stdint.h\n"
              "fatal error C1083\t stddef.h\nfatal error C1083\t float.h",
     .standard = true},
    {"no-link-file", "Visual Studio's linker cannot open a file",
     "The message names it. Of a library (`.lib`) the directory must be in `LIB`; Python's own (`python311.lib`) is "
     "in `libs` beside the python.exe that was installed, which a virtual environment is made from. A `.pyd` or `.dll` "
     "that is to be written may be loaded by another process: end that.",
     .alone = "fatal error LNK1104"},
    {"no-python-headers", "The headers of Python are missing",
     "Install them: `apt install python3-dev`. On Fedora and RHEL the package is called `python3-devel`. Or use a "
     "Python that comes with them, as conda's and uv's do.",
     .alone = "Python.h: No such file\n'Python.h' file not found\nPython.h': No such file"},
    {"old-for-clang", "This PyTorch passes options to Apple's clang that it does not know",
     "Install a newer PyTorch, which passes others; it needs OpenMP: `brew install libomp`. Or name GCC: "
     "`brew install gcc`, then `CXX=g++-14`.",
     .alone = "unsupported option '-fopenmp'", .within = "clang\tdoes not support '-march=native'"},
    {"no-openmp", "OpenMP is missing",
     "Install it for the compiler. On macOS: `brew install libomp`. Homebrew on macOS puts it where clang does not "
     "look, and PyTorch looks where this says: `export OMP_PREFIX=$(brew --prefix libomp)`. PyTorch 2.0 does not read "
     "`OMP_PREFIX`, and clang on macOS does not look where Homebrew puts it: "
     "`export CPATH=$(brew --prefix libomp)/include LIBRARY_PATH=$(brew --prefix libomp)/lib`. "
     "For clang on Debian and Ubuntu: `apt install libomp-dev`. GCC comes with it: `CXX=g++`.",
     .alone = "omp.h: No such file\n'omp.h' file not found\nOpenMP support not found\ncannot find -lgomp\n"
              "library not found for -lomp\nlibrary 'omp' not found\n"
              "flat namespace '\t_kmpc_\n"
              "Library not loaded: \tlibomp"},
    {"two-openmps", "Two copies of OpenMP are loaded into the process",
     "Install PyTorch and what else computes from one source, all with pip or all with conda, so that one copy is "
     "left. "
     "`KMP_DUPLICATE_LIB_OK=TRUE` lets the program go on, with results that may be wrong.",
     .alone = "OMP: Error \tInitializing "},
    {"no-level-zero", "The headers of Level Zero, which Triton needs for GPUs of Intel, are missing",
     "On Windows take level-zero-win-sdk from the releases of oneapi-src/level-zero, unpack it and name its directory: "
     "`LEVEL_ZERO_V1_SDK_PATH=C:\\level-zero`. Another driver of the GPU may set it by itself. On Debian and Ubuntu: "
     "`apt install libze-dev`.",
     .alone = "level_zero/ze_api.h"},
    {"no-sycl", "The headers of SYCL, which Triton needs for GPUs of Intel, are missing",
     "Install what the message names, in the version that this PyTorch asks for: the wheel `intel-sycl-rt`, or the "
     "compiler of oneAPI, whose `setvars` must run before Python (it sets `ONEAPI_ROOT`).",
     .sure = "sycl headers not found"},
    {"no-icpx", "Triton for GPUs of Intel does not take this C++ compiler",
     "Install the compiler of oneAPI, icpx, and run its `setvars` before Python, or use a newer PyTorch with its "
     "Triton.",
     .alone = "only icpx is supported"},
    {"gpu-lost", "The driver lost the GPU",
     "A kernel crashed it or ran for too long: update the driver, use smaller inputs, and on Windows allow kernels "
     "more time (`TdrDelay`). A run without `torch.compile` shows whether a compiled kernel does it.",
     .alone = "RESULT_ERROR_DEVICE_LOST\nDXGI_ERROR_DEVICE_REMOVED\nGPU has fallen off the bus"},
    {"intel-memory", "The GPU of Intel has no memory left",
     "Use a smaller batch, and close other programs that use the GPU.",
     .alone = "RESULT_ERROR_OUT_OF_DEVICE_MEMORY\nRESULT_ERROR_OUT_OF_HOST_MEMORY\nRESULT_ERROR_OUT_OF_RESOURCES"},
    {"no-igc", "The compiler of the Intel GPU cannot be loaded",
     "The library that the message names is missing, or of another version (`ldconfig -p | grep libigc`): install the "
     "packages of the driver and of its compiler (libigc) together, in the versions that this PyTorch asks for. The "
     "model is not the cause.",
     .alone = "Loading of IGC library has failed"},
    {"intel-driver", "The driver of the Intel GPU, or its compiler, cannot build a kernel",
     "Install the driver and its compiler (libigc, intel-opencl-icd) in the versions that this PyTorch and its Triton "
     "ask for.",
     .alone = "Triton Error [ZE]\nError! IGC initialization failure\nZE_RESULT_ERROR_MODULE_BUILD_FAILURE\n"
              "IGC: Internal Compiler Error",
     .sure = "'ocloc'\tnon-zero exit status\ndevice architecture not recognized",
     .within = "ocloc\tfailed with error code\nUR_RESULT_ERROR\nZE_RESULT_ERROR_"},
    {"no-lld", "The linker of ROCm, ld.lld, is not found",
     "Look where it is (`find / -name ld.lld`), and name it: `TRITON_HIP_LLD_PATH=/opt/rocm/llvm/bin/ld.lld`. ROCm's "
     "own package and its wheels for Python have it.",
     .sure = "ld.lld not found"},
    {"no-tool", "A tool that the compiler calls is not found",
     "Install what has it, or set the variable that the message names to where it is.",
     .sure = "not found. Set '\t' to its path"},
    {"no-rocm-headers", "The headers of ROCm are not found",
     "PyTorch takes them from the directory that `ROCM_HOME` (or `ROCM_PATH`) names: set it to the one that has "
     "`include/hip/hip_runtime.h`, most often `ROCM_HOME=/opt/rocm`. A newer PyTorch also finds those of ROCm's "
     "wheels.",
     .within = "hip/hip_runtime.h: No such file\n'hip/hip_runtime.h' file not found\n'hip/hip_runtime.h': No such "
               "file"},
    {"no-rocm", "The runtime of ROCm is not found",
     "Install ROCm (on Windows the HIP SDK, or PyTorch's wheels that bring it) in the version of this PyTorch, and "
     "name where it is: `ROCM_PATH`, `HIP_PATH`, `LD_LIBRARY_PATH`.",
     .alone = "cannot locate libamdhip64\ncannot locate amdhip64"},
    {"no-command-line-tools", "The compiler of macOS is not installed", "Install it: `xcode-select --install`",
     .alone = "xcrun: error: invalid active developer path"},
    {"no-linker", "The C compiler finds no linker",
     "Install one (on Debian and Ubuntu `apt install binutils`), or let `PATH` have the directory of `ld` (most often "
     "/usr/bin) when Python starts.",
     .alone = "collect2: fatal error: cannot find\ncollect2: cannot find"},
    {"no-ninja", "Ninja, which builds extensions, is missing", "Install it: `pip install ninja`",
     .sure = "Ninja is required to load C++ extensions"},
    {"no-nvcc", "The compiler of CUDA is not found",
     "Install the toolkit of CUDA in the version of this PyTorch (`torch.version.cuda`), and name where it is: "
     "`CUDA_HOME=/usr/local/cuda`.",
     .sure = "CUDA_HOME environment variable is not set\nNo such file or directory: 'nvcc'\nnvcc: not found"},
    {"old-nvcc", "The compiler of CUDA does not know this GPU",
     "Install a newer toolkit of CUDA, in the version of this PyTorch, or build for less: `TORCH_CUDA_ARCH_LIST`.",
     .sure = "nvcc fatal   : Unsupported gpu architecture\nnvrtc: error: invalid value for --gpu-architecture"},
    {"old-compiler", "The C++ compiler is too old for what Inductor writes",
     "Install a newer one and name it: `CXX=g++-12`. With conda: `conda install -c conda-forge gxx`.",
     .alone = "unrecognized command line option '-std=c++\nunrecognized command line option \xe2\x80\x98-std=c++\n"
              "C++17 or later compatible compiler is required",
     .within = "unrecognized command line option\nunrecognized command-line option\ninvalid value 'c++\tin '-std=\n"
               "is required to use PyTorch\n#error\ttoo old\n"
               "#error\trequires compiler and library support for the ISO C++"},
    {"no-main-guard", "The script, or what it imports, starts processes that run the script again",
     "Put what the script does under `if __name__ == \"__main__\":`. Or compile without processes of Inductor's own: "
     "`torch._inductor.config.compile_threads = 1`, before the first compiled call. Inductor's own workers run it "
     "again, too, where they start by `spawn` (`worker_start_method`), and in some versions as soon as Inductor is "
     "imported: move that import under it as well.",
     .sure = "An attempt has been made to start a new process before the"},
    {"old-assembler", "The compiler or the assembler does not know this processor",
     "Install newer ones (binutils and g++, or `conda install gxx`) and name them: `CXX=g++-12`. A newer PyTorch may "
     "leave out `-march=native` where the compiler does not take it.",
     .within = "Error: no such instruction: `\nbad value (\t' switch\nunsupported argument 'native'\nunknown value "
               "'native\n-march=native\tISA string must begin"},
    {"no-cpp-compiler", "No C++ compiler is found",
     "Install a C++ compiler, or name the one to use: `CXX=g++`. On Debian and Ubuntu: `apt install g++`.",
     .alone = "No working C++ compiler found",
     .within = "InvalidCxxCompiler\nNo such file or directory: 'g++'\nNo such file or directory: 'clang++'\n"
               "Compiler: \tis not found", .eager = true},
    {"no-compiler-headers", "The C compiler does not find its own headers",
     "Its installation is incomplete, or a wrapper (ccache, a module, a container) starts another one. Install it "
     "again, or name one that works: `CC=/usr/bin/gcc` for the C code of Triton, `CXX=g++` for C++. On Debian and "
     "Ubuntu: `apt install --reinstall build-essential`.",
     .within = "fatal error: stddef.h: No such\nfatal error: stdarg.h: No such\nfatal error: stdbool.h: No such\n"
               "fatal error: float.h: No such\nfatal error: stdint.h: No such\nfatal error: limits.h: No such\n"
               "fatal error: immintrin.h: No such\n'stddef.h' file not found\n'stdarg.h' file not found\n"
               "'stdbool.h' file not found\n'float.h' file not found\n'stdint.h' file not found\n"
               "'limits.h' file not found\n'immintrin.h' file not found"},
    {"no-c-headers", "The headers of the C library are missing",
     "Install them: `apt install libc6-dev linux-libc-dev`. On Fedora and RHEL: `dnf install glibc-devel`. With the "
     "compiler of conda: `conda install -c conda-forge gcc gxx`. On macOS: `xcode-select --install`",
     .within = "fatal error: stdlib.h: No such\nfatal error: stdio.h: No such\nfatal error: string.h: No such\n"
               "fatal error: math.h: No such\nfatal error: assert.h: No such\nfatal error: errno.h: No such\n"
               "fatal error: features.h: No such\nfatal error: pthread.h: No such\nfatal error: unistd.h: No such\n"
               "fatal error: dlfcn.h: No such\nfatal error: bits/\nfatal error: sys/\nfatal error: linux/\n"
               "fatal error: asm/\n'stdlib.h' file not found\n'stdio.h' file not found\n'string.h' file not found\n"
               "'math.h' file not found\n'assert.h' file not found\n'errno.h' file not found\n"
               "'features.h' file not found\n'pthread.h' file not found\n'unistd.h' file not found\n"
               "'dlfcn.h' file not found"},
    {"no-cpp-headers", "The headers of the C++ library are missing",
     "Install them with the compiler: `apt install g++`. On Fedora and RHEL: `dnf install gcc-c++`. clang uses those "
     "of the newest GCC that is installed, so install g++ of that version, too.",
     .within = "fatal error: algorithm: No such\nfatal error: cmath: No such\nfatal error: cstddef: No such\n"
               "fatal error: cstdint: No such\nfatal error: cstdlib: No such\nfatal error: iostream: No such\n"
               "fatal error: string: No such\nfatal error: vector: No such\nfatal error: limits: No such\n"
               "fatal error: memory: No such\nfatal error: 'algorithm' file not found\n"
               "fatal error: 'cmath' file not found\nfatal error: 'cstddef' file not found\n"
               "fatal error: 'cstdint' file not found\nfatal error: 'cstdlib' file not found\n"
               "fatal error: 'iostream' file not found\nfatal error: 'string' file not found\n"
               "fatal error: 'vector' file not found\nfatal error: 'limits' file not found\n"
               "fatal error: 'memory' file not found"},
    {"no-cuda-headers", "The headers of CUDA are missing",
     "Where conda installed PyTorch, take them from conda, and mix in nothing of pip: `conda install -c conda-forge "
     "cuda-cudart-dev`. The Triton of pip brings its own cuda.h: `pip install --force-reinstall torch==VERSION` "
     "installs the one that fits. For anything else install the toolkit of CUDA, and name it: "
     "`CUDA_HOME=/usr/local/cuda`, `CPATH=/usr/local/cuda/include`.",
     .within = "cuda.h: No such file\n'cuda.h' file not found\nfatal error: cuda_runtime\nfatal error: cuda_fp16\n"
               "'cuda_runtime.h' file not found\nfatal error: cublas\nfatal error: cusparse\nfatal error: cusolver"},
    {"cannot-link", "A library that the linker needs is missing",
     "Install the library that the message names, or add its directory to `LIBRARY_PATH`.",
     .within = "/ld: cannot find -l\nld: library not found for -l\nlld: error: unable to find library"},

    /* libraries */
    {"old-libstdcxx", "A library is older than the code that was built for it",
     "The compiler and Python use different versions of the C++ library. Compile with the compiler of the environment "
     "(`conda install gxx`), or put the newer library first: `LD_LIBRARY_PATH`.",
     .within = "version `GLIBCXX_\nversion `GLIBC_\nversion `CXXABI_"},
    {"no-address-space", "The process may have no more memory mapped",
     "Most likely its address space is limited: `ulimit -v` shows how far, and `ulimit -v unlimited` lifts it. Or the "
     "machine, job or container has no memory left.",
     .sure = "failed to map segment from shared object: Cannot allocate memory"},
    {"no-execution", "Code in the cache directory may not be run: its file system is mounted with noexec",
     "Put the caches where code may be run: `TORCHINDUCTOR_CACHE_DIR=$HOME/.cache/torchinductor` (and "
     "`TRITON_CACHE_DIR`). `findmnt -T DIR -o OPTIONS` shows how a directory is mounted. The permissions of the file "
     "do not matter: a library needs no execute bit, so `chmod` does not help.",
     .sure = "torchinductor_\tfailed to map segment from shared object\n"
             ".triton/\tfailed to map segment from shared object\n"
             "/triton/\tfailed to map segment from shared object",
     .within = "failed to map segment from shared object",
     .unless = "site-packages/\ndist-packages/"},
    {"no-paging", "Windows has no memory left that it can promise",
     "Let the paging file grow (System, Advanced, Performance), or start fewer processes: `num_workers=0`, "
     "`TORCHINDUCTOR_COMPILE_THREADS=1`.",
     .sure = "[WinError 1455]"},
    {"no-dll", "A library of PyTorch, or what it needs, cannot be loaded",
     "Install the Visual C++ Redistributable (x64) of Microsoft, then PyTorch again in an environment of its own.",
     .sure = "[WinError 1114]\ttorch\n[WinError 126]\ttorch\n[WinError 127]\ttorch\n[WinError 182]\ttorch\n[WinError "
             "193]\ttorch"},
    {"other-abi", "A library that is loaded does not fit: most likely it has the other ABI of C++",
     "The code that needs the symbol was built for the old ABI (`Ss` in the symbol is its `std::string`), as by the "
     "PyTorch of pip up to 2.6. Most likely the library has the new one, as libtorch cxx11-abi and PyTorch 2.7 and "
     "later: then the same version does not fit, either. Take both of one ABI: the pre-cxx11 libtorch, or the libtorch "
     "within the installed PyTorch, or a PyTorch for the code that is built with `_GLIBCXX_USE_CXX11_ABI=1`. Else the "
     "two are of different versions.",
     .alone = "undefined symbol: _ZN3c10\tRKSs\nundefined symbol: _ZN3c10\tESs",
     .sure = "undefined symbol: _ZN2at\tRKSs\nundefined symbol: _ZN2at\tESs\nundefined symbol: _ZN5torch\tRKSs\n"
             "undefined symbol: _ZN5torch\tESs"},
    {"other-python", "A module that Triton built on this machine cannot be loaded",
     "It was built, so the compiler is there, and PyTorch need not be installed again: what the module was linked with "
     "is missing when it is loaded. Most likely that is another Python: `include` and `libs` of the Python that runs "
     "must be of exactly its version (an embedded Python gets them from a full one), without the `.lib` or `.dll` of "
     "another one beside them. Else it is `vcruntime140.dll`: install the Visual C++ Redistributable (x64), and put "
     "the file beside python.exe. After the change remove `%USERPROFILE%\\.triton\\cache`, so that it is built again.",
     .within = "DLL load failed while importing cuda_utils\nDLL load failed while importing __triton_launcher\n"
               "DLL load failed while importing hip_utils"},
    {"broken-library", "A library that is loaded does not fit: it was built for another version, or is not complete",
     "Install PyTorch and what was built for it again, in versions that belong together, and remove the compiler's "
     "caches (`TORCHINDUCTOR_CACHE_DIR`, `TRITON_CACHE_DIR`).",
     .alone = "undefined symbol: _ZN\t3c10", .sure = "aotinductor\tundefined symbol: ",
     .within = "undefined symbol: \nDLL load failed while importing\nsymbol not found in flat namespace"},
    {"no-library", "A shared library is missing",
     "Install what has the library that the message names, or add its directory to `LD_LIBRARY_PATH`.",
     .sure = "ImportError\ttorch\tcannot open shared object file\nImportError\tlibcu\tcannot open shared\nImportError\t"
             "libnccl\tcannot open shared\nOSError\tlibtorch\tcannot open shared\nOSError\tlibcu\tcannot open shared",
     .within = "cannot open shared object file\nLibrary not loaded: "},
    {"other-torch", "A package does not fit this PyTorch: it asks for a name that this version does not have",
     "Install versions that belong together: the package is written for an older or a newer PyTorch. Its page says "
     "which; `pip check` says what it asks for. A name of the program's own may be misspelled.",
     .sure = "module 'torch\thas no attribute\ncannot import name '\tfrom 'torch\nNo module named 'torch.\n"
             "Could not load library\tlibtorchcodec"},
    {"other-cudnn", "The cuDNN that is loaded is not the one that PyTorch was built with",
     "Let PyTorch find its own: unset `LD_LIBRARY_PATH`, remove the other cuDNN, and reinstall PyTorch.",
     .sure = "cuDNN version incompatibility\ncuDNN version mismatch\nUnable to load any of {libcudnn"},
    {"no-onnxscript", "The exporter to ONNX needs a package that is missing",
     "Install it: `pip install onnxscript onnx`", .sure = "No module named 'onnxscript'\nNo module named 'onnx'"},
    {"small-shm", "Processes share memory, of which the system gives too little",
     "In a container start it with `--shm-size=8g` or `--ipc=host`; else `num_workers=0`, or "
     "`torch.multiprocessing.set_sharing_strategy(\"file_system\")`.",
     .sure = "insufficient shared memory (shm)\nunable to allocate shared memory(shm)\nunable to open shared memory "
             "object"},
    {"numpy-2", "A module was built for another NumPy",
     "Install a NumPy that fits: `pip install \"numpy<2\"`, or newer versions of the modules.",
     .within = "compiled using NumPy 1.x cannot be run in\nnumpy.core.multiarray failed to import\nNumpy is not "
               "available\n_ARRAY_API not found"},
    {"no-module", "A Python module that the compiler needs is missing", "Install the module that the message names.",
     .within = "No module named 'setuptools'\nNo module named 'distutils'\nNo module named 'sympy'\nNo module named "
               "'jinja2'\n"
               "No module named 'networkx'\nNo module named 'numpy'\nNeed networkx installed\n"
               "you need to install scipy"},
    {"old-on-windows", "This PyTorch cannot compile on Windows",
     "PyTorch 2.5 is the first that can: install it or a newer one (a GPU also needs triton-windows), or use WSL.",
     .sure = "Windows not yet supported for", .eager = true},
    {"python-3.11", "This PyTorch cannot compile under Python 3.11", "Use Python 3.10, or PyTorch 2.1 or later.",
     .sure = "Python 3.11+ not", .eager = true},
    {"python-3.12", "This PyTorch cannot compile under Python 3.12",
     "Use Python 3.11, or PyTorch 2.4 or later. In moshi: `NO_TORCH_COMPILE=1`.",
     .sure = "not supported on Python 3.12+\nPython 3.12+ not", .eager = true},
    {"python-3.13", "This PyTorch cannot compile under Python 3.13", "Use Python 3.12, or PyTorch 2.6 or later.",
     .sure = "not supported on Python 3.13+\nPython 3.13+ not", .eager = true},
    {"python-3.14", "This PyTorch cannot compile under Python 3.14", "Use Python 3.13, or a newer PyTorch.",
     .sure = "not supported on Python 3.14+\nPython 3.14+ not", .eager = true},
    {"python-version", "This PyTorch cannot compile under this version of Python or system",
     "Use a version of Python that this PyTorch supports, or a newer PyTorch.",
     .sure = "not yet supported for torch.compile\nDynamo is not supported on\ntorch.compile is not supported on",
     .eager = true},

    /* GPUs */
    {"old-gpu", "The GPU is too old for Triton",
     "Triton needs compute capability 7.0 or higher. Use another GPU, or run without torch.compile on "
     "it: `TORCHDYNAMO_DISABLE=1`. In nnU-Net: `nnUNet_compile=f`. In moshi: `NO_TORCH_COMPILE=1`.",
     .alone = "too old to be supported by the triton GPU compiler", .within = "GPUTooOldForTriton"},
    {"new-gpu-of-amd", "This PyTorch has no code for the GPU",
     "Install a PyTorch that was built for the ROCm that lists this GPU (`rocminfo` shows its gfx number). One that "
     "is not listed may run the code of a near one: `HSA_OVERRIDE_GFX_VERSION=11.0.0` (RDNA 3), `10.3.0` (RDNA 2).",
     .sure = "hipErrorNoBinaryForGpu\nHIP error: invalid device function\nHIP error: no kernel image is available\n"
             "Triton Error [HIP]\tno kernel image is available"},
    {"new-gpu", "This PyTorch has no code for the GPU",
     "Install a PyTorch that was built for it: a newer version, with a newer CUDA. A package of AOTInductor must be "
     "compiled on the kind of GPU that runs it.",
     .sure = "no kernel image is available for execution\nis not compatible with the current PyTorch installation\n"
             "CUDA error: invalid device function"},
    {"other-kernel", "The driver of the GPU does not take a compiled kernel",
     "It may come from a cache that was made with another GPU or CUDA, or is damaged: remove the caches "
     "(`/tmp/torchinductor_*`, `~/.triton/cache`, vLLM's `torch_compile_cache`). Or the driver is older than the CUDA "
     "that compiled it: update it.",
     .sure = "device kernel image is invalid"},
    {"old-driver", "The driver of the GPU is older than what the code was compiled for",
     "Update the driver of the GPU, or install a PyTorch that was built for an older CUDA.",
     .sure = "the provided PTX was compiled with an unsupported toolchain\nNVIDIA driver on your system is too old\n"
             "forward compatibility was attempted on non supported HW\nunsupported display driver / cuda driver "
             "combination"},
    {"no-device", "There is no GPU of this number",
     "The program asks for more GPUs than it sees: fewer processes (`--nproc-per-node`), `cuda:0` in place of a higher "
     "number, or more GPUs in `CUDA_VISIBLE_DEVICES`.",
     .sure = "CUDA error: invalid device ordinal\nHIP error: invalid device ordinal"},
    {"busy-gpu", "The GPU is taken by another process, or is in a state in which it takes none",
     "Look with `nvidia-smi` for other processes and for the compute mode; end what is left of an earlier run.",
     .sure = "device(s) is/are busy or unavailable\nall CUDA-capable devices are busy"},
    {"no-fabric", "The GPUs of this machine are not ready",
     "Machines with NVSwitch need the Fabric Manager in the version of the driver: `systemctl status "
     "nvidia-fabricmanager`; else restart the driver.",
     .sure = "CUDA error: system not yet initialized\nError 802: system not yet initialized"},
    {"broken-gpu", "The memory of the GPU is faulty",
     "Look with `nvidia-smi -q` and `dmesg` (Xid), restart the GPU or the machine, and take this GPU out if it comes "
     "again.",
     .sure = "uncorrectable ECC error\nUncorrectable ECC error\nuncorrectable NVLink error"},
    {"no-device-build", "This PyTorch was built without support for this kind of device",
     "Install a build that has it (pytorch.org names the one for each system), or leave the tensors on the CPU.",
     .sure = "PyTorch is not linked with support for\nTorch not compiled with XPU enabled\nTorch not compiled with "
             "MPS\nbuilt without MPS support\nThe MPS backend is supported on MacOS"},
    {"no-cuda-build", "This PyTorch was built without CUDA",
     "Install a build with CUDA (`pip install torch --index-url https://download.pytorch.org/whl/cu128`, or the one "
     "that pytorch.org names for this driver), or leave the tensors on the CPU.",
     .sure = "Torch not compiled with CUDA enabled"},
    {"no-gpu-in-worker", "Triton sees no GPU in a process that compiles kernels",
     "Compile in the program itself, which sees it: `TORCHINDUCTOR_COMPILE_THREADS=1`. If it was forked when the "
     "program already used CUDA, newer versions of PyTorch and Triton may start it in another way; see also that the "
     "two fit together (`pip check`).",
     .sure = "0 active drivers\tSubprocException\n0 active drivers\tin a subprocess"},
    {"no-gpu", "No GPU, or no driver for it, is seen",
     "Look with `nvidia-smi`; in a container start it with `--gpus all`, and look at `CUDA_VISIBLE_DEVICES`.",
     .sure = "Found no NVIDIA driver\nNo CUDA GPUs are available\n0 active drivers\nCUDA unknown error\n"
             "CUDA driver version is insufficient\nno CUDA-capable device"},
    {"shared-memory-reduction", "A reduction that Inductor generated needs more shared memory than the GPU has",
     "Try a newer PyTorch. Until then, keep what the name of the kernel lists out of the compiled function.",
     .sure = "out of resource\ttriton_red_", .within = "OutOfResources\ttriton_red_"},
    {"shared-memory-persistent", "A reduction that Inductor generated needs more shared memory than the GPU has",
     "Let it run in a loop: `torch._inductor.config.triton.persistent_reductions = False`. Or try a newer PyTorch.",
     .sure = "out of resource\ttriton_per_", .within = "OutOfResources\ttriton_per_"},
    {"shared-memory", "A kernel needs more shared memory than the GPU has",
     "Make the blocks smaller, or fewer `num_stages`, in a kernel of your own. flex_attention takes them as "
     "`kernel_options={\"BLOCK_M\": 32, \"BLOCK_N\": 32}`. In another kernel of Inductor's, set "
     "`torch._inductor.config.triton.persistent_reductions = False`, or try a newer PyTorch.",
     .alone = "out of resource: shared memory\nNo valid triton configs. OutOfMemoryError: out of resource",
     .within = "out of resource: \nOutOfResources"},

    /* the system */
    {"no-space", "There is no room on the disk, or in the quota",
     "Make room, or put the caches elsewhere: `TORCHINDUCTOR_CACHE_DIR`, `TRITON_CACHE_DIR`, `TMPDIR`. vLLM's is "
     "`VLLM_CACHE_ROOT`.",
     .within = "No space left on device\nDisk quota exceeded\nnot enough space on the disk"},
    {"no-overwrite", "A file of the compiler's cache is there already, and this PyTorch cannot replace it on Windows",
     "A newer PyTorch can. Until then, remove the compiler's cache while nothing runs, each time it happens.",
     .within = "[WinError 183]\t' -> '"},
    {"no-rename", "Windows does not let the compiler rename a file or directory of its cache",
     "Another process may hold a file in it (a second run, a virus scanner), or it is there already from an earlier "
     "run. End other runs and remove the directory that the message names, or name a new one: "
     "`TRITON_CACHE_DIR=C:\\tr` and `TORCHINDUCTOR_CACHE_DIR=C:\\ti`. " WORKERS_CACHE,
     .within = "[WinError 5]\t' -> '\n[WinError 32]\t' -> '"},
    {"cache-in-use", "Windows refuses a file of the compiler's cache",
     "Most often another process has it open: a second run, or workers that share the cache. End the others, or name "
     "a directory of its own for each: `TORCHINDUCTOR_CACHE_DIR=C:\\ti`. " WORKERS_CACHE,
     .within = "[Errno 13] Permission denied: \t:\\\ttorchinductor_"},
    {"shared-cache", "The compiler's cache is on a network file system that several nodes write to",
     "Give each node a directory on a disk of its own, before the program starts there: "
     "`TRITON_CACHE_DIR=/tmp/triton_$USER TORCHINDUCTOR_CACHE_DIR=/tmp/torchinductor_$USER`",
     .within = "Stale file handle\nStale NFS file handle\n[Errno 116]\nDevice or resource busy: '\t' -> '\n"
               "Device or resource busy: '\t/.nfs"},
    {"no-execute", "A program that the compiler calls may not be run",
     "Either `PATH` finds one that this user may not run, as on a disk that is mounted with `noexec`, or on the host's "
     "disk under WSL. Or `PATH` has a directory that this user may not enter, such as one below `/root`: it then says "
     "so in place of \"not found\". This lists both, to be taken out of `PATH` (put the program's name in place of "
     "nvcc): `echo \"$PATH\" | tr : '\\n' | while read -r d; do [ -x \"$d\" ] && [ ! -e \"$d/nvcc\" ] || ls -ld "
     "\"$d\" \"$d/nvcc\"; done`",
     .within = "Permission denied: 'nvcc'\nPermission denied: 'gcc'\nPermission denied: 'g++'\n"
               "Permission denied: 'cc'\n"
               "Permission denied: 'c++'\nPermission denied: 'clang'\nPermission denied: 'clang++'\n"
               "Permission denied: 'ptxas'\nPermission denied: 'ld'\nPermission denied: 'hipcc'\n"
               "Permission denied: 'ninja'"},
    {"no-permission", "The compiler's cache directory cannot be written",
     "It may be another user's, or read-only. Name one of your own: "
     "`TORCHINDUCTOR_CACHE_DIR=$HOME/.cache/torchinductor TRITON_CACHE_DIR=$HOME/.triton`.",
     .within = "Permission denied: \nRead-only file system\n[WinError 5]\nOperation not permitted: '"},
    {"no-user", "The user id has no user name, which the name of the compiler's cache directory is made of",
     "Name the directory, `TORCHINDUCTOR_CACHE_DIR=/tmp/torchinductor`, or the user, `USER=me` (and `HOME`): "
     "containers run under ids that /etc/passwd does not have.",
     .alone = "getpwuid(): uid not found", .within = "No username set in the environment"},
    {"too-many", "The system allows no more files, processes or threads",
     "Raise the limit (`ulimit -n 65536`, `ulimit -u`), or compile with fewer workers: "
     "`TORCHINDUCTOR_COMPILE_THREADS=1`.",
     .sure = "can't start new thread", .within = "Too many open files\nResource temporarily unavailable"},
    {"long-path", "A path is longer than the system allows",
     "Put the caches into a directory with a short name: `TORCHINDUCTOR_CACHE_DIR=C:\\\\ti`, and allow long paths in "
     "Windows.",
     .within = "File name too long\n[WinError 206]\npath too long"},
    {"windows-limit", "A path is longer than the 259 characters that Windows allows",
     "Put the caches into a directory with a short name, `TORCHINDUCTOR_CACHE_DIR=C:\\ti` and "
     "`TRITON_CACHE_DIR=C:\\tr`, or allow long paths in Windows (`LongPathsEnabled` in the registry).",
     .sure = "No such file or directory: '\n[WinError 3]\n[WinError 206]",
     .path = 248},
    {"long-path-on-windows",
     "A file of the compiler's cache is not found, as its path is too long for Windows or it is gone",
     "Windows opens paths of up to 260 characters: put the caches into a directory with a short name, "
     "`TORCHINDUCTOR_CACHE_DIR=C:\\ti` and `TRITON_CACHE_DIR=C:\\tr`, and allow long paths. Where the path is "
     "shorter, remove the cache.",
     .sure = "No such file or directory: '\t:\\\ttorchinductor_\nNo such file or directory: '\t:\\\t.triton"},
    {"backslash",
     "The code that Inductor wrote is not valid Python: a backslash of a Windows path is taken for an escape",
     "Install a newer PyTorch, or put the caches into a directory whose path has no backslash before U, N or x: "
     "`TORCHINDUCTOR_CACHE_DIR=C:/cache`.",
     .within = "'unicodeescape' codec can't decode"},
    {"encoding", "What a compiler or a file says is not UTF-8",
     "Let Python and the compiler speak UTF-8: `PYTHONUTF8=1`. On Windows, use the English language pack of Visual "
     "Studio (or `VSLANG=1033`) and `chcp 65001`. `TORCHDYNAMO_VERBOSE=1` shows which call reads it.",
     .within = "UnicodeDecodeError\nUnicodeEncodeError\ncodec can't decode byte\ncodec can't encode character"},
    {"no-artifact", "vLLM finds no compiled code to keep, or what is left of an earlier run",
     "Remove what an earlier run left (`rm -rf ~/.cache/vllm/torch_compile_cache`) and start again: the first error of "
     "that run is the cause. If `TORCHINDUCTOR_FORCE_DISABLE_CACHES=1` is set, PyTorch before 2.8 keeps no compiled "
     "code, which vLLM needs: leave it out.",
     .alone = "vLLM failed to compile the model. The most likely reason for this is"},
    {"stale-cache", "What vLLM kept in its cache of compiled code does not fit any more",
     "Remove it: `rm -rf ~/.cache/vllm/torch_compile_cache`, or leave it out: `VLLM_DISABLE_COMPILE_CACHE=1`. It "
     "names its files by their whole paths, so that it does not work where it was moved or copied to.",
     .sure =
         "torch_compile_cache/\tNo such file\nvllm/torch_compile_cache\tpickle\nvllm_compile_cache\tNo such file\n"
         "vllm/torch_compile_cache\tEOFError\nfailed to get the hash of the compiled graph"},
    {"damaged-cache", "A file of the compiler's cache is missing or damaged",
     "Remove the cache, and do not share it between jobs that run at the same time: `rm -rf /tmp/torchinductor_$USER`, "
     "or `TORCHINDUCTOR_CACHE_DIR` of its own for each. In vLLM: `rm -rf ~/.cache/vllm/torch_compile_cache`, and "
     "`VLLM_CACHE_ROOT` of its own for each instance.",
     .sure = "'CompiledFxGraph' object has no attribute\nNo such file or directory: '\ttorchinductor_\n"
             "No such file or directory: '\t.triton/cache",
     .within = "FileNotFoundError\ttorchinductor_\nEOFError\tRan out of input\n"
               "pickle data was truncated\nNo such file or directory\t.triton/cache\ninvalid ELF header\n"
               "@jit functions should be defined in a Python file"},
    {"dead-worker", "A process that compiles kernels ended without a word",
     "It was killed (out of memory: look at `dmesg`) or crashed. Compile in the program itself, which then shows the "
     "cause: "
     "`TORCHINDUCTOR_COMPILE_THREADS=1`.",
     .within =
         "BrokenProcessPool\nA process in the process pool was terminated abruptly\nSubprocException\tterminated\n"
         "A compilation subprocess exited unexpectedly\nAttempting to use a closed pool"},
    {"compiler-killed", "The system killed the C++ compiler",
     "It needed more memory than there is: compile with fewer processes at once (`TORCHINDUCTOR_COMPILE_THREADS=1`, "
     "`MAX_JOBS=1` for extensions), or give the machine, job or container more memory.",
     .alone = "Killed signal terminated program\ninternal compiler error: Killed\nunable to execute command: Killed\n"
              "collect2: fatal error: ld terminated with signal 9"},
    {"compiler-crashed", "The C++ compiler crashed",
     "It has a bug, or its installation is damaged: use another version or another compiler (`CXX=g++-12`, "
     "`CXX=clang++`; for the C code of Triton `CC`).",
     .within = "internal compiler error: "},
    {"no-workers", "This PyTorch cannot start its compile workers on Windows",
     "Compile without them: `TORCHINDUCTOR_COMPILE_THREADS=1`, set before Python starts. A newer PyTorch may start "
     "them.",
     .sure = "pass_fds not supported on Windows"},
    {"no-start-method", "Python does not have this way to start Inductor's compile workers",
     "Leave `torch._inductor.config.worker_start_method` as this version of PyTorch has it (\"subprocess\" needs 2.4 "
     "or later, earlier ones take \"fork\"), or compile without workers: `TORCHINDUCTOR_COMPILE_THREADS=1`.",
     .sure = "cannot find context for '"},
    {"no-embedded-headers", "The Python of a portable package has no headers, which Triton needs",
     "Copy `include` and `libs` of a Python of the same version beside its python.exe; the page of triton-windows has "
     "them.",
     .alone = "include file 'Python.h' not found\ninclude file 'pyconfig.h' not found",
     .sure = "tcc.exe'\tnon-zero exit status"},
    {"blank-in-variable", "A path with a blank in it is split by the compiler or linker",
     "It looks for a file named by the part before the blank (`C:\\Program`). One of the variables `CL`, `_CL_`, "
     "`LINK`, `LIB` and `INCLUDE` has such a path without quotes: quote it, or remove it. A newer triton-windows may "
     "do so.",
     .alone = "\\Program.obj'\n'C:\\Program' is not recognized"},
    {"no-source", "The C++ compiler does not find the file that Inductor wrote",
     "Compare the path in the command with the directory: a character in it (the backslash or blank of a user's name, "
     "a quote) is lost on the way to the compiler, or something clears the directory while it is used. Name another "
     "one, without such characters: `TORCHINDUCTOR_CACHE_DIR=/tmp/inductor`.",
     .within = "error: \ttorchinductor\t.cpp: No such file or directory"},
    {"no-header", "A header that the C++ compiler needs is missing",
     "Install what has the header that the message names, or add its directory to the compiler's search path: "
     "`CPLUS_INCLUDE_PATH`. On Windows that is `INCLUDE`.",
     .alone = "fatal error C1083: Cannot open include file",
     .within = "fatal error: \t: No such file or directory\nfatal error: '\t' file not found"},
    {"no-target", "The C++ compiler does not make code for what this CPU can do, as a header needs it",
     "The compiler is too old for this CPU: use a newer one (`CXX=g++-14`, or clang), or a newer PyTorch. Until then, "
     "compile without vector instructions: `torch._inductor.config.cpp.simdlen = 1`",
     .alone = "target specific option mismatch"},
    {"bad-headers", "The C++ compiler rejects a header, not the code that Inductor wrote",
     "The compiler is too old or too new for that header, or mixes headers of several compilers or versions. Name "
     "another compiler, `CXX=g++-12` (for the C code of Triton `CC=gcc-12`), and unset `CPATH` and "
     "`CPLUS_INCLUDE_PATH`. If the header is in `torch/include`, installing PyTorch again may repair it.",
     .headers = true},
    {"compiler-failed", "A C compiler that Triton called failed, and printed why before the traceback",
     "Read what it printed there, or run the command of the message. Common causes are missing "
     "headers of Python (package python3-dev) and libcuda.so (`ldconfig -p | grep libcuda`).",
     .sure = "non-zero exit status\t/main.c'\t-shared\nnon-zero exit status\t_utils.c'\t-shared",
     .within = "CalledProcessError\t/main.c\nCalledProcessError\tgcc\nreturned non-zero exit status\tgcc\n"
               "returned non-zero exit status\t/cc'"},

    /* last: what the system says when it is none of the above */
    {"no-import", "A module that the compiler needs cannot be imported",
     "Install what the message names, in versions that belong together (`pip check`), and remove the compiler's caches "
     "(`TORCHINDUCTOR_CACHE_DIR`, `TRITON_CACHE_DIR`) when an update came before.",
     .within = "ModuleNotFoundError\nImportError"},
    {"system", "The system refuses something that the compiler asks for",
     "Check that the file or program that the message names exists, and may be read, written and run. Another cache "
     "directory may help: `TORCHINDUCTOR_CACHE_DIR`, `TRITON_CACHE_DIR`.",
     .within = "[Errno \n[WinError \nFileNotFoundError\nPermissionError\nNotADirectoryError\nFileExistsError\nOSError"},
};

enum { SEARCHED = 16384, LINE_SEARCHED = 2048 };

/* Whether each of the words is in the type or the message. */
static bool has_all(struct str type, struct str text, struct str parts)
{
    while (parts.n) {
        struct str part = str_split(&parts, '\t');

        if (!str_has_words(text, part) && !str_has(type, part))
            return false;
    }
    return true;
}

static bool has_any(struct str type, struct str text, const char *alternatives)
{
    struct str rest = str_of(alternatives), words;

    while (str_next_line(&rest, &words))
        if (has_all(type, text, words))
            return true;
    return false;
}

/* Characters of the path that begins with a drive, as Python shows it: a backslash is written twice. */
static size_t path_length(struct str path)
{
    size_t n = 0;

    for (size_t i = 0; i < path.n && path.p[i] != '\'' && path.p[i] != '"' && path.p[i] != '\n'; i++, n++)
        i += path.p[i] == '\\' && i + 1 < path.n && path.p[i + 1] == '\\';
    return n;
}

static bool has_path(struct str text, size_t least)
{
    while (least) {
        ptrdiff_t at = str_find(text, STR(":\\"));

        if (at < 1)
            return false;
        text = str_skip(text, (size_t)at - 1);
        if (path_length(text) >= least)
            return true;
        text = str_skip(text, 3);
    }
    return true;
}

/* --- what compilers print ----------------------------------------------------------------------------------------- */

/* Without ":12", "(12)" and "(12,3)" at its end. */
static struct str without_number(struct str place)
{
    size_t n = place.n;

    while (n > 0 && (str_is_digit(place.p[n - 1]) || strchr(",)", place.p[n - 1])))
        n--;
    return n > 0 && n < place.n && strchr(":(", place.p[n - 1]) ? str_take(place, n - 1) : place;
}

/* "/x/y.h" of "/x/y.h:24:2: error: ...", "/x/y.h(24): error C2065: ..."; false if the line is no compiler's error. */
static bool take_file(struct str line, struct str *file)
{
    static const struct str words[] = {STR_INIT(": error: "), STR_INIT(": fatal error: "), STR_INIT(": error C"),
                                       STR_INIT(": fatal error C")};
    ptrdiff_t at = -1;

    for (size_t i = 0; i < sizeof words / sizeof *words && at < 0; i++)
        at = str_find(line, words[i]);
    if (at <= 0)
        return false;
    *file = str_trim(str_take(line, (size_t)at));
    *file = without_number(without_number(*file));
    return file->n && file->p + file->n < line.p + at;
}

static bool is_generated(struct str text)
{
    return str_has(text, STR("torchinductor_"));
}

static bool is_header(struct str file)
{
    static const struct str endings[] = {STR_INIT(".h"), STR_INIT(".hpp"), STR_INIT(".hh"), STR_INIT(".tcc")};

    return !is_generated(file) &&
           (STR_ENDS_ANY(file, endings) || str_has(file, STR("/include/")) || str_has(file, STR("\\include\\")));
}

/* A template of a header that the generated code uses: the error is in the header, and the cause in that code. */
static bool is_instantiated(struct str line)
{
    return (is_generated(line) || str_has(line, STR(".cpp:")) || str_has(line, STR(".cpp("))) &&
           (str_has(line, STR("required from")) || str_has(line, STR("required by")) ||
            str_has(line, STR("requested here")) || str_has(line, STR("instantiation")));
}

static bool fails_in_header(struct str text)
{
    struct str line, file, first = {0};

    while (str_next_line(&text, &line)) {
        if (is_instantiated(line))
            return false;
        if (!take_file(str_take(line, LINE_SEARCHED), &file))
            continue;
        if (first.n)
            break;
        first = file;
    }
    return first.n && is_header(first);
}

struct str fault_compiler_line(struct str text)
{
    struct str line, file;

    while (str_next_line(&text, &line))
        if (take_file(str_take(line, LINE_SEARCHED), &file))
            return str_trim(line);
    return (struct str){0};
}

/* "x.h(3): fatal error C1083: Cannot open include file: 'algorithm'": headers of C++ have no dot in their names. */
static bool lacks_standard_header(struct str text)
{
    static const struct str headers[] = {
        STR_INIT("assert.h"), STR_INIT("ctype.h"),  STR_INIT("errno.h"),  STR_INIT("excpt.h"),   STR_INIT("inttypes.h"),
        STR_INIT("io.h"),     STR_INIT("limits.h"), STR_INIT("locale.h"), STR_INIT("malloc.h"),  STR_INIT("process.h"),
        STR_INIT("sal.h"),    STR_INIT("setjmp.h"), STR_INIT("signal.h"), STR_INIT("stdarg.h"),  STR_INIT("stdbool.h"),
        STR_INIT("string.h"), STR_INIT("time.h"),   STR_INIT("wchar.h"),  STR_INIT("windows.h"), STR_INIT("Windows.h"),
        STR_INIT("winnt.h"),  STR_INIT("yvals.h"),  STR_INIT("basetsd.h")};
    ptrdiff_t at = str_find(text, STR("fatal error C1083"));
    struct str name;

    return at >= 0 && str_between(str_first_line(str_skip(text, (size_t)at)), STR("'"), STR("'"), &name) && name.n &&
           (STR_IS_ANY(name, headers) || (str_chr(name, '.') < 0 && str_chr(name, '/') < 0));
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

static bool shows(const struct fault *f, struct str type, struct str text, bool of_compiler)
{
    return (has_any(type, text, f->alone) || has_any(type, text, f->sure) ||
            (f->standard && lacks_standard_header(text)) ||
            (of_compiler && (has_any(type, text, f->within) || (f->headers && fails_in_header(text))))) &&
           !has_any(type, text, f->unless) && has_path(text, f->path);
}

const struct fault *fault_find(struct str type, struct str message, bool of_compiler)
{
    message = str_take(message, SEARCHED);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (shows(&faults[i], type, message, of_compiler))
            return &faults[i];
    return NULL;
}

bool fault_is_known(struct str line)
{
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (has_any(STR(""), line, faults[i].alone))
            return true;
    return false;
}

struct str fault_line(const struct fault *f, struct str type, struct str message)
{
    struct str line;

    message = str_take(message, SEARCHED);
    while (str_next_line(&message, &line))
        if (shows(f, type, line, true))
            return str_trim(line);
    return (struct str){0};
}

const struct fault *fault_at(size_t i)
{
    return i < sizeof faults / sizeof *faults ? &faults[i] : NULL;
}

struct str fault_words(size_t i)
{
    for (size_t row = 0; row < sizeof faults / sizeof *faults; row++) {
        struct str rest = str_of(faults[row].alone), words;

        while (str_next_line(&rest, &words))
            if (i-- == 0)
                return str_split(&words, '\t');
    }
    return (struct str){0};
}

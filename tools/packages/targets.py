"""The systems that packages are built for."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Target:
    name: str       # for the command line, and of the build folder
    triple: str     # as zig names it, with the oldest version of the C library or of macOS
    system: str     # as meson names it
    cpu: str
    wheel_tag: str
    deb: str = ""   # Debian's name of the architecture, where a .deb is made
    tarball: bool = False
    gpu: bool = False   # with libpt2trace_gpu.so: it is loaded into programs that use glibc
    features: str = ""   # of the processor, as zig names them
    without: tuple[str, ...] = ()   # libraries that it does without


ALL = [
    Target("linux-x86_64", "x86_64-linux-gnu.2.17", "linux", "x86_64", "manylinux_2_17_x86_64.manylinux2014_x86_64",
           deb="amd64", gpu=True),
    Target("linux-aarch64", "aarch64-linux-gnu.2.17", "linux", "aarch64", "manylinux_2_17_aarch64.manylinux2014_aarch64",
           deb="arm64", gpu=True),
    Target("static-x86_64", "x86_64-linux-musl", "linux", "x86_64", "musllinux_1_1_x86_64", tarball=True),
    Target("static-aarch64", "aarch64-linux-musl", "linux", "aarch64", "musllinux_1_1_aarch64", tarball=True),
    Target("macos-arm64", "aarch64-macos.11.0", "darwin", "aarch64", "macosx_11_0_arm64"),
    Target("macos-x86_64", "x86_64-macos.10.13", "darwin", "x86_64", "macosx_10_13_x86_64"),
]

# pt2trace.html, with what every browser of 2023 has.
WEB = Target("web", "wasm32-wasi", "wasi", "wasm32", "", features="generic+simd128+bulk_memory+sign_ext+nontrapping_fptoint",
             without=("libyaml", "sqlite"))


def named(name: str) -> Target:
    for target in ALL:
        if target.name == name:
            return target
    raise SystemExit(f"package: no target {name}; tools/package --list")

/* Links all of libpt2, which must need nothing of cmd/main.c: see tests/meson.build. */
int main(void)
{
    return 0;
}

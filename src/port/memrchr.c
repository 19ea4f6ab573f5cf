void *memrchr(const void *bytes, int c, size_t n)
{
    const unsigned char *p = bytes;

    while (n-- > 0)
        if (p[n] == (unsigned char)c)
            return (void *)(p + n);
    return NULL;
}

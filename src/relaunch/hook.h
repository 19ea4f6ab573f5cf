#pragma once
int hook_write(const char *dir);

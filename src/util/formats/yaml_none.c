#include "util/formats/yaml.h"

struct yaml_node *yaml_parse(struct arena *a, struct str text, struct yaml_error *error)
{
    (void)a;
    (void)text;
    *error = (struct yaml_error){0, STR("this pt2trace was built without libyaml and cannot read YAML")};
    return NULL;
}

const char *yaml_library(void)
{
    return "no libyaml";
}

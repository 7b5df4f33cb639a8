// The table of force elements. What an element does is in its own file; here is only the list that
// the plant, the linear analyses and the readers walk.
#include "force/element.h"

#define PKM_ELEMENT_ENTRY(name) &pkm_element_##name,
static const pkm_element_type* const table[] = {PKM_ELEMENTS(PKM_ELEMENT_ENTRY)};
#undef PKM_ELEMENT_ENTRY

const pkm_element_type* pkm_element_type_at(int i)
{
    const int n = (int)(sizeof table / sizeof table[0]);
    return i >= 0 && i < n ? table[i] : NULL;
}

int pkm_element_states(const pkm_element_type* type, const void* data, pkm_joint_type joint)
{
    return type->states ? type->states(data, joint) : 0;
}

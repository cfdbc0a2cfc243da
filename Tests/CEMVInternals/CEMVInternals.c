#include "CEMVInternals.h"

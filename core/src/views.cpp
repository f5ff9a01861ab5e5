#include "flexframe/views.hpp"

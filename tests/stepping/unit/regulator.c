/* A unit of its own for the tests, which nothing of flexframe is in: a PI regulator with a limit, by FMI 2.0.

   y = kp e + ki x,  x' = e,  e = wanted - measured, in steps of Euler's method of 1/10 of a communication step.
   wanted is in degrees, measured in rad; y in N m. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef void (*Logger)(void *environment, const char *name, int status, const char *category, const char *message, ...);

typedef struct {
    Logger logger;
    void *(*allocate)(size_t, size_t);
    void (*give_back)(void *);
    void (*finished)(void *, int);
    void *environment;
} Callbacks;

enum { WANTED, MEASURED, OUTPUT, KP, KI, STATE, COUNT };

typedef struct {
    double values[COUNT];
    Callbacks callbacks;
} Unit;

static int fail(Unit *unit, const char *words) {
    unit->callbacks.logger(unit->callbacks.environment, "regulator", 3, "logStatusError", "%s", words);
    return 3;
}

static void find_output(Unit *unit) {
    double *v = unit->values, error = v[WANTED] * 3.14159265358979323846 / 180 - v[MEASURED];
    v[OUTPUT] = v[KP] * error + v[KI] * v[STATE];
}

const char *fmi2GetTypesPlatform(void) { return "default"; }
const char *fmi2GetVersion(void) { return "2.0"; }
int fmi2SetDebugLogging(void *c, int on, size_t n, const char *const categories[]) {
    (void)c; (void)on; (void)n; (void)categories;
    return 0;
}

void *fmi2Instantiate(const char *name, int type, const char *guid, const char *resources, const Callbacks *callbacks,
                      int visible, int logging) {
    Unit *unit;
    (void)name; (void)resources; (void)visible; (void)logging;
    if (type != 1 || strcmp(guid, "{regulator}") != 0) return NULL;
    unit = (Unit *)calloc(1, sizeof(Unit));
    unit->callbacks = *callbacks;
    unit->values[KP] = 1.0;
    return unit;
}

void fmi2FreeInstance(void *c) { free(c); }
int fmi2SetupExperiment(void *c, int d, double t, double start, int s, double stop) {
    (void)c; (void)d; (void)t; (void)start; (void)s; (void)stop;
    return 0;
}
int fmi2EnterInitializationMode(void *c) { (void)c; return 0; }
int fmi2ExitInitializationMode(void *c) { find_output((Unit *)c); return 0; }
int fmi2Terminate(void *c) { (void)c; return 0; }
int fmi2Reset(void *c) { ((Unit *)c)->values[STATE] = 0.0; return 0; }

int fmi2GetReal(void *c, const unsigned vr[], size_t n, double value[]) {
    size_t k;
    find_output((Unit *)c);
    for (k = 0; k < n; ++k) value[k] = ((Unit *)c)->values[vr[k]];
    return 0;
}

int fmi2SetReal(void *c, const unsigned vr[], size_t n, const double value[]) {
    size_t k;
    for (k = 0; k < n; ++k) {
        if (vr[k] == KP && value[k] < 0.0) return fail((Unit *)c, "kp must not be negative");
        ((Unit *)c)->values[vr[k]] = value[k];
    }
    return 0;
}

int fmi2DoStep(void *c, double point, double length, int no_set) {
    Unit *unit = (Unit *)c;
    int k;
    (void)point; (void)no_set;
    if (unit->values[WANTED] > 900.0) return fail(unit, "no such angle is wanted");
    for (k = 0; k < 10; ++k) {
        unit->values[STATE] +=
            length / 10 * (unit->values[WANTED] * 3.14159265358979323846 / 180 - unit->values[MEASURED]);
    }
    return 0;
}

#define UNUSED(name, ...) int name(void *c, __VA_ARGS__) { return fail((Unit *)c, "not offered"); }
UNUSED(fmi2GetInteger, const unsigned *r, size_t n, int *v)
UNUSED(fmi2SetInteger, const unsigned *r, size_t n, const int *v)
UNUSED(fmi2GetBoolean, const unsigned *r, size_t n, int *v)
UNUSED(fmi2SetBoolean, const unsigned *r, size_t n, const int *v)
UNUSED(fmi2GetString, const unsigned *r, size_t n, const char **v)
UNUSED(fmi2SetString, const unsigned *r, size_t n, const char *const *v)
UNUSED(fmi2GetFMUstate, void **s)
UNUSED(fmi2SetFMUstate, void *s)
UNUSED(fmi2FreeFMUstate, void **s)
UNUSED(fmi2SerializedFMUstateSize, void *s, size_t *n)
UNUSED(fmi2SerializeFMUstate, void *s, char *b, size_t n)
UNUSED(fmi2DeSerializeFMUstate, const char *b, size_t n, void **s)
UNUSED(fmi2GetDirectionalDerivative, const unsigned *u, size_t m, const unsigned *k, size_t n, const double *d, double *o)
UNUSED(fmi2SetRealInputDerivatives, const unsigned *r, size_t n, const int *o, const double *v)
UNUSED(fmi2GetRealOutputDerivatives, const unsigned *r, size_t n, const int *o, double *v)
UNUSED(fmi2GetStatus, int k, int *v)
UNUSED(fmi2GetRealStatus, int k, double *v)
UNUSED(fmi2GetIntegerStatus, int k, int *v)
UNUSED(fmi2GetBooleanStatus, int k, int *v)
UNUSED(fmi2GetStringStatus, int k, const char **v)
int fmi2CancelStep(void *c) { (void)c; return 3; }

#include "flexframe/loads.hpp"

namespace flexframe {

double apply_load(const BodyLoad& load, double factor, const Matrix3& rotation, const double* deformation,
                  const double* velocity, double* out) {
    const Matrix3 A = load.in_space ? Matrix3(rotation.transpose()) : Matrix3(Matrix3::Identity());
    Vector3 force = A * load.force, moment = A * load.moment;
    double power = 0.0;
    for (const LoadMoment& part : load.moments) {
        const Index m = part.rows.size();
        const double along = A(part.i, part.k);
        double p = part.position;
        for (Index r = 0; r < m; ++r) {
            double bent = 0.0, pull = part.work_rows[r];
            for (Index t = 0; t < m; ++t) {
                bent += part.quadratic(t, r) * deformation[t];
                pull += part.work_quadratic(t, r) * deformation[t];
            }
            p += (part.rows[r] + 0.5 * bent) * deformation[r];
            out[6 + r] -= factor * along * pull;
            power += along * pull * velocity[6 + r];
        }
        // ε_aij A_jk p_ik
        const int after = (part.i + 1) % 3, last = (part.i + 2) % 3;
        moment[last] += A(after, part.k) * p;
        moment[after] -= A(last, part.k) * p;
    }
    for (int j = 0; j < 3; ++j) {
        out[j] -= factor * force[j];
        out[3 + j] -= factor * moment[j];
        power += force[j] * velocity[j] + moment[j] * velocity[3 + j];
    }
    return power;
}

}  // namespace flexframe

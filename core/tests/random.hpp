// Random numbers of the tests, the same on every machine.
#pragma once

#include <Eigen/Core>
#include <random>

namespace flexframe::tests {

/// Numbers between −1 and 1; the engine is defined by the standard, the division is our own.
class Random {
public:
    explicit Random(unsigned seed) : engine_(seed) {}

    double number() { return 2.0 * static_cast<double>(engine_()) / 4294967295.0 - 1.0; }

    Eigen::MatrixXd matrix(Eigen::Index rows, Eigen::Index columns) {
        Eigen::MatrixXd out(rows, columns);
        for (Eigen::Index j = 0; j < columns; ++j) {
            for (Eigen::Index i = 0; i < rows; ++i) out(i, j) = number();
        }
        return out;
    }

    Eigen::Vector3d vector3() { return matrix(3, 1); }

    /// B Bᵀ + 1: symmetric, its least eigenvalue at least 1.
    Eigen::MatrixXd definite(Eigen::Index size) {
        const Eigen::MatrixXd B = matrix(size, size);
        return B * B.transpose() + Eigen::MatrixXd::Identity(size, size);
    }

private:
    std::mt19937 engine_;
};

}  // namespace flexframe::tests

//===- Bundle.h - The errors of bundle adjustment ---------------*- C++ -*-===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How far a point lies from where a camera saw it, as defined by Srajer,
// Kukelova and Fitzgibbon (2018): a rotation by Rodrigues' formula, a
// perspective division and two coefficients of radial distortion.
//
//===----------------------------------------------------------------------===//

#ifndef FERRY_BENCHMARKS_AUTODIFF_BUNDLE_H
#define FERRY_BENCHMARKS_AUTODIFF_BUNDLE_H

#include <cmath>

/// Rotation vector, centre, focal length, principal point, distortion.
constexpr int CameraSize = 11;

inline void rotate(const double *Rotation, const double *Point, double *Out) {
  double Squared = Rotation[0] * Rotation[0] + Rotation[1] * Rotation[1] +
                   Rotation[2] * Rotation[2];
  if (Squared == 0) {
    Out[0] = Point[0] + Rotation[1] * Point[2] - Rotation[2] * Point[1];
    Out[1] = Point[1] + Rotation[2] * Point[0] - Rotation[0] * Point[2];
    Out[2] = Point[2] + Rotation[0] * Point[1] - Rotation[1] * Point[0];
    return;
  }
  double Angle = std::sqrt(Squared), Cosine = std::cos(Angle),
         Sine = std::sin(Angle), W[3], Cross[3];
  for (int I = 0; I < 3; ++I)
    W[I] = Rotation[I] / Angle;
  Cross[0] = W[1] * Point[2] - W[2] * Point[1];
  Cross[1] = W[2] * Point[0] - W[0] * Point[2];
  Cross[2] = W[0] * Point[1] - W[1] * Point[0];
  double Dot =
      (W[0] * Point[0] + W[1] * Point[1] + W[2] * Point[2]) * (1 - Cosine);
  for (int I = 0; I < 3; ++I)
    Out[I] = Point[I] * Cosine + Cross[I] * Sine + W[I] * Dot;
}

inline void project(const double *__restrict Camera,
                    const double *__restrict Point, double *__restrict Out) {
  double Relative[3], Seen[3];
  for (int I = 0; I < 3; ++I)
    Relative[I] = Point[I] - Camera[3 + I];
  rotate(Camera, Relative, Seen);
  double X = Seen[0] / Seen[2], Y = Seen[1] / Seen[2];
  double Radius = X * X + Y * Y;
  double Bend = 1 + Camera[9] * Radius + Camera[10] * Radius * Radius;
  Out[0] = X * Bend * Camera[6] + Camera[7];
  Out[1] = Y * Bend * Camera[6] + Camera[8];
}

/// Both errors of one observation.
inline void reprojection(const double *__restrict Camera,
                         const double *__restrict Point,
                         const double *__restrict Weight,
                         const double *__restrict Feature,
                         double *__restrict Error) {
  project(Camera, Point, Error);
  Error[0] = *Weight * (Error[0] - Feature[0]);
  Error[1] = *Weight * (Error[1] - Feature[1]);
}

#endif // FERRY_BENCHMARKS_AUTODIFF_BUNDLE_H

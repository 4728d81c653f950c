//===- Coefficients.h - Printed by Coefficients.sollya --------------------===//
//
// Part of Ferry, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// clang-format off
static const double LN2_SHORT_1 = 0x1.62e42fefa4p-1, LN2_SHORT_2 = -0x1.8432a1b0e2634p-43,
                    LN2_SHORT_3 = 0x1.f97b57a079a19p-103;
static const double LN2_1 = 0x1.62e42fefa39efp-1, LN2_2 = 0x1.abc9e3b39803fp-56,
                    LN2_3 = 0x1.7b57a079a1934p-111;
static const double LOG2E_1 = 0x1.71547652b82fep0, LOG2E_2 = 0x1.777d0ffda0d24p-56,
                    LOG2E_3 = -0x1.60bb8a5442ab9p-110;
static const double LOG10E_1 = 0x1.bcb7b1526e50ep-2, LOG10E_2 = 0x1.95355baaafad3p-57,
                    LOG10E_3 = 0x1.ee191f71a3012p-112;
static const double LN10_1 = 0x1.26bb1bbb55516p1, LN10_2 = -0x1.f48ad494ea3e9p-53,
                    LN10_3 = -0x1.9ebae3ae0260cp-107;
static const double LOG2_10_1 = 0x1.a934f0979a371p1, LOG2_10_2 = 0x1.7f2495fb7fa6dp-53,
                    LOG2_10_3 = 0x1.fb699b2d8abfcp-107;
static const double LOG10_2_SHORT_1 = 0x1.34413509f8p-2, LOG10_2_SHORT_2 = -0x1.80433b83b532ap-44,
                    LOG10_2_SHORT_3 = 0x1.6f922f04d5a62p-102;
static const double PI_1 = 0x1.921fb54442d18p1, PI_2 = 0x1.1a62633145c07p-53,
                    PI_3 = -0x1.f1976b7ed8fbcp-109;
static const double PI_2_1 = 0x1.921fb54442d18p0, PI_2_2 = 0x1.1a62633145c07p-54,
                    PI_2_3 = -0x1.f1976b7ed8fbcp-110;
static const double PI_4_1 = 0x1.921fb54442d18p-1, PI_4_2 = 0x1.1a62633145c07p-55,
                    PI_4_3 = -0x1.f1976b7ed8fbcp-111;
static const double PI_3_4_1 = 0x1.2d97c7f3321d2p1, PI_3_4_2 = 0x1.a79394c9e8a0ap-54,
                    PI_3_4_3 = 0x1.456737b06ea1ap-108;
static const double PI_SHORT_1 = 0x1.921fb6p1, PI_SHORT_2 = -0x1.777a5cf72cecep-24,
                    PI_SHORT_3 = -0x1.9d747f23e32edp-78;
static const double PI_2_SHORT_1 = 0x1.921fb6p0, PI_2_SHORT_2 = -0x1.777a5cf72cecep-25,
                    PI_2_SHORT_3 = -0x1.9d747f23e32edp-79;
static const double ONE_PI_1 = 0x1.45f306dc9c883p-2, ONE_PI_2 = -0x1.6b01ec5417056p-56,
                    ONE_PI_3 = -0x1.6447e493ad4cep-110;
static const double TWO_PI_1 = 0x1.45f306dc9c883p-1, TWO_PI_2 = -0x1.6b01ec5417056p-55,
                    TWO_PI_3 = -0x1.6447e493ad4cep-109;
static const double TWO_THIRDS_1 = 0x1.5555555555555p-1, TWO_THIRDS_2 = 0x1.5555555555555p-55,
                    TWO_THIRDS_3 = 0x1.5555555555555p-109;
static const float LN2_SHORT_F_1 = 0x1.62e4p-1f, LN2_SHORT_F_2 = 0x1.7f7d1cp-20f;
static const float LN2_F_1 = 0x1.62e43p-1f, LN2_F_2 = -0x1.05c61p-29f;
static const float LOG2E_F_1 = 0x1.715476p0f, LOG2E_F_2 = 0x1.4ae0cp-26f;
static const float LN10_F_1 = 0x1.26bb1cp1f, LN10_F_2 = -0x1.12aabap-25f;
static const float LOG2_10_F_1 = 0x1.a934fp1f, LOG2_10_F_2 = 0x1.2f346ep-24f;
static const float LOG10_2_SHORT_F_1 = 0x1.344p-2f, LOG10_2_SHORT_F_2 = 0x1.3509f8p-18f;
static const double ExpD[] = { // 2^-57.75
  0x1.000000000000ap-1,
  0x1.55555555554fcp-3,
  0x1.555555555067bp-5,
  0x1.1111111127257p-7,
  0x1.6c16c1848d832p-10,
  0x1.a01a012dd5478p-13,
  0x1.a01999128c60dp-16,
  0x1.71df1ce669e3ap-19,
  0x1.28ae4e47b0e45p-22,
  0x1.ad8dcc519e661p-26,
};
static const double Expm1D[] = { // 2^-61.5
  0x1p-1,
  0x1.5555555555559p-3,
  0x1.555555555554dp-5,
  0x1.111111110f647p-7,
  0x1.6c16c16c1ab02p-10,
  0x1.a01a01b00d184p-13,
  0x1.a01a018e12402p-16,
  0x1.71ddf7eeb87a7p-19,
  0x1.27e51320f61a2p-22,
  0x1.af5f7219f048ap-26,
  0x1.1f1a80ce2bb91p-29,
};
static const double ExpW[] = { // 2^-34.25
  0x1.0000003a85806p-1,
  0x1.555554415b796p-3,
  0x1.55548ce21f988p-5,
  0x1.11127251f6da9p-7,
  0x1.6d8ddc349cfa4p-10,
  0x1.9f07ebe3e7a4ep-13,
};
static const double Expm1W[] = { // 2^-37.5
  0x1.00000000174b8p-1,
  0x1.5555557384b16p-3,
  0x1.555554f2cc063p-5,
  0x1.1110b1b33fbc6p-7,
  0x1.6c176781b9178p-10,
  0x1.a1702a9083b35p-13,
  0x1.a003998
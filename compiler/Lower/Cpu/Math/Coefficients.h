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
static const double HALF_PI_1 = 0x1.921fb54442d18p0, HALF_PI_2 = 0x1.1a62633145c07p-54,
                    HALF_PI_3 = -0x1.f1976b7ed8fbcp-110;
static const double QUARTER_PI_1 = 0x1.921fb54442d18p-1, QUARTER_PI_2 = 0x1.1a62633145c07p-55,
                    QUARTER_PI_3 = -0x1.f1976b7ed8fbcp-111;
static const double OBTUSE_PI_1 = 0x1.2d97c7f3321d2p1, OBTUSE_PI_2 = 0x1.a79394c9e8a0ap-54,
                    OBTUSE_PI_3 = 0x1.456737b06ea1ap-108;
static const double PI_SHORT_1 = 0x1.921fb6p1, PI_SHORT_2 = -0x1.777a5cp-24,
                    PI_SHORT_3 = -0x1.ee59d9cceba4p-49;
static const double HALF_PI_SHORT_1 = 0x1.921fb6p0, HALF_PI_SHORT_2 = -0x1.777a5cp-25,
                    HALF_PI_SHORT_3 = -0x1.ee59d9cceba4p-50;
static const double ONE_OVER_PI_1 = 0x1.45f306dc9c883p-2, ONE_OVER_PI_2 = -0x1.6b01ec5417056p-56,
                    ONE_OVER_PI_3 = -0x1.6447e493ad4cep-110;
static const double TWO_OVER_PI_1 = 0x1.45f306dc9c883p-1, TWO_OVER_PI_2 = -0x1.6b01ec5417056p-55,
                    TWO_OVER_PI_3 = -0x1.6447e493ad4cep-109;
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
  0x1.a003998bdc0cfp-16,
};
static const float ExpF[] = { // 2^-28.25
  0x1.fffffcp-2f,
  0x1.55549p-3f,
  0x1.5558a2p-5f,
  0x1.123adp-7f,
  0x1.6a5e34p-10f,
};
static const double LogD[] = { // 2^-59.5
  0x1.5555555555592p-1,
  0x1.999999997ff2bp-2,
  0x1.24924941e082ap-2,
  0x1.c71c52148103dp-3,
  0x1.74663d045e55p-3,
  0x1.39a1e2da1a237p-3,
  0x1.2f041b9804a66p-3,
};
static const double LogTailD[] = { // 2^-73.5
  0x1.9999999999996p-2,
  0x1.2492492492f4cp-2,
  0x1.c71c71c597639p-3,
  0x1.745d1828e749ep-3,
  0x1.3b1364e71b3e7p-3,
  0x1.11206ad848242p-3,
  0x1.de3e174738e5dp-4,
  0x1.eac0abbd80e8p-4,
};
static const double LogW[] = { // 2^-37.5
  0x1.555554fdc6079p-1,
  0x1.999a7a51db2e6p-2,
  0x1.2438e27fd1882p-2,
  0x1.e2f52d1b0f27bp-3,
};
static const float LogF[] = { // 2^-26.75
  0x1.55552ep-2f,
  -0x1.000216p-2f,
  0x1.99b034p-3f,
  -0x1.548186p-3f,
  0x1.21cd2cp-3f,
  -0x1.0c0eb4p-3f,
  0x1.0ae6ep-3f,
  -0x1.4c628cp-4f,
};
static const double SinW[] = { // 2^-35.25
  -0x1.555555476256dp-3,
  0x1.11110c481395p-7,
  -0x1.a017d8fa2f58p-13,
  0x1.71706a461ebf4p-19,
  -0x1.9a668edee169ep-26,
};
static const double SinQuarterD[] = { // 2^-62.75
  -0x1.5555555555555p-3,
  0x1.111111111108bp-7,
  -0x1.a01a01a006d98p-13,
  0x1.71de3a401bcdp-19,
  -0x1.ae643d485b41ep-26,
  0x1.6114a9984f5ap-33,
  -0x1.a55ed97f9e0b2p-41,
};
static const double CosQuarterD[] = { // 2^-64
  0x1.555555555554bp-5,
  -0x1.6c16c16c15014p-10,
  0x1.a01a019c8ee9ap-16,
  -0x1.27e4f7f14c56ap-22,
  0x1.1ee9db8f44131p-29,
  -0x1.8fa65b619cf41p-37,
};
static const double SinQuarterW[] = { // 2^-37.5
  -0x1.5555554c6d1bfp-3,
  0x1.11110866f3864p-7,
  -0x1.a00f7c6367625p-13,
  0x1.6cd148db724d9p-19,
};
static const double CosQuarterW[] = { // 2^-33
  0x1.55554a0cd3a8p-5,
  -0x1.6c0c30d6fe0d9p-10,
  0x1.99eaca2174676p-16,
};
static const double AsinD[] = { // 2^-59.75
  0x1.5555555555577p-3,
  0x1.333333332e11p-4,
  0x1.6db6db7214efbp-5,
  0x1.f1c71a93b97edp-6,
  0x1.6e8bdf08f847dp-6,
  0x1.1c49ed235d5b2p-6,
  0x1.ca1fe2693940ep-7,
  0x1.75829a8bb8677p-7,
  0x1.614e1aaa6cfd4p-7,
  0x1.e4dcd2ddef0afp-9,
  0x1.63f634a5cf883p-6,
  -0x1.58825aa3a29b6p-6,
  0x1.0b72057bc9cf2p-5,
};
static const double AsinW[] = { // 2^-35.75
  0x1.555556066044p-3,
  0x1.3332a9a242fd7p-4,
  0x1.6ddad640020a3p-5,
  0x1.ed5ad19702317p-6,
  0x1.932e775857171p-6,
  0x1.eb66891622176p-8,
  0x1.1bf00f7fbdf72p-5,
};
static const double AtanD[] = { // 2^-59.5
  -0x1.555555555553dp-2,
  0x1.999999999585bp-3,
  -0x1.24924922acb78p-3,
  0x1.c71c70e5b84a1p-4,
  -0x1.745cf8d0ca307p-4,
  0x1.3b111834164cdp-4,
  -0x1.10ebad12e1f81p-4,
  0x1.df0e9d9067215p-5,
  -0x1.9ccf8630998a5p-5,
  0x1.37cd21b89e0cbp-5,
  -0x1.25570a160cfc4p-6,
};
static const double AtanW[] = { // 2^-35.25
  -0x1.555554c5afa8cp-2,
  0x1.99991861ff3ep-3,
  -0x1.247ed2f11cbe1p-3,
  0x1.c4633c522f0a1p-4,
  -0x1.5b2bbe68d80fdp-4,
  0x1.848f05eee8b68p-5,
};
static const float TanhF[] = { // 2^-26.375
  -0x1.555518p-2f,
  0x1.1104a2p-3f,
  -0x1.b8681ep-5f,
  0x1.584ab8p-6f,
  -0x1.caad66p-8f,
  0x1.66d27cp-10f,
};
static const double ErfD[] = { // 2^-56.25
  0x1.06eba8214db69p-3,
  -0x1.812746b037a01p-2,
  0x1.ce2f21a043a4bp-4,
  -0x1.b82ce312c3f19p-6,
  0x1.565bcd1703c1bp-8,
  -0x1.c02db58fba349p-11,
  0x1.f9a35700e6658p-14,
  -0x1.f4d650a9a51fbp-17,
  0x1.ba20bf6ac4726p-20,
  -0x1.61c1f963fcd3ap-23,
  0x1.0e569f6d481abp-26,
  -0x1.e0f4558a4dcb1p-30,
  0x1.21f75318524bep-32,
  -0x1.0a0fda13df873p-35,
};
static const double ErfW[] = { // 2^-29.5
  0x1.06eba7eccbcf8p-3,
  -0x1.8127325581753p-2,
  0x1.ce24f8dc1ecb4p-4,
  -0x1.b663c3dae0484p-6,
  0x1.3532bd29610a2p-8,
};
static const float ErfF[] = { // 2^-30.125
  0x1.06eba8p-3f,
  -0x1.812744p-2f,
  0x1.ce2e74p-4f,
  -0x1.b8191ap-6f,
  0x1.5538cap-8f,
  -0x1.ae7df4p-11f,
  0x1.6bf7dap-14f,
};
static const float ErfcLogF[] = { // 2^-26.125
  -0x1.20ef32p0f,
  -0x1.453778p-1f,
  -0x1.b26a06p-4f,
  0x1.7ff39cp-6f,
  -0x1.b48844p-9f,
  0x1.46436cp-13f,
  0x1.45c1d2p-15f,
  -0x1.ff04dep-18f,
  0x1.d424a8p-22f,
};
static const double ERFC_1 = 0x1.3ba5916e9fd7fp0, ERFC_2 = -0x1.a701e5a228106p-55,
                    ERFC_3 = 0;
static const double ErfcD[] = { // 2^-60.25
  -0x1.1df1ad154a28ep-3,
  0x1.f7f5df66fd759p-7,
  0x1.16ecefcfa5308p-4,
  -0x1.9ddb23c3e8d53p-4,
  0x1.7fee004e14242p-4,
  -0x1.0fb06dfe4f7dep-4,
  0x1.3079edf631681p-5,
  -0x1.09623883acebfp-6,
  0x1.49c672a4e17fep-8,
  -0x1.8d4a9b59f09cbp-11,
  -0x1.a1df415bd929dp-13,
  0x1.3be05abc652cap-13,
  -0x1.99553a6a9c818p-16,
  -0x1.788a984be096bp-17,
  0x1.7ef811f4df349p-18,
  0x1.3b112c3649b15p-22,
  -0x1.b81b738352002p-21,
  0x1.422a31308ace9p-24,
  0x1.bc51da4ccc7b9p-24,
  -0x1.3722711ba320dp-26,
  -0x1.4dd83efa84befp-27,
  0x1.01cf436ddbec7p-29,
};
static const double ErfcW[] = { // 2^-33.5
  0x1.3ba5916e7617ep0,
  -0x1.1df1acddb3eb5p-3,
  0x1.f7f5eb81317e5p-7,
  0x1.16ecd9ef99bcfp-4,
  -0x1.9ddb49c5c8f3ap-4,
  0x1.7fef3b0f3867bp-4,
  -0x1.0faefb94b0136p-4,
  0x1.306aa9f118391p-5,
  -0x1.097de8f95eaa2p-6,
  0x1.4b3dd2e75ffe7p-8,
  -0x1.848ef3ec69f4dp-11,
  -0x1.ea7dd399c1e6p-13,
  0x1.0f0483d63e1b9p-13,
};
static const double CbrtD[] = { // 2^-14.6875
  0x1.ab859043f3107p0,
  -0x1.2c41e23e0a922p0,
  0x1.64165059f2197p-1,
  -0x1.c5186105b9f96p-3,
  0x1.d46f7d330760fp-6,
};

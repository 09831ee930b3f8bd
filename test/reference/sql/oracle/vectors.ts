import type { Random } from "./random";

const VALID = [
  ...["'[]'", "' [ 1 , 2 ] '", "'[1 2,3]'", "'[+1,-2.5,.5,5.,1e3,2E-2]'", "'[-0.0,0]'", "'[1e39,-1e39]'", "'[1e400]'"],
  ...["'[1e-40,1e-46,0.1,0.3,16777217,123456.5]'", "char(9,10,11,12,13,32) || '[1' || char(9) || ']'", "'[0,0]'"],
  ...["'[3.4028235e38,1.17549435e-38]'", "'[1]' || char(0) || 'x'", "'[000001,1e+00005]'", "'[1,2]'", "'[2,-3]'"],
  ...["'[999999.5,999999.4,0.0001,0.00001]'", "x''", "x'0000803f'", "x'0000803f01'", "x'0000803f00000040'", "x'01'"],
  ...["x'02'", "x'000000000000f03f02'", "x'0000c07f0000c0ff'", "x'0000807f000080ff'", "x'0100000000000080'"],
  ...["x'010000000000000002'", "x'000000000000f87f02'", "x'9a9999999999b93f333333333333d33f02'"],
];

/** Vectors with 1025 digits, and with 65,536 elements. */
const LONG = [
  "'[' || replace(substr(hex(zeroblob(513)), 1, 1025), '0', '1') || ']'",
  "'[' || replace(substr(hex(zeroblob(32768)), 1, 65535), '0', '1,') || '2]'",
  "zeroblob(262144)",
];

const INVALID = [
  ...[
    "null",
    "1",
    "9223372036854775807",
    "1.5",
    "''",
    "'1'",
    "'['",
    "']'",
    "'[1'",
    "'[1,2'",
    "'[1,]'",
    "'[,'",
    "'[,]'",
  ],
  ...["'[1,,2]'", "'[[1,2]]'", "'[1]]'", "'[1] x'", "'[nan]'", "'[Infinity]'", "'[inf,1]'", "'[0x10]'", "'[1e]'"],
  ...["'[.]'", "'[+]'", "'[--1]'", "'[1;2]'", "'[null]'", "'[\"1\"]'", "'{1}'", "'[zoë]'", "char(160) || '[1]'"],
  ...["'[1' || char(0) || ']'", "cast('[1]' as blob)", "x'00'", "x'0000'", "x'000000000000'", "x'0000803f000001'"],
  ...["x'000000000002'", "x'00000000000002'", "x'0000000000000000000000000002'", "x'07'", "x'ff'"],
  ...["'[' || replace(substr(hex(zeroblob(513)), 1, 1026), '0', '1') || ']'", "zeroblob(262148)"],
  ...["'[' || replace(hex(zeroblob(32768)), '0', '1,') || '2]'", "zeroblob(524296) || x'02'"],
];

const WITH_ONE = ["vector", "vector32", "vector64", "vector_extract"];
const WITH_TWO = ["vector_distance_cos", "vector_distance_l2"];

/** Returns queries with each function of one vector, and with pairs of vectors. Some of them fail. */
export function vectorQueries(random: Random): string[] {
  const vectors = [...VALID, ...LONG, ...INVALID];
  const typed = (): string => random.pick(["", "", "vector64", "vector32"]);
  const pairs = vectors.flatMap((vector) =>
    WITH_TWO.flatMap((name) =>
      [vector, random.pick(vectors)].map((other) =>
        random.chance(50)
          ? `select ${name}(${vector}, ${typed()}(${other}))`
          : `select ${name}(${typed()}(${other}), ${vector})`,
      ),
    ),
  );
  return [
    ...vectors.flatMap((vector) => WITH_ONE.map((name) => `select hex(${name}(${vector}))`)),
    ...pairs,
    ...[...WITH_ONE, ...WITH_TWO].map((name) => `select typeof(${name}('[1]'))`),
  ];
}

/** Returns an expression that does not fail. */
export function vectorExpression(random: Random): string {
  const numbers = (): string =>
    random.some(2, 2, () => random.pick(["0", "1", "-2.5", "0.1", "1e10", "3e-5", "16777217"])).join();
  const vector = (): string => random.pick([`'[${numbers()}]'`, `vector32('[${numbers()}]')`, "x'0000803f00000040'"]);
  return random.pick([
    `${random.pick(WITH_ONE)}(${random.pick(VALID)})`,
    `vector_extract(vector64('[${numbers()}]'))`,
    `${random.pick(WITH_TWO)}(${vector()}, ${vector()})`,
    `${random.pick(WITH_TWO)}(vector64('[${numbers()}]'), vector64('[${numbers()}]'))`,
  ]);
}

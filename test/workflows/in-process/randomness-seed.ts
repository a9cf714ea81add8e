/**
 * Computes the seed that the SDK's core gives a workflow. It is derived from the id of the run: SipHash-1-3 with a key
 * of zeros.
 */

const MASK = 2n ** 64n - 1n;

type State = [bigint, bigint, bigint, bigint];

/** Returns the seed as bytes, with the highest byte first. */
export function randomnessSeed(runId: string): number[] {
  const hash = hashText(runId);
  return [7, 6, 5, 4, 3, 2, 1, 0].map((byte) => Number((hash >> BigInt(8 * byte)) & 0xffn));
}

/** Hashes a string as Rust does: its bytes, followed by 0xff. */
function hashText(runId: string): bigint {
  const bytes = [...Buffer.from(runId), 0xff];
  const state: State = [
    0x736f6d6570736575n,
    0x646f72616e646f6dn,
    0x6c7967656e657261n,
    0x7465646279746573n,
  ];
  const whole = bytes.length - (bytes.length % 8);
  for (let from = 0; from < whole; from += 8) absorb(state, word(bytes.slice(from, from + 8)));
  absorb(state, word(bytes.slice(whole)) | (BigInt(bytes.length & 0xff) << 56n));
  state[2] ^= 0xffn;
  for (let round = 0; round < 3; round += 1) mix(state);
  return state[0] ^ state[1] ^ state[2] ^ state[3];
}

function absorb(state: State, value: bigint): void {
  state[3] ^= value;
  mix(state);
  state[0] ^= value;
}

function word(bytes: readonly number[]): bigint {
  return bytes.reduce((sum, byte, index) => sum | (BigInt(byte) << BigInt(8 * index)), 0n);
}

function rotate(value: bigint, bits: bigint): bigint {
  return ((value << bits) | (value >> (64n - bits))) & MASK;
}

function mix(state: State): void {
  let [a, b, c, d] = state;
  a = (a + b) & MASK;
  b = rotate(b, 13n) ^ a;
  a = rotate(a, 32n);
  c = (c + d) & MASK;
  d = rotate(d, 16n) ^ c;
  a = (a + d) & MASK;
  d = rotate(d, 21n) ^ a;
  c = (c + b) & MASK;
  b = rotate(b, 17n) ^ c;
  c = rotate(c, 32n);
  state[0] = a;
  state[1] = b;
  state[2] = c;
  state[3] = d;
}

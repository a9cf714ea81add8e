/** Finds a sequence of bytes in linear time (Knuth, Morris and Pratt). */

/** Maps each byte to the byte with which it is compared. */
export type Folding = Uint8Array;

export interface BytePattern {
  readonly bytes: Uint8Array;
  readonly folding: Folding;
  /** For each length of a partial match, the longest shorter partial match that ends at the same byte. */
  readonly fallbacks: Uint32Array;
}

/** Creates a folding that changes only these bytes. */
export function createFolding(changes: Iterable<readonly [from: string, to: string]>): Folding {
  const folding = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  for (const [from, to] of changes) folding[from.charCodeAt(0)] = to.charCodeAt(0);
  return folding;
}

/** Creates a pattern of at least one byte. */
export function createPattern(bytes: Uint8Array, folding: Folding): BytePattern {
  const pattern: BytePattern = {
    bytes: bytes.map((byte) => folding[byte] ?? byte),
    folding,
    fallbacks: new Uint32Array(bytes.length + 1),
  };
  let matched = 0;
  for (let index = 1; index < bytes.length; index += 1) {
    const byte = pattern.bytes[index];
    while (matched > 0 && pattern.bytes[matched] !== byte)
      matched = pattern.fallbacks[matched] ?? 0;
    if (pattern.bytes[matched] === byte) matched += 1;
    pattern.fallbacks[index + 1] = matched;
  }
  return pattern;
}

/**
 * Searches the bytes. Calls `onMatch` at the last byte of each match. Also calls it at each position in `ends`, with
 * the length of the partial match there.
 */
export function scan(
  pattern: BytePattern,
  { bytes, length }: { readonly bytes: Uint8Array; readonly length: number },
  { ends, onMatch }: { ends: ReadonlySet<number>; onMatch: (at: number, matched: number) => void },
): void {
  const { folding, fallbacks, bytes: wanted } = pattern;
  const endsMin = Math.min(...ends);
  let matched = 0;
  for (let index = 0; index < length; index += 1) {
    const byte = folding[bytes[index] ?? 0] ?? 0;
    while (matched > 0 && wanted[matched] !== byte) matched = fallbacks[matched] ?? 0;
    if (wanted[matched] === byte) matched += 1;
    if (matched === wanted.length || (index >= endsMin && ends.has(index))) onMatch(index, matched);
  }
}

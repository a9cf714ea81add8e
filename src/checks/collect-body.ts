/** Collects a body in one growing buffer. Many tiny chunks therefore need no more memory than their bytes. */

export interface BodyCollector {
  /** Adds as much of the chunk as fits. Returns false if the chunk did not fit completely. */
  readonly add: (piece: Buffer) => boolean;
  readonly bytes: () => Buffer;
  readonly clear: () => void;
}

/** Creates an empty collector for at most `bytesMax` bytes. */
export function createBodyCollector(bytesMax: number): BodyCollector {
  let block = Buffer.alloc(0);
  let length = 0;

  function makeRoom(needed: number): void {
    if (needed <= block.length) return;
    // Doubles the buffer, except for the first chunk. Most bodies arrive in one chunk and need no larger buffer.
    const doubled = Math.max(block.length * 2, needed);
    const larger = Buffer.allocUnsafeSlow(Math.min(doubled, bytesMax));
    block.copy(larger, 0, 0, length);
    block = larger;
  }

  return {
    add: (piece) => {
      const taken = piece.subarray(0, bytesMax - length);
      makeRoom(length + taken.length);
      taken.copy(block, length);
      length += taken.length;
      return taken.length === piece.length;
    },
    bytes: () => block.subarray(0, length),
    clear: () => {
      block = Buffer.alloc(0);
      length = 0;
    },
  };
}

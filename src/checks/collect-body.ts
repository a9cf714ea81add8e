/**
 * Collects a body into one growing block. Pieces are copied, so that a body of a million tiny ones
 * holds no more memory than its own length needs.
 */

export interface BodyCollector {
  /** Takes the piece in; false when the body would become larger than the cap. */
  readonly add: (piece: Buffer) => boolean;
  readonly bytes: () => Buffer;
  readonly clear: () => void;
}

/** An empty collector of at most that many bytes. */
export function createBodyCollector(bytesMax: number): BodyCollector {
  let block = Buffer.alloc(0);
  let length = 0;

  function makeRoom(needed: number): void {
    if (needed <= block.length) return;
    // Most bodies come in one piece, and need no more than that.
    const doubled = Math.max(block.length * 2, needed);
    const larger = Buffer.allocUnsafeSlow(Math.min(doubled, bytesMax));
    block.copy(larger, 0, 0, length);
    block = larger;
  }

  return {
    add: (piece) => {
      if (length + piece.length > bytesMax) return false;
      makeRoom(length + piece.length);
      piece.copy(block, length);
      length += piece.length;
      return true;
    },
    bytes: () => block.subarray(0, length),
    clear: () => {
      block = Buffer.alloc(0);
      length = 0;
    },
  };
}

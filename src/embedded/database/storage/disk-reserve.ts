// Makes sure that the space of a commit exists on disk before LMDB writes it, by filling the file with zeros ahead.
// A full disk is then an ordinary error before the commit, never a commit that fails half-way.
import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';

const CHUNK_BYTES = 4 * 1024 * 1024;
const ZEROS = Buffer.alloc(64 * 1024);
const PAGE_BYTES = 4096;
const PAGES_PER_PUT = 8;
const COMMIT_OVERHEAD_BYTES = 256 * 1024;

/** What a transaction has written so far. */
export interface WriteVolume {
  readonly puts: number;
  readonly bytes: number;
}

/** Space on disk ahead of the last page in use. */
export class DiskReserve {
  private readonly descriptor: number;
  private allocatedBytes: number;
  private usedBytesMax = Number.POSITIVE_INFINITY;

  constructor(
    file: string,
    private readonly usedBytes: () => number,
  ) {
    this.descriptor = openSync(file, 'r+');
    this.allocatedBytes = fstatSync(this.descriptor).size;
  }

  /** Throws ENOSPC when a commit of that volume might not fit; otherwise it will. */
  ensure(volume: WriteVolume): void {
    const needed = commitBytesMax(volume, this.allocatedBytes);
    this.usedBytesMax += needed;
    if (this.usedBytesMax <= this.allocatedBytes) return;
    this.usedBytesMax = this.usedBytes() + needed;
    this.allocatedBytes = Math.max(this.allocatedBytes, fstatSync(this.descriptor).size);
    if (this.usedBytesMax > this.allocatedBytes) this.extend(this.usedBytesMax);
  }

  private extend(minimumBytes: number): void {
    try {
      this.fillTo(minimumBytes + CHUNK_BYTES);
    } catch (error) {
      if (minimumBytes > this.allocatedBytes) throw error;
    }
  }

  private fillTo(end: number): void {
    while (this.allocatedBytes < end) {
      const length = Math.min(ZEROS.length, end - this.allocatedBytes);
      this.allocatedBytes += writeSync(this.descriptor, ZEROS, 0, length, this.allocatedBytes);
    }
  }

  close(): void {
    closeSync(this.descriptor);
  }
}

// Each put dirties at most one path of pages; a small store cannot dirty more pages than it has.
function commitBytesMax(volume: WriteVolume, fileBytes: number): number {
  const paths = Math.min(volume.puts * PAGES_PER_PUT * PAGE_BYTES, fileBytes);
  return paths + volume.bytes * 3 + COMMIT_OVERHEAD_BYTES;
}

// Makes sure that the space of a commit exists on disk before LMDB writes it, by filling the file with zeros ahead.
// A full disk is then an ordinary error before the commit, never a commit that fails half-way.
import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';

const CHUNK_BYTES = 4 * 1024 * 1024;
const PAGE_BYTES = 4096;
// Larger pieces would stay together in the page cache, and each page written later would count as all of them.
const ZEROS = Buffer.alloc(PAGE_BYTES);
/** What only deletes and drops may use, so that a full disk can be cured from inside. */
const KEPT_BYTES = 4 * 1024 * 1024;
const PAGES_PER_PATH = 8;
/** A leaf, and the one that it is split into or joined with. */
const LEAVES_PER_PUT = 3;
const COMMIT_OVERHEAD_BYTES = 256 * 1024;

/** What was put since the last commit. */
export interface WriteVolume {
  readonly puts: number;
  readonly bytes: number;
}

/** Pages of a store. */
export interface PageCounts {
  /** All up to the last page that was ever used. */
  readonly bytes: number;
  /** Those among them that nothing lies in any more. */
  readonly freeBytes: number;
  /** Those that lead to others. */
  readonly branchBytes: number;
}

/** Space on disk ahead of the last page in use. */
export class DiskReserve {
  private readonly descriptor: number;
  private allocatedBytes: number;
  private lastCommit: PageCounts | undefined;
  /** True while the disk is full and writes count on pages that deletes have freed. */
  reusesPages = false;

  constructor(
    file: string,
    private readonly pages: () => PageCounts,
  ) {
    this.descriptor = openSync(file, 'r+');
    this.allocatedBytes = fstatSync(this.descriptor).size;
  }

  /** The next volume begins at zero. */
  noteCommit(): void {
    this.lastCommit = undefined;
  }

  /** Throws ENOSPC when a commit of that volume might not fit; a part of the space is kept for what frees some. */
  ensure(volume: WriteVolume, shrinks: boolean): void {
    this.lastCommit ??= this.pages();
    const needed = commitBytesMax(volume, this.lastCommit, this.allocatedBytes);
    const end = this.lastCommit.bytes + needed + (shrinks ? 0 : KEPT_BYTES);
    this.reusesPages = false;
    if (end <= this.allocatedBytes) return;
    this.allocatedBytes = Math.max(this.allocatedBytes, fstatSync(this.descriptor).size);
    if (end <= this.allocatedBytes) return;
    try {
      this.extend(end);
    } catch (error) {
      if (end - this.lastCommit.freeBytes > this.allocatedBytes) throw error;
      this.reusesPages = true;
    }
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
function commitBytesMax(
  { puts, bytes }: WriteVolume,
  { branchBytes }: PageCounts,
  fileBytes: number,
): number {
  const paths = puts * PAGES_PER_PATH * PAGE_BYTES;
  const leaves = puts * LEAVES_PER_PUT * PAGE_BYTES;
  return Math.min(paths, leaves + 2 * branchBytes, fileBytes) + bytes * 3 + COMMIT_OVERHEAD_BYTES;
}

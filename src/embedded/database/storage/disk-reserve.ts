// Reserves disk space before LMDB commits. A full disk is then an error before the commit, and the commit is never
// incomplete.
import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';

const CHUNK_BYTES = 4 * 1024 * 1024;
const PAGE_BYTES = 4096;
// Zeros for one page. The file is written page by page. After a larger write, the page cache treats the whole write as
// one unit, and each later change of a page counts as a write of the unit.
const ZEROS = Buffer.alloc(PAGE_BYTES);
/** Space that only deletes and drops may use, so that a client can free space on a full disk. */
const KEPT_BYTES = 4 * 1024 * 1024;
const PAGES_PER_PATH = 8;
/**
 * Maximum number of leaf pages that a put changes: the leaf itself, and neighbours with which it is split or merged.
 */
const LEAVES_PER_PUT = 3;
const COMMIT_OVERHEAD_BYTES = 256 * 1024;

/** The number of puts and bytes that were written since the last commit. */
export interface WriteVolume {
  readonly puts: number;
  readonly bytes: number;
}

/** Sizes of a store's pages. */
export interface PageCounts {
  /** Bytes of all pages, up to the last page that was ever used. */
  readonly bytes: number;
  /** Bytes of all free pages, which `bytes` includes. */
  readonly freeBytes: number;
  /** Bytes of the tree's branch pages. */
  readonly branchBytes: number;
}

/** The disk space that is reserved beyond the last page in use. */
export class DiskReserve {
  private readonly descriptor: number;
  private allocatedBytes: number;
  private lastCommit: PageCounts | undefined;
  /** True while the disk is full, so that writes rely on pages that deletes have freed. */
  reusesPages = false;

  constructor(
    file: string,
    private readonly pages: () => PageCounts,
  ) {
    this.descriptor = openSync(file, 'r+');
    this.allocatedBytes = fstatSync(this.descriptor).size;
  }

  /** Call this after a commit, so that the page counts are read again. */
  noteCommit(): void {
    this.lastCommit = undefined;
  }

  /** Throws ENOSPC if a commit of this volume might not fit on the disk. */
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

// Returns an upper bound for the size of a commit. Each put changes at most one path through the tree, and a commit
// never changes more than all pages.
function commitBytesMax(
  { puts, bytes }: WriteVolume,
  { branchBytes }: PageCounts,
  fileBytes: number,
): number {
  const paths = puts * PAGES_PER_PATH * PAGE_BYTES;
  const leaves = puts * LEAVES_PER_PUT * PAGE_BYTES;
  return Math.min(paths, leaves + 2 * branchBytes, fileBytes) + bytes * 3 + COMMIT_OVERHEAD_BYTES;
}

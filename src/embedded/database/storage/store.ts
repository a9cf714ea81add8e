// The LMDB environment: one sorted table and one writer. It knows keys and bytes, no documents.
// Writes of one turn of the event loop share one transaction, which is on disk before any of them is answered.
import { join } from 'node:path';
import { open, type RootDatabase } from 'lmdb';
import { DatabaseError } from '../errors';
import { DiskReserve, type PageCounts } from './disk-reserve';
import { FolderError, lockFolder, type ReleaseFolder } from './folder-lock';
import { Table } from './table';

// No space, file or quota at its limit, from Node by name and from LMDB by number; -30792 is MDB_MAP_FULL.
const DISK_FULL_CODES: ReadonlySet<unknown> = new Set([
  'ENOSPC',
  'EFBIG',
  'EDQUOT',
  28,
  27,
  122,
  -30792,
]);

const EIO = 5;
const META_PAGES = 2;

/** How a piece of work is written. */
export interface WriteOptions {
  /** Its own transaction, which an error undoes as a whole. */
  readonly alone?: boolean;
  /** It frees more space than it takes, and so may use what is kept for a full disk. */
  readonly shrinks?: boolean;
}

interface Job {
  readonly run: () => void;
  readonly alone: boolean;
  readonly shrinks: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The refusal of a job, if it was refused. */
interface Outcome {
  readonly error?: unknown;
}

/** An open data folder. */
export class Store {
  /** Everything lies in one tree, apart by the first bytes of the keys: a commit then writes fewest pages. */
  readonly table: Table;
  /** Called after a transaction was undone: whatever was cached inside it must be read again. */
  onAbort: () => void = () => {};
  /** Grows with every transaction: a reader that sees it unchanged knows that nothing was written. */
  commits = 0;
  private readonly volume = { puts: 0, bytes: 0 };
  private readonly reserve: DiskReserve;
  private queue: Job[] = [];
  private draining = false;

  private constructor(
    private readonly root: RootDatabase<Buffer, Buffer>,
    file: string,
    private readonly release: ReleaseFolder,
  ) {
    this.table = new Table(root, this.volume);
    this.reserve = new DiskReserve(file, () => pageCountsOf(root));
  }

  /** Opens the folder for this process alone; throws {@link FolderError} when that is impossible. */
  static open(folder: string): Store {
    const release = lockFolder(folder);
    try {
      const file = join(folder, 'data.mdb');
      const root = open<Buffer, Buffer>(file, {
        noSubdir: true,
        encoding: 'binary',
        keyEncoding: 'binary',
        overlappingSync: false,
      });
      return new Store(root, file, release);
    } catch (error) {
      release();
      const reason = error instanceof Error ? error.message : String(error);
      throw new FolderError(`The data in ${folder} cannot be opened: ${reason}.`);
    }
  }

  /**
   * Runs the work inside the next transaction and answers when that is on disk.
   * The work may run a second time, after the first was undone, and so must have no effect but on the tables.
   */
  write<Result>(run: () => Result, options: WriteOptions = {}): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      let succeed = (): void => {};
      this.queue.push({
        run: () => {
          const result = run();
          succeed = () => resolve(result);
        },
        alone: options.alone === true,
        shrinks: options.shrinks === true,
        resolve: () => succeed(),
        reject,
      });
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.draining) return;
    this.draining = true;
    setImmediate(() => {
      this.draining = false;
      this.drain();
    });
  }

  private drain(): void {
    const jobs = this.queue;
    this.queue = [];
    let shared: Job[] = [];
    for (const job of jobs) {
      if (!job.alone) {
        shared.push(job);
        continue;
      }
      this.commitShared(shared);
      shared = [];
      this.commitAlone(job);
    }
    this.commitShared(shared);
  }

  private commitShared(jobs: readonly Job[]): void {
    if (jobs.length === 0) return;
    const outcomes = this.tryShared(jobs);
    if (!outcomes) {
      for (const job of jobs) this.commitAlone(job);
      return;
    }
    jobs.forEach((job, index) => {
      const outcome = outcomes[index];
      if (outcome && 'error' in outcome) job.reject(outcome.error);
      else job.resolve();
    });
  }

  // Undefined when something had to be undone: each job then gets a transaction of its own.
  private tryShared(jobs: readonly Job[]): Outcome[] | undefined {
    try {
      const shrinks = jobs.every((job) => job.shrinks);
      return this.transact(() => jobs.map((job) => this.attempt(job)), shrinks);
    } catch {
      this.onAbort();
      return undefined;
    }
  }

  // A refusal before the first put leaves the transaction as it was; any other error must undo it.
  private attempt(job: Job): Outcome {
    const before = this.volume.puts;
    try {
      job.run();
      return {};
    } catch (error) {
      if (error instanceof DatabaseError && this.volume.puts === before) return { error };
      throw error;
    }
  }

  private commitAlone(job: Job): void {
    try {
      this.transact(() => job.run(), job.shrinks);
    } catch (error) {
      this.onAbort();
      job.reject(this.isDiskFull(error) ? outOfDiskSpace() : error);
      return;
    }
    job.resolve();
  }

  private transact<Result>(work: () => Result, shrinks: boolean): Result {
    this.volume.puts = 0;
    this.volume.bytes = 0;
    return this.root.transactionSync(() => {
      const result = work();
      if (this.volume.puts > 0) this.reserve.ensure(this.volume, shrinks);
      this.commits += 1;
      return result;
    });
  }

  private isDiskFull(error: unknown): boolean {
    if (!(error instanceof Error) || error instanceof DatabaseError) return false;
    if (!('code' in error)) return false;
    // LMDB reports a write that was cut short as a failed one.
    return DISK_FULL_CODES.has(error.code) || (this.reserve.reusesPages && error.code === EIO);
  }

  /** A consistent copy of the whole store as of now, made while it goes on serving. */
  backup(file: string): Promise<void> {
    return this.root.backup(file, true);
  }

  /** Bytes of the pages in use. */
  usedBytes(): number {
    return pageCountsOf(this.root).bytes;
  }

  /** Finishes what was queued, then closes; the folder is free afterwards. */
  async close(): Promise<void> {
    this.drain();
    this.reserve.close();
    await this.root.close();
    this.release();
  }
}

function pageCountsOf(root: RootDatabase<Buffer, Buffer>): PageCounts {
  const stats: object = root.getStats();
  const pageBytes = numberIn(stats, 'pageSize');
  const pages = numberIn(stats, 'lastPageNumber') + 1;
  const held = META_PAGES + pagesOfTree(stats) + ('free' in stats ? pagesOfTree(stats.free) : 0);
  return { bytes: pages * pageBytes, freeBytes: Math.max(0, pages - held) * pageBytes };
}

function pagesOfTree(stats: unknown): number {
  return ['treeBranchPageCount', 'treeLeafPageCount', 'overflowPages']
    .map((name) => numberIn(stats, name))
    .reduce((sum, count) => sum + count);
}

function numberIn(stats: unknown, name: string): number {
  return typeof stats === 'object' && stats ? Number(Reflect.get(stats, name) ?? 0) : 0;
}

function outOfDiskSpace(): DatabaseError {
  return new DatabaseError(14031, 'the disk of the data folder is full: the write was not made');
}

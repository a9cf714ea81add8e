// The LMDB environment, with one sorted table and one writer. The writes of one turn of the event loop form one group
// in the journal. While the journal is being flushed, further groups wait and share the next flush. LMDB commits many
// groups at once. Reads also see changes that are not on disk yet.
import { join } from 'node:path';
import { open } from 'lmdb';
import { DatabaseError } from '../errors';
import { FolderError, lockFolder, type ReleaseFolder } from './folder-lock';
import { Journal } from './journal';
import type { Table } from './table';
import { Writer } from './writer';

// Codes for a full disk, a file that is too large, or an exceeded quota. Names are from Node,
// numbers from LMDB. -30792 is MDB_MAP_FULL.
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

export interface WriteOptions {
  /** True if the write frees more space than it uses. It may then use the reserved space. */
  readonly shrinks?: boolean;
}

interface Job {
  readonly run: () => void;
  readonly shrinks: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The result of a job that has run: with its error if it was rejected. */
interface Outcome {
  readonly error?: unknown;
}

export class Store {
  private queue: Job[] = [];
  private draining = false;
  /** Jobs whose changes may not be on disk yet. */
  private unflushed: Job[] = [];
  private flushing: Promise<void> | undefined;

  private constructor(
    private readonly writer: Writer,
    private readonly release: ReleaseFolder,
  ) {}

  /** Opens the folder exclusively for this process. Throws {@link FolderError} if that is impossible. */
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
      const journal = new Journal(join(folder, 'data.journal'));
      return new Store(new Writer(root, file, journal), release);
    } catch (error) {
      release();
      const reason = error instanceof Error ? error.message : String(error);
      throw new FolderError(`The data in ${folder} cannot be opened: ${reason}.`);
    }
  }

  /**
   * Runs the work together with the other writes of this turn of the event loop. Resolves when its changes are on disk.
   * The work may run twice, so it must change nothing except the table.
   */
  write<Result>(run: () => Result, options: WriteOptions = {}): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      let succeed = (): void => {};
      this.queue.push({
        run: () => {
          const result = run();
          succeed = () => resolve(result);
        },
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
    if (jobs.length === 0) return;
    const outcomes = this.tryShared(jobs);
    if (!outcomes) {
      for (const job of jobs) this.runAlone(job);
      this.flush();
      return;
    }
    jobs.forEach((job, index) => {
      const outcome = outcomes[index];
      if (outcome && 'error' in outcome) job.reject(outcome.error);
      else this.unflushed.push(job);
    });
    this.flush();
  }

  private flush(): void {
    if (this.unflushed.length > 0) this.flushing ??= this.flushAll();
  }

  // Flushes until nothing is left. No other code runs between the last check and the end of this function, so no job is
  // forgotten.
  private async flushAll(): Promise<void> {
    while (this.unflushed.length > 0) {
      const jobs = this.unflushed;
      this.unflushed = [];
      try {
        await this.writer.flush();
        for (const job of jobs) job.resolve();
      } catch (error) {
        this.rejectAll([...jobs, ...this.unflushed], error);
        this.unflushed = [];
      }
    }
    this.flushing = undefined;
  }

  private rejectAll(jobs: readonly Job[], error: unknown): void {
    const reason = this.isDiskFull(error) ? outOfDiskSpace() : error;
    for (const job of jobs) job.reject(reason);
  }

  // Runs all jobs in one transaction. Returns undefined if the transaction had to be undone. The caller then runs each
  // job alone.
  private tryShared(jobs: readonly Job[]): Outcome[] | undefined {
    const shrinks = jobs.every((job) => job.shrinks);
    try {
      return this.writer.keep(() => jobs.map((job) => this.attempt(job)), shrinks);
    } catch {
      return undefined;
    }
  }

  // Runs one job of a transaction. If the job is rejected before its first put, the other jobs are not affected. Any
  // other error must undo the transaction.
  private attempt(job: Job): Outcome {
    const before = this.writer.changeCount;
    try {
      job.run();
      return {};
    } catch (error) {
      if (error instanceof DatabaseError && this.writer.changeCount === before) return { error };
      throw error;
    }
  }

  private runAlone(job: Job): void {
    try {
      this.writeAlone(job);
    } catch (error) {
      this.rejectAll([job], error);
      return;
    }
    this.unflushed.push(job);
  }

  // Runs one job in a transaction of its own. If the disk is full, first commits earlier changes, which may free space.
  private writeAlone({ run, shrinks }: Job): void {
    try {
      this.writer.keep(run, shrinks);
    } catch (error) {
      if (!this.writer.hasUncommitted || !this.isDiskFull(error)) throw error;
      this.writer.commit();
      this.writer.keep(run, shrinks);
    }
  }

  private isDiskFull(error: unknown): boolean {
    if (!(error instanceof Error) || error instanceof DatabaseError) return false;
    if (!('code' in error)) return false;
    // If the disk is full, LMDB may report an incomplete write as EIO.
    return DISK_FULL_CODES.has(error.code) || (this.writer.reusesPages && error.code === EIO);
  }

  /** The table. All data is in one tree, separated by key prefixes, because a commit then writes the fewest pages. */
  get table(): Table {
    return this.writer.table;
  }

  /** Increases with every group of writes, so that a reader can notice changes. */
  get groupCount(): number {
    return this.writer.counts.groups;
  }

  /** The number of LMDB commits since the store was opened. */
  get commitCount(): number {
    return this.writer.counts.commits;
  }

  /** Called after a write was undone. All data that was cached during the write must be read again. */
  set onAbort(reload: () => void) {
    this.writer.onUndo = reload;
  }

  /** Makes a consistent copy of the whole store. Other clients are served during the copy. */
  backup(file: string): Promise<void> {
    return this.writer.backup(file);
  }

  /** Bytes of all pages, up to the last page that was ever used. */
  usedBytes(): number {
    return this.writer.usedBytes();
  }

  /** Finishes the queued writes, closes the store and releases the folder. */
  async close(): Promise<void> {
    this.drain();
    await this.flushing;
    await this.writer.close();
    this.release();
  }
}

function outOfDiskSpace(): DatabaseError {
  return new DatabaseError(14031, 'the disk of the data folder is full: the write was not made');
}

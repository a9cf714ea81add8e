// The LMDB environment: one sorted table and one writer. It knows keys and bytes, no documents.
// Writes of one turn of the event loop are one group of the journal, which is on disk before any of them is answered.
// LMDB commits many groups at once.
import { join } from 'node:path';
import { open } from 'lmdb';
import { DatabaseError } from '../errors';
import { FolderError, lockFolder, type ReleaseFolder } from './folder-lock';
import { Journal } from './journal';
import type { Table } from './table';
import { Writer } from './writer';

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

/** How a piece of work is written. */
export interface WriteOptions {
  /** It frees more space than it takes, and so may use what is kept for a full disk. */
  readonly shrinks?: boolean;
}

interface Job {
  readonly run: () => void;
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
  private queue: Job[] = [];
  private draining = false;

  private constructor(
    private readonly writer: Writer,
    private readonly release: ReleaseFolder,
  ) {}

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
      const journal = new Journal(join(folder, 'data.journal'));
      return new Store(new Writer(root, file, journal), release);
    } catch (error) {
      release();
      const reason = error instanceof Error ? error.message : String(error);
      throw new FolderError(`The data in ${folder} cannot be opened: ${reason}.`);
    }
  }

  /**
   * Runs the work with all that was asked for in this turn, and answers when its changes are on disk.
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
      return;
    }
    jobs.forEach((job, index) => {
      const outcome = outcomes[index];
      if (outcome && 'error' in outcome) job.reject(outcome.error);
      else job.resolve();
    });
  }

  // Undefined when something had to be undone: each job is then tried by itself.
  private tryShared(jobs: readonly Job[]): Outcome[] | undefined {
    const shrinks = jobs.every((job) => job.shrinks);
    try {
      return this.writer.keep(() => jobs.map((job) => this.attempt(job)), shrinks);
    } catch {
      return undefined;
    }
  }

  // A refusal before the first put leaves the transaction as it was; any other error must undo it.
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
      this.keepAlone(job);
    } catch (error) {
      job.reject(this.isDiskFull(error) ? outOfDiskSpace() : error);
      return;
    }
    job.resolve();
  }

  // What waits for its commit takes room that the job may need.
  private keepAlone({ run, shrinks }: Job): void {
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
    // LMDB reports a write that was cut short as a failed one.
    return DISK_FULL_CODES.has(error.code) || (this.writer.reusesPages && error.code === EIO);
  }

  /** Everything lies in one tree, apart by the first bytes of the keys: a commit then writes fewest pages. */
  get table(): Table {
    return this.writer.table;
  }

  /** Grows with everything that is written: a reader that sees it unchanged knows that nothing was written. */
  get groupCount(): number {
    return this.writer.counts.groups;
  }

  /** How often LMDB has committed since the store was opened. */
  get commitCount(): number {
    return this.writer.counts.commits;
  }

  /** Called after a write was undone: whatever was cached inside it must be read again. */
  set onAbort(reload: () => void) {
    this.writer.onUndo = reload;
  }

  /** A consistent copy of the whole store as of now, made while it goes on serving. */
  backup(file: string): Promise<void> {
    return this.writer.backup(file);
  }

  /** Bytes of the pages in use. */
  usedBytes(): number {
    return this.writer.usedBytes();
  }

  /** Finishes what was queued, then closes; the folder is free afterwards. */
  async close(): Promise<void> {
    this.drain();
    await this.writer.close();
    this.release();
  }
}

function outOfDiskSpace(): DatabaseError {
  return new DatabaseError(14031, 'the disk of the data folder is full: the write was not made');
}

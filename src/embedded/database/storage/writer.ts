// Makes groups of changes durable. Puts each group into the open LMDB transaction and into the journal. A later commit
// includes many groups.
import { randomBytes } from 'node:crypto';
import type { RootDatabase } from 'lmdb';
import { DiskReserve, type PageCounts } from './disk-reserve';
import { HeldTransaction } from './held-transaction';
import type { Change, Journal } from './journal';
import { Table } from './table';

const META_PAGES = 2;

/**
 * The key of the mark. The mark consists of random bytes that identify the last commit. With it, the journal knows
 * which groups were written after this commit.
 */
const MARK_KEY = Buffer.concat([Buffer.alloc(4), Buffer.from('#journal')]);
const MARK_BYTES = 16;
/** Changes are committed after this time in milliseconds, or earlier after `PUTS_PER_COMMIT` puts. */
const COMMIT_AFTER_MS = 30_000;
const PUTS_PER_COMMIT = 4096;

export class Writer {
  readonly table: Table;
  /** Called after changes were undone. All data that was cached since must be read again. */
  onUndo: () => void = () => {};
  /** The number of stored groups, and of LMDB commits. */
  readonly counts = { groups: 0, commits: 0 };
  private readonly held: HeldTransaction;
  private readonly reserve: DiskReserve;
  /** The number of puts and bytes that were written since the last commit. */
  private volume = { puts: 0, bytes: 0 };
  /** The changes of the work that is running now. They are not in the journal yet. */
  private changes: Change[] = [];
  private commitTimer: NodeJS.Timeout | undefined;
  private copies = 0;

  /** Opens the writer with the changes in the journal. Writes nothing to disk. */
  constructor(
    private readonly root: RootDatabase<Buffer, Buffer>,
    file: string,
    private readonly journal: Journal,
  ) {
    this.table = new Table(root, (change) => this.noteChange(change));
    this.held = new HeldTransaction(root);
    this.reserve = new DiskReserve(file, () => readPageCounts(root));
    this.redo(journal.recover(root.get(MARK_KEY)));
  }

  /** The number of changes that the running work has made so far. */
  get changeCount(): number {
    return this.changes.length;
  }

  /** True if there are uncommitted changes. Committing them may free space for the next group. */
  get hasUncommitted(): boolean {
    return this.volume.puts > 0;
  }

  /** True if an incomplete write means that the disk is full. */
  get reusesPages(): boolean {
    return this.reserve.reusesPages;
  }

  /** Runs the work. Its changes are on disk after the next `flush`. On an error, all of its changes are undone. */
  keep<Result>(work: () => Result, shrinks: boolean): Result {
    return this.runOrRollBack(() => this.tryAppend(work, shrinks));
  }

  /**
   * Resolves once all changes so far are on disk. Rejects if neither the journal nor LMDB can store them. All changes
   * that are not flushed are then undone, also those made during the call.
   */
  async flush(): Promise<void> {
    if (await this.journal.flush()) return;
    this.journal.dropUnflushed();
    this.commit();
  }

  private tryAppend<Result>(work: () => Result, shrinks: boolean): Result {
    this.changes = [];
    this.held.begin();
    const result = work();
    if (this.changes.length === 0) return result;
    this.reserve.ensure(this.volume, shrinks);
    const isKept = this.volume.puts < PUTS_PER_COMMIT && this.journal.append(this.changes);
    if (isKept) this.commitSoon();
    else this.tryCommit();
    this.counts.groups += 1;
    return result;
  }

  private runOrRollBack<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      this.rollBack();
      throw error;
    }
  }

  // Returns to the last commit and replays the journal. If that fails, acknowledged writes are missing, so the process
  // must end.
  private rollBack(): void {
    try {
      this.held.abort();
      this.redo(this.journal.appended());
      this.onUndo();
    } catch (cause) {
      queueMicrotask(() => {
        throw new Error('The data cannot be read again after a failed write.', { cause });
      });
    }
  }

  private noteChange(change: Change): void {
    this.changes.push(change);
    this.volume.puts += 1;
    this.volume.bytes += change.key.length + (change.value?.length ?? 0);
  }

  // Makes changes from the journal again, in a transaction on top of the last commit.
  private redo(changes: readonly Change[]): void {
    this.volume = { puts: 0, bytes: 0 };
    if (changes.length === 0) return;
    this.held.begin();
    for (const { key, value } of changes) {
      if (value) this.table.put(key, value);
      else this.table.remove(key);
    }
    this.commitSoon();
  }

  private commitSoon(): void {
    this.commitTimer ??= setTimeout(() => this.commitInTime(), COMMIT_AFTER_MS);
  }

  // Commits when the timer ends. If the commit fails, the changes stay in the journal, and the timer starts again.
  private commitInTime(): void {
    this.commitTimer = undefined;
    try {
      this.commit();
    } catch {
      this.commitSoon();
    }
  }

  /** Commits the pending changes. On an error, they stay only in the journal. */
  commit(): void {
    this.runOrRollBack(() => this.tryCommit());
  }

  // Commits with a new mark. During a backup and on closing, commits without a mark, so that no journal is ever applied
  // to the copy.
  private tryCommit(isLast = false): void {
    const mark = isLast || this.copies > 0 ? undefined : randomBytes(MARK_BYTES);
    this.held.begin();
    if (mark) this.root.putSync(MARK_KEY, mark);
    else this.root.removeSync(MARK_KEY);
    this.held.commit();
    this.counts.commits += 1;
    this.journal.restart(mark);
    this.reserve.noteCommit();
    this.volume = { puts: 0, bytes: 0 };
    clearTimeout(this.commitTimer);
    this.commitTimer = undefined;
  }

  /** Makes a consistent copy of the whole store. Other clients are served during the copy. */
  async backup(file: string): Promise<void> {
    this.copies += 1;
    try {
      this.commit();
      await this.root.backup(file, true);
    } finally {
      this.copies -= 1;
    }
  }

  usedBytes(): number {
    return readPageCounts(this.root).bytes;
  }

  /**
   * Commits if possible, and closes the store. If the disk is full, the journal keeps the changes until the next start.
   */
  async close(): Promise<void> {
    clearTimeout(this.commitTimer);
    try {
      this.tryCommit(true);
    } catch {
      this.held.abort();
    }
    this.reserve.close();
    this.journal.close();
    await this.root.close();
  }
}

function readPageCounts(root: RootDatabase<Buffer, Buffer>): PageCounts {
  const stats: object = root.getStats();
  const pageBytes = numberIn(stats, 'pageSize');
  const pages = numberIn(stats, 'lastPageNumber') + 1;
  const held = META_PAGES + pagesOfTree(stats) + ('free' in stats ? pagesOfTree(stats.free) : 0);
  return {
    bytes: pages * pageBytes,
    freeBytes: Math.max(0, pages - held) * pageBytes,
    branchBytes: numberIn(stats, 'treeBranchPageCount') * pageBytes,
  };
}

function pagesOfTree(stats: unknown): number {
  return ['treeBranchPageCount', 'treeLeafPageCount', 'overflowPages']
    .map((name) => numberIn(stats, name))
    .reduce((sum, count) => sum + count);
}

function numberIn(stats: unknown, name: string): number {
  return typeof stats === 'object' && stats ? Number(Reflect.get(stats, name) ?? 0) : 0;
}

// How a group of changes comes to stay: put into the open transaction of LMDB, flushed to the journal, and committed
// together with others in time. It knows no documents, and no order of jobs.
import { randomBytes } from 'node:crypto';
import type { RootDatabase } from 'lmdb';
import { DiskReserve, type PageCounts } from './disk-reserve';
import { HeldTransaction } from './held-transaction';
import type { Change, Journal } from './journal';
import { Table } from './table';

const META_PAGES = 2;

/** Beside the keys of the catalogue: the mark of the last commit, which the groups of the journal follow. */
const MARK_KEY = Buffer.concat([Buffer.alloc(4), Buffer.from('#journal')]);
const MARK_BYTES = 16;
/** What waits longer, or is more, is committed. */
const COMMIT_AFTER_MS = 30_000;
const PUTS_PER_COMMIT = 4096;

/** The one writer of a store. */
export class Writer {
  readonly table: Table;
  /** Called after changes were undone: whatever was cached of them must be read again. */
  onUndo: () => void = () => {};
  /** How many groups were kept, and how often LMDB committed. */
  readonly counts = { groups: 0, commits: 0 };
  private readonly held: HeldTransaction;
  private readonly reserve: DiskReserve;
  /** Put since the last commit. */
  private volume = { puts: 0, bytes: 0 };
  /** Put by the work that is running, and not yet in the journal. */
  private changes: Change[] = [];
  private commitTimer: NodeJS.Timeout | undefined;
  private copies = 0;

  /** Goes on where the journal ends; writes nothing. */
  constructor(
    private readonly root: RootDatabase<Buffer, Buffer>,
    file: string,
    private readonly journal: Journal,
  ) {
    this.table = new Table(root, (change) => this.noteChange(change));
    this.held = new HeldTransaction(root);
    this.reserve = new DiskReserve(file, () => pageCountsOf(root));
    this.redo(journal.recover(root.get(MARK_KEY)));
  }

  /** How many changes the running work has made so far. */
  get changeCount(): number {
    return this.changes.length;
  }

  /** True while a commit would free room that a group may need. */
  get hasUncommitted(): boolean {
    return this.volume.puts > 0;
  }

  /** True when a write that was cut short means a full disk. */
  get reusesPages(): boolean {
    return this.reserve.reusesPages;
  }

  /** Runs the work; returns when its changes are on disk. On an error there are none. */
  keep<Result>(work: () => Result, shrinks: boolean): Result {
    return this.orUndo(() => this.tryKeep(work, shrinks));
  }

  private tryKeep<Result>(work: () => Result, shrinks: boolean): Result {
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

  private orUndo<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      this.undo();
      throw error;
    }
  }

  // Without the changes of the journal, reads would not see what was acknowledged: then no more reads.
  private undo(): void {
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

  // Puts what the journal holds into a transaction that begins at the last commit.
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

  // What cannot be committed stays in the journal, and is tried again.
  private commitInTime(): void {
    this.commitTimer = undefined;
    try {
      this.commit();
    } catch {
      this.commitSoon();
    }
  }

  /** Commits what waits for it; what cannot be committed stays in the journal, and the error is thrown. */
  commit(): void {
    this.orUndo(() => this.tryCommit());
  }

  // A copy, and the file of a store that was closed, carry no mark: no journal beside them is ever taken for theirs.
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

  /** A consistent copy of the whole store as of now, made while it goes on serving. */
  async backup(file: string): Promise<void> {
    this.copies += 1;
    try {
      this.commit();
      await this.root.backup(file, true);
    } finally {
      this.copies -= 1;
    }
  }

  /** Bytes of the pages in use. */
  usedBytes(): number {
    return pageCountsOf(this.root).bytes;
  }

  /** Commits what it can; on a full disk the journal keeps the rest until the next start. */
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

function pageCountsOf(root: RootDatabase<Buffer, Buffer>): PageCounts {
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

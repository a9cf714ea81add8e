// Cursors that wait for the next getMore. A waiting cursor keeps its position, but no open transaction.
import { randomBytes } from 'node:crypto';
import { Long } from 'bson';
import { DatabaseError } from '../errors';
import type { Allowance } from '../planner/allowance';
import { continueWalk, forEachSliced, type Walk } from '../planner/slices';

/** The state of a connection that concerns cursors. */
export interface Connection {
  readonly id: number;
  /** The number of open cursors that belong to this connection. */
  openCursors: number;
  isOpen: boolean;
}

/**
 * Maximum size of a batch in bytes. It is small, so that many replies fit into memory at once. The next batches contain
 * the remaining documents.
 */
const BATCH_BYTES_MAX = 1024 * 1024;
/** Maximum size in bytes of a batch that must contain the whole result, because no other batch may follow. */
const SINGLE_BATCH_BYTES_MAX = 16 * 1024 * 1024;
/** The maximum number of bytes that a waiting cursor has read ahead. */
const READ_AHEAD_BYTES = 64 * 1024;

const IDLE_MS = 10 * 60 * 1000;
const SWEEP_MS = 30 * 1000;
const CURSORS_PER_CONNECTION_MAX = 1000;

interface Source {
  readonly allowance: Allowance;
  readonly rows: Iterator<Buffer | undefined>;
  /** The next document, which did not fit into the last batch. */
  pending: Buffer | undefined;
}

interface OpenCursor extends Source {
  readonly id: Long;
  readonly namespace: string;
  connection: Connection;
  busy: boolean;
  usedAt: number;
}

/** A batch of documents. `cursorId` identifies the cursor for the next batch, and is 0 after the last batch. */
export interface Batch {
  readonly documents: readonly Buffer[];
  readonly cursorId: Long;
}

/** The first batch to read: at most `size` documents. `single` means that no other batch may follow. */
export interface FirstBatch {
  readonly namespace: string;
  readonly connection: Connection;
  readonly allowance: Allowance;
  readonly size: number;
  readonly single: boolean;
}

export type NextBatch = Pick<FirstBatch, 'namespace' | 'connection' | 'size'>;

export class CursorRegistry {
  private readonly cursors = new Map<string, OpenCursor>();
  private readonly sweeper: NodeJS.Timeout;

  constructor(private readonly now: () => number = Date.now) {
    this.sweeper = setInterval(() => this.sweep(), SWEEP_MS);
    this.sweeper.unref();
  }

  get size(): number {
    return this.cursors.size;
  }

  /** Reads the first batch. Keeps a cursor if there may be more documents. */
  async open(rows: Walk<Buffer>, first: FirstBatch): Promise<Batch> {
    const { allowance, size, single } = first;
    const source: Source = { rows: rows[Symbol.iterator](), pending: undefined, allowance };
    const bytesMax = single ? SINGLE_BATCH_BYTES_MAX : BATCH_BYTES_MAX;
    const { documents, done } = await takeBatch(source, size, bytesMax);
    if (done || single) return { documents, cursorId: Long.ZERO };
    return { documents, cursorId: this.keep(source, first) };
  }

  private keep(source: Source, { namespace, connection }: FirstBatch): Long {
    if (connection.openCursors >= CURSORS_PER_CONNECTION_MAX) {
      throw new DatabaseError(1, 'too many open cursors on this connection');
    }
    if (!connection.isOpen) throw new DatabaseError(237, 'the connection of the cursor is gone');
    source.allowance.take(READ_AHEAD_BYTES);
    source.allowance.handToCursor();
    const id = newCursorId();
    connection.openCursors += 1;
    const cursor = { ...source, id, namespace, connection, busy: false, usedAt: this.now() };
    this.cursors.set(id.toString(), cursor);
    return id;
  }

  /**
   * Returns the next batch of a cursor. Throws 43 CursorNotFound if there is no such cursor, 13 if it belongs to
   * another namespace, and 143 if it is in use.
   */
  async next(id: Long, { namespace, connection, size }: NextBatch): Promise<Batch> {
    const cursor = this.cursors.get(id.toString());
    if (!cursor) throw new DatabaseError(43, `cursor id ${id.toString()} not found`);
    if (cursor.namespace !== namespace) {
      throw new DatabaseError(
        13,
        `Requested getMore on namespace '${namespace}', but cursor belongs to a different namespace ${cursor.namespace}`,
      );
    }
    if (cursor.busy) throw new DatabaseError(143, `cursor id ${id.toString()} is already in use`);
    cursor.busy = true;
    this.handOver(cursor, connection);
    cursor.allowance.resume();
    try {
      const { documents, done } = await takeBatch(cursor, size, BATCH_BYTES_MAX);
      cursor.usedAt = this.now();
      if (done) this.close(cursor);
      return { documents, cursorId: done ? Long.ZERO : cursor.id };
    } catch (error) {
      this.close(cursor);
      throw error;
    } finally {
      cursor.allowance.pause();
      cursor.busy = false;
    }
  }

  // Assigns the cursor to the connection that has used it last, because drivers may send each getMore on a different
  // connection.
  private handOver(cursor: OpenCursor, connection: Connection): void {
    cursor.connection.openCursors -= 1;
    connection.openCursors += 1;
    cursor.connection = connection;
  }

  /** Closes all cursors of a closed connection. */
  closeForConnection(connection: Connection): void {
    for (const cursor of this.cursors.values()) {
      if (cursor.connection === connection) this.close(cursor);
    }
  }

  /** Closes a cursor. Returns false if it does not exist. */
  kill(id: Long): boolean {
    const cursor = this.cursors.get(id.toString());
    if (cursor) this.close(cursor);
    return cursor !== undefined;
  }

  private close(cursor: OpenCursor): void {
    if (!this.cursors.delete(cursor.id.toString())) return;
    cursor.connection.openCursors -= 1;
    cursor.allowance.end();
    if (!cursor.busy) cursor.rows.return?.();
  }

  private sweep(): void {
    for (const cursor of this.cursors.values()) {
      if (!cursor.busy && this.now() - cursor.usedAt > IDLE_MS) this.close(cursor);
    }
  }

  /** Closes all cursors and stops the sweep of idle cursors. Called at shutdown. */
  closeAll(): void {
    clearInterval(this.sweeper);
    this.cursors.forEach((cursor) => {
      this.close(cursor);
    });
  }
}

function newCursorId(): Long {
  return Long.fromBigInt((randomBytes(8).readBigUInt64LE() >> 1n) | 1n);
}

// Reads a batch. Also reads the first document after the batch, to find out whether the cursor is exhausted.
async function takeBatch(
  cursor: Source,
  size: number,
  bytesMax: number,
): Promise<{ documents: Buffer[]; done: boolean }> {
  const documents: Buffer[] = [];
  let bytes = 0;
  let done = true;
  await forEachSliced(remaining(cursor), cursor.allowance, (document) => {
    const full = documents.length >= size || bytes + document.length > bytesMax;
    if (full && (documents.length > 0 || size === 0)) {
      cursor.allowance.take(document.length);
      cursor.pending = document;
      done = false;
      return false;
    }
    documents.push(document);
    bytes += document.length + 16;
    return true;
  });
  return { documents, done };
}

function* remaining(cursor: Source): Generator<Buffer | undefined> {
  const { pending } = cursor;
  cursor.pending = undefined;
  if (pending) {
    cursor.allowance.giveBack(pending.length);
    yield pending;
  }
  yield* continueWalk(cursor.rows);
}

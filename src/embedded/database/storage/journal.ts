// A file with the writes since the last LMDB commit. Each group of changes is flushed to disk before it is
// acknowledged. Groups that are appended during a flush share the next flush. A group consists of its length (4 bytes),
// a digest (16 bytes) and the changes.
//
// The digest covers the changes and the digest of the previous group. In the first group, it covers the mark instead of
// a previous digest. The mark consists of random bytes that LMDB stored with the commit. The digests therefore show
// which groups are incomplete or outdated.
import { hash } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fdatasync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { promisify } from 'node:util';

/** A change of one key. An undefined value means that the key was removed. */
export interface Change {
  readonly key: Buffer;
  readonly value: Buffer | undefined;
}

/** The maximum size of a journal. A journal of this size is replayed in less than a second. */
const JOURNAL_BYTES_MAX = 8 * 1024 * 1024;
const LENGTH_BYTES = 4;
const DIGEST_BYTES = 16;
const HEAD_BYTES = LENGTH_BYTES + DIGEST_BYTES;
// Bytes per write to the file. After a larger write, the page cache treats the whole write as one unit, and each later
// change of a page counts as a write of the unit.
const PAGE_BYTES = 4096;
const REMOVED = 0xffffffff;

const flushFile = promisify(fdatasync);

/** The end of the journal, and the digest of its last group. */
interface End {
  readonly bytes: number;
  readonly digest: Buffer;
}

export class Journal {
  private descriptor: number | undefined;
  private mark: Buffer | undefined;
  private end: End = { bytes: 0, digest: Buffer.alloc(0) };
  /** The end of the part of the journal that is certainly on disk. */
  private flushedEnd = this.end;
  /**
   * True after a failed flush. A disk reports a failure only once. If the next flush succeeded, it would not prove that
   * the same groups are on disk.
   */
  private hasFailed = false;

  constructor(private readonly file: string) {}

  /** Empties the journal, after a commit that stored this mark. Without a mark, the journal accepts no changes. */
  restart(mark: Buffer | undefined): void {
    this.mark = mark;
    this.end = { bytes: 0, digest: mark ?? Buffer.alloc(0) };
    this.flushedEnd = this.end;
    this.hasFailed = false;
  }

  /**
   * Appends a group. Flush it before its changes are acknowledged. Returns false if the journal cannot take the group.
   */
  append(changes: readonly Change[]): boolean {
    if (!this.mark) return false;
    const group = encodeGroup(changes, this.end.digest);
    if (this.end.bytes + group.length > JOURNAL_BYTES_MAX) return false;
    try {
      this.descriptor ??= openSync(this.file, constants.O_RDWR | constants.O_CREAT, 0o600);
      writeInPages(this.descriptor, group, this.end.bytes);
    } catch {
      return false;
    }
    this.end = { bytes: this.end.bytes + group.length, digest: digestIn(group) };
    return true;
  }

  /**
   * Resolves with true once all groups so far are on disk, in the journal or through a commit of LMDB. Resolves with
   * false if the disk does not accept the groups. LMDB must then commit them.
   */
  async flush(): Promise<boolean> {
    const { mark, end, descriptor } = this;
    if (end === this.flushedEnd || descriptor === undefined) return true;
    if (this.hasFailed) return false;
    const isFlushed = await flushFile(descriptor).then(
      () => true,
      () => false,
    );
    if (!isFlushed) this.hasFailed = true;
    if (this.mark !== mark) return true;
    if (isFlushed) this.flushedEnd = end;
    return isFlushed;
  }

  /**
   * Drops all groups that are not flushed. Tries to cut them off the file, so that they do not come back after a crash.
   */
  dropUnflushed(): void {
    this.end = this.flushedEnd;
    this.hasFailed = false;
    if (this.descriptor === undefined) return;
    try {
      ftruncateSync(this.descriptor, this.end.bytes);
    } catch {
      // Ignored, because the disk is failing and the caller already reports the failed flush.
    }
  }

  /** Returns the changes of all complete groups that follow the commit with this mark. */
  recover(mark: Buffer | undefined): Change[] {
    this.restart(mark);
    if (!mark || !existsSync(this.file)) return [];
    const groups = [...wholeGroups(readFileSync(this.file), mark)];
    const bytes = groups.reduce((sum, group) => sum + group.length, 0);
    const last = groups.at(-1);
    if (last) this.end = { bytes, digest: digestIn(last) };
    this.flushedEnd = this.end;
    return groups.flatMap(changesIn);
  }

  /** Returns all changes that were appended since the last restart. */
  appended(): Change[] {
    if (!this.mark || this.end.bytes === 0) return [];
    const bytes = readFileSync(this.file).subarray(0, this.end.bytes);
    return [...wholeGroups(bytes, this.mark)].flatMap(changesIn);
  }

  close(): void {
    if (this.descriptor !== undefined) closeSync(this.descriptor);
    this.descriptor = undefined;
  }
}

function writeInPages(descriptor: number, bytes: Buffer, position: number): void {
  for (let at = 0; at < bytes.length; ) {
    const length = Math.min(PAGE_BYTES - ((position + at) % PAGE_BYTES), bytes.length - at);
    at += writeSync(descriptor, bytes, at, length, position + at);
  }
}

function encodeGroup(changes: readonly Change[], lastDigest: Buffer): Buffer {
  const bytes = changes.reduce(
    (sum, { key, value }) => sum + 8 + key.length + (value?.length ?? 0),
    0,
  );
  const group = Buffer.allocUnsafe(HEAD_BYTES + bytes);
  let at = HEAD_BYTES;
  for (const { key, value } of changes) {
    at = group.writeUInt32LE(key.length, at);
    at = group.writeUInt32LE(value ? value.length : REMOVED, at);
    at += key.copy(group, at);
    at += value ? value.copy(group, at) : 0;
  }
  group.writeUInt32LE(group.length);
  computeDigest(group, lastDigest).copy(group, LENGTH_BYTES);
  return group;
}

function computeDigest(group: Buffer, lastDigest: Buffer): Buffer {
  const covered = Buffer.concat([
    lastDigest,
    group.subarray(0, LENGTH_BYTES),
    group.subarray(HEAD_BYTES),
  ]);
  return hash('sha256', covered, 'buffer').subarray(0, DIGEST_BYTES);
}

function digestIn(group: Buffer): Buffer {
  return group.subarray(LENGTH_BYTES, HEAD_BYTES);
}

function* wholeGroups(bytes: Buffer, mark: Buffer): Generator<Buffer> {
  let lastDigest = mark;
  for (let at = 0; at + HEAD_BYTES <= bytes.length; ) {
    const group = bytes.subarray(at, at + bytes.readUInt32LE(at));
    if (group.length < HEAD_BYTES || !computeDigest(group, lastDigest).equals(digestIn(group)))
      return;
    yield group;
    lastDigest = digestIn(group);
    at += group.length;
  }
}

function changesIn(group: Buffer): Change[] {
  const changes: Change[] = [];
  for (let at = HEAD_BYTES; at < group.length; ) {
    const valueAt = at + 8 + group.readUInt32LE(at);
    const key = group.subarray(at + 8, valueAt);
    const length = group.readUInt32LE(at + 4);
    at = length === REMOVED ? valueAt : valueAt + length;
    changes.push({ key, value: length === REMOVED ? undefined : group.subarray(valueAt, at) });
  }
  return changes;
}

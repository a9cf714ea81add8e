// Tests when writes are acknowledged. This happens only after a flush, which several writes may share. The disk is a
// real folder, but the test decides when and how a flush ends.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { HeldTransaction } from '../../../src/embedded/database/storage/held-transaction';
import { Store } from '../../../src/embedded/database/storage/store';
import { waitUntil } from '../../support/wait-until';
import { makeFolder, removeFolder } from './database-process';

type Flushed = (error: Error | null) => void;

const mockFlushes: Flushed[] = [];
jest.mock('node:fs', () => ({
  ...jest.requireActual<typeof import('node:fs')>('node:fs'),
  fdatasync: (_descriptor: number, done: Flushed) => mockFlushes.push(done),
}));

const diskError = Object.assign(new Error('input/output error'), { code: 'EIO' });
const keyOf = (name: string): Buffer =>
  Buffer.concat([Buffer.from([0, 0, 0, 9]), Buffer.from(name)]);

let folder: string;
let store: Store;

beforeEach(async () => {
  mockFlushes.length = 0;
  folder = makeFolder();
  store = Store.open(folder);
  // The first write causes a commit, and the commit starts the journal.
  await store.write(() => store.table.put(keyOf('first'), Buffer.from('1')));
});

afterEach(async () => {
  jest.restoreAllMocks();
  const closed = store.close();
  for (const done of mockFlushes.splice(0)) done(null);
  await closed;
  removeFolder(folder);
});

/** Starts a write. If it is acknowledged, adds its name to `outcomes`. If it fails, adds its name and the error. */
function startWrite(name: string, outcomes: string[]): void {
  store
    .write(() => store.table.put(keyOf(name), Buffer.from(name)))
    .then(
      () => outcomes.push(name),
      (error: unknown) => outcomes.push(`${name}: ${String(error)}`),
    );
}

/** Simulates a crash now. Returns which of the names exist after the next start. */
async function readAfterCrash(names: readonly string[]): Promise<readonly string[]> {
  const copy = makeFolder();
  for (const file of ['data.mdb', 'data.journal'])
    copyFileSync(join(folder, file), join(copy, file));
  const recovered = Store.open(copy);
  const found = names.filter((name) => recovered.table.get(keyOf(name)) !== undefined);
  await recovered.close();
  removeFolder(copy);
  return found;
}

const isThere = (name: string): boolean => store.table.get(keyOf(name)) !== undefined;
const flushBegins = (count: number) =>
  waitUntil(`flush ${count} begins`, () => mockFlushes.length === count);
const seen = (name: string) => waitUntil(`${name} is written`, () => isThere(name));

test('a write is acknowledged after its flush, and the writes that come meanwhile share the next flush', async () => {
  const outcomes: string[] = [];
  startWrite('a', outcomes);
  await flushBegins(1);
  startWrite('b', outcomes);
  await seen('b');
  startWrite('c', outcomes);
  await seen('c');
  expect([outcomes, mockFlushes.length]).toEqual([[], 1]);
  mockFlushes[0]?.(null);
  await flushBegins(2);
  expect(outcomes).toEqual(['a']);
  mockFlushes[1]?.(null);
  await waitUntil('both are acknowledged', () => outcomes.length === 3);
  expect([outcomes, mockFlushes.length]).toEqual([['a', 'b', 'c'], 2]);
});

test('if a flush fails, a commit of LMDB stores the writes, and they survive a restart', async () => {
  const outcomes: string[] = [];
  startWrite('a', outcomes);
  await flushBegins(1);
  mockFlushes[0]?.(diskError);
  await waitUntil('the write is acknowledged', () => outcomes.length === 1);
  expect(outcomes).toEqual(['a']);
  await store.close();
  store = Store.open(folder);
  expect(isThere('a')).toBe(true);
});

test('if neither the journal nor LMDB can store writes, all writes since the last flush fail and are undone', async () => {
  const outcomes: string[] = [];
  startWrite('kept', outcomes);
  await flushBegins(1);
  mockFlushes[0]?.(null);
  await waitUntil('the first write is acknowledged', () => outcomes.length === 1);
  startWrite('a', outcomes);
  await flushBegins(2);
  startWrite('b', outcomes);
  await seen('b');
  jest.spyOn(HeldTransaction.prototype, 'commit').mockImplementationOnce(() => {
    throw diskError;
  });
  mockFlushes[1]?.(diskError);
  await waitUntil('all writes have an outcome', () => outcomes.length === 3);
  const failure = 'Error: input/output error';
  expect(outcomes).toEqual(['kept', `a: ${failure}`, `b: ${failure}`]);
  const names = ['first', 'kept', 'a', 'b'];
  expect(names.filter(isThere)).toEqual(['first', 'kept']);
  expect(await readAfterCrash(names)).toEqual(['first', 'kept']);
  startWrite('later', outcomes);
  await flushBegins(3);
  mockFlushes[2]?.(null);
  await waitUntil('the later write is acknowledged', () => outcomes.length === 4);
  expect(outcomes.at(-1)).toBe('later');
});

test('a commit during a flush acknowledges the writes of the flush, even if the flush fails later', async () => {
  const outcomes: string[] = [];
  startWrite('a', outcomes);
  await flushBegins(1);
  await store.backup(`${folder}/copy.mdb`);
  mockFlushes[0]?.(diskError);
  await waitUntil('the write is acknowledged', () => outcomes.length === 1);
  expect([outcomes, isThere('a')]).toEqual([['a'], true]);
});

test('if a flush that began before a commit fails, LMDB also stores the writes made after the commit', async () => {
  const outcomes: string[] = [];
  startWrite('a', outcomes);
  await flushBegins(1);
  // This write is too large for the journal, so it is committed.
  const large = store.write(() => store.table.put(keyOf('large'), Buffer.alloc(9 * 1024 * 1024)));
  await seen('large');
  startWrite('b', outcomes);
  await seen('b');
  const before = store.commitCount;
  mockFlushes[0]?.(diskError);
  await large;
  await waitUntil('both are acknowledged', () => outcomes.length === 2);
  expect([outcomes, store.commitCount - before]).toEqual([['a', 'b'], 1]);
});

test('a store that is closed during a flush acknowledges its writes first', async () => {
  const outcomes: string[] = [];
  startWrite('a', outcomes);
  await flushBegins(1);
  const closed = store.close().then(() => outcomes.push('closed'));
  mockFlushes[0]?.(null);
  await closed;
  expect(outcomes).toEqual(['a', 'closed']);
  store = Store.open(folder);
});

test('a write that begins just before the store is closed is acknowledged', async () => {
  const outcomes: string[] = [];
  const closed = store
    .write(() => store.table.put(keyOf('a'), Buffer.from('a')))
    .then(() => {
      startWrite('b', outcomes);
      return store.close();
    })
    .then(() => outcomes.push('closed'));
  await flushBegins(1);
  mockFlushes[0]?.(null);
  await flushBegins(2);
  mockFlushes[1]?.(null);
  await closed;
  expect(outcomes).toEqual(['b', 'closed']);
  store = Store.open(folder);
});

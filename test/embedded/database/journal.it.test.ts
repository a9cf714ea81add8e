// Tests the store after a crash at any moment. Acknowledged writes exist, and no write exists in part. A crash is
// simulated by a copy of the current files. For a torn write, the copy contains only the first bytes of the last write.
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { DatabaseError } from '../../../src/embedded/database/errors';
import { Store } from '../../../src/embedded/database/storage/store';
import { propertyOptions } from '../../support/property-runs';
import { makeFolder, removeFolder } from './database-process';

type State = ReadonlyMap<number, string>;
type Changes = readonly (readonly [number, string | null])[];
type Step =
  | { kind: 'write'; changes: Changes }
  | { kind: 'refused'; changes: Changes }
  | { kind: 'commit'; how: 'manyChanges' | 'largeValue' | 'copy' }
  | { kind: 'crash' }
  | { kind: 'tornWrite'; changes: Changes; share: number }
  | { kind: 'restart' };

const PREFIX = Buffer.from([0, 0, 0, 9]);
const ALL = { start: PREFIX, end: Buffer.from([0, 0, 0, 10]) };
// Number of writes. It is above the number of writes after which the store commits.
const MANY = 4200;
const LARGE_BYTES = 9 * 1024 * 1024;

const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) removeFolder(folder);
});

function folder(): string {
  folders.push(makeFolder());
  return folders.at(-1) ?? '';
}

function keyOf(number: number): Buffer {
  return Buffer.concat([PREFIX, Buffer.from(String(number))]);
}

function put(store: Store, changes: Changes): void {
  for (const [number, text] of changes) {
    if (text === null) store.table.remove(keyOf(number));
    else store.table.put(keyOf(number), Buffer.from(text));
  }
}

function after(state: State, changes: Changes): State {
  const next = new Map(state);
  for (const [number, text] of changes) {
    if (text === null) next.delete(number);
    else next.set(number, text);
  }
  return next;
}

function stateOf(store: Store): State {
  const rows = [...store.table.entries(ALL)];
  return new Map(rows.map(({ key, value }) => [Number(key.subarray(4).toString()), String(value)]));
}

/** Copies the files that a crash would leave in the folder. */
function crashCopy(from: string): string {
  const to = folder();
  copyFileSync(join(from, 'data.mdb'), join(to, 'data.mdb'));
  const journal = join(from, 'data.journal');
  if (existsSync(journal)) copyFileSync(journal, join(to, 'data.journal'));
  return to;
}

function journalIn(dir: string): Buffer {
  const journal = join(dir, 'data.journal');
  return existsSync(journal) ? readFileSync(journal) : Buffer.alloc(0);
}

/** Returns the journal as if only a part of the last write had arrived. At least one byte is missing. */
function tornJournal(before: Buffer, whole: Buffer, share: number): Buffer {
  const changed = [...whole.keys()].filter((at) => whole[at] !== before[at]);
  const cut = changed[Math.floor(share * changed.length)] ?? 0;
  return Buffer.concat([whole.subarray(0, cut), before.subarray(cut)]);
}

class Subject {
  private store: Store;
  private state: State = new Map();

  constructor(private dir: string) {
    this.store = Store.open(dir);
  }

  async run(step: Step): Promise<void> {
    switch (step.kind) {
      case 'write':
        await this.write(step.changes);
        break;
      case 'refused':
        await expect(this.refuse(step.changes)).rejects.toBeInstanceOf(DatabaseError);
        break;
      case 'commit':
        await this.commit(step.how);
        break;
      case 'crash':
        await this.moveTo(crashCopy(this.dir));
        break;
      case 'tornWrite':
        await this.tear(step.changes, step.share);
        break;
      case 'restart':
        await this.close();
        this.store = Store.open(this.dir);
    }
    expect(stateOf(this.store)).toEqual(this.state);
  }

  private async write(changes: Changes): Promise<void> {
    await this.store.write(() => put(this.store, changes));
    this.state = after(this.state, changes);
  }

  private refuse(changes: Changes): Promise<void> {
    return this.store.write(() => {
      put(this.store, changes);
      throw new DatabaseError(2, 'refused after its changes');
    });
  }

  private async commit(how: 'manyChanges' | 'largeValue' | 'copy'): Promise<void> {
    const before = this.store.commitCount;
    if (how === 'copy') await this.store.backup(join(folder(), 'data.mdb'));
    else if (how === 'largeValue') {
      await this.write([[100, 'x'.repeat(LARGE_BYTES)]]);
      await this.write([[100, null]]);
    } else await this.write(Array.from({ length: MANY }, (_, n) => [n % 50, `m${n}`] as const));
    expect(this.store.commitCount).toBeGreaterThan(before);
  }

  // Tears the write if it goes to the journal. A write that commits cannot be torn, because a commit is atomic.
  private async tear(changes: Changes, share: number): Promise<void> {
    const torn = crashCopy(this.dir);
    const before = journalIn(this.dir);
    const commits = this.store.commitCount;
    const state = this.state;
    await this.write(changes);
    if (this.store.commitCount !== commits || changes.length === 0) return;
    writeFileSync(join(torn, 'data.journal'), tornJournal(before, journalIn(this.dir), share));
    this.state = state;
    await this.moveTo(torn);
  }

  private async moveTo(dir: string): Promise<void> {
    await this.close();
    this.dir = dir;
    this.store = Store.open(dir);
  }

  close(): Promise<void> {
    return this.store.close();
  }
}

const changes: fc.Arbitrary<Changes> = fc.array(
  fc.tuple(
    fc.integer({ min: 0, max: 20 }),
    fc.option(fc.oneof(fc.string({ maxLength: 30 }), fc.constant('x'.repeat(100_000))), {
      freq: 3,
      nil: null,
    }),
  ),
  { maxLength: 6 },
);
const share = fc.double({ min: 0, max: 0.999, noNaN: true });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('write' as const), changes }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('refused' as const), changes }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('commit' as const),
      how: fc.constantFrom('manyChanges' as const, 'largeValue' as const, 'copy' as const),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'crash' as const }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('tornWrite' as const), changes, share }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
);

test('after a crash at any moment or a torn write, the store holds exactly the acknowledged writes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const subject = new Subject(folder());
      for (const one of steps) await subject.run(one);
      await subject.close();
    }),
    propertyOptions(10),
  );
});

test('journal entries from before a commit are never replayed', async () => {
  const dir = folder();
  const store = Store.open(dir);
  await store.write(() => put(store, [[1, 'first']]));
  await store.write(() => put(store, [[2, 'in the journal']]));
  const copy = folder();
  await store.backup(join(copy, 'data.mdb'));
  await store.write(() => put(store, [[3, 'behind the copy']]));
  const journal = join(dir, 'data.journal');
  copyFileSync(journal, join(copy, 'data.journal'));
  await store.close();
  const restored = Store.open(copy);
  expect([...stateOf(restored).values()]).toEqual(['first', 'in the journal']);
  await restored.close();
  const again = Store.open(dir);
  expect(stateOf(again).size).toBe(3);
  await again.close();
});

test('successive writes are stored in the journal, with only one commit of LMDB', async () => {
  const store = Store.open(folder());
  for (let n = 0; n < 300; n++) await store.write(() => put(store, [[n, 'x'.repeat(600)]]));
  // Only the first write commits, because the journal needs a commit that it can follow.
  expect(store.commitCount).toBe(1);
  expect(store.groupCount).toBe(300);
  await store.close();
});

// Tests the store while flushes, commits and writes to the journal fail in any order. Acknowledged writes exist, also
// after a crash, and failed writes never exist.
import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { HeldTransaction } from '../../../src/embedded/database/storage/held-transaction';
import { Store } from '../../../src/embedded/database/storage/store';
import { propertyOptions } from '../../support/property-runs';
import { makeFolder, removeFolder } from './database-process';

type Flushed = (error: Error | null) => void;
type Write = 'small' | 'large' | 'throws';
type Step =
  | { kind: 'write'; writes: readonly Write[]; isDiskFull: boolean; commitFails: boolean }
  | { kind: 'endFlush'; fails: boolean; commitFails: boolean }
  | { kind: 'backup' };

const mockDisk = { flushes: [] as Flushed[], isFull: false };
const diskError = Object.assign(new Error('input/output error'), { code: 'EIO' });
jest.mock('node:fs', () => {
  const real = jest.requireActual<typeof import('node:fs')>('node:fs');
  return {
    ...real,
    fdatasync: (_descriptor: number, done: Flushed) => mockDisk.flushes.push(done),
    // Simulates a full disk, which stores only the first half of a write.
    writeSync: (descriptor: number, bytes: Buffer, from: number, length: number, at: number) => {
      if (!mockDisk.isFull) return real.writeSync(descriptor, bytes, from, length, at);
      real.writeSync(descriptor, bytes, from, length >> 1, at);
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    },
  };
});

const PREFIX = Buffer.from([0, 0, 0, 9]);
const ALL = { start: PREFIX, end: Buffer.from([0, 0, 0, 10]) };
const LARGE = Buffer.alloc(9 * 1024 * 1024);

function listKeys(store: Store): string[] {
  return store.table.keys(ALL, 1_000).map((key) => key.subarray(PREFIX.length).toString());
}

class Subject {
  private readonly folder = makeFolder();
  private readonly store = Store.open(this.folder);
  private readonly begun: string[] = [];
  private readonly acknowledged: string[] = [];
  private readonly failed: string[] = [];

  async run(step: Step): Promise<void> {
    if (step.kind === 'backup') await this.backUp();
    else await this.runWithFaults(step);
    const expected = this.begun.filter((key) => !this.failed.includes(key));
    expect(listKeys(this.store).toSorted()).toEqual(expected.toSorted());
    const recovered = await this.readAfterCrash();
    expect(recovered).toEqual(expect.arrayContaining(this.acknowledged));
    expect(recovered.filter((key) => this.failed.includes(key))).toEqual([]);
  }

  private async backUp(): Promise<void> {
    const copy = join(this.folder, 'copy.mdb');
    await this.store.backup(copy);
    rmSync(copy);
  }

  private async runWithFaults(step: Exclude<Step, { kind: 'backup' }>): Promise<void> {
    const commit = jest.spyOn(HeldTransaction.prototype, 'commit');
    if (step.commitFails)
      commit.mockImplementation(() => {
        throw diskError;
      });
    if (step.kind === 'endFlush') mockDisk.flushes.shift()?.(step.fails ? diskError : null);
    else {
      mockDisk.isFull = step.isDiskFull;
      for (const write of step.writes) this.write(write);
    }
    // Waits for some turns, because the writes run in the next turn and their outcomes follow later.
    for (let turn = 0; turn < 3; turn += 1)
      await new Promise<void>((resolve) => setImmediate(resolve));
    mockDisk.isFull = false;
    commit.mockRestore();
  }

  private write(write: Write): void {
    const key = String(this.begun.length).padStart(3, '0');
    this.begun.push(key);
    const value = write === 'large' ? LARGE : Buffer.from(key);
    this.store
      .write(() => {
        this.store.table.put(Buffer.concat([PREFIX, Buffer.from(key)]), value);
        if (write === 'throws') throw new Error('thrown after a change');
      })
      .then(
        () => this.acknowledged.push(key),
        () => this.failed.push(key),
      );
  }

  private async readAfterCrash(): Promise<string[]> {
    const copy = makeFolder();
    for (const file of ['data.mdb', 'data.journal'])
      if (existsSync(join(this.folder, file)))
        copyFileSync(join(this.folder, file), join(copy, file));
    const recovered = Store.open(copy);
    const keys = listKeys(recovered);
    await recovered.close();
    removeFolder(copy);
    return keys;
  }

  /** Closes the store. From now on, all flushes succeed. */
  async close(): Promise<void> {
    const closed = this.store.close();
    while (this.acknowledged.length + this.failed.length < this.begun.length) {
      mockDisk.flushes.shift()?.(null);
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    await closed;
    removeFolder(this.folder);
  }
}

const fault = fc.boolean();
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      writes: fc.array(
        fc.oneof(
          { weight: 12, arbitrary: fc.constant('small' as const) },
          { weight: 1, arbitrary: fc.constant('large' as const) },
          { weight: 3, arbitrary: fc.constant('throws' as const) },
        ),
        { minLength: 1, maxLength: 3 },
      ),
      isDiskFull: fault,
      commitFails: fault,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('endFlush' as const),
      fails: fault,
      commitFails: fault,
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'backup' as const }) },
);

test('after any fault or crash, acknowledged writes exist, and failed writes do not', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      mockDisk.flushes.length = 0;
      const subject = new Subject();
      await subject.run({
        kind: 'write',
        writes: ['small'],
        isDiskFull: false,
        commitFails: false,
      });
      // The first write causes a commit, and the commit starts the journal.
      await subject.run({
        kind: 'write',
        writes: ['small'],
        isDiskFull: false,
        commitFails: false,
      });
      for (const one of steps) await subject.run(one);
      await subject.close();
    }),
    propertyOptions(5),
  );
});

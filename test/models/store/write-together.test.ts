/** Tests batching: the writes of several callers become one call, and each caller gets the right error. */
import mongoose from 'mongoose';
import { writeTogether } from '../../../src/models/store/write-together';

const { MongoBulkWriteError } = mongoose.mongo;

/** Returns the error with which the driver reports refused writes at these positions. */
function bulkError(positions: readonly number[]): Error {
  const writeErrors = positions.map((index) => ({ index, code: 11_000, errmsg: 'refused' }));
  const error: Error = Object.create(MongoBulkWriteError.prototype);
  return Object.assign(error, { writeErrors });
}

function recordingWrites(many: (items: readonly string[]) => Promise<void>) {
  const calls: (readonly string[])[] = [];
  const write = writeTogether<string>({
    one: async (item) => {
      calls.push([item]);
      if (item.startsWith('bad')) throw new Error(`${item} is refused`);
    },
    many: async (items) => {
      calls.push(items);
      await many(items);
    },
  });
  return { calls, write };
}

/** Returns the outcome of each write, in order. */
async function outcomesOf(writes: readonly Promise<void>[]): Promise<readonly string[]> {
  const settled = await Promise.allSettled(writes);
  return settled.map((outcome) =>
    outcome.status === 'fulfilled' ? 'written' : String(outcome.reason.message),
  );
}

test('database records that are added during a write are written together in one call', async () => {
  const { calls, write } = recordingWrites(async () => undefined);
  const writes = ['a', 'b', 'c'].map((item) => write(item));
  expect(await outcomesOf(writes)).toEqual(['written', 'written', 'written']);
  expect(calls).toEqual([['a'], ['b', 'c']]);
});

test('of records that are written together, a refused record fails only for its own caller', async () => {
  const { calls, write } = recordingWrites(async () => {
    throw bulkError([1]);
  });
  const writes = ['a', 'b', 'bad', 'c'].map((item) => write(item));
  expect(await outcomesOf(writes)).toEqual(['written', 'written', 'bad is refused', 'written']);
  expect(calls).toEqual([['a'], ['b', 'bad', 'c'], ['bad']]);
});

test('if the database does not respond, every caller gets the error, and nothing is retried', async () => {
  const { calls, write } = recordingWrites(async () => {
    throw new Error('away');
  });
  const writes = ['a', 'b', 'c'].map((item) => write(item));
  expect(await outcomesOf(writes)).toEqual(['written', 'away', 'away']);
  expect(calls).toHaveLength(2);
});

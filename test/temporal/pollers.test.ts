/** Tests that the times that the server reports decide whether a queue has workers. The local clock has no effect. */
import { msToTs } from '@temporalio/common/lib/time';
import { listRecentPollers } from '../../src/temporal/queues/pollers';

const at = (identity: string, atMs: number) => ({ identity, lastAccessTime: msToTs(atMs) });
const namesOf = (pollers: readonly { readonly identity: string }[]) =>
  listRecentPollers(pollers).map(({ identity }) => identity);

const YEAR_AGO_MS = Date.now() - 365 * 86_400_000;

test('a worker is counted even if the clock of Temporal is a year behind', () => {
  expect(namesOf([at('alone', YEAR_AGO_MS)])).toEqual(['alone']);
});

test('a worker counts only if it was seen within the time of a long poll', () => {
  const pollers = [at('gone', 0), at('waits', 31_000), at('asks', 91_000)];
  expect(namesOf(pollers)).toEqual(['waits', 'asks']);
});

test('a queue without pollers has no workers', () => {
  expect(listRecentPollers([])).toEqual([]);
});

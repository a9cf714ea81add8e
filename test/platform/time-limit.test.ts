/** Tests time limits of work. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startTimeLimit } from '../../src/platform/time-limit';
import { waitUntil } from '../support/wait-until';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

test('a time limit ends on time, even after a garbage collection', async () => {
  const { signal } = startTimeLimit(200);
  let isOver = false;
  signal.addEventListener('abort', () => {
    isOver = true;
  });
  await waitUntil('the end of the time limit', () => {
    collectGarbage();
    return isOver;
  });
  expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
});

test('a time limit ends when its parent ends, and for the same reason', () => {
  const parent = new AbortController();
  const { signal } = startTimeLimit(60_000, parent.signal);
  expect(signal.aborted).toBe(false);
  parent.abort('stopped');
  expect(signal.reason).toBe('stopped');
  expect(startTimeLimit(60_000, parent.signal).signal.aborted).toBe(true);
});

test('a cleared time limit is not aborted, even when its parent is aborted', () => {
  const parent = new AbortController();
  const { signal, clear } = startTimeLimit(60_000, parent.signal);
  clear();
  parent.abort();
  expect(signal.aborted).toBe(false);
});

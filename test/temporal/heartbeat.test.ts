/** Tests that heartbeats of activities show that the process is alive, even while the activity waits. */
import type { Context } from '@temporalio/activity';
import { createHeartbeatInterceptor, setHeartbeatDetails } from '../../src/temporal/heartbeat';

const SECOND = 1_000;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function beatsOf() {
  const beats: number[] = [];
  const details: unknown[] = [];
  const heartbeat = (detail: unknown) => {
    beats.push(Date.now());
    details.push(detail);
  };
  const info = { heartbeatDetails: 'of the attempt before' };
  const context = { heartbeat, info } as unknown as Context;
  const interceptor = createHeartbeatInterceptor(context);
  const execute = (work: () => Promise<unknown>) =>
    interceptor.inbound?.execute?.({ args: [], headers: {} }, work);
  return { beats, details, execute, context };
}

test('a waiting activity sends a heartbeat every five seconds until it ends', async () => {
  const { beats, details, execute } = beatsOf();
  let answer = (_text: string): void => undefined;
  const ended = execute(() => new Promise((resolve) => (answer = resolve)));
  const beganAtMs = Date.now();
  jest.advanceTimersByTime(16 * SECOND);
  expect(beats.map((atMs) => atMs - beganAtMs)).toEqual([5 * SECOND, 10 * SECOND, 15 * SECOND]);
  answer('late');
  expect(await ended).toBe('late');
  jest.advanceTimersByTime(60 * SECOND);
  expect(beats).toHaveLength(3);
  expect(new Set(details)).toEqual(new Set(['of the attempt before']));
});

test('a short activity sends no heartbeats, and a failed activity stops its heartbeats', async () => {
  const { beats, execute } = beatsOf();
  await execute(async () => 'quick');
  await expect(execute(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  jest.advanceTimersByTime(60 * SECOND);
  expect(beats).toEqual([]);
});

test('heartbeats after a progress report repeat the report, so no heartbeat overwrites it', async () => {
  const { details, execute, context } = beatsOf();
  let answer = (_text: string): void => undefined;
  const ended = execute(() => new Promise((resolve) => (answer = resolve)));
  setHeartbeatDetails(context, 'marked');
  jest.advanceTimersByTime(6 * SECOND);
  answer('late');
  await ended;
  expect(details).toEqual(['marked']);
});

/** Tests when a resource counts as paused, and what remains stored of a pause that has ended. */
import {
  pauseNow,
  readPause,
  resumeChange,
  toPausedFields,
} from '../../../src/services/resources/pause';
import { monitorRow } from '../../models/example-records';

const NOW_MS = 1_000_000;
const NOT_PAUSED = { isPaused: false, pausedAtMs: null, pausedUntilMs: null, reason: null };
const paused = (change = {}) => monitorRow('acc_1', { ...toPausedFields(NOW_MS, change) });

test('a resumed resource keeps the times of its pause, but responses do not show them', () => {
  const resumed = resumeChange(paused({ reason: 'deploy' }), NOW_MS + 500);
  expect(resumed).toMatchObject({
    state: 'active',
    pausedAtMs: NOW_MS,
    pausedUntilMs: NOW_MS + 500,
    pauseReason: null,
  });
  expect(readPause(resumed, NOW_MS + 100)).toEqual(NOT_PAUSED);
});

test('resuming after a pause has expired keeps the end of the pause', () => {
  const resumed = resumeChange(paused({ untilMs: NOW_MS + 100 }), NOW_MS + 500);
  expect(resumed.pausedUntilMs).toBe(NOW_MS + 100);
});

test('resuming an active resource changes nothing', () => {
  const resumed = resumeChange(paused(), NOW_MS + 500);
  expect(resumeChange(resumed, NOW_MS + 900)).toBe(resumed);
});

test('a new pause replaces the times of the previous pause', () => {
  const again = pauseNow(resumeChange(paused(), NOW_MS + 500), {}, NOW_MS + 900);
  expect(readPause(again, NOW_MS + 901)).toEqual({
    isPaused: true,
    pausedAtMs: NOW_MS + 900,
    pausedUntilMs: null,
    reason: null,
  });
});

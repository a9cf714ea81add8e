/**
 * Tests the entries that a slot adds to the timeline. Each change is added once, and unchecked time is added as
 * unknown.
 */
import { buildTimeline } from '../../../src/services/results/slot-timeline';

const SLOT_MS = 600_000;
const EARLIER_MS = 60_000;

const quiet = {
  slotMs: SLOT_MS,
  gap: null,
  excludedPeriods: [],
  health: 'up' as const,
  healthSinceMs: EARLIER_MS,
  regionsHealth: [
    { region: 'eu', health: 'up' as const, sinceMs: EARLIER_MS, lastResponseTimeMs: null },
  ],
};

test('a slot without a change adds nothing to the timeline', () => {
  expect(buildTimeline(quiet)).toEqual({ changes: [], excludedPeriods: [] });
});

test('a change of health in one region is added to the timeline for that region only', () => {
  const regionsHealth = [
    { region: 'eu', health: 'up' as const, sinceMs: EARLIER_MS, lastResponseTimeMs: null },
    { region: 'us', health: 'down' as const, sinceMs: SLOT_MS, lastResponseTimeMs: null },
  ];
  expect(buildTimeline({ ...quiet, regionsHealth }).changes).toEqual([
    { region: 'us', atMs: SLOT_MS, health: 'down' },
  ]);
});

test('health is unknown from the first missed slot until the next check', () => {
  const gap = { reason: 'missed' as const, fromSlotMs: 120_000, toSlotMs: 540_000, slots: 8 };
  expect(buildTimeline({ ...quiet, gap }).changes).toEqual([
    { region: null, atMs: 120_000, health: 'unknown' },
    { region: null, atMs: SLOT_MS, health: 'up' },
    { region: 'eu', atMs: 120_000, health: 'unknown' },
    { region: 'eu', atMs: SLOT_MS, health: 'up' },
  ]);
});

test('slots that passed during a long check do not make the health unknown', () => {
  const gap = { reason: 'overrun' as const, fromSlotMs: 540_000, toSlotMs: 540_000, slots: 1 };
  expect(buildTimeline({ ...quiet, gap }).changes).toEqual([]);
});

/** Tests the format of the lines that the demo prints. */
import { type DemoEvent, isColourWanted, renderEvent } from '../../src/demo/demo-event';

const at = new Date('2026-01-31T12:04:30.250Z');
const check: DemoEvent = {
  kind: 'check',
  at,
  name: 'Checkout',
  status: 'down',
  region: 'eu-west',
  durationMs: 12.4,
  detail: 'expected status 2xx, got 503',
};
const closed: DemoEvent = { kind: 'incident', at, name: 'Search', status: 'closed', detail: null };

test('the demo shows a check as one line with time, kind, status, duration, region, name and cause', () => {
  expect(renderEvent(check, false)).toBe(
    '12:04:30 check    down        12 ms eu-west   Checkout: expected status 2xx, got 503',
  );
});

test('the demo aligns the names of checks and incidents in one column', () => {
  const column = renderEvent(check, false).indexOf('Checkout');
  expect(renderEvent(closed, false).indexOf('Search')).toBe(column);
  const unsent = { ...check, durationMs: null, detail: null };
  expect(renderEvent(unsent, false).indexOf('Checkout')).toBe(column);
});

test('the demo colours the whole line of an event, and only if colour is enabled', () => {
  expect(renderEvent(check, true)).toBe(`\u001b[31m${renderEvent(check, false)}\u001b[0m`);
  expect(renderEvent({ ...check, status: 'strange' }, true)).not.toContain('\u001b');
});

test('colour is enabled only on a terminal without NO_COLOR', () => {
  expect(isColourWanted({ isTTY: true })).toBe(true);
  expect(isColourWanted({ isTTY: true }, '')).toBe(true);
  expect(isColourWanted({ isTTY: true }, '1')).toBe(false);
  expect(isColourWanted({})).toBe(false);
});

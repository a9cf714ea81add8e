/**
 * Tests that a deprecated feature works for the promised time after its announcement, and that the changelog names it.
 */
import { z } from 'zod';
import { publicRoute } from '../../src/api/routing/route';
import { buildDeprecatedMeta, type Deprecation } from '../../src/domain/compatibility/deprecation';
import { findFaultyAnnouncements } from '../../src/surface/announcements';
import { readOperations } from '../../src/surface/read-operations';
import { announce } from '../../src/surface/read-surface';
import type { Surface } from '../../src/surface/surface';
import { buildSurface } from './sample-surface';

const released = buildSurface();

const ANNOUNCED_ON = '2027-02-01';
const SUNSET_ON = '2028-02-01';
const deprecation: Deprecation = {
  announcedOn: ANNOUNCED_ON,
  sunsetOn: SUNSET_ON,
  instead: 'use the new one',
  page: 'docs/api.md',
};

/**
 * A deprecated operation with a deprecated parameter and a deprecated field, as routes declare them. There is also a
 * deprecated setting.
 */
const old = z.string().optional().meta(buildDeprecatedMeta(deprecation, 'The old one'));
const routes = [
  publicRoute({
    endpoint: 'GET /v1/old',
    operationId: 'getOld',
    tag: 'Service',
    summary: 'Old',
    description: 'Returns things.',
    guide: 'docs/api.md',
    deprecated: deprecation,
    query: z.strictObject({ oldFilter: old }),
    responses: { 200: { description: 'Old', schema: z.object({ oldField: old }) } },
    handler: async () => ({ status: 200, body: {} }),
  }),
];
const deprecating: Surface = {
  ...released,
  ...readOperations(routes),
  names: announce([['setting OLD_PORT', {}]], { 'setting OLD_PORT': deprecation }),
};

/** Returns the same surface with other dates. */
function buildCurrent(sunsetOn: string, { announcedOn = ANNOUNCED_ON, version = '1.1.0' } = {}) {
  const text = JSON.stringify(deprecating);
  const dated = text.replaceAll(SUNSET_ON, sunsetOn).replaceAll(ANNOUNCED_ON, announcedOn);
  const current: Surface = { ...JSON.parse(dated), version };
  return current;
}

const PLACES = [
  ['GET /v1/old', 'GET /v1/old'],
  ['GET /v1/old.oldField', 'oldField'],
  ['GET /v1/old query oldFilter', 'oldFilter'],
  ['setting OLD_PORT', 'OLD_PORT'],
] as const;
const changelog = PLACES.map(([, name]) => `\`${name}\``).join(', ');

function findFaults(current: Surface, before = released, text = changelog) {
  return findFaultyAnnouncements({ released: before, current, changelog: text });
}

const everywhere = (change: string) => PLACES.map(([at]) => ({ at, change }));

test('a deprecation may end twelve months after its announcement', () => {
  expect(findFaults(buildCurrent('2028-02-01'))).toEqual([]);
});

test('a deprecation of an operation, parameter, field or name that ends within twelve months is reported as a fault', () => {
  expect(findFaults(buildCurrent('2028-01-31'))).toEqual(
    everywhere('its last day is before 2028-02-01'),
  );
});

test('while the version begins with 0, a deprecation may end six months after its announcement', () => {
  expect(findFaults(buildCurrent('2027-08-01', { version: '0.9.0' }))).toEqual([]);
  expect(findFaults(buildCurrent('2027-07-31', { version: '0.9.0' }))).toEqual(
    everywhere('its last day is before 2027-08-01'),
  );
});

test('an announcement that is new since the last release must not be dated before that release', () => {
  const backdated = buildCurrent('2028-02-01', { announcedOn: '2026-12-31' });
  expect(findFaults(backdated)).toEqual(
    everywhere('was not announced in the release of 2027-01-01'),
  );
  expect(findFaults(backdated, backdated)).toEqual([]);
});

test('the announced last day of a deprecation never becomes earlier', () => {
  const before = buildCurrent('2029-01-01');
  expect(findFaults(buildCurrent('2028-06-01'), before)).toEqual(
    everywhere('its last day was 2029-01-01'),
  );
  expect(findFaults(buildCurrent('2029-06-01'), before)).toEqual([]);
});

test('the changelog names everything that is deprecated', () => {
  const current = buildCurrent('2028-02-01');
  expect(findFaults(current, released, '')).toEqual(
    PLACES.map(([at, name]) => ({ at, change: `CHANGELOG.md does not name \`${name}\`` })),
  );
});

test('a deprecated name that does not exist is an error', () => {
  const names = { 'setting TYPO': deprecation };
  expect(() => announce([['setting PORT', {}]], names)).toThrow('setting TYPO');
});

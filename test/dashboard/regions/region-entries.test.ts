/** Tests the list of regions, which joins running probes with their keys. */
import {
  countWords,
  findRegionState,
  formatRate,
  joinRegions,
} from '../../../src/dashboard/features/regions/region-entries';
import type { ProbeKey, Region } from '../../../src/dashboard/shared/data/api-types';

const AT = '2026-01-31T12:00:00.000Z';

function region(id: string, probes: Region['probes']): Region {
  return {
    id,
    status: probes.length > 0 ? 'online' : 'offline',
    workers: probes.length,
    lastSeenAt: AT,
    releases: [],
    probes,
    networkSuspectSince: null,
  };
}

function key(id: string, changes: Partial<ProbeKey>): ProbeKey {
  return {
    id,
    region: 'eu-west',
    name: id,
    createdAt: AT,
    createdBy: null,
    revokedAt: null,
    lastUsedAt: null,
    ...changes,
  };
}

const running = (keyId: string | null, release: string) => ({ keyId, release, lastSeenAt: AT });

test('a probe without a key of its own is listed as built-in, and other probes are listed with the names of their keys', () => {
  const regions = [region('eu-west', [running(null, '1.0.0'), running('rack', '1.1.0')])];
  const [entry] = joinRegions(regions, [key('rack', {}), key('spare', {})]);
  expect(entry?.probes).toMatchObject([
    { key: null, isBuiltIn: true, releases: ['1.0.0'], seenAt: AT },
    { key: { name: 'rack' }, isBuiltIn: false, releases: ['1.1.0'], seenAt: AT },
    { key: { name: 'spare' }, isBuiltIn: false, releases: [], seenAt: null },
  ]);
});

test('a region that has keys but no probes is listed too, in the order of names', () => {
  const regions = [region('ap-south', []), region('us-east', [])];
  const entries = joinRegions(regions, [key('rack', { region: 'eu-north' })]);
  expect(entries.map(({ id }) => id)).toEqual(['ap-south', 'eu-north', 'us-east']);
  expect(entries[1]?.region).toBeNull();
});

test('a region that has only revoked keys is left out', () => {
  expect(joinRegions([], [key('rack', { revokedAt: AT })])).toEqual([]);
});

test('probes are shown without a name if the keys cannot be read', () => {
  const [entry] = joinRegions([region('eu-west', [running('rack', '1.0.0')])], []);
  expect(entry?.probes).toMatchObject([{ key: null, isBuiltIn: false }]);
});

test('a region shows one state and its number of probes, and how many probes are online if some are not', () => {
  const running1 = [running(null, '1.0.0')];
  const entries = [
    ...joinRegions([region('eu-west', running1)], []),
    ...joinRegions([region('eu-west', running1)], [key('rack', {})]),
    ...joinRegions([region('eu-west', [])], [key('rack', {}), key('spare', {})]),
    ...joinRegions([], [key('rack', {})]),
  ];
  expect(entries.map((entry) => [findRegionState(entry), countWords(entry)])).toEqual([
    ['online', '1 probe'],
    ['partly', '1 of 2 probes'],
    ['offline', '2 probes'],
    ['unconnected', '1 probe'],
  ]);
});

test.each([
  ['0', 0],
  ['< 0.1', 0.0001],
  ['2.5', 2.5],
  ['0.67', 2 / 3],
  ['35', 34.6],
  ['1,240', 1240.2],
])('checks per minute are shown as “%s”', (words, perMinute) => {
  expect(formatRate(perMinute)).toBe(words);
});

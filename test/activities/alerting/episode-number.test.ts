/** Tests when an alert says that the check is down again. */
import { withEpisodeNumber } from '../../../src/activities/alerting/episode-number';
import { buildAlert } from '../../support/alert-message';

type FindLast = Parameters<typeof withEpisodeNumber>[0]['wholeIncidents']['findLast'];

const EARLIER = { firstId: 'inc_0', firstOpenedAtMs: 0, count: 1, downMs: 1 };
const alert = buildAlert();

async function episodeOf(findLast: FindLast, changed = alert): Promise<number | undefined> {
  const warnings: unknown[] = [];
  const logger = { warn: (warning: unknown) => warnings.push(warning) };
  return (await withEpisodeNumber({ wholeIncidents: { findLast }, logger }, changed)).episode;
}

test('the alert of a second outage of an incident has the number of the outage', async () => {
  const findLast: FindLast = async () => ({ id: 'inc_1', earlier: EARLIER });
  expect(await episodeOf(findLast)).toBe(2);
  expect(await episodeOf(findLast, { ...alert, kind: 'reminder' })).toBeUndefined();
});

test.each<[string, FindLast]>([
  ['it is the first', async () => ({ id: 'inc_1' })],
  ['the incident is not stored yet', async () => null],
  ['a later outage is stored', async () => ({ id: 'inc_2', earlier: EARLIER })],
  ['the database is unavailable', () => Promise.reject(new Error('away'))],
])('the alert of an outage has no number if %s', async (_why, findLast) => {
  expect(await episodeOf(findLast)).toBeUndefined();
});

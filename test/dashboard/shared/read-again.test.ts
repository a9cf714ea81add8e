/** Tests what pages reload, and that they do not reload an object that is being deleted. */
import { QueryClient } from '@tanstack/react-query';
import { withoutTimes } from '../../../src/dashboard/shared/data/live-change';
import { pauseReading, readAgain } from '../../../src/dashboard/shared/data/read-again';

const OWN = '/v1/monitors/mon_1';

async function oldAmong(client: QueryClient, paths: readonly string[]): Promise<readonly string[]> {
  for (const path of paths) client.setQueryData([path], {});
  await readAgain(client, ['/v1/monitors', '/v1/overview']);
  return paths.filter((path) => client.getQueryState([path])?.isInvalidated);
}

test('only cached data under the given paths becomes stale', async () => {
  const client = new QueryClient();
  const paths = [OWN, `${OWN}/uptime`, '/v1/monitors?q=a', '/v1/overview', '/v1/checks'];
  expect(await oldAmong(client, paths)).toEqual(paths.slice(0, 4));
});

test('an object that is being deleted is not reloaded before its page closes', async () => {
  const client = new QueryClient();
  const kept = [OWN, `${OWN}?fields=name`, `${OWN}/uptime?window=24h`];
  const others = [`${OWN}2`, '/v1/monitors?q=a', '/v1/overview'];
  const mayRead = pauseReading(OWN);
  expect(await oldAmong(client, [...kept, ...others])).toEqual(others);
  mayRead();
  expect(await oldAmong(client, kept)).toEqual(kept);
});

test('data of a time window is reused when the window moves, but not for another region or window size', () => {
  const path = (query: string) => withoutTimes(`${OWN}/uptime?${query}`);
  const shown = path('from=1&to=2&region=eu-west');
  expect(path('from=3&to=4&region=eu-west')).toBe(shown);
  expect(path('from=1&to=2&region=us-east')).not.toBe(shown);
  expect(path('window=7d&to=2')).toBe(path('window=7d&to=3'));
  expect(path('window=7d&to=2')).not.toBe(path('window=30d&to=2'));
});

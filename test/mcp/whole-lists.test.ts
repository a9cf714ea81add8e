/** Tests that lists that tools summarise are read to the end. Entries that are left out of a response are counted. */
import type { AskV1 } from '../../src/mcp/ask-v1';
import { TOOLS } from '../../src/mcp/mcp-server';

const find = (name: string) => {
  const tool = TOOLS.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  return tool;
};

/** Returns each list in two pages. */
const inPages =
  (lists: Readonly<Record<string, readonly object[]>>): AskV1 =>
  async ({ path, query }) => {
    const rows = lists[path] ?? [];
    const half = Math.ceil(rows.length / 2);
    const isSecond = query?.['cursor'] === 'second';
    return isSecond
      ? { data: rows.slice(half), nextCursor: null }
      : { data: rows.slice(0, half), nextCursor: rows.length > 1 ? 'second' : null };
  };

test('whats_wrong names failing channels even if they are on the second page', async () => {
  const failing = { count: 3, error: 'refused' };
  const ask = inPages({
    'v1/alert-channels': [
      { id: 'chn_1', failing: null },
      { id: 'chn_2', failing },
    ],
    'v1/regions': [{ id: 'eu' }, { id: 'us', status: 'offline' }],
  });
  expect(await find('whats_wrong').call(ask, {})).toMatchObject({
    value: {
      failingChannels: [{ id: 'chn_2', failing }],
      regionsOffline: [{ id: 'us', status: 'offline' }],
    },
  });
});

test('on_call_now counts the policies that a long list leaves out', async () => {
  const policies = Array.from({ length: 23 }, (_, index) => ({ id: `pol_${index}`, key: 'k' }));
  const outcome = await find('on_call_now').call(inPages({ 'v1/alert-policies': policies }), {});
  expect(outcome).toMatchObject({ value: { policiesLeftOut: 3 } });
  const few = await find('on_call_now').call(inPages({ 'v1/alert-policies': [] }), {});
  expect(few).toEqual({ value: { at: expect.any(String), policies: [] } });
});

/** Tests that the names and numbers of llms.txt match the code. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROUTES } from '../../src/api/v1/route-table';
import { MONITOR_TYPES } from '../../src/kinds/monitor-types';
import { TOOLS } from '../../src/mcp/mcp-server';
import { CHANNEL_TYPES } from '../../src/notify/channels/registry';
import { readList, readRecord } from '../../src/schemas/loose';
import { document } from '../api/whole-document';
import { ROOT } from './read-docs';

const text = readFileSync(join(ROOT, 'llms.txt'), 'utf8').replaceAll(/\n {2}(?=`)/g, ' ');

/** Returns the values that the field `type` can have in a union of the OpenAPI document. */
function readTypes(name: string): readonly unknown[] {
  const schemas = readRecord(document.components?.schemas);
  const { anyOf, oneOf } = readRecord(schemas[name]);
  return [...readList(anyOf), ...readList(oneOf)].flatMap((branch) => {
    const reference = String(readRecord(branch)['$ref']);
    const variant = readRecord(schemas[reference.slice(reference.lastIndexOf('/') + 1)]);
    return readList(readRecord(readRecord(variant['properties'])['type'])['enum']);
  });
}

test.each([
  ['monitors', MONITOR_TYPES],
  ['alert channels', CHANNEL_TYPES],
  // `none` is left out, because it only switches off the authentication of a scenario or a profile.
  ['`auth`', readTypes('Auth').filter((type) => type !== 'none')],
  ['assertions', readTypes('Assertion')],
])('llms.txt counts and names all types of %s', (what, types) => {
  expect(types.length).toBeGreaterThan(3);
  const [, count, names = ''] =
    new RegExp(`^- (\\d+) types of ${what}: (.*)$`, 'm').exec(text) ?? [];
  expect(count).toBe(`${types.length}`);
  const named = names.split(', ').map((name) => name.replaceAll('`', ''));
  expect(new Set(named)).toEqual(new Set(types));
});

test('llms.txt states the number of operations, rounded to tens, and the number of tools', () => {
  const tens = Math.floor(ROUTES.length / 10) * 10;
  expect(text).toContain(
    `More than ${tens} operations under \`/v1\`, and ${TOOLS.length} tools for assistants`,
  );
});

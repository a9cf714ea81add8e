/** Tests that the command line and the API accept the definitions in the documents. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import { parse } from 'yaml';
import type { z } from 'zod';
import { readDefinitions } from '../../src/cli/files/definition-files';
import { expandMatrices } from '../../src/domain/definitions/matrix';
import { alertPolicyBody, alertRouteShape } from '../../src/schemas/alert-policy';
import { alertChannelBody } from '../../src/schemas/alerts';
import { SET_LISTS, type SetList } from '../../src/schemas/apply';
import { accountVariableEntry, environmentBody } from '../../src/schemas/environments/environment';
import { leaveVariablesOpen } from '../../src/schemas/environments/open-references';
import { createFileSchema } from '../../src/schemas/file-schema';
import { hoursBody } from '../../src/schemas/hours/hours';
import { type CheckedShape, validate } from '../../src/schemas/issues';
import { maintenanceWindowBody } from '../../src/schemas/maintenance';
import { monitorBody } from '../../src/schemas/monitor';
import { profileBody } from '../../src/schemas/profiles/profile';
import { scenarioBody } from '../../src/schemas/scenario';
import { statusPageEntry } from '../../src/schemas/status-pages/status-page';
import { readPages } from './read-docs';

const BODIES: Readonly<Record<SetList, z.ZodType | CheckedShape<z.ZodType>>> = {
  // A definition may use variables that it does not define, because they may come from its environment.
  monitors: leaveVariablesOpen(monitorBody),
  scenarios: leaveVariablesOpen(scenarioBody),
  alertChannels: alertChannelBody,
  maintenanceWindows: maintenanceWindowBody,
  alertPolicies: alertPolicyBody,
  alertRoutes: alertRouteShape,
  hours: hoursBody,
  profiles: profileBody,
  statusPages: statusPageEntry,
  variables: accountVariableEntry,
  environments: environmentBody,
};
const DEFINITION = new RegExp(`^(?:kind|${SET_LISTS.join('|')}):`, 'm');

/**
 * The complete definitions in the documents. A definition with an include is left out, because it needs other files.
 */
const blocks = readPages().flatMap(({ file, text }) =>
  [...text.matchAll(/^```yaml\n([\s\S]*?)^```/gm)]
    .map(([, yaml = '']) => ({ file, yaml }))
    .filter(({ yaml }) => DEFINITION.test(yaml) && !/^include:/m.test(yaml)),
);

test.each(blocks)('the service accepts the definition in $file', async ({ yaml }) => {
  const source = { environment: {}, readInput: async () => yaml };
  const { lists } = await readDefinitions(['-'], source);
  const checked = SET_LISTS.flatMap((list) =>
    expandMatrices(lists[list].map(({ value }) => value)).map(({ entry }) =>
      validate(BODIES[list], entry),
    ),
  );
  expect(checked.length).toBeGreaterThan(0);
  expect(checked.filter(({ ok }) => !ok)).toEqual([]);
});

const EXAMPLES = join(__dirname, '..', '..', 'examples');
const examples = readdirSync(EXAMPLES, { recursive: true, encoding: 'utf8' }).filter((file) =>
  // Leaves out the scripts for jobs and pipelines, because they contain no definitions.
  /^(?!jobs|pipelines).*\.(?:ya?ml|json)$/.test(file),
);
const isValid = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false }).compile(
  createFileSchema('http://localhost:3000'),
);

test.each(examples)('the editor schema accepts examples/%s', (file) => {
  isValid(parse(readFileSync(join(EXAMPLES, file), 'utf8')));
  expect(isValid.errors ?? []).toEqual([]);
});

test.each([
  { monitors: [{ key: 'home', name: 'Home', url: 'ftp://example.com/' }] },
  { monitors: [{ key: 'home', name: 'Home', url: 'https://example.com/', colour: 'red' }] },
  { statusPages: [{ key: 'page', slug: 'Not A Slug', title: 'Page' }] },
  { kind: 'scenario', key: 'buy', name: 'Buy', steps: [] },
])('the editor schema rejects what the service refuses: %j', (document) => {
  expect(isValid(document)).toBe(false);
});

test.each([
  { 'x-defaults': { interval: 60 }, monitors: [] },
  { 'x-any': [1], kind: 'monitor', key: 'home', name: 'Home', url: 'https://example.com/' },
])('the editor schema allows x- fields in a document: %j', (document) => {
  isValid(document);
  expect(isValid.errors ?? []).toEqual([]);
});

test('the check of definitions finds a definition of every kind in the documents', () => {
  const all = blocks.map(({ yaml }) => yaml).join('\n');
  for (const kind of [
    'kind: monitor',
    'kind: scenario',
    'alertChannels:',
    'kind: maintenanceWindow',
    'statusPages:',
  ])
    expect(all).toContain(kind);
});

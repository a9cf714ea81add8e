/** Definitions that the documents show are such as the command line reads and the API takes. */
import type { z } from 'zod';
import { readDefinitions } from '../../src/cli/definition-files';
import { alertChannelBody } from '../../src/schemas/alerts';
import type { SetList } from '../../src/schemas/apply';
import { type CheckedShape, validate } from '../../src/schemas/issues';
import { maintenanceWindowBody } from '../../src/schemas/maintenance';
import { monitorBody } from '../../src/schemas/monitor';
import { scenarioBody } from '../../src/schemas/scenario';
import { readPages } from './read-docs';

const BODIES: Readonly<Record<SetList, z.ZodType | CheckedShape<z.ZodType>>> = {
  monitors: monitorBody,
  scenarios: scenarioBody,
  alertChannels: alertChannelBody,
  maintenanceWindows: maintenanceWindowBody,
};
const LISTS: readonly SetList[] = ['monitors', 'scenarios', 'alertChannels', 'maintenanceWindows'];
const DEFINITION = /^(?:kind|monitors|scenarios|alertChannels|maintenanceWindows):/m;

/** Those that stand for themselves: an include needs its files. */
const blocks = readPages().flatMap(({ file, text }) =>
  [...text.matchAll(/^```yaml\n([\s\S]*?)^```/gm)]
    .map(([, yaml = '']) => ({ file, yaml }))
    .filter(({ yaml }) => DEFINITION.test(yaml) && !/^include:/m.test(yaml)),
);

test.each(blocks)('a definition in $file is read and accepted', async ({ yaml }) => {
  const source = { environment: {}, readInput: async () => yaml };
  const { lists } = await readDefinitions(['-'], source);
  const checked = LISTS.flatMap((list) =>
    lists[list].map(({ value }) => validate(BODIES[list], value)),
  );
  expect(checked.length).toBeGreaterThan(0);
  expect(checked.filter(({ ok }) => !ok)).toEqual([]);
});

test('there are definitions of every kind', () => {
  const all = blocks.map(({ yaml }) => yaml).join('\n');
  for (const kind of [
    'kind: monitor',
    'kind: scenario',
    'alertChannels:',
    'kind: maintenanceWindow',
  ])
    expect(all).toContain(kind);
});

/** Tests that one limit applies to all YAML files, from any source: the size after aliases are expanded. */
import { parseDocuments } from '../../src/cli/files/parse-documents';
import { readSet } from '../../src/dashboard/features/settings/transfer/read-set';
import { readRequests } from '../../src/formats/read-requests';
import { readYaml } from '../../src/formats/yaml';
import { convertYaml } from '../cli/convert';
import { onTerminal } from '../cli/terminal';

/** Returns a typical Gatus file. It has one anchor with the defaults, which contain aliases of other anchors. */
function gatusFile(endpoints: number): string {
  const head = [
    'x-alert: &alert { type: slack, failure-threshold: 3 }',
    'x-ok: &ok "[STATUS] == 200"',
    'x-fast: &fast "[RESPONSE_TIME] < 500"',
    'x-defaults: &defaults',
    '  interval: 30s',
    '  conditions: [*ok, *fast]',
    '  alerts: [*alert]',
    'endpoints:',
  ];
  const items = Array.from({ length: endpoints }, (_, index) =>
    [`  - <<: *defaults`, `    name: e${index}`, `    url: https://${index}.example`].join('\n'),
  );
  return [...head, ...items, ''].join('\n');
}

/** A text with nested aliases: ten aliases of ten aliases and so on, a billion values. */
const BILLION = Array.from({ length: 9 }, (_, level) => {
  const names = Array.from({ length: 10 }, () => `*l${level}`).join(', ');
  return `l${level + 1}: &l${level + 1} [${names}]`;
});
const LAUGHS = ['l0: &l0 [lol]', ...BILLION].join('\n');
const SENTENCE = 'Its aliases (*name) stand for more than 1,000,000 values.';

it.each([50, 200])(
  'a file of %i endpoints that share YAML anchors is imported',
  async (endpoints) => {
    const { monitors } = await convertYaml('gatus', gatusFile(endpoints));
    expect(monitors).toHaveLength(endpoints);
    expect(monitors[endpoints - 1]).toMatchObject({
      interval: 30,
      url: `https://${endpoints - 1}.example`,
    });
  },
);

it('sets of 2,000 monitors that share YAML anchors are read, by apply and in the dashboard', () => {
  const head =
    'x: &defaults\n  headers: &headers { Accept: json }\n  steps: [*headers, *headers]\n';
  const items = Array.from(
    { length: 2_000 },
    (_, index) => `  - <<: *defaults\n    key: m${index}\n`,
  );
  const text = `${head}monitors:\n${items.join('')}`;
  const [document] = parseDocuments(text, 'set.yaml');
  const read = readSet(text);
  for (const set of [document?.value, read.ok ? read.set : null])
    expect(set).toMatchObject({
      monitors: expect.arrayContaining([
        {
          key: 'm1999',
          headers: { Accept: 'json' },
          steps: [{ Accept: 'json' }, { Accept: 'json' }],
        },
      ]),
    });
});

it('a file whose YAML aliases expand beyond the limit is refused with the same sentence by every reader', async () => {
  expect(() => readYaml(LAUGHS)).toThrow(SENTENCE);
  expect(() => parseDocuments(LAUGHS, 'set.yaml')).toThrow(`set.yaml:1: ${SENTENCE}`);
  expect(readSet(LAUGHS)).toMatchObject({ ok: false, reason: expect.stringContaining(SENTENCE) });
  expect(readRequests(LAUGHS)).toMatchObject({
    ok: false,
    problem: expect.stringContaining(SENTENCE),
  });
  const refused = await onTerminal(['import', 'gatus', '-'], { isTerminal: false, input: LAUGHS });
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain(`can't be read. ${SENTENCE}`);
});

it('a YAML alias inside its own anchor is refused', () => {
  expect(() => readYaml('a: &a { b: *a }')).toThrow(SENTENCE);
});

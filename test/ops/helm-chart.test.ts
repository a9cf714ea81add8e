/** Tests that the settings in the Helm chart match the table of settings. `npm run helm` tests rendering. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Validator } from '@cfworker/json-schema';
import { parse } from 'yaml';
import { z } from 'zod';
import { version } from '../../package.json';
import { renderHelmSettings, renderHelmValuesSchema } from '../../src/config/helm-chart';

const CHART = path.join(__dirname, '../../deploy/helm/keepwatch');
const read = (file: string): string => readFileSync(path.join(CHART, file), 'utf8');

test('settings and schema of the chart are up to date (run scripts/render-settings.mjs)', () => {
  expect(read('files/settings.json')).toBe(renderHelmSettings());
  expect(read('values.schema.json')).toBe(renderHelmValuesSchema());
});

test('the schema of the chart accepts the values and their examples, and rejects a misspelt setting', () => {
  const schema = new Validator(JSON.parse(renderHelmValuesSchema()), '7', false);
  const defaults: Record<string, unknown> = parse(read('values.yaml'));
  expect(schema.validate(defaults).errors).toEqual([]);
  for (const example of readdirSync(path.join(CHART, 'ci'))) {
    const values: Record<string, unknown> = parse(read(`ci/${example}`));
    expect(schema.validate({ ...defaults, ...values }).errors).toEqual([]);
  }
  const misspelt = { ...defaults, settings: { TEMPORAL_ADRESS: 'a:1' } };
  expect(schema.validate(misspelt).valid).toBe(false);
});

test('the chart has the version of the release', () => {
  expect(parse(read('Chart.yaml'))).toMatchObject({ version, appVersion: version });
});

const probePolicy = z.looseObject({
  metadata: z.looseObject({ name: z.string() }),
  spec: z.looseObject({
    policyTypes: z.array(z.string()),
    egress: z.array(
      z.object({
        to: z.array(
          z.object({ ipBlock: z.object({ cidr: z.string(), except: z.array(z.string()) }) }),
        ),
      }),
    ),
  }),
});

/**
 * For each allowed range of addresses, the exceptions. At these addresses, machines, containers and pods in the large
 * clouds get credentials.
 */
const METADATA = {
  '0.0.0.0/0': [
    '100.100.100.200/32',
    '168.63.129.16/32',
    '169.254.0.23/32',
    '169.254.42.42/32',
    '169.254.169.254/32',
    '169.254.170.2/32',
    '169.254.170.23/32',
    '192.0.0.192/32',
  ],
  '::/0': ['fd00:42::42/128', 'fd00:ec2::23/128', 'fd00:ec2::254/128', 'fd20:ce::254/128'],
};

test('by default, the chart lets a probe reach everything except metadata services and denied ranges', () => {
  const [, policy = ''] = /.*^---\n(.*)/ms.exec(read('templates/network-policies.yaml')) ?? [];
  const filledIn = policy.replaceAll(/^\s*\{\{.*\n?/gm, '').replaceAll(/\{\{.*?\}\}/g, 'value');
  const { metadata, spec } = probePolicy.parse(parse(filledIn));
  expect(metadata.name).toMatch(/-probes$/);
  expect(spec.policyTypes).toEqual(['Egress']);
  const blocks = spec.egress.flatMap(({ to }) => to).map(({ ipBlock }) => ipBlock);
  const excepted = Object.fromEntries(blocks.map(({ cidr, except }) => [cidr, except]));
  expect(excepted).toEqual({
    '0.0.0.0/0': [...METADATA['0.0.0.0/0'], 'value'],
    '::/0': [...METADATA['::/0'], 'value'],
  });
  expect(parse(read('values.yaml'))).toMatchObject({ networkPolicy: { enabled: true } });
});

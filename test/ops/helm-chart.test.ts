/** What the Helm chart knows of settings is what the settings table says; rendering is `npm run helm`. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Validator } from '@cfworker/json-schema';
import { parse } from 'yaml';
import { version } from '../../package.json';
import { renderHelmSettings, renderHelmValuesSchema } from '../../src/config/helm-chart';

const CHART = path.join(__dirname, '../../deploy/helm/keepwatch');
const read = (file: string): string => readFileSync(path.join(CHART, file), 'utf8');

test('settings and schema of the chart are up to date (npm run build && node scripts/render-settings.mjs)', () => {
  expect(read('files/settings.json')).toBe(renderHelmSettings());
  expect(read('values.schema.json')).toBe(renderHelmValuesSchema());
});

test('the values and their examples satisfy the schema, and a misspelt setting does not', () => {
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

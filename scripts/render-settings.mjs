// Writes the files that are generated from the settings table: .env.example, the tables in docs/settings.md and the
// settings of the Helm chart. Run it after a build. Tests fail if these files do not match the table.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const load = (name) =>
  createRequire(import.meta.url)(fileURLToPath(new URL(`dist/config/${name}.js`, root)));
const { renderEnvExample } = load('env-example');
const { renderSettings } = load('settings-markdown');
const { renderHelmSettings, renderHelmValuesSchema } = load('helm-chart');

writeFileSync(new URL('.env.example', root), renderEnvExample());
writeFileSync(new URL('deploy/helm/keepwatch/files/settings.json', root), renderHelmSettings());
writeFileSync(new URL('deploy/helm/keepwatch/values.schema.json', root), renderHelmValuesSchema());

const page = new URL('docs/settings.md', root);
const tables = renderSettings();
const text = readFileSync(page, 'utf8').replace(
  /(<!-- settings -->\n)[\s\S]*(<!-- \/settings -->)/,
  (_whole, start, end) => `${start}${tables}\n${end}`,
);
writeFileSync(page, text);
console.log('wrote .env.example, docs/settings.md and the schema of the Helm chart');

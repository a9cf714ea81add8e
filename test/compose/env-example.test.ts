/** Tests .env.example against the table of settings. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { renderEnvExample } from '../../src/config/env-example';
import { SETTINGS_TABLE } from '../../src/config/settings-table';

const file = readFileSync(path.join(__dirname, '../../.env.example'), 'utf8');

test('.env.example equals the rendered table of settings (run scripts/render-settings.mjs)', () => {
  expect(file).toBe(renderEnvExample());
});

test('.env.example names every setting exactly once', () => {
  const names = [...file.matchAll(/^(?:# )?([A-Z_]+)=/gm)].map((match) => match[1]);
  expect(names).toEqual(Object.keys(SETTINGS_TABLE));
});

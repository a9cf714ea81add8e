/** Tests that lazy-loaded code of the dashboard waits for the service instead of failing while the service is down. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..', 'src', 'dashboard');

test('every lazy import of the dashboard waits for the service instead of failing', () => {
  const loading = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }))
    .filter(({ text }) => /(?<!typeof )\bimport\('/.test(text));
  expect(loading.length).toBeGreaterThan(5);
  const others = loading.filter(({ text }) => !/\bloadWhenReached\(/.test(text));
  expect(others.map(({ name }) => name)).toEqual([]);
});

/** Tests that the files of examples/sign-in and the example of the dashboard are the same scenario. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { createSignInExample } from '../../src/schemas/scenario-example';

test('examples/sign-in has the steps of the example that the dashboard and the demo use', () => {
  const path = join(__dirname, '../../examples/sign-in/keepwatch.yaml');
  const { name, interval, steps } = createSignInExample('{{secret:shop-password}}');
  expect(parse(readFileSync(path, 'utf8'))).toMatchObject({ name, interval, steps });
});

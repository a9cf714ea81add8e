/** Tests what is hidden if searching for secrets takes too long. */
import { createRedaction } from '../../src/checks/redaction';
import { createTextPool, type TextPool } from '../../src/text/text-pool';

let pool: TextPool;
beforeAll(() => {
  pool = createTextPool();
});
afterAll(() => pool.close());

it('text that takes too long to search for secrets is hidden completely and counts as secret', async () => {
  const values = Array.from({ length: 60 }, (_, index) => `${'%25'.repeat(9_000)}${index}`);
  const redaction = createRedaction(values, pool);
  const text = '%25'.repeat(20_000);
  expect(await Promise.all([redaction.redact([{ text }]), redaction.holdSecrets([text])])).toEqual([
    ['***'],
    [true],
  ]);
});

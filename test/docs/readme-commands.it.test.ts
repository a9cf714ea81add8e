/**
 * Tests README's quick start against the API in this process. test/compose/compose.long.test.ts runs it with all
 * services.
 */
import { SETUP_TOKEN, suiteService } from '../api/test-service';
import { followReadme } from './follow-readme';

const service = suiteService();

test('the commands of the README create an account and a monitor and read its results', async () => {
  const { apiKey } = await followReadme(service.url, SETUP_TOKEN);
  const headers = { authorization: `Bearer ${apiKey}` };
  const monitors = await fetch(`${service.url}/v1/monitors`, { headers });
  expect(await monitors.json()).toMatchObject({ data: [{ id: expect.any(String) }] });
});

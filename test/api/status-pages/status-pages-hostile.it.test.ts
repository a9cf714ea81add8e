/** Tests that status pages and badges show hostile names as plain text. */
import fc from 'fast-check';
import request from 'supertest';
import { TIMES_SCRIPT } from '../../../src/api/pages/status-page-script';
import { propertyOptions } from '../../support/property-runs';
import { nastyText } from '../server/hostile-values';
import { accountOfSuite, agentOf, suiteService } from '../test-service';

const service = suiteService();
const account = accountOfSuite(service);
const as = agentOf(service, account);
let monitorId: string;

beforeAll(async () => {
  const created = await as().post('/v1/monitors').send({ name: 'm', url: 'http://example.com' });
  monitorId = created.body.id;
});
afterEach(async () => {
  const { body } = await as().get('/v1/status-pages');
  for (const { id } of body.data) await as().delete(`/v1/status-pages/${id}`);
});

const ATTACKS = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'><svg onload=alert(1)>",
  '</title><script>alert(1)</script>',
  '</style><script>alert(1)</script>',
  ']]><script>alert(1)</script>',
  '<!--',
  '<![CDATA[',
  '&lt;script&gt;&#x3c;b&#62;',
  'javascript:alert(1)',
  '{{constructor.constructor("alert(1)")()}}',
  '\u202e<b>reversed',
  '\u2028\u2029\ufeff<i>',
  '\ufffe\uffff<u>',
  'e\u0301'.repeat(90),
  '\u{1f469}\u200d\u{1f4bb}'.repeat(30),
];

/** Matches all tags that the page and the badge themselves contain. */
const OWN =
  /<(?:!doctype html|\/?(?:html|head|title|style|body|main|header|footer|section|div|ul|li|h[1-3]|p|a|bdi|span|fieldset|legend|svg|rect|g|text|time|strong|details|summary)|meta|link|input)(?:[ >/][^<>]*)?>/g;

async function publish(text: string): Promise<string | null> {
  const created = await as()
    .post('/v1/status-pages')
    .send({
      slug: 'hostile',
      title: text,
      description: text,
      isPublic: true,
      showBadges: true,
      groups: [{ name: text, items: [{ id: monitorId, name: text }] }],
    });
  expect([201, 400]).toContain(created.status);
  return created.status === 201 ? created.body.id : null;
}

async function expectHarmless(text: string): Promise<void> {
  const id = await publish(text);
  if (id === null) return;
  const page = await request(service.app).get('/status/hostile');
  const badge = await request(service.app).get(`/badges/hostile/${monitorId}.svg`).buffer(true);
  expect([page.status, badge.status]).toEqual([200, 200]);
  for (const answer of [page.text, String(badge.body)]) {
    const written = answer.replace(`<script>${TIMES_SCRIPT}</script>`, '');
    expect(written.replaceAll(OWN, '')).not.toContain('<');
  }
  expect((await as().delete(`/v1/status-pages/${id}`)).status).toBe(204);
}

it.each(ATTACKS)('the hostile input %j is shown as text', (text) => expectHarmless(text));

it('any other user input is shown as plain text', async () => {
  await fc.assert(fc.asyncProperty(nastyText, expectHarmless), propertyOptions(60));
});

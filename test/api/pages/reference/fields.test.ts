/**
 * Tests the page that describes all fields. Each field has a text and an anchor, and every link of the reference has a
 * target.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFields } from '../../../../src/api/pages/reference/field-list';
import {
  listDescribedGroups,
  renderFieldsPage,
  withText,
} from '../../../../src/api/pages/reference/fields-page';
import { listOperations } from '../../../../src/api/pages/reference/operations';
import { renderOperationsPage } from '../../../../src/api/pages/reference/operations-page';
import { NETWORK_KINDS } from '../../../../src/contracts/kinds';
import { CHANNELS } from '../../../../src/notify/channels/registry';
import { MONITOR_FIELD_NAMES } from '../../../../src/schemas/monitor';
import { stepShape } from '../../../../src/schemas/scenario';
import { shownDocument as document } from '../../whole-document';

const PAGES = {
  '/docs': renderOperationsPage(document, { fontUrl: null }),
  '/docs/fields': renderFieldsPage(document, { fontUrl: null }),
};
const fields = listDescribedGroups(document).flatMap((group) => group.fields);

function idsOf(page: string): readonly string[] {
  return [...page.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
}

test('every field of the reference has a description', () => {
  expect(fields.length).toBeGreaterThan(200);
  expect(
    fields.filter(({ description }) => description === '').map(({ anchor }) => anchor),
  ).toEqual([]);
});

test('every field of a named schema and of a response has a description', () => {
  const named = Object.entries(document.components?.schemas ?? {});
  const responses = listOperations(document).flatMap((operation) =>
    operation.responses
      .filter(({ status }) => status.startsWith('2') && operation.id !== 'getScenarioExample')
      .map(({ schema }) => [operation.id, schema] as const),
  );
  const bare = [...named, ...responses].flatMap(([name, schema]) =>
    listFields(schema)
      .filter((field) => withText(field, document.components?.schemas ?? {}).description === '')
      .map(({ path }) => `${name}.${path}`),
  );
  expect(named.length).toBeGreaterThan(150);
  expect(bare).toEqual([]);
});

test('no description consists only of a default', () => {
  const bare = fields.filter(({ description }) => description.startsWith('Default:'));
  expect(bare.map(({ anchor }) => anchor)).toEqual([]);
});

test.each([
  ...MONITOR_FIELD_NAMES.map(
    (name) =>
      [name, new RegExp(`^(?:monitor|heartbeat|${NETWORK_KINDS.join('|')})\\.${name}$`)] as const,
  ),
  ...Object.keys(stepShape.shape).map(
    (name) => [`steps: ${name}`, new RegExp(`^step\\.${name}$`)] as const,
  ),
  ...CHANNELS.flatMap(({ type, fields: own }) =>
    Object.keys(own).map(
      (name) => [`${type}: ${name}`, new RegExp(`^channel\\.(?:${type}\\.)?${name}$`)] as const,
    ),
  ),
])('the field %s is described', (_name, anchor) => {
  expect(fields.some((field) => anchor.test(field.anchor))).toBe(true);
});

test.each(Object.entries(PAGES))('no two entries of %s have the same anchor', (_path, page) => {
  const ids = idsOf(page);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
});

test.each(Object.entries(PAGES))('every link of %s to the reference has a target', (path, page) => {
  const links = [...page.matchAll(/href="((?:\/docs[^"#.]*)?#[^"]+)"/g)].map(
    ([, href = '']) => href,
  );
  expect(links.length).toBeGreaterThan(20);
  const lost = [...new Set(links)].filter((href) => {
    const [to = '', id = ''] = href.split('#');
    const target = Object.entries(PAGES).find(([known]) => known === (to === '' ? path : to));
    return !idsOf(target?.[1] ?? '').includes(id);
  });
  expect(lost).toEqual([]);
});

const DASHBOARD = join(__dirname, '..', '..', '..', '..', 'src', 'dashboard');

/**
 * Lists the links from forms to the descriptions of their fields. In the form of a channel, the link depends on the
 * type.
 */
function learnMore(): readonly string[] {
  const files = readdirSync(DASHBOARD, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.tsx'))
    .flatMap((file) => [
      ...readFileSync(join(DASHBOARD, file), 'utf8').matchAll(/fieldsAt=(?:"(.+?)"|\{`(.+?)`\})/g),
    ])
    .flatMap(([, plain, made = '']) =>
      plain === undefined ? CHANNELS.map(({ type }) => made.replace(/\$\{.*\}/, type)) : [plain],
    );
}

test('every link from a form of the dashboard leads to an entry of the reference', () => {
  const anchors = learnMore();
  expect(anchors.length).toBeGreaterThan(20 + CHANNELS.length);
  const known = idsOf(PAGES['/docs/fields']);
  expect(anchors.filter((anchor) => !known.includes(anchor))).toEqual([]);
});

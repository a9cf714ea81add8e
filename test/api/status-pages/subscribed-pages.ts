/** Sets up status pages with subscriptions. They have their own service, with a mail server that stores all emails. */
import request from 'supertest';
import type { OutgoingEmail } from '../../../src/services/ports/dependencies';
import { arranged } from '../arranged';
import { accountOfEach, agentOf, suiteService } from '../test-service';

const DAY_MS = 86_400_000;

interface Subscribable {
  /** The page of the current test. Each test gets a new page, unless it creates its own. */
  page: { readonly id: string; readonly slug: string };
  /** Ids of the two monitors that the page shows. */
  monitorIds: readonly string[];
}

/** Sets up the service for all tests of a file. Call this function once per file. */
export function suiteOfSubscribers() {
  const mails: OutgoingEmail[] = [];
  const mailer = {
    sendMail: async (mail: OutgoingEmail): Promise<void> => {
      mails.push(mail);
    },
  };
  const service = suiteService({ mailer });
  const account = accountOfEach(service);
  const as = agentOf(service, account);
  const shown: Subscribable = { page: { id: '', slug: '' }, monitorIds: [] };
  let slugs = 0;
  const newPage = async (fields: object = {}) => {
    slugs += 1;
    const slug = `news-${slugs}`;
    const items = shown.monitorIds.map((id, at) => ({ id, name: `Item ${at + 1}` }));
    const groups = [{ name: 'Shop', items }];
    const subscribers = { mail: true, webhook: true, slack: true };
    const body = { slug, title: 'Shop status', isPublic: true, groups, subscribers, ...fields };
    const { id } = await arranged(as().post('/v1/status-pages').send(body));
    return { id, slug };
  };
  beforeEach(async () => {
    mails.length = 0;
    // All sign-ups come from one network. The count of its sign-ups expires after a quarter of an hour.
    service.clock.nowMs += DAY_MS;
    const monitors = await Promise.all(
      ['Payments', 'Search'].map((name) =>
        arranged(as().post('/v1/monitors').send({ name, url: 'http://example.com' })),
      ),
    );
    shown.monitorIds = monitors.map(({ id }) => id);
    shown.page = await newPage();
  });
  const own = (path = ''): string => `/v1/status-pages/${shown.page.id}/subscribers${path}`;
  return {
    service,
    account,
    as,
    mails,
    shown,
    newPage,
    own,
    list: async (key?: string) => (await arranged(as(key).get(own()))).data,
    add: (fields: object = {}) =>
      as()
        .post(own())
        .send({ type: 'mail', to: 'reader@example.com', confirmed: true, ...fields }),
    press: (path: string, fields: object) =>
      request(service.app).post(path).type('form').send(fields),
  };
}

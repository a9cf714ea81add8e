/** Tests that an import never crashes, for any content of the file, and that apply accepts its output. */
import * as fc from 'fast-check';
import { propertyOptions } from '../../support/property-runs';
import { expectFine } from '../convert';
import { onTerminal } from '../terminal';

/** Values that people and other programs may write into fields, valid or not. */
const odd = fc.constantFrom(
  '',
  ' ',
  'Shop',
  '首页',
  'a\nb',
  '\u0000',
  '\ud800',
  '{{ name }}',
  '{{',
  '${HOME}',
  '$${HOME}',
  'https://shop.example.com/',
  'https://ada:pw@shop.example.com/?token=t#x',
  'http://a:6667/',

  'ftp://a',
  'https://',
  'https://{{x}}/',
  'x'.repeat(300),
  '{"a":1}',
  '[1]',
  'null',
  '12',
  '1e999',
  'a=1&password=b',
  '<password>x</password>',
  '$.status-page',
  '$[?(@.a)]',
  '[STATUS] == 200',

  '[BODY] == pat(*)',
  '[BODY].a-b > x',
  '-1',
  '99999999999999999999',
  '__proto__',
  'GET',
  'Trace',
);
const text = fc.oneof(odd, fc.string({ maxLength: 12 }));
/** Leaves out references to environment variables, because apply checks their values. */
const plain = text.filter((it) => !it.includes('${'));
const amount = fc.oneof(fc.integer({ min: -10, max: 1e6 }), fc.double({ noNaN: true }));
const flag = fc.boolean();
const headers = fc.dictionary(text, text, { maxKeys: 4 });
const some = <Value extends Record<string, fc.Arbitrary<unknown>>>(fields: Value) =>
  fc.record(fields, { requiredKeys: [] });

const kuma = fc.record({
  notificationList: fc.array(
    fc.record({
      id: fc.integer({ min: 1, max: 3 }),
      name: text,
      config: fc.record({
        type: fc.constantFrom('smtp', 'slack', 'ntfy', 'gotify', 'telegram', 'webhook', 'pushover'),
        smtpTo: text,
        slackwebhookURL: text,
        ntfyserverurl: text,
        ntfytopic: text,
        ntfyPriority: amount,
        gotifyserverurl: text,
        gotifyapplicationToken: text,
        telegramBotToken: text,
        telegramChatID: text,
        webhookURL: text,
        webhookAdditionalHeaders: text,
        pushoveruserkey: text,
        pushoverapptoken: text,
      }),
    }),
    { maxLength: 2 },
  ),
  monitorList: fc.array(
    fc
      .tuple(
        fc.record({
          id: fc.integer({ min: 1, max: 9 }),
          name: text,
          type: fc.constantFrom('http', 'keyword', 'json-query', 'push'),
          url: text,
        }),
        some({
          method: text,
          interval: amount,
          timeout: amount,
          maxretries: amount,
          resendInterval: amount,
          retryInterval: amount,
          parent: fc.integer({ min: 1, max: 9 }),
          keyword: text,
          jsonPath: text,
          jsonPathOperator: fc.constantFrom('==', '>', 'contains', 'x'),
          expectedValue: fc.oneof(text, amount, flag),
          accepted_statuscodes: fc.array(text, { maxLength: 2 }),
          headers: fc.oneof(
            text,
            headers.map((given) => JSON.stringify(given)),
          ),
          body: text,
          httpBodyEncoding: fc.constantFrom('json', 'form', 'xml', 'x'),
          maxredirects: amount,
          basic_auth_user: text,
          notificationIDList: fc.dictionary(fc.constantFrom('1', '2', '3'), flag),
          tags: fc.array(fc.record({ name: text, value: text }), { maxLength: 3 }),
        }),
      )
      .map(([needed, more]) => ({ ...more, ...needed })),
    { maxLength: 3 },
  ),
});

const gatus = fc.record({
  alerting: some({
    slack: fc.record({ 'webhook-url': text }),
    email: fc.record({ to: plain }),
    ntfy: fc.record({ topic: text, url: text, token: text }),
  }),
  endpoints: fc.array(
    fc
      .tuple(
        fc.record({ name: text, url: text, conditions: fc.array(text, { maxLength: 4 }) }),
        some({
          group: text,
          method: plain,
          interval: text,
          headers,
          body: text,
          graphql: flag,
          client: some({ timeout: text, 'ignore-redirect': flag }),
          alerts: fc.array(
            fc.record({
              type: fc.constantFrom('slack', 'email', 'x'),
              'failure-threshold': amount,
            }),
            { maxLength: 2 },
          ),
        }),
      )
      .map(([needed, more]) => ({ ...more, ...needed })),
    { maxLength: 3 },
  ),
});

const checkly = fc.array(
  fc
    .tuple(
      fc.record({ name: text, checkType: fc.constantFrom('API', 'URL') }),
      fc.record({ url: text }),
      some({
        method: text,
        body: text,
        bodyType: fc.constantFrom('JSON', 'FORM', 'RAW', 'GRAPHQL', 'NONE'),
        headers: fc.array(fc.record({ key: text, value: text }), { maxLength: 3 }),
        queryParameters: fc.array(fc.record({ key: text, value: text }), { maxLength: 3 }),
        assertions: fc.array(
          fc.record({
            source: fc.constantFrom('STATUS_CODE', 'JSON_BODY', 'HEADERS', 'TEXT_BODY'),
            comparison: fc.constantFrom('EQUALS', 'LESS_THAN', 'CONTAINS', 'IS_EMPTY', 'HAS_KEY'),
            property: text,
            target: fc.oneof(text, amount),
          }),
          { maxLength: 3 },
        ),
      }),
      some({
        frequency: amount,
        maxResponseTime: amount,
        degradedResponseTime: amount,
        tags: fc.array(text),
        environmentVariables: fc.array(fc.record({ key: text, value: text, locked: flag })),
      }),
    )
    .map(([needed, url, request, more]) => ({
      ...more,
      ...needed,
      request: { ...request, ...url },
    })),
  { maxLength: 3 },
);

const healthchecks = fc.record({
  checks: fc.array(
    fc
      .tuple(
        fc.record({ name: text }),
        some({ slug: text, tags: text, grace: amount, timeout: amount, schedule: text, tz: text }),
      )
      .map(([needed, more]) => ({ ...more, ...needed })),
    { maxLength: 3 },
  ),
});

const postman = fc.record({
  info: fc.record({ name: text }),
  variable: fc.array(fc.record({ key: text, value: text }), { maxLength: 2 }),
  item: fc.array(
    fc.record({
      name: text,
      request: fc.record({
        method: fc.constantFrom('GET', 'POST', 'HEAD'),
        url: text,
        header: fc.array(fc.record({ key: text, value: text }), { maxLength: 2 }),
        body: fc.record({ mode: fc.constant('raw'), raw: text }),
      }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});

it.each<[string, fc.Arbitrary<unknown>]>([
  ['uptime-kuma', kuma],
  ['gatus', gatus],
  ['checkly', checkly],
  ['healthchecks', healthchecks],
  ['postman', postman],
])('apply accepts what an import writes for any %s file', async (tool, files) => {
  await fc.assert(
    fc.asyncProperty(files, async (file) => {
      const given = { isTerminal: false, input: JSON.stringify(file) };
      const { code, stdout, stderr } = await onTerminal(
        ['import', tool, '-', '--output', 'json'],
        given,
      );
      // If nothing could be imported, the error message must say this.
      if (code === 2) return expect(stderr).toMatch(/could be imported|can't be imported/);
      expect(code).toBe(0);
      await expectFine(JSON.stringify(JSON.parse(stdout).definitions));
    }),
    propertyOptions(40),
  );
});

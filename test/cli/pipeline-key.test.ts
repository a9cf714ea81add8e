/**
 * Tests the command line in a CI run without an API key. It authenticates with the ID token of the run and never shows
 * the token.
 */
import { createClient } from '../../src/cli/client';
import { createPipelineKey } from '../../src/cli/pipeline-key';
import {
  type Received,
  type RecordingTarget,
  startRecordingTarget,
} from '../support/recording-target';
import { onTerminal } from './terminal';

const NOW_MS = Date.parse('2026-01-31T12:00:00Z');
const QUARTER_MS = 15 * 60_000;
const PIPELINE = `pip_${'0'.repeat(26)}`;
const EXCHANGE = `/v1/pipelines/${PIPELINE}/keys`;
const TOKEN = 'id-token.of-the.run';
const REQUEST_TOKEN = 'what-github-gives-the-job';

type Answer = readonly [status: number, body: object, headers: Record<string, string>];

let service: RecordingTarget;
let github: RecordingTarget;
/** The responses to token exchanges, in order. After the last one, each exchange returns a new key. */
let exchanges: Answer[] = [];
let made = 0;
let endsAtMs = NOW_MS + QUARTER_MS;
let githubAnswer: Answer = [200, { value: TOKEN }, {}];

beforeAll(async () => {
  service = await startRecordingTarget(({ url }, response) => {
    const [status, body, headers] = url === EXCHANGE ? exchange() : emptyPage;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  });
  github = await startRecordingTarget((_received, response) => {
    const [status, body] = githubAnswer;
    response.writeHead(status).end(JSON.stringify(body));
  });
});
afterAll(async () => {
  await service?.close();
  await github?.close();
});
beforeEach(() => {
  service.received.length = 0;
  github.received.length = 0;
  exchanges = [];
  made = 0;
  endsAtMs = NOW_MS + QUARTER_MS;
  githubAnswer = [200, { value: TOKEN }, {}];
});

const emptyPage: Answer = [200, { data: [], nextCursor: null }, {}];

function exchange(): Answer {
  const next = exchanges.shift();
  if (next !== undefined) return next;
  made += 1;
  return [201, { key: `kw_${made}`, expiresAt: new Date(endsAtMs).toISOString() }, {}];
}

const refusal = (status: number, code: string, headers: Record<string, string> = {}): Answer => [
  status,
  { code, detail: 'No.' },
  headers,
];

const isExchange = ({ url }: Received): boolean => url === EXCHANGE;
const exchangesAsked = () => service.received.filter(isExchange);
const keysSent = () =>
  new Set(
    service.received.filter((one) => !isExchange(one)).map(({ headers }) => headers.authorization),
  );

/** Runs `keepwatch status`, which sends several requests. Fails if its output contains credentials. */
async function runStatus(
  environment: Readonly<Record<string, string>>,
  ...more: readonly string[]
) {
  const end = await onTerminal(['status', ...more], {
    isTerminal: false,
    environment: { KEEPWATCH_URL: service.origin, KEEPWATCH_PIPELINE: PIPELINE, ...environment },
  });
  for (const secret of [TOKEN, REQUEST_TOKEN, 'kw_1'])
    expect(`${end.stdout}${end.stderr}`).not.toContain(secret);
  return end;
}

const GITLAB = { KEEPWATCH_ID_TOKEN: TOKEN };
const githubEnvironment = () => ({
  ACTIONS_ID_TOKEN_REQUEST_URL: `${github.origin}/token?api-version=2.0`,
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: REQUEST_TOKEN,
});

test('a GitLab job exchanges its ID token once per command', async () => {
  expect(await runStatus(GITLAB)).toMatchObject({ code: 0 });
  expect(exchangesAsked()).toHaveLength(1);
  const [asked] = exchangesAsked();
  expect(asked).toMatchObject({ method: 'POST', body: JSON.stringify({ token: TOKEN }) });
  expect(asked?.headers).not.toHaveProperty('authorization');
  expect(keysSent()).toEqual(new Set(['Bearer kw_1']));
});

test('a GitHub job requests an ID token whose audience is this service', async () => {
  expect(await runStatus(githubEnvironment())).toMatchObject({ code: 0 });
  const audience = encodeURIComponent(service.origin);
  expect(github.received).toMatchObject([
    {
      method: 'GET',
      url: `/token?api-version=2.0&audience=${audience}`,
      headers: { authorization: `Bearer ${REQUEST_TOKEN}` },
    },
  ]);
  expect(exchangesAsked()).toMatchObject([{ body: JSON.stringify({ token: TOKEN }) }]);
});

test('an API key takes precedence over the id of a pipeline', async () => {
  expect(await runStatus({ ...GITLAB, KEEPWATCH_API_KEY: 'kw_given' })).toMatchObject({ code: 0 });
  expect(exchangesAsked()).toEqual([]);
  expect(keysSent()).toEqual(new Set(['Bearer kw_given']));
});

test('an empty API key counts as no key', async () => {
  expect(await runStatus({ ...GITLAB, KEEPWATCH_API_KEY: '' })).toMatchObject({ code: 0 });
  expect(keysSent()).toEqual(new Set(['Bearer kw_1']));
});

test.each([
  [401, 'invalid_token'],
  [404, 'not_found'],
] as const)(
  'a refusal of an ID token with %i says which claims to compare',
  async (status, code) => {
    exchanges = [refusal(status, code), refusal(status, code), refusal(status, code)];
    const end = await runStatus(GITLAB);
    expect(end.code).toBe(4);
    expect(end.stderr).toContain(`The pipeline ${PIPELINE} does not accept this run.`);
    expect(end.stderr).toContain('repository, branch and issuer');
    expect(end.stderr).toContain(`the ID token must be for ${service.origin}.`);
    exchanges = [refusal(status, code), refusal(status, code), refusal(status, code)];
    const { stderr } = await runStatus(GITLAB, '--output', 'json');
    expect(JSON.parse(stderr)).toMatchObject({ error: { code, exitCode: 4 } });
  },
);

test('if the limit of valid keys is reached, the error message says to start fewer commands at a time', async () => {
  const later = { 'retry-after': '100' };
  exchanges = Array.from({ length: 3 }, () => refusal(429, 'rate_limited', later));
  const end = await runStatus(GITLAB);
  expect(end.code).toBe(3);
  expect(end.stderr).toContain('start fewer commands at a time');
});

test('the exchange of an ID token is retried if the service responds with 503', async () => {
  exchanges = [refusal(503, 'unavailable', { 'retry-after': '0' })];
  expect(await runStatus(GITLAB)).toMatchObject({ code: 0 });
  expect(exchangesAsked()).toHaveLength(2);
});

test.each<[string, () => Record<string, string>]>([
  ['has no token', () => ({})],
  ['has an empty token', () => ({ KEEPWATCH_ID_TOKEN: '' })],
  [
    'may not request a token',
    () => ({ ...githubEnvironment(), ACTIONS_ID_TOKEN_REQUEST_TOKEN: '' }),
  ],
  [
    'has an invalid request URL',
    () => ({ ...githubEnvironment(), ACTIONS_ID_TOKEN_REQUEST_URL: 'nowhere' }),
  ],
])('the error message for a job that %s says how to get a token', async (_what, environment) => {
  const end = await runStatus(environment());
  expect(end.code).toBe(4);
  expect(end.stderr).toContain('this run has no ID token');
  expect(end.stderr).toContain('id-token: write');
  expect(end.stderr).toContain('id_tokens');
  expect(service.received).toEqual([]);
});

test.each<[string, Answer, string]>([
  ['refuses', [403, { message: 'no' }, {}], 'GitHub gave no ID token: it responded with 403.'],
  ['returns an empty object', [200, {}, {}], 'GitHub gave no ID token: it responded with 200.'],
  ['returns no string', [200, { value: 7 }, {}], 'GitHub gave no ID token: it responded with 200.'],
])(
  "when GitHub %s, the error message gives the status of GitHub's response",
  async (_what, answer, sentence) => {
    githubAnswer = answer;
    const end = await runStatus(githubEnvironment());
    expect(end).toMatchObject({ code: 4, stdout: '' });
    expect(end.stderr).toContain(sentence);
    expect(service.received).toEqual([]);
  },
);

describe('a command that runs longer than a key is valid', () => {
  let nowMs = NOW_MS;
  const open = () => {
    nowMs = NOW_MS;
    const environment = { KEEPWATCH_ID_TOKEN: TOKEN };
    const way = { url: `${service.origin}/`, environment, userAgent: 'test' };
    const client = createClient({ ...way, apiKey: null, note: () => undefined });
    return createPipelineKey({ pipelineId: PIPELINE, environment, now: () => nowMs, client });
  };
  const askAtOnce = async (readKey: () => Promise<string>) =>
    new Set(await Promise.all(Array.from({ length: 8 }, readKey)));

  test('a long command gets a new key a minute before the old key expires', async () => {
    const readKey = open();
    expect(await askAtOnce(readKey)).toEqual(new Set(['kw_1']));
    nowMs += QUARTER_MS - 60_001;
    expect(await askAtOnce(readKey)).toEqual(new Set(['kw_1']));
    nowMs += 1;
    endsAtMs = nowMs + QUARTER_MS;
    expect(await askAtOnce(readKey)).toEqual(new Set(['kw_2']));
    expect(exchangesAsked()).toHaveLength(2);
  });

  test('a long command tries to get a new key again after a refusal', async () => {
    const readKey = open();
    exchanges = [refusal(401, 'invalid_token')];
    await expect(readKey()).rejects.toThrow('does not accept this run');
    expect(await readKey()).toBe('kw_1');
  });

  test('a command with a wrong clock does not exchange a token for each request', async () => {
    const readKey = open();
    nowMs += 60 * 60_000;
    expect(await readKey()).toBe('kw_1');
    expect(exchangesAsked()).toHaveLength(1);
  });
});

/**
 * Tests exports of results. They are complete, need constant memory, are no faster than the client reads, and contain
 * only results of the account. The long form exports so many rows that they cannot fit into the memory limit by chance.
 *
 * Covers:
 * - services/lists/read-list
 * - services/scenarios/runs
 */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import request from 'supertest';
import { buildResultId } from '../../../src/domain/health/result-id';
import type { Result } from '../../../src/models/results/result';
import { toResultDocument } from '../../../src/models/results/result-documents';
import { outcomeOf } from '../../support/outcomes';
import { isLongForm, testSize } from '../../support/test-size';
import { waitUntil } from '../../support/wait-until';
import { arranged } from '../arranged';
import { openTestService, type TestAccount, type TestService } from '../test-service';

const ROWS = testSize('rows', { ci: 2_000, long: 50_000 });
const PAGE_ROWS = 500;
const MEBIBYTE = 1024 * 1024;
const SLICE = 1_000;
const START_MS = Date.UTC(2026, 0, 1);
const STEP_MS = 10_000;
const HEAP_GROWTH_MAX = 50 * MEBIBYTE;
const MESSAGE = '=cmd|"/c calc"!A1, or so';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

let service: TestService;
let account: TestAccount;
let monitorId: string;
let url: string;

beforeAll(async () => {
  service = await openTestService();
  account = await service.newAccount();
  const made = await arranged(
    as().post('/v1/monitors').send({ name: 'm', url: 'http://example.com' }),
  );
  monitorId = made.id;
  await insertRows();
  const { port } = service.app.address() as AddressInfo;
  url = `http://127.0.0.1:${port}/v1/monitors/${monitorId}/results/export`;
});
afterAll(async () => {
  if (isLongForm) await removeRows();
  await service.close();
});

const as = (key = account.key) => request.agent(service.app).set('Authorization', `Bearer ${key}`);

function rowAt(index: number): Result {
  const slotMs = START_MS + index * STEP_MS;
  const key = { monitorId, region: 'eu-west', slotMs, kind: 'scheduled' as const };
  const isDown = index % 100 === 0;
  const failure = isDown ? { code: 'timeout' as const, message: MESSAGE, phase: null } : null;
  return {
    ...key,
    id: buildResultId(key),
    accountId: account.id,
    revision: 1,
    trigger: 'schedule',
    status: isDown ? 'down' : 'up',
    inMaintenance: false,
    responseTimeMs: isDown ? null : 120,
    outcome: { ...outcomeOf(isDown ? 'down' : 'up'), failure },
    gap: null,
  };
}

function* slices(): Generator<readonly Result[]> {
  for (let from = 0; from < ROWS; from += SLICE)
    yield Array.from({ length: SLICE }, (_value, index) => rowAt(from + index));
}

async function insertRows(): Promise<void> {
  const { results } = service.database.database.models;
  for (const rows of slices())
    await results.insertMany(rows.map(toResultDocument), { ordered: false, lean: true });
}

/** Replaces the function that reads pages of results. The returned function restores the original. */
function replacePages(page: ReadPage): () => void {
  const { results } = service.services.stores;
  const { page: original } = results;
  Object.assign(results, { page });
  return () => void Object.assign(results, { page: original });
}

/** Makes the list of results endless. `pagesRead` returns how many pages were read, and `putBack` restores the list. */
function putEndlessPages() {
  let read = 0;
  const putBack = replacePages(async () => {
    read += 1;
    const first = read * PAGE_ROWS;
    const items = Array.from({ length: PAGE_ROWS }, (_item, index) => rowAt(first + index));
    return { items, hasMore: true };
  });
  return { putBack, pagesRead: () => read };
}

type ReadPage = TestService['services']['stores']['results']['page'];

/** Deletes in batches. Deleting a million rows in one write would block the database for longer than clients wait. */
async function removeRows(): Promise<void> {
  const { results } = service.database.database.models;
  for (const rows of slices())
    await results.collection.deleteMany({ _id: { $in: rows.map(({ id }) => id) } as never });
}

async function open(query: string): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${account.key}` };
  const sent = httpRequest(`${url}?${query}`, { headers, agent: false });
  sent.end();
  const [answer]: IncomingMessage[] = await once(sent, 'response');
  if (answer === undefined) throw new Error('no answer came');
  return answer;
}

const warnings: Error[] = [];
const note = (warning: Error) => void warnings.push(warning);
beforeAll(() => void process.on('warning', note));
afterAll(() => void process.off('warning', note));

test('an export causes no warnings of Node.js', async () => {
  const answer = await open('format=csv&status=degraded');
  answer.resume();
  await once(answer, 'end');
  // Waits for the next turn of the event loop, in which Node.js emits warnings.
  await new Promise(setImmediate);
  expect(warnings).toEqual([]);
});

function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

test.each(['ndjson', 'csv'])(
  `an export of ${ROWS} results as %s is complete and uses constant memory`,
  async (format) => {
    const answer = await open(`format=${format}`);
    const before = heapUsed();
    let [lines, chunks, peak] = [0, 0, 0];
    for await (const chunk of answer) {
      for (const byte of Buffer.from(chunk)) if (byte === 10) lines += 1;
      chunks += 1;
      if (chunks % 10 === 0) peak = Math.max(peak, heapUsed());
    }
    expect(lines).toBe(format === 'csv' ? ROWS + 1 : ROWS);
    expect(chunks).toBeGreaterThanOrEqual(ROWS / PAGE_ROWS);
    expect(peak - before).toBeLessThan(HEAP_GROWTH_MAX);
  },
);

test('one API key can run two exports at a time, and a third export only after another has ended', async () => {
  const { putBack } = putEndlessPages();
  const first = await open('format=csv');
  const second = await open('format=ndjson');
  const third = await open('format=csv');
  expect(third.statusCode).toBe(429);
  expect(Number(third.headers['retry-after'])).toBeGreaterThan(0);
  third.resume();
  first.destroy();
  await waitUntil('a turn', async () => {
    const again = await open('format=csv');
    again.destroy();
    return again.statusCode === 200;
  });
  second.destroy();
  putBack();
});

test('an export pauses while the client does not read, and stops when it disconnects', async () => {
  const { putBack, pagesRead } = putEndlessPages();
  /** Resolves when reading has stopped: forty polls in a row show no further page. */
  const standsStill = () => {
    let [last, same] = [-1, 0];
    return waitUntil('no more is read', () => {
      same = pagesRead() === last ? same + 1 : 0;
      last = pagesRead();
      return same >= 40;
    });
  };
  const answer = await open('');
  await once(answer, 'readable');
  await standsStill();
  answer.destroy();
  await waitUntil('the connection is gone', async () => (await connections()) === 0);
  await standsStill();
  putBack();
});

function connections(): Promise<number> {
  return new Promise((resolve, reject) => {
    service.app.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}

const at = (index: number): string => new Date(START_MS + index * STEP_MS).toISOString();

test('an export accepts filters by time, region and status, and contains the same results as the list', async () => {
  const range = `from=${at(100)}&to=${at(301)}`;
  const file = await as().get(`${new URL(url).pathname}?${range}&status=down&region=eu-west`);
  expect(file.headers['content-type']).toBe('application/x-ndjson');
  expect(file.headers['content-disposition']).toBe(
    `attachment; filename="results-${monitorId}.ndjson"`,
  );
  const lines = String(file.text ?? file.body)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const list = await as().get(`/v1/monitors/${monitorId}/results?${range}&status=down`);
  expect(lines).toEqual(list.body.data);
  expect(lines.map(({ slot }) => slot)).toEqual([at(300), at(200), at(100)]);
  const none = await as().get(`${new URL(url).pathname}?region=us-east&format=csv`);
  expect(none.text.split('\r\n')).toHaveLength(2);
});

test('a CSV export has a header, and its text cannot become a formula', async () => {
  const range = `from=${at(100)}&to=${at(102)}`;
  const { text, headers } = await as().get(`${new URL(url).pathname}?${range}&format=csv`);
  expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
  const [head, up, down, end] = text.split('\r\n');
  expect(head?.split(',').slice(0, 4)).toEqual(['id', 'slot', 'region', 'status']);
  expect(up).toContain(`${at(101)},eu-west,up,scheduled`);
  expect(down).toContain(`,timeout,"'=cmd|""/c calc""!A1, or so",`);
  expect(end).toBe('');
});

test('an invalid request for an export is refused before the first line is sent', async () => {
  const { pathname } = new URL(url);
  expect((await as().get(`${pathname}?format=xlsx`)).status).toBe(400);
  expect((await as().get(`${pathname}?limit=5`)).status).toBe(400);
  const stranger = await service.newAccount();
  const refused = await as(stranger.key).get(pathname);
  expect(refused.body).toMatchObject({ status: 404, code: 'not_found' });
  expect(refused.headers['content-disposition']).toBeUndefined();
});

test('if the database is lost during an export, the client can detect that the file is truncated', async () => {
  const { page } = service.services.stores.results;
  let reads = 0;
  const putBack = replacePages((...args) => {
    reads += 1;
    return reads > 2 ? Promise.reject(new Error('the database went away')) : page(...args);
  });
  const answer = await open('');
  const reading = (async () => {
    for await (const _chunk of answer);
  })();
  await expect(reading).rejects.toThrow('aborted');
  putBack();
});

test('runs of a scenario can be exported in the same way as results', async () => {
  const steps = [{ name: 'a', url: 'http://example.com' }];
  const scenario = await as().post('/v1/scenarios').send({ name: 's', steps });
  const path = `/v1/scenarios/${scenario.body.id}/results`;
  await as().post(`/v1/scenarios/${scenario.body.id}/run`).send({ label: '@first' });
  const list = await as().get(path);
  const file = await as().get(`${path}/export`).buffer(true);
  expect(list.body.data).toHaveLength(1);
  expect(JSON.parse(String(file.text ?? file.body))).toEqual(list.body.data[0]);
  const csv = await as().get(`${path}/export?format=csv&status=queued`);
  expect(csv.text).toContain(",api,'@first,");
});

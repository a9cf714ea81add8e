/** Tests that responses are read as lenient clients read them. Uses byte-exact samples and mutations of them. */

import { createResponseReader } from '../../../src/checks/http/response-reader';
import { createPost } from '../../../src/checks/post';
import { StepFailure } from '../../../src/checks/step-failure';
import { mapAtMost } from '../../../src/platform/map-at-most';
import { sayThenClose, startTarget } from '../../support/misbehaving-target';
import { createRandom } from '../../support/random';
import { buildDefinition, buildRunner } from '../../support/step-builder';
import { testSeed } from '../../support/test-seed';
import { testSize } from '../../support/test-size';
import { readAtOnce } from './reference-reader';
import { expectedReading, RESPONSE_TABLE, type Reading, type ResponseRow } from './response-table';

const runner = buildRunner();
afterAll(() => runner.close());

async function withTarget<Result>(row: ResponseRow, use: (url: string) => Promise<Result>) {
  const target = await startTarget({ play: sayThenClose(row.bytes) });
  try {
    return await use(`http://127.0.0.1:${target.port}/`);
  } finally {
    await target.close();
  }
}

async function check(row: ResponseRow): Promise<Reading> {
  const body = { from: 'body' as const, variable: 'body', pattern: '(?s)^.*$' };
  const changes = { timeoutMs: 30_000, extract: [body], followRedirects: false };
  const outcome = await withTarget(row, (url) =>
    runner.runStep(buildDefinition({ ...changes, url }), 0, { slotMs: 0 }),
  );
  const { failure, response, extracted } = outcome;
  const isRead = failure === null || failure.code === 'assertion_failed';
  const text = extracted[0]?.value;
  return isRead && response !== null
    ? [response.status ?? 0, typeof text === 'string' ? text : '']
    : null;
}

describe('a response', () => {
  let seen: readonly Reading[];
  beforeAll(async () => {
    seen = await mapAtMost(10, RESPONSE_TABLE, check);
  });
  it.each(RESPONSE_TABLE.map((row, index) => ({ ...row, index })))(
    'the response of a server that $name is read as curl reads it, unless the response table explains the difference',
    (row) => {
      expect(seen[row.index]).toEqual(expectedReading(row));
      expect(row.why === undefined).toBe(row.ours === undefined);
    },
  );
});

describe('a receiver of alerts', () => {
  const post = createPost({ allowedPrivateTargets: ['127.0.0.0/8'], ownPorts: [] }, 'test', 30_000);
  /** Responses whose status is 200. A check may refuse the rest of the response. */
  const accepting = RESPONSE_TABLE.filter(
    (row) =>
      row.bytes.toString('latin1').startsWith('HTTP/1.1 200 OK\r\n') ||
      expectedReading(row)?.[0] === 200,
  );

  it('a receiver that sends any 2xx status line has accepted the alert, even if the rest of the response is malformed', async () => {
    const answers = await mapAtMost(10, accepting, (row) =>
      withTarget(row, (url) => post({ url, headers: [], body: '{}' })),
    );
    const refused = accepting.filter((_row, index) => {
      const answer = answers[index];
      return (
        answer === undefined || !('status' in answer) || !String(answer.status).startsWith('2')
      );
    });
    expect(refused.map(({ name }) => name)).toEqual([]);
    expect(accepting.length).toBeGreaterThan(80);
  });
});

function readInPieces(bytes: Buffer, pieceLength: () => number): Reading {
  const pieces: Buffer[] = [];
  let status: number | null = null;
  const reader = createResponseReader('GET', {
    onHead: (head) => {
      status = head.status;
    },
    onData: (piece) => {
      pieces.push(Buffer.from(piece));
      return true;
    },
  });
  try {
    let isComplete = false;
    for (let from = 0; from < bytes.length && !isComplete; ) {
      const length = pieceLength();
      isComplete = reader.push(bytes.subarray(from, from + length));
      from += length;
    }
    if (!isComplete && !reader.end()) return null;
  } catch (error) {
    if (error instanceof StepFailure) return null;
    throw error;
  }
  return status === null ? null : [status, Buffer.concat(pieces).toString('latin1')];
}

const LATIN1 = (reading: Reading): Reading =>
  reading === null ? null : [reading[0], Buffer.from(reading[1]).toString('latin1')];

describe('any bytes', () => {
  const short = RESPONSE_TABLE.filter(({ bytes }) => bytes.length < 1_000);
  const spices = ['\r\n', '\n', '\r', ' ', ':', ',', ';', '0', '2', 'f', '\0', '\u00e9', '\t'];
  const lines = ['Content-Length: 2\r\n', 'Transfer-Encoding: chunked\r\n', 'A: b\r\n', ' c\r\n'];

  function mutate(bytes: Buffer, random: () => number): Buffer {
    const pick = <One>(from: readonly One[]) => from[Math.floor(random() * from.length)];
    const at = Math.floor(random() * (bytes.length + 1));
    const length = Math.floor(random() * 4);
    const spice = pick(random() < 0.7 ? spices : lines) ?? '';
    const kept = random() < 0.5 ? at : Math.min(bytes.length, at + length);
    return Buffer.concat([
      bytes.subarray(0, at),
      Buffer.from(spice, 'latin1'),
      bytes.subarray(kept),
    ]);
  }

  it('any bytes are parsed as the reference parser parses them, in chunks of any size', () => {
    const random = createRandom(testSeed());
    const count = testSize('responses', { ci: 600, long: 10_000 });
    const differing: unknown[] = [];
    for (let round = 0; round < count; round += 1) {
      let { bytes } = short[Math.floor(random() * short.length)] ?? { bytes: Buffer.alloc(0) };
      for (let times = Math.ceil(random() * 4); times > 0; times -= 1)
        bytes = mutate(bytes, random);
      const reference = readAtOnce(bytes);
      const most = 1 + Math.floor(random() * 12);
      const read = readInPieces(bytes, () => 1 + Math.floor(random() * most));
      if (JSON.stringify(read) !== JSON.stringify(reference))
        differing.push({ text: bytes.toString('latin1'), read, reference });
    }
    expect(differing).toEqual([]);
  });

  /** Leaves out responses above the size limit of checks, because the reference reader has no limits. */
  const bounded = RESPONSE_TABLE.filter(({ bytes }) => bytes.length < 300 * 1024);
  it.each(bounded)('both parsers read the bytes of a server that $name in the same way', (row) => {
    expect(readAtOnce(row.bytes)).toEqual(LATIN1(expectedReading(row)));
    expect(readInPieces(row.bytes, () => 1)).toEqual(LATIN1(expectedReading(row)));
  });
});

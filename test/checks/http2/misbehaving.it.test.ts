/**
 * Tests servers that break the rules of HTTP/2 or end the connection early. Each server gets a named outcome before the
 * deadline, uses little memory of the probe, and leaves no connection open.
 *
 * Covers:
 * - checks/http2/exchange-http2
 * - checks/http2/failures
 */
import type { StepRunner } from '../../../src/checks/step-runner';
import type { FailureCode, Phase, StepOutcome } from '../../../src/contracts/outcome';
import {
  certificate,
  type Play,
  say,
  sayThenClose,
  sayThenReset,
  startTarget,
  testAuthority,
} from '../../support/misbehaving-target';
import { buildDefinition, buildRunner } from '../../support/step-builder';
import { waitUntil } from '../../support/wait-until';
import {
  body,
  END_HEADERS,
  END_STREAM,
  flood,
  frame,
  goaway,
  head,
  literal,
  onRequest,
  repeated,
  reset,
  SETTINGS,
  STATUS_200,
} from '../support/http2-frames';

interface Misbehaviour {
  readonly name: string;
  readonly play: Play;
  readonly isSecure?: boolean;
  readonly sends?: string;
  /** The expected failure code. null if the check passes. */
  readonly code: FailureCode | null;
  readonly phase?: Phase;
  readonly message?: string;
}

const reply = (...pieces: readonly Buffer[]): Play => onRequest(say(SETTINGS, ...pieces));
const large = (length: number): Buffer => literal('x-large', 'v'.repeat(length));
const continued = (count: number, bytes: number): readonly Buffer[] =>
  Array.from({ length: count }, (_, index) => {
    const flags = index === count - 1 ? END_HEADERS : 0;
    return frame('continuation', large(bytes), { flags, stream: 1 });
  });
const RULES =
  'The HTTP/2 stream was reset with PROTOCOL_ERROR: its headers or its length are not valid in HTTP/2, or the server rejects the request.';
const ENHANCE_YOUR_CALM =
  'The HTTP/2 stream was reset with ENHANCE_YOUR_CALM: the server limits requests, or its headers are much too large.';
const FLOOD = 'The server floods the connection with HTTP/2 frames.';
const LARGE = 'The headers are larger than 300 KiB.';
const CLOSED = 'The connection was closed without a response.';
const SHORT = 'The connection was closed before the response was complete.';

const hangs: readonly Misbehaviour[] = [
  { name: 'stays silent', play: () => undefined, code: 'timeout', phase: 'ttfb' },
  { name: 'stays silent over TLS', isSecure: true, play: () => undefined, code: 'timeout' },
  { name: 'stops after its settings', play: say(SETTINGS), code: 'timeout', phase: 'ttfb' },
  { name: 'stops after the headers', play: reply(head()), code: 'timeout', phase: 'download' },
  { name: 'stops within the body', play: reply(head(), body('a', 0)), code: 'timeout' },
  {
    name: 'allows no streams',
    play: say(frame('settings', Buffer.from([0, 3, 0, 0, 0, 0]))),
    code: 'timeout',
    phase: 'ttfb',
  },
  {
    name: 'takes no body',
    play: say(frame('settings', Buffer.from([0, 4, 0, 0, 0, 0]))),
    sends: 'x'.repeat(200_000),
    code: 'timeout',
    phase: 'ttfb',
  },
  {
    name: 'sends a frame that is too large, and stays open',
    play: reply(head(), body(Buffer.alloc(20_000))),
    code: 'timeout',
    phase: 'download',
  },
  {
    name: 'does not read',
    play: (socket) => socket.pause(),
    sends: 'x'.repeat(900_000),
    code: 'timeout',
    phase: 'ttfb',
  },
];

const ends: readonly Misbehaviour[] = [
  { name: 'closes at once', play: sayThenClose(), code: 'connection_reset', message: CLOSED },
  {
    name: 'closes at once over TLS',
    isSecure: true,
    play: sayThenClose(),
    code: 'connection_reset',
    message: CLOSED,
  },
  { name: 'closes after its settings', play: sayThenClose(SETTINGS), code: 'connection_reset' },
  {
    name: 'closes within the body',
    play: onRequest(sayThenClose(SETTINGS, head(), body('a', 0))),
    code: 'invalid_response',
    phase: 'download',
    message: SHORT,
  },
  {
    name: 'closes within the body over TLS',
    isSecure: true,
    play: onRequest(sayThenClose(SETTINGS, head(), body('a', 0))),
    code: 'invalid_response',
    message: SHORT,
  },
  {
    name: 'resets the connection within the body',
    play: onRequest(sayThenReset(SETTINGS, head(), body('a', 0))),
    code: 'connection_reset',
    phase: 'download',
    message: 'The connection was reset.',
  },
  {
    name: 'resets the stream',
    play: reply(reset(7)),
    code: 'connection_reset',
    phase: 'ttfb',
    message: 'The HTTP/2 stream was reset with REFUSED_STREAM.',
  },
  { name: 'resets the stream without an error', play: reply(reset(0)), code: 'connection_reset' },
  {
    name: 'resets the stream without an error before the length is reached',
    play: reply(
      head(Buffer.concat([STATUS_200, literal('content-length', '5')])),
      body('a', 0),
      reset(0),
    ),
    code: 'invalid_response',
    message: SHORT,
  },
  {
    name: 'goes away before the request',
    play: reply(goaway(0)),
    code: 'connection_reset',
    message: 'The HTTP/2 stream was reset with REFUSED_STREAM.',
  },
  {
    name: 'goes away with an error',
    play: reply(goaway(11, 1)),
    code: 'connection_reset',
    message: 'The server ended the HTTP/2 connection with ENHANCE_YOUR_CALM.',
  },
  {
    name: 'goes away and still responds',
    play: reply(goaway(0, 1), head(), body('a')),
    code: null,
  },
];

const violations: readonly Misbehaviour[] = [
  {
    name: 'speaks HTTP/1.1',
    play: onRequest(sayThenClose('HTTP/1.1 400 Bad Request\r\n\r\n')),
    code: 'invalid_response',
    phase: 'ttfb',
    message: 'The server does not speak HTTP/2 here.',
  },
  {
    name: 'sends no settings',
    play: onRequest(say(head(), body('a'))),
    code: 'invalid_response',
    message: 'The server does not speak HTTP/2 here.',
  },
  {
    name: 'sends no status',
    play: reply(head(literal('a', 'b'))),
    code: 'invalid_response',
    message: RULES,
  },
  {
    name: 'sends a header of a connection',
    play: reply(head(Buffer.concat([STATUS_200, literal('connection', 'close')])), body('a')),
    code: 'invalid_response',
    message: RULES,
  },
  {
    name: 'sends a body that is shorter than its length',
    play: reply(head(Buffer.concat([STATUS_200, literal('content-length', '5')])), body('a')),
    code: 'invalid_response',
    phase: 'download',
    message: RULES,
  },
  {
    name: 'ends with an interim response',
    play: reply(head(literal(':status', '103'), END_HEADERS + END_STREAM)),
    code: 'invalid_response',
  },
  {
    name: 'pushes a response',
    play: reply(
      frame('settings', '', { flags: 1 }),
      frame('push', Buffer.from([0, 0, 0, 2, 0x82, 0x86, 0x84]), { flags: END_HEADERS, stream: 1 }),
      head(),
      body('a'),
    ),
    code: 'invalid_response',
  },
];

const headers: readonly Misbehaviour[] = [
  {
    name: 'sends 128 KiB of headers',
    play: reply(head(STATUS_200, 0), ...continued(8, 16_000), body('a')),
    code: null,
  },
  {
    name: 'sends headers that expand to 400 KiB',
    play: reply(head(Buffer.concat([STATUS_200, repeated('bomb', 'v'.repeat(3_900), 100)]))),
    code: 'invalid_response',
    phase: 'ttfb',
    message: LARGE,
  },
  {
    name: 'sends a header bomb',
    play: reply(head(Buffer.concat([STATUS_200, repeated('bomb', 'v'.repeat(3_900), 12_000)]))),
    code: 'connection_reset',
    message: ENHANCE_YOUR_CALM,
  },
  {
    name: 'sends a bomb of trailers',
    play: reply(
      head(),
      body('a', 0),
      head(repeated('bomb', 'v'.repeat(3_900), 12_000), END_HEADERS + END_STREAM),
    ),
    code: 'connection_reset',
    phase: 'download',
    message: ENHANCE_YOUR_CALM,
  },
  {
    name: 'sends 240 KiB of headers in 15 frames',
    play: reply(head(STATUS_200, 0), ...continued(15, 16_000), body('a')),
    code: 'invalid_response',
    message: 'The headers take too many HTTP/2 frames.',
  },
  {
    name: 'floods with continuations',
    play: onRequest(
      flood(Buffer.concat([SETTINGS, head(STATUS_200, 0)]), () =>
        frame('continuation', literal('a', 'b'), { stream: 1 }),
      ),
    ),
    code: 'invalid_response',
    message: 'The headers take too many HTTP/2 frames.',
  },
  {
    name: 'floods with interim responses',
    play: onRequest(
      flood(SETTINGS, () =>
        head(Buffer.concat([literal(':status', '103'), literal('link', 'x'.repeat(200))])),
      ),
    ),
    code: 'invalid_response',
    phase: 'ttfb',
    message: LARGE,
  },
  {
    name: 'floods with trailers',
    play: onRequest(flood(Buffer.concat([SETTINGS, head()]), () => head(literal('a', 'b')))),
    code: 'invalid_response',
    phase: 'download',
  },
];

const PING = frame('ping', Buffer.alloc(8));
const UNKNOWN = frame('unknown', Buffer.alloc(16_000));
const PIECE = body(Buffer.alloc(16_000), 0);

let origins = 0;
const createOrigins = (): Buffer => {
  const entries = Array.from({ length: 500 }, () => {
    origins += 1;
    const origin = Buffer.from(`https://${origins}.example`);
    return Buffer.concat([Buffer.from([0, origin.length]), origin]);
  });
  return frame('origin', Buffer.concat(entries));
};

const floods: readonly Misbehaviour[] = [
  {
    name: 'sends a body without an end',
    play: onRequest(flood(Buffer.concat([SETTINGS, head()]), () => PIECE)),
    code: null,
  },
  {
    name: 'floods with settings',
    play: onRequest(flood(SETTINGS, () => SETTINGS)),
    code: 'invalid_response',
    message: FLOOD,
  },
  {
    name: 'floods with pings',
    play: onRequest(flood(SETTINGS, () => PING)),
    code: 'invalid_response',
    message: FLOOD,
  },
  {
    name: 'floods with origins',
    isSecure: true,
    play: onRequest(flood(SETTINGS, createOrigins)),
    code: 'invalid_response',
    message: FLOOD,
  },
  {
    name: 'floods with frames of an unknown type',
    play: onRequest(flood(SETTINGS, () => UNKNOWN)),
    code: 'invalid_response',
    message: FLOOD,
  },
];

/**
 * Returns the timeout in milliseconds. It is short if the check is expected to time out. Otherwise it is long enough
 * for a busy machine.
 */
function timeoutFor({ code }: Misbehaviour): number {
  return code === 'timeout' ? 3_000 : 30_000;
}

let runner: StepRunner;
beforeAll(() => {
  runner = buildRunner({ extraAuthorities: [testAuthority()] });
});
afterAll(() => runner.close());

async function meet(behaviour: Misbehaviour): Promise<StepOutcome> {
  const { play, isSecure = false, sends } = behaviour;
  const tls = isSecure ? { ...certificate('good'), ALPNProtocols: ['h2'] } : undefined;
  const target = await startTarget({ play, begins: 'connected', ...(tls && { tls }) });
  const url = `${isSecure ? 'https' : 'http'}://localhost:${target.port}/`;
  const post = sends === undefined ? {} : ({ method: 'POST', body: sends } as const);
  const timeoutMs = timeoutFor(behaviour);
  try {
    const definition = buildDefinition({ url, ...post, httpVersion: '2', timeoutMs });
    return await runner.runStep(definition, 0, { slotMs: 0 });
  } finally {
    await target.close();
  }
}

const countSockets = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

function expectOutcome({ status, failure }: StepOutcome, behaviour: Misbehaviour): void {
  const { code, phase, message } = behaviour;
  const expected = { ...(phase && { phase }), ...(message && { message }) };
  expect(failure).toEqual(code === null ? null : expect.objectContaining({ code, ...expected }));
  expect(status).toBe(code === null ? 'up' : 'down');
}

describe('a misbehaving HTTP/2 server', () => {
  let before = 0;
  beforeAll(() => {
    before = countSockets();
  });

  it('a server that hangs is reported as a timeout, in the phase in which it hangs', async () => {
    const outcomes = await Promise.all(hangs.map(meet));
    for (const [index, behaviour] of hangs.entries()) {
      const outcome = outcomes[index];
      if (outcome !== undefined) expectOutcome(outcome, behaviour);
    }
    expect(outcomes).toHaveLength(hangs.length);
  });

  it.each([...ends, ...violations, ...headers])(
    'a server that $name is reported as $code',
    async (behaviour) => {
      expectOutcome(await meet(behaviour), behaviour);
    },
  );

  it.each([...floods])(
    'a server that $name is reported as $code, and takes at most 32 MB',
    async (behaviour) => {
      const held = (): number => process.memoryUsage().arrayBuffers;
      const start = held();
      let most = 0;
      const timer = setInterval(() => {
        most = Math.max(most, held() - start);
      }, 2);
      expectOutcome(await meet(behaviour), behaviour);
      clearInterval(timer);
      expect(most).toBeLessThan(32 * 1024 * 1024);
    },
  );

  it('a server that misbehaves leaves no socket open', async () => {
    await waitUntil('all sockets are closed', () => countSockets() <= before);
  });
});

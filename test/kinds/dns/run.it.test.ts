/**
 * Tests DNS checks against name servers that respond, lie, truncate or stay silent.
 *
 * Covers:
 * - kinds/dns/run
 * - kinds/dns/records
 * - kinds/dns/stoppable-deadline
 */
import { createSocket, Socket as DgramSocket } from 'node:dgram';
import { getServers, setServers } from 'node:dns';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import * as packets from 'dns-packet';
import type { StepRunner } from '../../../src/checks/step-runner';
import type { DnsRecord, DnsSettings } from '../../../src/contracts/kinds';
import type { StepOutcome } from '../../../src/contracts/outcome';
import { ALL_FACTS, buildKindRunner, COMMON_STEP, kindDefinition } from '../support/kind-runner';

let runner: StepRunner;
beforeAll(() => {
  runner = buildKindRunner();
});
afterAll(() => runner.close());

const SETTINGS: DnsSettings = {
  host: 'example.com',
  record: 'A',
  servers: [],
  agree: 'all',
  transport: 'udp',
  rcode: 'NOERROR',
  expect: null,
};

type Says = (query: packets.DecodedPacket) => packets.Packet | null;

interface Behaviour {
  /** Returns the response, or null to send nothing back. */
  readonly says: Says;
  /** Returns the response over TCP. By default, it is the same as over UDP. */
  readonly saysByTcp?: Says;
  /** Returns bytes that are sent instead of a packet. */
  readonly sends?: (query: packets.DecodedPacket) => readonly Buffer[];
  /** If true, the response is sent from a port that was not queried. */
  readonly isElsewhere?: boolean;
}

const NXDOMAIN = 3;
const SERVFAIL = 2;

const reply = (
  query: packets.DecodedPacket,
  answers: readonly packets.Answer[],
  flags = 0,
): packets.Packet => ({
  type: 'response',
  id: query.id ?? 0,
  flags: packets.RECURSION_DESIRED | packets.RECURSION_AVAILABLE | flags,
  questions: query.questions ?? [],
  answers: [...answers],
});

const a = (data: string): packets.Answer => ({ type: 'A', name: 'example.com', ttl: 60, data });
const saying =
  (...data: readonly string[]): Says =>
  (query) =>
    reply(query, data.map(a));

/** Listens for TCP and UDP on one port that is free for both. */
async function listenOnBoth(): Promise<readonly [Server, DgramSocket]> {
  for (;;) {
    const tcp = createServer();
    tcp.listen(0, '127.0.0.1');
    await once(tcp, 'listening');
    const udp = createSocket('udp4');
    udp.bind((tcp.address() as AddressInfo).port, '127.0.0.1');
    const isFree = await once(udp, 'listening').then(
      () => true,
      () => false,
    );
    if (isFree) return [tcp, udp];
    tcp.close();
    udp.close();
  }
}

/**
 * Parses a query. Returns null for a packet of another sender. Such packets can arrive, because a target of another
 * suite may have used the port before.
 */
function readQuery(bytes: Buffer): packets.DecodedPacket | null {
  try {
    return packets.decode(bytes);
  } catch {
    return null;
  }
}

async function startServer({ says, saysByTcp = says, sends, isElsewhere }: Behaviour) {
  const [tcp, udp] = await listenOnBoth();
  const other = createSocket('udp4');
  const { port } = udp.address();
  udp.on('message', (bytes, from) => {
    const query = readQuery(bytes);
    if (query === null) return;
    const packet = says(query);
    const all = sends?.(query) ?? (packet === null ? [] : [packets.encode(packet)]);
    for (const one of all) (isElsewhere === true ? other : udp).send(one, from.port, from.address);
  });
  const sockets = new Set<Socket>();
  tcp.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', (bytes: Buffer) => {
      const query = readQuery(bytes.subarray(2));
      const packet = query === null ? null : saysByTcp(query);
      if (packet === null) return;
      const whole = packets.streamEncode(packet);
      // Sends the response in two chunks, as happens in networks.
      socket.write(whole.subarray(0, 3));
      socket.end(whole.subarray(3));
    });
  });
  return {
    address: `127.0.0.1:${port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      udp.close();
      other.close();
      await new Promise((resolve) => {
        tcp.close(resolve);
      });
    },
  };
}

async function meet(
  behaviours: readonly Behaviour[],
  settings: Partial<DnsSettings> = {},
  timeoutMs = 30_000,
): Promise<StepOutcome> {
  const servers = await Promise.all(behaviours.map(startServer));
  const addresses = servers.map(({ address }) => address);
  const ownServers = getServers();
  const isOwn = settings.servers !== undefined;
  if (isOwn) setServers(addresses);
  const whole = { ...SETTINGS, servers: addresses, ...settings };
  const step = { ...COMMON_STEP, timeoutMs, url: 'dns://example.com/A' };
  try {
    const definition = kindDefinition({ ...step, type: 'dns', settings: whole });
    return await runner.runStep(definition, 0, { slotMs: 0 });
  } finally {
    if (isOwn) setServers(ownServers);
    await Promise.all(servers.map(({ close }) => close()));
  }
}

const silent: Behaviour = { says: () => null };
/**
 * Milliseconds until a check of a silent server times out. This is long enough for a busy machine to query the other
 * servers.
 */
const SILENCE_MS = 2_000;

test('a DNS check finds records, and shows their time to live', async () => {
  const outcome = await meet([{ says: saying('192.0.2.1', '192.0.2.2') }]);
  expect(outcome).toMatchObject({
    status: 'up',
    request: { method: 'DNS', url: 'dns://example.com/A' },
    response: {
      remoteIp: '127.0.0.1',
      bodyPreview: expect.stringContaining('example.com 60 A 192.0.2.1'),
    },
    timings: { dnsMs: expect.any(Number), connectMs: null },
  });
});

const RECORDS: readonly (readonly [DnsRecord, packets.Answer, string])[] = [
  ['AAAA', { type: 'AAAA', name: 'example.com', data: '2001:db8::1' }, '2001:db8::1'],
  ['CNAME', { type: 'CNAME', name: 'example.com', data: 'b.example.com' }, 'b.example.com'],
  [
    'MX',
    { type: 'MX', name: 'example.com', data: { preference: 10, exchange: 'mx.example.com' } },
    '10 mx.example.com',
  ],
  ['TXT', { type: 'TXT', name: 'example.com', data: ['v=spf1 ', '-all'] }, 'v=spf1 -all'],
  ['NS', { type: 'NS', name: 'example.com', data: 'ns1.example.com' }, 'ns1.example.com'],
  [
    'CAA',
    { type: 'CAA', name: 'example.com', data: { flags: 0, tag: 'issue', value: 'ca.example' } },
    '0 issue "ca.example"',
  ],
  [
    'SOA',
    {
      type: 'SOA',
      name: 'example.com',
      data: { mname: 'ns1.example.com', rname: 'admin.example.com', serial: 7 },
    },
    'ns1.example.com admin.example.com 7',
  ],
  [
    'SRV',
    {
      type: 'SRV',
      name: 'example.com',
      data: { priority: 1, weight: 2, port: 5060, target: 'sip.example.com' },
    },
    '1 2 5060 sip.example.com',
  ],
];

test.each(RECORDS)('a DNS check reads records of the type %s', async (record, answer, text) => {
  const outcome = await meet([{ says: (query) => reply(query, [answer]) }], {
    record,
    expect: `^${text.replaceAll(/[.+*?^${}()|[\]\\]/g, String.raw`\$&`)}$`,
  });
  expect(outcome).toMatchObject({ status: 'up', assertions: [{ ok: true }] });
});

test.each([
  ['192.0.2.1', '1.2.0.192.in-addr.arpa'],
  ['2001:db8::1', '1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa'],
])('the PTR record of the IP address %s is queried as %s', async (host, name) => {
  const asked: string[] = [];
  const says: Says = (query) => {
    asked.push(query.questions?.[0]?.name ?? '');
    return reply(query, [{ type: 'PTR', name, data: 'host.example.com' }]);
  };
  expect(await meet([{ says }], { host, record: 'PTR' })).toMatchObject({ status: 'up' });
  expect(asked).toEqual([name]);
});

const truncated: Says = (query) => reply(query, [], packets.TRUNCATED_RESPONSE);

test('a truncated DNS reply is requested again over TCP', async () => {
  const behaviour = { says: truncated, saysByTcp: saying('192.0.2.1') };
  expect(await meet([behaviour])).toMatchObject({ status: 'up' });
});

test('a DNS check may query a server over TCP only', async () => {
  const behaviour = { says: () => null, saysByTcp: saying('192.0.2.1') };
  expect(await meet([behaviour], { transport: 'tcp' })).toMatchObject({ status: 'up' });
});

test('datagrams that answer other DNS questions are dropped and counted, and the check continues to wait', async () => {
  const sends = (query: packets.DecodedPacket) => [
    packets.encode({ ...reply(query, [a('192.0.2.66')]), id: ((query.id ?? 0) + 1) % 65_536 }),
    packets.encode({
      ...reply(query, [a('192.0.2.66')]),
      questions: [{ type: 'A', name: 'other.example.com' }],
    }),
    Buffer.from('not DNS at all'),
    packets.encode(reply(query, [a('192.0.2.1')])),
  ];
  const outcome = await meet([{ says: () => null, sends }]);
  expect(outcome.status).toBe('up');
  expect(outcome.response?.bodyPreview).toContain('A 192.0.2.1');
  expect(outcome.response?.bodyPreview).toContain('3 datagrams dropped');
  expect(outcome.response?.bodyPreview).not.toContain('192.0.2.66');
});

test('a DNS response from another socket is ignored', async () => {
  const outcome = await meet([{ says: saying('192.0.2.66'), isElsewhere: true }], {}, SILENCE_MS);
  expect(outcome).toMatchObject({ status: 'down', failure: { code: 'dns_error' } });
  expect(JSON.stringify(outcome)).not.toContain('192.0.2.66');
});

test.each([
  ['a server that stays silent', [silent], {}, /does not respond/],
  ['a name that does not exist', [{ says: (q) => reply(q, [], NXDOMAIN) }], {}, /does not exist/],
  ['a server that fails', [{ says: (q) => reply(q, [], SERVFAIL) }], {}, /SERVFAIL/],
  ['a name without such records', [{ says: saying() }], {}, /has no A record/],
  ['a name that must not exist', [{ says: saying('192.0.2.1') }], { rcode: 'NXDOMAIN' }, /exists/],
  ['servers of which one is silent', [{ says: saying('192.0.2.1') }, silent], {}, /not respond/],
  [
    'servers of which one sends unreadable TCP',
    [{ says: truncated, saysByTcp: (q) => ({ ...reply(q, []), id: ((q.id ?? 0) + 1) % 65_536 }) }],
    {},
    /does not respond/,
  ],
] satisfies readonly (readonly [string, readonly Behaviour[], Partial<DnsSettings>, RegExp])[])(
  '%s: the DNS check is down, with the server and the reason',
  async (_name, behaviours, settings, words) => {
    const timeoutMs = behaviours.includes(silent) ? SILENCE_MS : undefined;
    expect(await meet(behaviours, settings, timeoutMs)).toMatchObject({
      status: 'down',
      failure: { code: 'dns_error', phase: 'dns', message: expect.stringMatching(words) },
    });
  },
);

test('a DNS check that expects a name not to exist passes if the name does not exist', async () => {
  const behaviour: Behaviour = { says: (query) => reply(query, [], NXDOMAIN) };
  expect(await meet([behaviour], { rcode: 'NXDOMAIN' })).toMatchObject({ status: 'up' });
});

test('a DNS check whose servers give different responses fails, except with `agree: any`', async () => {
  const both = [{ says: saying('192.0.2.1') }, { says: saying('192.0.2.2') }];
  expect(await meet(both)).toMatchObject({
    status: 'down',
    failure: { code: 'assertion_failed', message: expect.stringContaining('do not agree') },
  });
  const any = { agree: 'any', expect: '^192\\.0\\.2\\.2$' } as const;
  expect(await meet(both, any)).toMatchObject({ status: 'up' });
  expect(await meet([silent, ...both], any)).toMatchObject({ status: 'up' });
  expect(await meet(both, { ...any, expect: '203' })).toMatchObject({
    failure: { code: 'assertion_failed' },
  });
});

test('a DNS check with a private name server is refused before anything is sent', async () => {
  const strict = buildKindRunner({ allowedPrivateTargets: [] });
  const settings = { ...SETTINGS, servers: ['127.0.0.1:53'] };
  const step = { ...COMMON_STEP, url: 'dns://example.com/A', type: 'dns', settings } as const;
  const outcome = await strict.runStep(kindDefinition(step), 0, { slotMs: 0 });
  await strict.close();
  expect(outcome).toMatchObject({ status: 'down', failure: { code: 'blocked_target' } });
});

/** Settings that use the name servers of the machine. In this test, the machine uses the name servers of the test. */
const OWN: Partial<DnsSettings> = { servers: [] };

test("a silent name server in the machine's list leaves time for the next name server", async () => {
  const both = [silent, { says: saying('9.9.9.9') }];
  expect(await meet(both, OWN, SILENCE_MS)).toMatchObject({ status: 'up' });
});

test("a private IP address returned by the machine's name servers is not shown", async () => {
  const outcome = await meet([{ says: saying('9.9.9.9', '10.1.2.3') }], { ...OWN, expect: '10' });
  expect(outcome).toMatchObject({
    status: 'down',
    failure: { code: 'blocked_target', message: expect.stringContaining('leads to a private') },
    response: null,
    assertions: [],
  });
  expect(JSON.stringify(outcome)).not.toContain('10.1.2.3');
});

test.each([
  ['db.internal', 'A'],
  ['Metadata.google.internal', 'A'],
  ['10.1.2.3', 'PTR'],
  ['3.2.1.10.in-addr.arpa', 'PTR'],
] as const)("a check does not ask the machine's name servers for %s", async (host, record) => {
  const strict = buildKindRunner({ allowedPrivateTargets: [] });
  const settings = { ...SETTINGS, host, record };
  const step = { ...COMMON_STEP, url: 'dns://example.com/A', type: 'dns', settings } as const;
  const outcome = await strict.runStep(kindDefinition(step), 0, { slotMs: 0 });
  await strict.close();
  expect(outcome).toMatchObject({ failure: { code: 'blocked_target', phase: 'prepare' } });
});

test('with `agree: any`, one good DNS response is enough, without waiting for other servers', async () => {
  const both = [silent, { says: saying('192.0.2.1') }];
  const outcome = await meet(both, { agree: 'any' }, 3_600_000);
  expect(outcome).toMatchObject({ status: 'up' });
});

test('DNS responses agree if their names differ only in letter case, but not if their texts do', async () => {
  const ns = (data: string) => ({
    says: (query: packets.DecodedPacket) =>
      reply(query, [{ type: 'NS', name: 'example.com', data }]),
  });
  const txt = (data: string) => ({
    says: (query: packets.DecodedPacket) =>
      reply(query, [{ type: 'TXT', name: 'example.com', data }]),
  });
  const names = [ns('ns1.example.com'), ns('NS1.Example.com')];
  expect(await meet(names, { record: 'NS' })).toMatchObject({ status: 'up' });
  const texts = [txt('one'), txt('ONE')];
  expect(await meet(texts, { record: 'TXT' })).toMatchObject({ status: 'down' });
});

test('a name server that reports a failure need not repeat the question', async () => {
  const says: Says = (query) => ({ ...reply(query, [], 1), questions: [] });
  expect(await meet([{ says }])).toMatchObject({
    failure: { code: 'dns_error', message: expect.stringContaining('FORMERR') },
  });
});

test('a DNS response with too many records is refused, and a large datagram is dropped', async () => {
  const many: Says = (query) => reply(query, Array<packets.Answer>(501).fill(a('192.0.2.1')));
  const byTcp = { says: () => null, saysByTcp: many };
  expect(await meet([byTcp], { transport: 'tcp' })).toMatchObject({
    failure: { code: 'dns_error', message: expect.stringContaining('too large') },
  });
  const sends = (query: packets.DecodedPacket) => [
    Buffer.concat([packets.encode(reply(query, [a('192.0.2.66')])), Buffer.alloc(4_096)]),
    packets.encode(reply(query, [a('192.0.2.1')])),
  ];
  const outcome = await meet([{ says: () => null, sends }]);
  expect(outcome.response?.bodyPreview).toContain('1 datagrams dropped');
});

test('only the start of a long DNS response is shown', async () => {
  const name = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.example.com`;
  const long: packets.Answer = { type: 'TXT', name, data: 'x'.repeat(200) };
  const says: Says = (query) => reply(query, Array<packets.Answer>(150).fill(long));
  const outcome = await meet(
    [
      { says, saysByTcp: says },
      { says, saysByTcp: says },
    ],
    {
      record: 'TXT',
      transport: 'tcp',
    },
  );
  expect(outcome).toMatchObject({ status: 'up', response: { truncated: true } });
  expect(outcome.response?.bytes).toBeGreaterThan(64 * 1024);
});

test.each(['EMFILE', 'ENETUNREACH'])(
  "the socket error %s of the probe's machine makes the DNS check unknown",
  async (code) => {
    const sending = jest.spyOn(DgramSocket.prototype, 'send');
    sending.mockImplementationOnce(function fail(this: DgramSocket) {
      queueMicrotask(() => this.emit('error', Object.assign(new Error('failed'), { code })));
    });
    const outcome = await meet([silent]);
    sending.mockRestore();
    expect(outcome).toMatchObject({
      status: 'unknown',
      failure: { code: 'not_possible_here', message: expect.stringContaining(code) },
    });
  },
);

test('a probe on a machine without name servers makes the DNS check unknown', async () => {
  expect(await meet([], OWN)).toMatchObject({
    status: 'unknown',
    failure: { code: 'not_possible_here' },
  });
});

test('a DNS step returns its records, and the response of each server', async () => {
  const { address, close } = await startServer({ says: saying('192.0.2.2', '192.0.2.1') });
  const settings = { ...SETTINGS, servers: [address] };
  const step = { ...COMMON_STEP, url: 'dns://example.com/A', extract: ALL_FACTS } as const;
  const definition = kindDefinition({ ...step, type: 'dns', settings });
  const { extracted } = await runner.runStep(definition, 0, { slotMs: 0 });
  await close();
  const record = { name: 'example.com', ttl: 60, type: 'A' };
  const records = [
    { ...record, data: '192.0.2.2' },
    { ...record, data: '192.0.2.1' },
  ];
  const value = {
    records: ['192.0.2.1', '192.0.2.2'],
    servers: [{ server: address, rcode: 'NOERROR', records }],
  };
  expect(extracted).toEqual([{ name: 'facts', value }]);
});

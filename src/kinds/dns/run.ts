/** One DNS check: asks every name server at the same time, and judges what each says by itself and together. */
import { getServers } from 'node:dns';
import type { Answer } from 'dns-packet';
import ipaddr from 'ipaddr.js';
import { errorCodeOf, StepFailure } from '../../checks/step-failure';
import type { DnsSettings } from '../../contracts/kinds';
import type { AssertionOutcome, Failure } from '../../contracts/outcome';
import {
  type DnsServer,
  formatDnsServer,
  parseDnsServer,
} from '../../domain/definitions/dns-server';
import { lookupSentence } from '../../domain/states/failure-words';
import { matchText } from '../match-text';
import type { Probing } from '../probing';
import { askByTcp, askByUdp, type Question, type Reply } from './ask';

/** What one server said, and what is wrong with it. */
interface Heard {
  readonly server: DnsServer;
  readonly reply: Reply | null;
  /** Data of the records that were asked for, sorted. */
  readonly records: readonly string[];
  readonly assertion: AssertionOutcome | null;
  readonly failure: Failure | null;
}

export async function runDns(settings: DnsSettings, probing: Probing): Promise<void> {
  const { clock, found } = probing;
  const servers = serversOf(settings, probing);
  clock.enter('dns');
  const heard = await hearAll(servers, settings, probing);
  clock.enter('assert');
  const responded = heard.filter(({ reply }) => reply !== null);
  found.remoteIp = responded[0]?.server.host ?? null;
  if (responded.length > 0) {
    found.response = heard.map(describe).join('\n');
    found.bytes = Buffer.byteLength(found.response);
  }
  const failure = judge(heard, settings);
  const good = heard.filter((one) => one.failure === null);
  // Of servers of which one is enough, the others are no failure.
  const counted = failure === null && good.length > 0 ? good : heard;
  found.assertions = counted.flatMap(({ assertion }) => assertion ?? []);
  if (failure !== null) throw new StepFailure(failure.code, failure.message, failure.phase);
}

/** Those of the definition, held against the target guard, or those of this machine, which are its operator's. */
function serversOf({ servers }: DnsSettings, { connection }: Probing): readonly DnsServer[] {
  const isOwn = servers.length === 0;
  const parsed = (isOwn ? getServers() : servers).flatMap((text) => parseDnsServer(text) ?? []);
  for (const { host, port } of isOwn ? [] : parsed) {
    const problem = connection.guard.checkEndpoint(host, port);
    if (problem !== null) throw new StepFailure('blocked_target', problem, 'prepare');
  }
  if (parsed.length > 0) return parsed;
  throw new StepFailure('dns_error', 'The machine of the probe has no name servers.', 'dns');
}

/** In the order of the servers; of those of the machine, the first that responds alone. */
async function hearAll(
  servers: readonly DnsServer[],
  settings: DnsSettings,
  probing: Probing,
): Promise<readonly Heard[]> {
  if (settings.servers.length > 0)
    return Promise.all(servers.map((server) => hear(server, settings, probing)));
  const heard: Heard[] = [];
  for (const server of servers) {
    const one = await hear(server, settings, probing);
    if (one.reply !== null) return [one];
    heard.push(one);
  }
  return heard.slice(-1);
}

async function hear(server: DnsServer, settings: DnsSettings, probing: Probing): Promise<Heard> {
  const question = { name: askedName(settings), record: settings.record };
  const nothing = { server, reply: null, records: [], assertion: null };
  try {
    const reply = await ask(server, question, { settings, probing });
    const records = recordsOf(reply, question);
    const failure = codeFailure(reply, records, { server, settings });
    if (failure !== null) return { ...nothing, reply, records, failure };
    return { server, reply, records, ...(await expected(records, settings, probing)) };
  } catch (error) {
    return { ...nothing, failure: silence(server, error, settings) };
  }
}

async function ask(
  server: DnsServer,
  question: Question,
  { settings, probing }: { readonly settings: DnsSettings; readonly probing: Probing },
): Promise<Reply> {
  const { deadline } = probing;
  const { transport } = settings;
  const asking = (transport === 'tcp' ? askByTcp : askByUdp)(server, question);
  const reply = await deadline.within(asking.reply, asking.cancel);
  if (!reply.isTruncated || transport === 'tcp') return reply;
  const again = askByTcp(server, question);
  const whole = await deadline.within(again.reply, again.cancel);
  return { ...whole, dropped: reply.dropped };
}

/** Of an IP address the name under which its own name stands (RFC 1035 §3.5, RFC 3596 §2.5). */
function askedName({ host }: DnsSettings): string {
  if (!ipaddr.isValid(host)) return host;
  const address = ipaddr.parse(host);
  const bytes = address.toByteArray();
  if (address.kind() === 'ipv4') return `${bytes.toReversed().join('.')}.in-addr.arpa`;
  const nibbles = bytes.flatMap((byte) => [byte >> 4, byte & 15]);
  return `${nibbles
    .toReversed()
    .map((nibble) => nibble.toString(16))
    .join('.')}.ip6.arpa`;
}

function recordsOf({ answers }: Reply, { record }: Question): readonly string[] {
  return answers.flatMap((answer) => (answer.type === record ? dataText(answer) : [])).toSorted();
}

/** As zone files have it; of a type that nobody asks for, its name. */
function dataText(answer: Answer): string {
  if (answer.type === 'MX') return `${answer.data.preference ?? 0} ${answer.data.exchange}`;
  if (answer.type === 'SRV') {
    const { priority = 0, weight = 0, port, target } = answer.data;
    return `${priority} ${weight} ${port} ${target}`;
  }
  if (answer.type === 'CAA')
    return `${answer.data.flags ?? 0} ${answer.data.tag} "${answer.data.value}"`;
  if (answer.type === 'SOA') {
    const { mname, rname, serial } = answer.data;
    return `${mname} ${rname} ${serial}`;
  }
  if (answer.type === 'TXT') {
    const parts = [answer.data].flat();
    return parts.map((part) => (typeof part === 'string' ? part : part.toString('utf8'))).join('');
  }
  return 'data' in answer && typeof answer.data === 'string' ? answer.data : answer.type;
}

interface Asked {
  readonly server: DnsServer;
  readonly settings: DnsSettings;
}

function codeFailure(
  { rcode }: Reply,
  records: readonly string[],
  { server, settings }: Asked,
): Failure | null {
  const { host, record, rcode: wanted } = settings;
  const by = `as ${formatDnsServer(server)} says`;
  const fail = (problem: string): Failure => ({
    code: 'dns_error',
    message: lookupSentence(host, `${problem}, ${by}`),
    phase: 'dns',
  });
  if (rcode === wanted)
    return wanted === 'NXDOMAIN' || records.length > 0 ? null : fail(`has no ${record} record`);
  if (rcode === 'NXDOMAIN') return fail('does not exist');
  return fail(rcode === 'NOERROR' ? 'exists' : `fails with ${rcode}`);
}

/** The last word of a server of which nothing came. */
function silence(server: DnsServer, error: unknown, { host }: DnsSettings): Failure {
  const name = formatDnsServer(server);
  const code = errorCodeOf(error);
  const problem =
    code === 'ECONNREFUSED'
      ? `the name server ${name} refuses connections`
      : `the name server ${name} does not respond`;
  const message = lookupSentence(host, `could not be resolved: ${problem}`);
  return { code: 'dns_error', message, phase: 'dns' };
}

async function expected(
  records: readonly string[],
  { expect }: DnsSettings,
  probing: Probing,
): Promise<Pick<Heard, 'assertion' | 'failure'>> {
  if (expect === null) return { assertion: null, failure: null };
  const assertion = await matchText(
    { text: records.join('\n'), pattern: `(?m)${expect}` },
    probing,
  );
  const { ok, message } = assertion;
  const failure: Failure | null = ok
    ? null
    : { code: 'assertion_failed', message, phase: 'assert' };
  return { assertion, failure };
}

/** What is wrong with all of them together, or null. */
function judge(heard: readonly Heard[], { agree }: DnsSettings): Failure | null {
  const bad = heard.filter(({ failure }) => failure !== null);
  const [first] = bad;
  if (agree === 'any') return bad.length < heard.length ? null : (first?.failure ?? null);
  if (first !== undefined) return first.failure;
  const said = new Map(heard.map(({ server, records }) => [records.join('\n'), server] as const));
  if (said.size <= 1) return null;
  const names = [...said.values()].map(formatDnsServer).join(' and ');
  const message = `The name servers do not agree: ${names} give different records.`;
  return { code: 'assertion_failed', message, phase: 'assert' };
}

function describe({ server, reply, failure }: Heard): string {
  const head = `${formatDnsServer(server)}: ${reply?.rcode ?? 'no response'}`;
  const dropped = reply?.dropped ?? 0;
  const lines = (reply?.answers ?? []).map((answer) => {
    const ttl = 'ttl' in answer ? (answer.ttl ?? 0) : 0;
    return `  ${answer.name} ${ttl} ${answer.type} ${dataText(answer)}`;
  });
  return [
    head,
    ...lines,
    ...(dropped === 0 ? [] : [`  ${dropped} datagrams dropped: of another question or sender`]),
    ...(failure === null ? [] : [`  ${failure.message}`]),
  ].join('\n');
}

/** Runs one DNS check. Asks the name servers. Judges each reply, and then all replies together. */
import { getServers } from 'node:dns';
import { createDeadline } from '../../checks/deadline';
import { preview } from '../../checks/outcome';
import { readErrorCode, StepFailure } from '../../checks/step-failure';
import type { DnsSettings } from '../../contracts/kinds';
import type { AssertionOutcome, Failure } from '../../contracts/outcome';
import { lookupSentence } from '../../domain/states/failure-words';
import { matchText } from '../match-text';
import type { Probing } from '../probing';
import { askByTcp, askByUdp, NO_RESPONSE, type Reply, TOO_LARGE } from './ask';
import { toGuardedName } from './guarded-name';
import type { Question } from './read-reply';
import { describeRecord, describeReplies, readRecords, toComparable, toQueryName } from './records';
import { type DnsServer, formatDnsServer, parseDnsServer } from './server';
import { toStoppable } from './stoppable-deadline';

/** Limit for the shown replies of all servers together. */
const SHOWN_BYTES_MAX = 64 * 1024;

/** Errors of the probe, not of the server: no sockets, no permission, or no network. */
const PROBE_ERRORS: ReadonlySet<string> = new Set([
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'ENOMEM',
  'EACCES',
  'EPERM',
  'EADDRNOTAVAIL',
  'EAFNOSUPPORT',
  'ENETUNREACH',
  'ENETDOWN',
]);
/** Errors that may be caused by the server or by the network path to it. */
const SERVER_ERRORS: ReadonlySet<string> = new Set([
  NO_RESPONSE,
  TOO_LARGE,
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ERR_STREAM_PREMATURE_CLOSE',
]);

/** The reply of one server, and its failure, if any. */
interface Lookup {
  readonly server: DnsServer;
  readonly reply: Reply | null;
  /** The data of the requested records, sorted. */
  readonly records: readonly string[];
  readonly assertion: AssertionOutcome | null;
  readonly failure: Failure | null;
}

export async function runDns(settings: DnsSettings, probing: Probing): Promise<void> {
  const { clock, found } = probing;
  const servers = listServers(settings, probing);
  clock.enter('dns');
  const results = await queryServers(servers, settings, probing);
  clock.enter('assert');
  const responded = results.filter(({ reply }) => reply !== null);
  found.remoteIp = responded[0]?.server.host ?? null;
  if (responded.length > 0) {
    const whole = results.map(describe).join('\n');
    found.response = preview(whole, SHOWN_BYTES_MAX);
    const shown = results.find(({ failure }) => failure === null) ?? responded[0];
    found.facts = { records: [...(shown?.records ?? [])], servers: describeReplies(responded) };
    found.bytes = Buffer.byteLength(whole);
    found.isCut = found.response !== whole;
  }
  const failure = judge(results, settings);
  const good = results.filter((one) => one.failure === null);
  // If one good server is enough, the failures of other servers do not count.
  const counted = failure === null && good.length > 0 ? good : results;
  found.assertions = counted.flatMap(({ assertion }) => assertion ?? []);
  if (failure !== null) throw new StepFailure(failure.code, failure.message, failure.phase);
}

/**
 * Returns the servers of the definition. If the definition names none, returns this machine's servers. Throws
 * StepFailure if the target guard blocks one of the definition's servers. For this machine's servers, the guard checks
 * the name that is looked up, because these servers may know private names.
 */
function listServers(settings: DnsSettings, { connection }: Probing): readonly DnsServer[] {
  const isOwn = hasOwnServers(settings);
  const parsed = (isOwn ? getServers() : settings.servers).flatMap(
    (text) => parseDnsServer(text) ?? [],
  );
  const targets = isOwn ? [{ host: toGuardedName(settings.host), port: 0 }] : parsed;
  for (const { host, port } of targets) {
    const problem = connection.guard.checkEndpoint(host, port);
    if (problem !== null) throw new StepFailure('blocked_target', problem, 'prepare');
  }
  if (parsed.length > 0) return parsed;
  const message = 'The probe has no usable name servers, so the name could not be checked.';
  throw new StepFailure('not_possible_here', message, null);
}

function hasOwnServers({ servers }: DnsSettings): boolean {
  return servers.length === 0;
}

/**
 * Returns the replies. Asks this machine's servers one after the other, and all other servers at the same time. With
 * `agree: any`, the first good reply ends the wait.
 */
async function queryServers(
  servers: readonly DnsServer[],
  settings: DnsSettings,
  probing: Probing,
): Promise<readonly Lookup[]> {
  if (hasOwnServers(settings)) return queryInTurn(servers, settings, probing);
  if (settings.agree === 'any') return queryUntilGood(servers, settings, probing);
  return Promise.all(servers.map((server) => lookUp(server, settings, probing)));
}

/**
 * Asks the servers one after the other until a server replies. If no server replies, returns all failures. Each server
 * gets an equal share of the remaining time.
 */
async function queryInTurn(
  servers: readonly DnsServer[],
  settings: DnsSettings,
  probing: Probing,
): Promise<readonly Lookup[]> {
  const results: Lookup[] = [];
  for (const [index, server] of servers.entries()) {
    const shareMs = Math.max(1, probing.deadline.remainingMs() / (servers.length - index));
    const deadline = createDeadline(shareMs, probing.clock);
    const query = lookUp(server, settings, { ...probing, deadline });
    const one = await query.finally(() => deadline.clear());
    if (one.reply !== null) return [one];
    results.push(one);
  }
  return results;
}

/** Asks all servers in parallel. Once a reply is good, returns all replies so far and cancels the other requests. */
async function queryUntilGood(
  servers: readonly DnsServer[],
  settings: DnsSettings,
  probing: Probing,
): Promise<readonly Lookup[]> {
  const { deadline, stop } = toStoppable(probing.deadline);
  const results: Lookup[] = [];
  const queries = servers.map((server) => lookUp(server, settings, { ...probing, deadline }));
  const good = queries.map(async (query) => {
    const one = await query;
    results.push(one);
    if (one.failure !== null) throw new Error('the reply is not good');
    return [...results];
  });
  try {
    return await Promise.any(good);
  } catch {
    return await Promise.all(queries);
  } finally {
    stop();
  }
}

async function lookUp(server: DnsServer, settings: DnsSettings, probing: Probing): Promise<Lookup> {
  const question = { name: toQueryName(settings), record: settings.record };
  const nothing = { server, reply: null, records: [], assertion: null };
  let reply: Reply;
  try {
    reply = await ask(server, question, { settings, probing });
  } catch (error) {
    return { ...nothing, failure: describeNoReply(server, error, settings) };
  }
  if (hasOwnServers(settings)) refusePrivate(reply, probing);
  const records = readRecords(reply, question);
  const failure = codeFailure(reply, records, { server, settings });
  if (failure !== null) return { ...nothing, reply, records, failure };
  return { server, reply, records, ...(await matchRecords(records, settings, probing)) };
}

/** Throws for a private IP address. Call it before records are shown or matched. */
function refusePrivate({ answers }: Reply, { connection }: Probing): void {
  for (const answer of answers) {
    if (answer.type !== 'A' && answer.type !== 'AAAA') continue;
    const problem = connection.guard.checkAddress(answer.data, 0);
    if (problem === null) continue;
    const message = `The name leads to a private address. ${problem}`;
    throw new StepFailure('blocked_target', message, 'dns');
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
  const by = `according to ${formatDnsServer(server)}`;
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

/** Returns the failure of a server that gave no usable reply. Rethrows unexpected errors. */
function describeNoReply(server: DnsServer, error: unknown, { host }: DnsSettings): Failure {
  const name = formatDnsServer(server);
  const code = readErrorCode(error);
  if (PROBE_ERRORS.has(code)) {
    const message = `The probe cannot reach the name server ${name} (${code}), so the name could not be checked.`;
    return { code: 'not_possible_here', message, phase: null };
  }
  if (!(error instanceof StepFailure) && !SERVER_ERRORS.has(code)) throw error;
  const problem = `the name server ${name} ${SAID_OF.get(code) ?? 'does not respond'}`;
  const message = lookupSentence(host, `could not be resolved: ${problem}`);
  return { code: 'dns_error', message, phase: 'dns' };
}

const SAID_OF: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'refuses connections'],
  [TOO_LARGE, 'gives a response that is too large'],
]);

async function matchRecords(
  records: readonly string[],
  { expect }: DnsSettings,
  probing: Probing,
): Promise<Pick<Lookup, 'assertion' | 'failure'>> {
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

/**
 * Returns the failure of the whole check, or null. The failure of a server takes precedence over servers that disagree.
 */
function judge(results: readonly Lookup[], { agree, record }: DnsSettings): Failure | null {
  const bad = results.flatMap(({ failure }) => failure ?? []);
  const decisive = bad.find(({ code }) => code !== 'not_possible_here') ?? bad[0] ?? null;
  if (agree === 'any') return bad.length < results.length ? null : decisive;
  if (decisive !== null) return decisive;
  const said = new Map(
    results.map((one) => [toComparable(one.records, record), one.server] as const),
  );
  if (said.size <= 1) return null;
  const names = [...said.values()].map(formatDnsServer).join(' and ');
  const message = `The name servers do not agree: ${names} give different records.`;
  return { code: 'assertion_failed', message, phase: 'assert' };
}

function describe({ server, reply, failure }: Lookup): string {
  const head = `${formatDnsServer(server)}: ${reply?.rcode ?? 'no response'}`;
  const dropped = reply?.dropped ?? 0;
  const lines = (reply?.answers ?? []).map((answer) => {
    const { name, ttl, type, data } = describeRecord(answer);
    return `  ${name} ${ttl} ${type} ${data}`;
  });
  return [
    head,
    ...lines,
    ...(dropped === 0
      ? []
      : [`  ${dropped} datagrams dropped: for another question or from another sender`]),
    ...(failure === null ? [] : [`  ${failure.message}`]),
  ].join('\n');
}

/** Converts monitors of Checkly other than HTTP: TCP ports, DNS records, pings and certificates. */
import { z } from 'zod';
import { describeBound, type Fields } from '../imported';
import {
  assertionShape,
  type Check,
  type CheckAssertion,
  importCommon,
  type Note,
  noteUnknownFields,
  readRequest,
  text,
} from './checkly-check';

type ImportKind = (check: Check, taker: { readonly note: Note }) => Fields | null;

/** Converts an assertion to fields. null means that the assertion has no counterpart. */
type ImportAssertion = (assertion: CheckAssertion) => Fields | null;

const assertions = z.array(assertionShape).nullish();
const port = z.number().nullish();
const host = { hostname: z.string(), ipFamily: text, assertions };

const tcpShape = z.looseObject({ ...host, port: z.number(), data: text });
const dnsShape = z.looseObject({
  query: z.string(),
  recordType: z.string(),
  nameServer: text,
  port,
  protocol: text,
  assertions,
});
const pingShape = z.looseObject({ ...host, pingCount: z.number().nullish() });
const baselineShape = z.looseObject({
  minTLSVersion: z.looseObject({ value: text, severity: text }).nullish(),
});
const certificateShape = z.looseObject({
  hostname: text,
  port,
  ipFamily: text,
  serverName: text,
  skipChainValidation: z.boolean().nullish(),
  handshakeTimeout: z.number().nullish(),
  handshakeTimeoutMs: z.number().nullish(),
  alertDaysBeforeExpiry: z.number().nullish(),
  securityBaseline: baselineShape.nullish(),
});
/**
 * A construct has the host next to `sslConfig`. A check from the API has the host inside `sslConfig`, and uses other
 * field names.
 */
const tlsShape = z
  .looseObject({ ...certificateShape.shape, sslConfig: certificateShape.nullish(), assertions })
  .transform(({ sslConfig, ...request }) => ({ ...request, ...sslConfig }))
  .pipe(z.looseObject({ ...certificateShape.shape, hostname: z.string(), assertions }));

/** Defaults of Checkly that differ from ours. */
const PING_COUNT = 10;
const LOSS_PERCENT = 20;
const WARN_DAYS = 20;
const PING_COUNT_MAX = 10;
const DNS_PORT = 53;

const KINDS: Readonly<Record<string, ImportKind>> = {
  TCP: importTcp,
  DNS: importDns,
  ICMP: importPing,
  SSL: importTls,
};

export function findKind(checkType: string): ImportKind | null {
  return KINDS[checkType] ?? null;
}

function importTcp(check: Check, { note }: { readonly note: Note }): Fields | null {
  const request = readRequest(check, { shape: tcpShape, note });
  if (request === null) return null;
  noteUnknownFields(request, { shape: tcpShape, note });
  noteFamily(request, note);
  const expected = importAssertions(request, note, (assertion) =>
    assertion.source === 'RESPONSE_DATA' && !assertion.property ? importExpected(assertion) : null,
  );
  const { hostname, port: number, data } = request;
  return {
    type: 'tcp',
    host: hostname,
    port: number,
    send: data === '' ? null : data,
    ...importShared(check, note),
    ...expected,
  };
}

function importDns(check: Check, { note }: { readonly note: Note }): Fields | null {
  const request = readRequest(check, { shape: dnsShape, note });
  if (request === null) return null;
  noteUnknownFields(request, { shape: dnsShape, note });
  const expected = importAssertions(request, note, importRecords);
  const { query, recordType, nameServer, port: number, protocol } = request;
  const isOther = number !== null && number !== undefined && number !== DNS_PORT;
  const server = nameServer && isOther ? `${nameServer}:${number}` : nameServer;
  return {
    type: 'dns',
    host: query.replace(/\.$/, ''),
    record: recordType,
    servers: server ? [server] : null,
    transport: protocol === 'TCP' ? 'tcp' : null,
    ...importShared(check, note),
    ...expected,
  };
}

function importRecords(assertion: CheckAssertion): Fields | null {
  const { source, comparison, target } = assertion;
  if (source === 'RESPONSE_CODE' && comparison === 'EQUALS') {
    if (target === 'NOERROR') return {};
    return target === 'NXDOMAIN' ? { rcode: target } : null;
  }
  if (source === 'ANSWER' && comparison === 'CONTAINS') return importExpected(assertion);
  // The index in the property is ignored, because our expectation applies to any record.
  const { property = '' } = assertion;
  const isData = property?.startsWith('$.Answer[') === true && property.endsWith('].data');
  return source === 'ANSWER_JSON' && isData ? importExpected(assertion) : null;
}

function importPing(check: Check, { note }: { readonly note: Note }): Fields | null {
  const request = readRequest(check, { shape: pingShape, note });
  if (request === null) return null;
  noteUnknownFields(request, { shape: pingShape, note });
  noteFamily(request, note);
  const { maxPacketLossThreshold: most, degradedPacketLossThreshold: degraded } = check;
  if (degraded)
    note(`is degraded from ${degraded}% lost packets; only failures have a counterpart`);
  const wanted = request.pingCount ?? PING_COUNT;
  const count = Math.min(PING_COUNT_MAX, wanted);
  if (count !== wanted) note(`pingCount ${wanted} ${describeBound(wanted, count)}`);
  const expected = importAssertions(request, note, importLatency);
  return {
    type: 'ping',
    host: request.hostname,
    count,
    lossPercent: lossBelow(most ?? LOSS_PERCENT),
    ...importShared(check, note),
    ...expected,
  };
}

function importLatency({ source, comparison, property, target }: CheckAssertion): Fields | null {
  if (comparison !== 'LESS_THAN') return null;
  if (source === 'LATENCY' && property === 'max') return { p95Ms: Number(target) };
  const isLoss = source === 'JSON_RESPONSE' && property === '$.packetLoss';
  return isLoss ? { lossPercent: lossBelow(Number(target)) } : null;
}

/**
 * Converts the allowed packet loss. A Checkly monitor fails at this percentage, but our check fails only above its
 * limit. The result is therefore the next lower whole number.
 */
function lossBelow(percent: number): number {
  return Math.min(99, Math.max(0, Math.ceil(percent) - 1));
}

function importTls(check: Check, { note }: { readonly note: Note }): Fields | null {
  const request = readRequest(check, { shape: tlsShape, note });
  if (request === null) return null;
  noteUnknownFields(request, { shape: tlsShape.out, note });
  noteFamily(request, note);
  if (request.skipChainValidation === true)
    note('does not validate the chain; here, an untrusted certificate fails');
  const { hostname, port: number, serverName, securityBaseline } = request;
  const timeoutMs = request.handshakeTimeout ?? request.handshakeTimeoutMs;
  const expected = importAssertions(request, note, importCertificate);
  const days = request.alertDaysBeforeExpiry ?? WARN_DAYS;
  return {
    type: 'tls',
    host: hostname,
    port: number,
    serverName,
    minVersion: readVersion(securityBaseline?.minTLSVersion?.value),
    tls: { warnDays: [days] },
    ...importShared(check, note),
    ...(timeoutMs ? { timeoutMs } : {}),
    ...expected,
  };
}

function importCertificate({
  source,
  comparison,
  property,
  target,
}: CheckAssertion): Fields | null {
  const isExpiry = source === 'CERTIFICATE' && property === 'daysUntilExpiry';
  if (isExpiry && comparison === 'GREATER_THAN') return { tls: { warnDays: [Number(target)] } };
  if (source !== 'CONNECTION' || comparison !== 'EQUALS') return null;
  // No field is needed, because every certificate check of ours verifies the host name and the chain.
  if (property === 'hostnameVerified' || property === 'chainTrusted')
    return String(target) === 'true' ? {} : null;
  const minVersion = property === 'tlsVersion' ? readVersion(String(target)) : null;
  return minVersion === null ? null : { minVersion };
}

/** Reads a TLS version like `TLS1.3`, as Checkly writes it. null means our minimum. */
function readVersion(version: string | null | undefined): string | null {
  return version === 'TLS1.2' || version === 'TLS1.3' ? version.replace('TLS', 'TLSv') : null;
}

function importShared(check: Check, note: Note): Fields {
  if (check.shouldFail === true) note('should fail, which has no counterpart');
  return importCommon(check, note);
}

/** Converts each assertion to fields, because these types of checks have no assertions in Keepwatch. */
function importAssertions(
  { assertions: given }: { readonly assertions?: readonly CheckAssertion[] | null | undefined },
  note: Note,
  importOne: ImportAssertion,
): Fields {
  let fields: Fields = {};
  for (const assertion of given ?? []) {
    const { source, comparison, regex, target } = assertion;
    const isTime = source === 'RESPONSE_TIME' && comparison === 'LESS_THAN';
    const found = isTime ? { timeoutMs: Number(target) } : regex ? null : importOne(assertion);
    if (found === null) note(`assertion on ${source} ${comparison} has no counterpart`);
    else fields = { ...fields, ...found };
  }
  return fields;
}

/**
 * Converts the expected text to a pattern. For `EQUALS`, the pattern matches one whole line. null if there is no text,
 * or for any other comparison.
 */
function importExpected({ comparison, target }: CheckAssertion): Fields | null {
  const literal = String(target ?? '').replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  if (literal === '') return null;
  if (comparison === 'CONTAINS') return { expect: literal };
  return comparison === 'EQUALS' ? { expect: `(?m)^${literal}$` } : null;
}

function noteFamily(
  { ipFamily }: { readonly ipFamily?: string | null | undefined },
  note: Note,
): void {
  if (ipFamily === 'IPv6') note('uses IPv6 only; here, the name decides');
}

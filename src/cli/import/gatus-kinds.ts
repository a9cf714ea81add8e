/** Converts Gatus endpoints other than HTTP. */
import { quoteBraces } from '../../domain/templates/template';
import { importCondition } from './gatus-conditions';
import type { Fields, NoteTaker } from './imported';

interface KindEndpoint {
  readonly url: string;
  readonly body?: string | null | undefined;
  readonly headers?: Readonly<Record<string, string | number | boolean>> | null | undefined;
  readonly conditions?: readonly string[] | null | undefined;
  readonly dns?:
    | {
        readonly 'query-name'?: string | null | undefined;
        readonly 'query-type'?: string | null | undefined;
      }
    | null
    | undefined;
}

const WEB_SOCKET = /^wss?:/i;
const SCHEME = /^(tcp|tls|starttls|icmp|grpcs?):\/\/(.+)$/i;

/** Returns the type and its fields. null means an HTTP request, or a type that cannot be imported. */
export function importKind(endpoint: KindEndpoint, taker: NoteTaker): Fields | null {
  if (endpoint.dns) return importDns(endpoint, endpoint.dns, taker);
  if (WEB_SOCKET.test(endpoint.url)) return importWebSocket(endpoint, taker);
  const [, scheme = '', authority = ''] = SCHEME.exec(endpoint.url) ?? [];
  if (scheme === '') return null;
  const given = URL.canParse(`kind://${authority}`) ? new URL(`kind://${authority}`) : null;
  const host = given?.hostname.replace(/^\[|\]$/g, '') ?? '';
  const port = Number(given?.port ?? '');
  if (/^grpc/i.test(scheme)) return importGrpc(endpoint, { scheme, host, port }, taker);
  const expected = importExpected(endpoint, taker);
  if (scheme.toLowerCase() === 'tcp')
    return { type: 'tcp', host, port, ...importSent(endpoint), ...expected };
  if (scheme.toLowerCase() === 'icmp') {
    const { timeoutMs, expect, tls: _tls, ...rest } = expected;
    if (expect !== undefined) taker.note('a condition on the body has no counterpart');
    return { type: 'ping', host, ...rest, p95Ms: timeoutMs };
  }
  if (endpoint.body) taker.note('body has no counterpart and is left out');
  const { expect, ...rest } = expected;
  if (expect !== undefined) taker.note('a condition on the body has no counterpart');
  // Gatus supports `starttls` for SMTP only.
  const start: Fields = scheme.toLowerCase() === 'starttls' ? { startTls: 'smtp' } : {};
  return { type: 'tls', host, port, ...start, ...rest };
}

function importSent({ body }: KindEndpoint): Fields {
  return typeof body === 'string' && body !== '' ? { send: quoteBraces(body) } : {};
}

function importWebSocket(endpoint: KindEndpoint, taker: NoteTaker): Fields {
  const headers = Object.fromEntries(
    Object.entries(endpoint.headers ?? {}).map(([name, value]) => [
      name,
      quoteBraces(String(value)),
    ]),
  );
  const { url } = endpoint;
  return {
    type: 'websocket',
    url,
    headers,
    ...importSent(endpoint),
    ...importExpected(endpoint, taker),
  };
}

interface Target {
  readonly scheme: string;
  readonly host: string;
  readonly port: number;
}

/** Converts a gRPC endpoint. Gatus uses the status of the health service as the body. */
function importGrpc(
  endpoint: KindEndpoint,
  { scheme, host, port }: Target,
  taker: NoteTaker,
): Fields {
  const isServing = (condition: string): boolean =>
    /^\[BODY\]\s*==\s*SERVING$/.test(condition.trim());
  const conditions = (endpoint.conditions ?? []).filter((condition) => !isServing(condition));
  const { expect, ...rest } = importExpected({ ...endpoint, conditions }, taker);
  if (expect !== undefined) taker.note('a condition on the body has no counterpart');
  if (endpoint.body) taker.note('body has no counterpart and is left out');
  const secure: Fields = scheme.toLowerCase() === 'grpcs' ? { useTls: true } : {};
  return { type: 'grpc', host, port, ...secure, ...rest };
}

/** Converts a DNS endpoint. Its URL is the name server. */
function importDns(
  endpoint: KindEndpoint,
  dns: NonNullable<KindEndpoint['dns']>,
  taker: NoteTaker,
): Fields {
  const conditions: string[] = [];
  let rcode: Fields = {};
  for (const condition of endpoint.conditions ?? []) {
    const code = /^\[DNS_RCODE\]\s*==\s*(\w+)$/.exec(condition.trim())?.[1];
    if (code === 'NOERROR') continue;
    if (code === 'NXDOMAIN') rcode = { rcode: code };
    else conditions.push(condition);
  }
  const host = (dns['query-name'] ?? '').replace(/\.$/, '');
  const servers = [endpoint.url.replace(/^\w+:\/\//, '')];
  const expected = importExpected({ ...endpoint, conditions }, taker);
  return { type: 'dns', host, record: dns['query-type'], servers, ...rcode, ...expected };
}

/** Some types of checks have no assertions. For these types, converts conditions to fields of the check. */
function importExpected({ conditions }: KindEndpoint, { note }: NoteTaker): Fields {
  const days: number[] = [];
  let fields: Fields = {};
  for (const condition of conditions ?? []) {
    if (/^\[CONNECTED\]\s*==\s*true$/.test(condition.trim())) continue;
    const { type, name, operator, value } = importCondition(condition) ?? {};
    const isLess = String(operator).startsWith('lessThan');
    const isMore = String(operator).startsWith('greaterThan');
    if (type === 'responseTime' && isLess) fields = { ...fields, timeoutMs: Number(value) };
    else if (type === 'body' && operator === 'matches') fields = { ...fields, expect: value };
    else if (type === 'tls' && name === 'daysUntilExpiry' && isMore)
      days.push(Math.min(365, Math.max(1, Number(value))));
    else note(`condition ${condition} has no counterpart`);
  }
  return { ...fields, ...(days.length > 0 && { tls: { warnDays: [...new Set(days)] } }) };
}

/** Formats names and records as text. Pure. */
import type { Answer } from 'dns-packet';
import ipaddr from 'ipaddr.js';
import type { JsonValue } from '../../contracts/definition';
import type { DnsRecord, DnsSettings } from '../../contracts/kinds';
import type { Question, ReadReply } from './read-reply';
import { type DnsServer, formatDnsServer } from './server';

/** Types of records whose data contains names. Names are case-insensitive (RFC 4343). */
const RECORDS_OF_NAMES: ReadonlySet<DnsRecord> = new Set([
  'CNAME',
  'MX',
  'NS',
  'PTR',
  'SRV',
  'SOA',
]);

/**
 * Returns the name to look up: the host itself, or the reverse name of an IP address (RFC 1035 §3.5, RFC 3596 §2.5).
 */
export function toQueryName({ host }: DnsSettings): string {
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

/** Returns the data of the requested records, sorted. */
export function readRecords(
  { answers }: Pick<ReadReply, 'answers'>,
  { record }: Question,
): readonly string[] {
  return answers.flatMap((answer) => (answer.type === record ? dataText(answer) : [])).toSorted();
}

/** Formats the data as in zone files. If a type's data is not text, returns the name of the type. */
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

/** Returns a text that is equal for equivalent records. */
export function toComparable(records: readonly string[], record: DnsRecord): string {
  if (!RECORDS_OF_NAMES.has(record)) return records.join('\n');
  return records
    .map((text) => text.toLowerCase())
    .toSorted()
    .join('\n');
}

interface Described {
  readonly name: string;
  readonly ttl: number;
  readonly type: string;
  readonly data: string;
}

export function describeRecord(answer: Answer): Described {
  const { name, type } = answer;
  return { name, ttl: 'ttl' in answer ? (answer.ttl ?? 0) : 0, type, data: dataText(answer) };
}

interface Replied {
  readonly server: DnsServer;
  readonly reply: Pick<ReadReply, 'rcode' | 'answers'> | null;
}

/** Describes the replies of the servers as JSON, from which steps extract values. */
export function describeReplies(replies: readonly Replied[]): JsonValue {
  return replies.flatMap(({ server, reply }) =>
    reply === null
      ? []
      : [
          {
            server: formatDnsServer(server),
            rcode: reply.rcode,
            records: reply.answers.map((answer) => ({ ...describeRecord(answer) })),
          },
        ],
  );
}

/**
 * Parses the reply of an untrusted name server. Nothing is decoded before the header matches. All counts and lengths
 * are limited.
 */
import * as packets from 'dns-packet';
import type { DnsRecord } from '../../contracts/kinds';

const HEADER_BYTES = 12;
const ANSWERS_MAX = 500;
/** Maximum number of pointers in a name. A name has at most 127 labels, with at most one pointer before each label. */
const JUMPS_MAX = 127;
/** Limit for the labels of all names in a message together. It is enough for 500 reverse names of IPv6. */
const LABELS_MAX = 20_000;
/** A record type whose data is arbitrary bytes (RFC 1035 §3.3.10). */
const NULL_TYPE = 10;
/** The types that are decoded. Maps each type to the offset of the names in its data, and to the number of names. */
const NAMES_AT: ReadonlyMap<number, { readonly at: number; readonly count: number }> = new Map([
  [1, { at: 0, count: 0 }], // A
  [2, { at: 0, count: 1 }], // NS
  [5, { at: 0, count: 1 }], // CNAME
  [6, { at: 0, count: 2 }], // SOA
  [12, { at: 0, count: 1 }], // PTR
  [15, { at: 2, count: 1 }], // MX
  [16, { at: 0, count: 0 }], // TXT
  [28, { at: 0, count: 0 }], // AAAA
  [33, { at: 6, count: 1 }], // SRV
  [39, { at: 0, count: 1 }], // DNAME
  [257, { at: 0, count: 0 }], // CAA
]);

const RCODES = ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED'];

export interface Question {
  readonly name: string;
  readonly record: DnsRecord;
}

export interface ReadReply {
  readonly rcode: string;
  /** Records of the types that are decoded, with the aliases (CNAME, DNAME) that lead to them. */
  readonly answers: readonly packets.Answer[];
  readonly isTruncated: boolean;
  /** True if the reply announces more records than the limit. In that case, no record is read. */
  readonly isTooLarge: boolean;
}

/** Parses a reply. null if it is not a reply to the question, or not a valid DNS message. */
export function readReply(received: Buffer, id: number, question: Question): ReadReply | null {
  if (received.length < HEADER_BYTES || received.readUInt16BE(0) !== id) return null;
  const flags = received.readUInt16BE(2);
  const isResponse = (flags & 0x80_00) !== 0;
  if (!isResponse || received.readUInt16BE(4) > 1) return null;
  const isTooLarge = received.readUInt16BE(6) > ANSWERS_MAX;
  const bytes = Buffer.from(received);
  if (isTooLarge) bytes.writeUInt16BE(0, 6);
  // Sets the counts of the other sections to 0, because only the answer section is used.
  bytes.writeUInt32BE(0, 8);
  try {
    boundNames(bytes);
    const { questions = [], answers = [], flag_tc: isTruncated } = packets.decode(bytes);
    const rcode = nameRcode(flags);
    if (!isAsked(questions, question, rcode)) return null;
    const readable = answers.filter(({ type }) => type !== 'NULL');
    return { rcode, answers: readable, isTruncated, isTooLarge };
  } catch {
    return null;
  }
}

/** True if the reply repeats the question. A reply that reports an error may leave out the question. */
function isAsked(
  [asked]: readonly packets.Question[],
  { name, record }: Question,
  rcode: string,
): boolean {
  if (asked === undefined) return rcode !== 'NOERROR';
  return asked.type === record && asked.name.toLowerCase() === name.toLowerCase();
}

/**
 * Checks the limits of every name that will be decoded. Throws RangeError if a limit is exceeded. Converts records of
 * other types to plain bytes.
 */
function boundNames(bytes: Buffer): void {
  const walk: Walk = { bytes, labelsLeft: LABELS_MAX };
  let offset = HEADER_BYTES;
  if (bytes.readUInt16BE(4) === 1) offset = endOfName(walk, offset) + 4;
  for (let left = bytes.readUInt16BE(6); left > 0; left -= 1) {
    offset = endOfName(walk, offset);
    const names = NAMES_AT.get(bytes.readUInt16BE(offset));
    if (names === undefined) bytes.writeUInt16BE(NULL_TYPE, offset);
    const dataAt = offset + 10;
    let nameAt = dataAt + (names?.at ?? 0);
    for (let count = names?.count ?? 0; count > 0; count -= 1) nameAt = endOfName(walk, nameAt);
    offset = dataAt + bytes.readUInt16BE(offset + 8);
  }
}

interface Walk {
  readonly bytes: Buffer;
  labelsLeft: number;
}

/**
 * Returns the end of the name that starts here. Throws RangeError if the name is too long, has too many pointers, or
 * leaves the message.
 */
function endOfName(walk: Walk, start: number): number {
  const { bytes } = walk;
  let offset = start;
  let end: number | null = null;
  let length = 0;
  for (let jumps = 0; jumps <= JUMPS_MAX && length <= 255 && walk.labelsLeft > 0; ) {
    const size = bytes.readUInt8(offset);
    if (size === 0) return end ?? offset + 1;
    if (size >= 0xc0) {
      end ??= offset + 2;
      offset = bytes.readUInt16BE(offset) - 0xc0_00;
      jumps += 1;
    } else {
      offset += size + 1;
      length += size + 1;
      walk.labelsLeft -= 1;
    }
  }
  throw new RangeError('the name exceeds its limits');
}

/**
 * Names the response code, which is in the last four bits (RFC 1035 §4.1.1). Codes that are not well known stay
 * numbers.
 */
function nameRcode(flags: number): string {
  const code = flags & 15;
  return RCODES[code] ?? `RCODE ${code}`;
}

/**
 * Tests DNS messages that are crafted to keep a parser busy.
 *
 * Covers:
 * - kinds/dns/read-reply
 * - kinds/dns/guarded-name
 */
import * as packets from 'dns-packet';
import { toGuardedName } from '../../../src/kinds/dns/guarded-name';
import { readReply } from '../../../src/kinds/dns/read-reply';

const QUESTION = { name: 'example.com', record: 'A' } as const;

/**
 * Returns a response with a chain of pointers, each to the previous pointer. The name of a further answer begins at the
 * last pointer.
 */
function chainOfPointers(pointers: number): Buffer {
  const data = Buffer.alloc(2 * pointers);
  const first: packets.Answer = { type: 'NULL', name: '.', data };
  const many: packets.Answer = { type: 'A', name: 'x', data: '192.0.2.1' };
  const bytes = packets.encode({
    type: 'response',
    id: 1,
    questions: [{ type: 'A', name: 'example.com' }],
    answers: [first, many],
  });
  const dataAt = bytes.indexOf(data);
  for (let at = dataAt; at < dataAt + data.length; at += 2)
    bytes.writeUInt16BE(0xc000 + (at === dataAt ? 12 : at - 2), at);
  const nameAt = dataAt + data.length;
  bytes.writeUInt16BE(0xc000 + nameAt - 2, nameAt);
  // Removes the terminating byte, because a name that ends with a pointer has none.
  return Buffer.concat([bytes.subarray(0, nameAt + 2), bytes.subarray(nameAt + 3)]);
}

test('a DNS name with more compression pointers than a name can have labels is not read', () => {
  const long = chainOfPointers(200);
  expect(packets.decode(long).answers).toHaveLength(2);
  expect(readReply(long, 1, QUESTION)).toBeNull();
  expect(readReply(chainOfPointers(20), 1, QUESTION)).toMatchObject({
    answers: [{ type: 'A', name: 'example.com', data: '192.0.2.1' }],
  });
});

test.each([
  ['are read', 30, 500],
  ['are not read', 120, undefined],
])('500 DNS names in a reply %s if each name has %i labels', (_name, labels, count) => {
  const name = Array<string>(labels).fill('a').join('.');
  const answers = Array<packets.Answer>(500).fill({ type: 'A', name, data: '192.0.2.1' });
  const questions: packets.Question[] = [{ type: 'A', name: 'example.com' }];
  const bytes = packets.encode({ type: 'response', id: 1, questions, answers });
  expect(readReply(bytes, 1, QUESTION)?.answers.length).toBe(count);
});

test.each([
  ['too short', (bytes: Buffer) => bytes.subarray(0, 11)],
  ['of another id', (bytes: Buffer) => Buffer.concat([Buffer.from([9, 9]), bytes.subarray(2)])],
  ['a query', (bytes: Buffer) => Buffer.from(bytes).fill(0, 2, 4)],
])('a packet that is %s is not read as a reply', (_name, change) => {
  const questions: packets.Question[] = [{ type: 'A', name: 'example.com' }];
  const bytes = packets.encode({ type: 'response', id: 1, questions });
  expect(readReply(bytes, 1, QUESTION)).toMatchObject({ rcode: 'NOERROR' });
  expect(readReply(change(bytes), 1, QUESTION)).toBeNull();
});

test.each([
  ['Example.COM.', 'example.com'],
  ['3.2.1.10.in-addr.arpa', '10.1.2.3'],
  ['1.in-addr.arpa', '1.in-addr.arpa'],
  [`1.${'0.'.repeat(27)}0.0.d.f.ip6.arpa`, 'fd00:0000:0000:0000:0000:0000:0000:0001'],
])('the target guard judges the DNS name %s as %s', (host, name) => {
  expect(toGuardedName(host)).toBe(name);
});

/**
 * Responses byte by byte, and how curl 7.88.1 reads each of them if the server then closes the connection: as a status
 * and a body, or as a refusal. If a check reads a response differently, `ours` contains its reading and `why` the
 * reason.
 */

/** How a response is read. `null` means that the response is refused. */
export type Reading = readonly [status: number, body: string] | null;

export interface ResponseRow {
  readonly name: string;
  readonly bytes: Buffer;
  readonly curl: Reading;
  readonly ours?: Reading;
  readonly why?: string;
}

const OK = 'HTTP/1.1 200 OK\r\n';
const SIZED = 'Content-Length: 2\r\n\r\nok';
const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n';
const LAST = '0\r\n\r\n';
const FINE: Reading = [200, 'ok'];

interface Difference {
  readonly ours: Reading;
  readonly why: string;
}

function row(name: string, text: string | Buffer, curl: Reading, difference?: Difference) {
  return { name, bytes: Buffer.from(text), curl, ...difference };
}

const AMBIGUOUS = 'two clients could see two bodies';
const NO_LENGTH = 'what is no number may mean anything';

const lengths: readonly ResponseRow[] = [
  row('sends a length', OK + SIZED, FINE),
  row('ends the body by closing', `${OK}\r\nok`, FINE),
  row('sends the same length in two headers', `${OK}Content-Length: 2\r\n${SIZED}`, FINE),
  row('lists the same length twice in one header', `${OK}Content-Length: 2, 2\r\n\r\nok`, FINE),
  row(
    'sends two lengths in two headers',
    `${OK}Content-Length: 2\r\nContent-Length: 3\r\n\r\nok`,
    null,
  ),
  row('lists two lengths in one header', `${OK}Content-Length: 2, 3\r\n\r\nok`, FINE, {
    ours: null,
    why: AMBIGUOUS,
  }),
  row('writes one length in two ways', `${OK}Content-Length: 02\r\n${SIZED}`, FINE),
  row('writes a length with a sign', `${OK}Content-Length: +2\r\n\r\nok`, FINE, {
    ours: null,
    why: NO_LENGTH,
  }),
  row('writes a length with a unit', `${OK}Content-Length: 2 bytes\r\n\r\nok`, FINE, {
    ours: null,
    why: NO_LENGTH,
  }),
  row('writes a length in hexadecimal', `${OK}Content-Length: 0x2\r\n\r\nok`, [200, ''], {
    ours: null,
    why: 'curl takes it for 0 and loses the body',
  }),
  row('sends a negative length', `${OK}Content-Length: -1\r\n\r\nok`, null),
  row('sends an empty length', `${OK}Content-Length:\r\n\r\nok`, null),
  row('sends a length of letters', `${OK}Content-Length: many\r\n\r\nok`, null),
  row(
    'sends a length beyond all integers',
    `${OK}Content-Length: ${'9'.repeat(40)}\r\n\r\nok`,
    FINE,
    {
      ours: null,
      why: 'the body can only be incomplete',
    },
  ),
  row('puts spaces around a length', `${OK}Content-Length:   2   \r\n\r\nok`, FINE),
  row('sends more than its length', `${OK}${SIZED}more`, FINE),
  row('sends less than its length', `${OK}Content-Length: 5\r\n\r\nok`, null),
  row('sends no body', `${OK}Content-Length: 0\r\n\r\n`, [200, '']),
  row('sends 204 with a length', 'HTTP/1.1 204 No\r\nContent-Length: 5\r\n\r\n', [204, '']),
  row('sends 204 with chunks', `HTTP/1.1 204 No\r\n${CHUNKED}`, [204, '']),
  row('sends 205 with a body', `HTTP/1.1 205 Reset\r\n${SIZED}`, [205, 'ok']),
];

const chunks: readonly ResponseRow[] = [
  row('sends chunks', `${OK}${CHUNKED}2\r\nok\r\n${LAST}`, FINE),
  row(
    'sends a length before chunks',
    `${OK}Content-Length: 2\r\n${CHUNKED}2\r\nok\r\n${LAST}`,
    FINE,
  ),
  row(
    'sends another length after the chunked header',
    `${OK}Transfer-Encoding: chunked\r\nContent-Length: 99\r\n\r\n2\r\nok\r\n${LAST}`,
    FINE,
  ),
  row('ends chunk lines with LF', `${OK}${CHUNKED}2\nok\n0\n\n`, FINE),
  row('sends a chunk extension', `${OK}${CHUNKED}2;a=b\r\nok\r\n0\r\nX: y\r\n\r\n`, FINE),
  row('sends a chunk extension with a quote', `${OK}${CHUNKED}2;a="b;c"\r\nok\r\n${LAST}`, FINE),
  row('puts spaces after a chunk size', `${OK}${CHUNKED}2  \r\nok\r\n${LAST}`, FINE),
  row('puts a space before a chunk size', `${OK}${CHUNKED} 2\r\nok\r\n${LAST}`, null),
  row('puts zeros before a chunk size', `${OK}${CHUNKED}00000002\r\nok\r\n000\r\n\r\n`, FINE),
  row('puts 40 zeros before a size', `${OK}${CHUNKED}${'0'.repeat(40)}2\r\nok\r\n${LAST}`, null, {
    ours: FINE,
    why: 'it has one meaning; the bound of curl is that of its buffer',
  }),
  row('writes a chunk size in capitals', `${OK}${CHUNKED}A\r\n0123456789\r\n${LAST}`, [
    200,
    '0123456789',
  ]),
  row('writes a chunk size with 0x', `${OK}${CHUNKED}0x2\r\nok\r\n${LAST}`, null),
  row('sends an invalid chunk size', `${OK}${CHUNKED}zz\r\nok\r\n${LAST}`, null),
  row('sends an empty chunk size', `${OK}${CHUNKED}\r\n2\r\nok\r\n${LAST}`, null),
  row('sends a chunk size beyond all integers', `${OK}${CHUNKED}${'f'.repeat(40)}\r\nok`, null),
  row('omits the line end of a chunk', `${OK}${CHUNKED}2\r\nok${LAST}`, null),
  row('sends a chunk longer than its size', `${OK}${CHUNKED}2\r\nokok\r\n${LAST}`, null),
  row('omits the last line end', `${OK}${CHUNKED}2\r\nok\r\n0\r\n`, null),
  row('omits the last chunk', `${OK}${CHUNKED}2\r\nok\r\n`, null),
  row('sends a trailer without a colon', `${OK}${CHUNKED}2\r\nok\r\n0\r\nwhat\r\n\r\n`, null, {
    ours: FINE,
    why: 'trailers are not looked at, and the body is there',
  }),
  row('sends more after the last chunk', `${OK}${CHUNKED}2\r\nok\r\n${LAST}more`, FINE),
  row(
    'writes chunked in capitals',
    `${OK}Transfer-Encoding: CHUNKED\r\n\r\n2\r\nok\r\n${LAST}`,
    FINE,
  ),
  row(
    'sends two headers for chunks',
    `${OK}Transfer-Encoding: chunked\r\n${CHUNKED}2\r\nok\r\n${LAST}`,
    FINE,
  ),
  row(
    'lists chunked twice in one header',
    `${OK}Transfer-Encoding: chunked, ${CHUNKED.slice(19)}2\r\nok\r\n${LAST}`,
    FINE,
  ),
  row('sends chunks in HTTP/1.0', `HTTP/1.0 200 OK\r\n${CHUNKED}2\r\nok\r\n${LAST}`, FINE),
  row('sends the coding identity', `${OK}Transfer-Encoding: identity\r\n${SIZED}`, FINE),
  row(
    'sends the coding identity without a length',
    `${OK}Transfer-Encoding: identity\r\n\r\nok`,
    FINE,
  ),
  row('sends an empty coding', `${OK}Transfer-Encoding:\r\n${SIZED}`, FINE),
  row('sends an unknown coding', `${OK}Transfer-Encoding: foo\r\n\r\nok`, null),
  row('sends a coding similar to chunked', `${OK}Transfer-Encoding: xchunked\r\n${SIZED}`, null),
  row(
    'sends the coding chunked, then gzip',
    `${OK}Transfer-Encoding: chunked, gzip\r\n\r\n2\r\nok\r\n${LAST}`,
    null,
  ),
];

const headLines: readonly ResponseRow[] = [
  row('ends all lines with LF', 'HTTP/1.1 200 OK\nContent-Length: 2\n\nok', FINE),
  row('ends the status line with LF', `HTTP/1.1 200 OK\n${SIZED}`, FINE),
  row('ends some lines with LF', `${OK}A: b\n${SIZED}`, FINE),
  row('ends the headers with LF', `${OK}Content-Length: 2\r\n\nok`, FINE),
  row('ends lines with CR', 'HTTP/1.1 200 OK\rContent-Length: 2\r\rok', null),
  row('puts CR into a value', `${OK}A: b\rc\r\n${SIZED}`, FINE),
  row('puts a space before the colon', `${OK}Content-Length : 2\r\n\r\nok`, FINE),
  row('puts a tab before the colon', `${OK}Content-Length\t: 2\r\n\r\nok`, FINE),
  row('puts no space after the colon', `${OK}Content-Length:2\r\n\r\nok`, FINE),
  row('folds a header', `${OK}A: b\r\n c\r\n${SIZED}`, FINE),
  row('begins with a folded line', `${OK} A: b\r\n${SIZED}`, null),
  row('sends a header without a colon', `${OK}what\r\n${SIZED}`, null),
  row('repeats the status line', `${OK}${OK}${SIZED}`, null),
  row('sends a header without a name', `${OK}: x\r\n${SIZED}`, FINE),
  row('puts a space into a name', `${OK}A b: c\r\n${SIZED}`, FINE),
  row('puts a bracket into a name', `${OK}A(b): c\r\n${SIZED}`, FINE),
  row('puts NUL into a value', `${OK}A: b\0c\r\n${SIZED}`, null),
  row('puts a control character into a value', `${OK}A: b\u0001c\r\n${SIZED}`, FINE),
  row('writes Latin-1', Buffer.from(`${OK}A: caf\u00e9\r\n${SIZED}`, 'latin1'), FINE),
  row('writes UTF-8', `${OK}A: café\r\n${SIZED}`, FINE),
  row('sends 180 KiB of headers', `${OK}${`A: ${'x'.repeat(90_000)}\r\n`.repeat(2)}${SIZED}`, FINE),
  row('sends a line of 150 KiB', `${OK}A: ${'x'.repeat(150_000)}\r\n${SIZED}`, null, {
    ours: FINE,
    why: 'browsers read it; curl bounds single lines at 100 KiB',
  }),
  row(
    'sends 400 KiB of headers',
    `${OK}${`A: ${'x'.repeat(1_000)}\r\n`.repeat(400)}${SIZED}`,
    null,
  ),
  row('sends 6,000 headers', `${OK}${'a: b\r\n'.repeat(6_000)}${SIZED}`, FINE),
  row('stops within the headers', `${OK}A: b`, [200, ''], {
    ours: null,
    why: 'a connection that breaks off is a failure; the status is kept',
  }),
  row('stops after a header', `${OK}Content-Length: 0\r\n`, [200, ''], {
    ours: null,
    why: 'a connection that breaks off is a failure; the status is kept',
  }),
  row('stops after the status line', OK, [200, ''], {
    ours: null,
    why: 'a connection that breaks off is a failure; the status is kept',
  }),
];

const statusLines: readonly ResponseRow[] = [
  row('gives no reason', `HTTP/1.1 200\r\n${SIZED}`, FINE),
  row('gives an empty reason', `HTTP/1.1 200 \r\n${SIZED}`, FINE),
  row('gives a reason in UTF-8', `HTTP/1.1 200 Très bien\r\n${SIZED}`, FINE),
  row('puts two spaces before the status', `HTTP/1.1  200 OK\r\n${SIZED}`, FINE),
  row('puts tabs around the status', `HTTP/1.1\t200\tOK\r\n${SIZED}`, null, {
    ours: FINE,
    why: 'RFC 9112 §4 lets a reader take any blank for the one there',
  }),
  row('puts the reason directly after the status', `HTTP/1.1 200OK\r\n${SIZED}`, FINE),
  row('begins with an empty line', `\r\n${OK}${SIZED}`, null, {
    ours: FINE,
    why: 'left over by servers that end a body with a line end; it has one meaning',
  }),
  row('begins with a space', ` ${OK}${SIZED}`, null),
  row('begins with a byte order mark', `\ufeff${OK}${SIZED}`, null),
  row('writes http in lower case', `http/1.1 200 OK\r\n${SIZED}`, FINE),
  row('responds in HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nok', FINE),
  row('responds in HTTP/1.2', `HTTP/1.2 200 OK\r\n${SIZED}`, null, {
    ours: FINE,
    why: 'RFC 9110 §2.5: a higher minor version is read like the one that is known',
  }),
  row('responds in HTTP/1.10', `HTTP/1.10 200 OK\r\n${SIZED}`, null),
  row('responds in HTTP/2', `HTTP/2 200\r\n${SIZED}`, FINE),
  row('responds in HTTP/2.0', `HTTP/2.0 200 OK\r\n${SIZED}`, FINE),
  row('responds in HTTP/9.9', `HTTP/9.9 200 OK\r\n${SIZED}`, null),
  row('responds in HTTP/0.9', '<html>ok</html>', null),
  row('responds with ICY, like a radio stream', `ICY 200 OK\r\n${SIZED}`, null),
  row('sends no version', `HTTP 200 OK\r\n${SIZED}`, null),
  row('sends a status of four digits', `HTTP/1.1 2000 OK\r\n${SIZED}`, null),
  row('sends a status of two digits', `HTTP/1.1 20 OK\r\n${SIZED}`, null),
  row('sends a status of letters', `HTTP/1.1 OK\r\n${SIZED}`, null),
  row('sends status 099', `HTTP/1.1 099 Odd\r\n${SIZED}`, null),
  row('sends status 600', `HTTP/1.1 600 Odd\r\n${SIZED}`, [600, 'ok']),
  row('sends status 999', `HTTP/1.1 999 Odd\r\n${SIZED}`, [999, 'ok']),
  row('sends 100 Continue first', `HTTP/1.1 100 Continue\r\n\r\n${OK}${SIZED}`, FINE),
  row('sends 100 Continue with LF first', `HTTP/1.1 100 Continue\n\n${OK}${SIZED}`, FINE),
  row('sends hints first', `HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n${OK}${SIZED}`, FINE),
  row('sends only an interim status', 'HTTP/1.1 199 Odd\r\n\r\n', null),
  row('switches protocols without a request', 'HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n', null),
  row('stops within the status line', 'HTTP/1.1 2', null),
  row('sends nothing', '', null),
];

export const RESPONSE_TABLE = [...lengths, ...chunks, ...headLines, ...statusLines];

/** Returns how a check reads the response. */
export function expectedReading({ curl, ours }: ResponseRow): Reading {
  return ours === undefined ? curl : ours;
}

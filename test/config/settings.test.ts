import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderEnvExample } from '../../src/config/env-example';
import { readSettings, SettingsError } from '../../src/config/settings';

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
  it('need nothing at all for all-in-one', () => {
    const settings = readSettings('all-in-one', {});
    expect(settings.PORT).toBe(3000);
    expect(settings.KEEPWATCH_REGIONS).toEqual(['eu-west', 'us-east']);
    expect(settings.KEEPWATCH_PUBLIC_URL).toBe('http://localhost:3000');
    expect(settings.KEEPWATCH_HUB_URL).toBe('http://127.0.0.1:3000');
  });

  it('name every problem at once', () => {
    const problems = problemsOf(() =>
      readSettings('probe', { PORT: 'http', KEEPWATCH_SECRET_KEY: 'short', TEMPORAL_ADDRESS: 'x' }),
    );
    expect(problems).toHaveLength(4);
    for (const name of ['PORT', 'KEEPWATCH_SECRET_KEY', 'TEMPORAL_ADDRESS', 'KEEPWATCH_REGION']) {
      expect(problems.some((problem) => problem.startsWith(name))).toBe(true);
    }
  });

  it('take an empty value as not set', () => {
    expect(readSettings('all-in-one', { PORT: '' }).PORT).toBe(3000);
  });

  it('require of each role what it cannot run without', () => {
    const given = { TEMPORAL_ADDRESS: 'localhost:7233', KEEPWATCH_SECRET_KEY: KEY };
    expect(problemsOf(() => readSettings('api', given))).toEqual([
      expect.stringContaining('MONGODB_URI is required by api'),
    ]);
    expect(problemsOf(() => readSettings('probe', { ...given, KEEPWATCH_REGION: 'eu' }))).toEqual(
      [],
    );
  });

  it('read a list of rotated keys, first one first', () => {
    const settings = readSettings('all-in-one', {
      KEEPWATCH_SECRET_KEY: `${KEY}, ${'b'.repeat(64)}`,
    });
    expect(settings.KEEPWATCH_SECRET_KEY).toEqual([KEY, 'b'.repeat(64)]);
  });

  it('are all in .env.example, word for word', () => {
    const file = readFileSync(join(__dirname, '../../.env.example'), 'utf8');
    expect(file).toBe(renderEnvExample());
  });
});

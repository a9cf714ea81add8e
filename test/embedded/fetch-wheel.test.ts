import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureLargestFile } from '../../src/embedded/fetch-wheel';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keepwatch-wheel-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('the progress of a download is the size of the largest file that pip has written', async () => {
  mkdirSync(join(folder, 'pip-unpack'));
  writeFileSync(join(folder, 'pip-unpack', 'wheel'), 'x'.repeat(300));
  writeFileSync(join(folder, 'note'), 'x');
  expect(await measureLargestFile(folder)).toBe(300);
});

test('a download does not fail when pip removes a folder that is being read', async () => {
  rmSync(folder, { recursive: true });
  expect(await measureLargestFile(folder)).toBe(0);
});

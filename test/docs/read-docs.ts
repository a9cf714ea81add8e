/** Reads the documents for users as text. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.join(__dirname, '../..');

export interface Page {
  /** The path relative to the root of the project. */
  readonly file: string;
  readonly text: string;
}

/** Reads README, CONTRIBUTING, CHANGELOG and all documents in docs. */
export function readPages(): readonly Page[] {
  const below = readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join('docs', name));
  return ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...below].map((file) => ({
    file,
    text: readFileSync(path.join(ROOT, file), 'utf8'),
  }));
}

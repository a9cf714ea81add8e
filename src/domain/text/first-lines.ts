/** Shortens a note to its first lines, so that it fits into an alert. Pure. */
import { cutText } from './cut-text';

const LINES_MAX = 3;
const LENGTH_MAX = 300;

/** Returns up to three lines. Blank lines do not count. */
export function takeFirstLines(note: string): string {
  const lines = note.split(/\r?\n/).filter((line) => line.trim() !== '');
  const first = lines.slice(0, LINES_MAX).join('\n');
  return cutText(lines.length > LINES_MAX ? `${first} …` : first, LENGTH_MAX);
}

/** The first lines of a body, few enough for a phone. Pure. */
import { cutText } from '../../../domain/text/cut-text';
import { bodyText } from '../../shared/results/measured';

const LINES_MAX = 5;
const LENGTH_MAX = 400;

/** Returns at most five lines. JSON is indented. Blank lines around the body are left out. */
export function firstLines(body: string): string {
  const lines = bodyText(body.trim()).split(/\r?\n/);
  const shown = lines.slice(0, LINES_MAX).join('\n').trimEnd();
  return cutText(lines.length > LINES_MAX ? `${shown}\n…` : shown, LENGTH_MAX);
}

/** Shortens the output of a job to its last lines, which usually contain the reason for a failure. Pure. */
import { takeEnd } from './cut-text';

const LINES_MAX = 10;
const LENGTH_MAX = 500;
const CUT = '…\n';
/** Matches the sequences with which programs set colours on a terminal (ECMA-48 CSI). */
const COLOURS = /(?!\s)\p{Cc}\[[0-9;]*[A-Za-z]/gu;

/** Returns up to ten lines. Blank lines do not count. If lines were left out, the first line is `…`. */
export function takeLastLines(output: string): string {
  const lines = output
    .replaceAll(COLOURS, '')
    .split(/\r\n|[\r\n]/)
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
  const last = lines.slice(-LINES_MAX).join('\n');
  const mark = lines.length > LINES_MAX ? CUT : '';
  if (mark.length + last.length <= LENGTH_MAX) return mark + last;
  const end = takeEnd(last, LENGTH_MAX - CUT.length);
  const lineEnd = end.indexOf('\n');
  return lineEnd < 0 ? `…${end}` : `${CUT}${end.slice(lineEnd + 1)}`;
}

/** Makes text of targets safe for messages: without control characters, and of limited length. Pure. */
import { cutText } from './cut-text';

const LINE_MAX = 360;

/** Returns the text with its line breaks. Blank lines are left out. Other control characters become spaces. */
export function toPlainLines(text: string): string {
  return text
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line) => line.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ').trimEnd())
    .filter((line) => line.trim() !== '')
    .join('\n');
}

/** Returns the text on one line. Line breaks and other control characters become spaces, and the length is limited. */
export function toOneLine(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim();
  return cutText(plain, LINE_MAX);
}

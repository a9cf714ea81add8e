/** A terminal line that is rewritten in place and removed at the end. */
import { fitToWidth } from './table';

export interface ProgressLine {
  readonly show: (text: string) => void;
  readonly clear: () => void;
}

const TO_START = '\r';
const CLEAR_TO_END = '\u001b[K';

/** Creates the line. Returns null if the stream is not a terminal. */
export function createProgressLine(stream: NodeJS.WriteStream): ProgressLine | null {
  if (stream.isTTY !== true) return null;
  let isShown = false;
  return {
    show(text) {
      // One column less than the width of the terminal, because a full line would make the terminal start a new line.
      const room = Math.max(1, (stream.columns || 80) - 1);
      stream.write(`${TO_START}${fitToWidth(text, room).trimEnd()}${CLEAR_TO_END}`);
      isShown = true;
    },
    clear() {
      if (isShown) stream.write(`${TO_START}${CLEAR_TO_END}`);
      isShown = false;
    },
  };
}

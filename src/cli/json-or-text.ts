/** Returns the parsed value if the text is JSON, and otherwise the text itself. */
export function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

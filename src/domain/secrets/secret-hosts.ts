/** Where a secret may be sent: a list of host names, the first label of which may be `*`. It sends nothing. */

const PATTERN = /^(\*\.)?[^*\s/@?#:[\]]+$|^\[[0-9a-f:.]+\]$/i;

/** As a URL would hold it (lower case, IDNA), or null for what is no pattern of hosts. */
export function normalHostPattern(text: string): string | null {
  if (!PATTERN.test(text)) return null;
  const isWild = text.startsWith('*.');
  const address = `http://${isWild ? text.slice(2) : text}/`;
  if (!URL.canParse(address)) return null;
  const { hostname } = new URL(address);
  return isWild ? `*.${hostname}` : hostname;
}

/** Whether the host of a URL fits one of the patterns; `*.x` means every name under x, and not x. */
export function isHostAmong(hostname: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) =>
    pattern.startsWith('*.') ? hostname.endsWith(pattern.slice(1)) : hostname === pattern,
  );
}

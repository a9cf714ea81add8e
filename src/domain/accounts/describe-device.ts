/**
 * Names the browser and the operating system in a User-Agent header. Clients choose this header themselves, so it
 * proves nothing.
 */

type Names = readonly (readonly [pattern: RegExp, name: string])[];

/**
 * Browsers and the words by which they are recognised. The first match counts, because most browsers also name their
 * predecessors.
 */
const BROWSERS: Names = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:\b|Headless)(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.* Safari\//, 'Safari'],
  [/^curl\//, 'curl'],
];

const SYSTEMS: Names = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/**
 * Returns a text like `Firefox on Linux`, `curl` or `Unknown browser on Windows`. Returns `Unknown device` if nothing
 * is known.
 */
export function describeDevice(userAgent: string): string {
  const browser = findName(BROWSERS, userAgent);
  const system = findName(SYSTEMS, userAgent);
  if (system === undefined) return browser ?? 'Unknown device';
  return `${browser ?? 'Unknown browser'} on ${system}`;
}

function findName(names: Names, userAgent: string): string | undefined {
  return names.find(([pattern]) => pattern.test(userAgent))?.[1];
}

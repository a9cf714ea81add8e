/** The machine's rules for short names (resolv.conf(5)): `search`, `domain` and `ndots`. */

export interface SearchRules {
  readonly domains: readonly string[];
  /** A name with at least this many dots is first looked up unchanged. */
  readonly ndots: number;
}

export const NO_SEARCH: SearchRules = { domains: [], ndots: 1 };
const NDOTS_MAX = 15;
/** How many search domains are used. More domains would only make a look-up take longer. */
const DOMAINS_MAX = 16;

function trimDots(domain: string): string {
  return domain.replaceAll(/^\.+|\.+$/g, '').toLowerCase();
}

/** Parses resolv.conf. If there are several `search` or `domain` lines, the last one counts. */
export function parseResolvConf(text: string): SearchRules {
  let { domains, ndots } = NO_SEARCH;
  for (const line of text.split('\n')) {
    const [keyword = '', ...values] = line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/);
    if (keyword === 'search') domains = values.map(trimDots);
    if (keyword === 'domain') domains = values.slice(0, 1).map(trimDots);
    const given =
      keyword === 'options' ? values.find((value) => /^ndots:\d+$/.test(value)) : undefined;
    if (given !== undefined) ndots = Math.min(NDOTS_MAX, Number(given.slice('ndots:'.length)));
  }
  return { domains: domains.filter((domain) => domain !== '').slice(0, DOMAINS_MAX), ndots };
}

/** Lists the full names that a short name may mean, in the order in which they are tried. */
export function completeName(host: string, { domains, ndots }: SearchRules): readonly string[] {
  if (host.endsWith('.')) return [host.slice(0, -1)];
  const completed = domains.map((domain) => `${host}.${domain}`);
  const dots = host.split('.').length - 1;
  return dots >= ndots ? [host, ...completed] : [...completed, host];
}

/** What the address is about: one monitor, scenario or incident. Pure. */

export interface Opened {
  readonly kind: 'monitors' | 'scenarios' | 'incidents';
  readonly id: string;
}

/** Also on the pages below it, as those of its results and runs; null on all others. */
export function openedBy(pathname: string): Opened | null {
  const match = /^\/(monitors|scenarios|incidents)\/([a-z]{3}_[0-9a-z]{26})(?:\/|$)/.exec(pathname);
  const [, kind, id] = match ?? [];
  if (id === undefined) return null;
  return kind === 'monitors' || kind === 'scenarios' || kind === 'incidents' ? { kind, id } : null;
}

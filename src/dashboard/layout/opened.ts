/** Finds the monitor, scenario or incident that the URL is about. Pure. */

export interface Opened {
  readonly kind: 'monitors' | 'scenarios' | 'incidents';
  readonly id: string;
}

/** Returns the monitor, scenario or incident that a page or its subpages show. null for all other pages. */
export function findOpened(pathname: string): Opened | null {
  const match = /^\/(monitors|scenarios|incidents)\/([a-z]{3}_[0-9a-z]{26})(?:\/|$)/.exec(pathname);
  const [, kind, id] = match ?? [];
  if (id === undefined) return null;
  return kind === 'monitors' || kind === 'scenarios' || kind === 'incidents' ? { kind, id } : null;
}

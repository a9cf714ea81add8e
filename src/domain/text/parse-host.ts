/** Finds the host in a URL. Pure, and without the `URL` of the runtime, so that workflows can use it. */

const AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?(\[[0-9a-f:.]+\]|[^/?#:@*\s]+)/i;

/** Returns the host without the port. null if the text is not a URL with a host. */
export function parseHost(url: string): string | null {
  return AUTHORITY.exec(url)?.[1] ?? null;
}

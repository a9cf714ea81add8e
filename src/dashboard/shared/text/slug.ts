/** Converts a name to a form that URLs and file names can contain. Pure. */

/** `Acme Shop` → `acme-shop`. */
function toSlug(title: string): string {
  return title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9\s-]/g, '')
    .split(/[\s-]+/)
    .filter((part) => part !== '')
    .join('-')
    .slice(0, 60);
}

/** Updates a slug that was derived from the name. Keeps a typed slug. */
export function followName(derived: string, before: string, name: string): string {
  return derived === toSlug(before) ? toSlug(name) : derived;
}

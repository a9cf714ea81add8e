/** Converts a name to a form that URLs and file names can contain. Pure. */

/** Converts a title: `Acme Shop` → `acme-shop`. */
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

/** Returns the slug of a new name. A slug that was derived from the old name changes; a typed slug stays. */
export function followName(derived: string, before: string, name: string): string {
  return derived === toSlug(before) ? toSlug(name) : derived;
}

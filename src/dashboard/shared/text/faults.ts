/** Finds the messages about one field in a refusal by the service. Pure. */

interface Refusal {
  readonly errors: readonly { readonly path: string; readonly message: string }[];
}

/** Returns the messages about the field and its parts as one text. null if there are none. */
export function faultAt(problem: Refusal | null, path: string): string | null {
  const own = (problem?.errors ?? []).filter((fault) => isAtOrWithin(fault.path, path));
  return own.length === 0
    ? null
    : own.map(({ message }) => message.charAt(0).toUpperCase() + message.slice(1)).join('; ');
}

function isAtOrWithin(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`);
}

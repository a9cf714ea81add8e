/** Parses the response of `/readyz`. Pure. */

export interface ReadinessFacts {
  readonly isReady: boolean;
  readonly parts: readonly { readonly name: string; readonly isUp: boolean }[];
}

/** Converts the response to facts. A response that cannot be parsed counts as not ready. */
export function readReadiness(body: unknown): ReadinessFacts {
  if (!isRecord(body)) return { isReady: false, parts: [] };
  const { status, dependencies } = body;
  const parts = Object.entries(isRecord(dependencies) ? dependencies : {}).map(([name, state]) => ({
    name,
    isUp: isRecord(state) && state['status'] === 'up',
  }));
  return { isReady: status === 'ready', parts };
}

/** Converts the name of a part, like `temporalNamespace`, to words, like `Temporal namespace`. */
export function partWords(name: string): string {
  const words = name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

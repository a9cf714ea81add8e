/** Reads what `/readyz` tells. Pure. */

export interface ReadinessFacts {
  readonly isReady: boolean;
  readonly parts: readonly { readonly name: string; readonly isUp: boolean }[];
}

/** What cannot be read counts as not ready. */
export function readReadiness(body: unknown): ReadinessFacts {
  if (!isRecord(body)) return { isReady: false, parts: [] };
  const { status, dependencies } = body;
  const parts = Object.entries(isRecord(dependencies) ? dependencies : {}).map(([name, state]) => ({
    name,
    isUp: isRecord(state) && state['status'] === 'up',
  }));
  return { isReady: status === 'ready', parts };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

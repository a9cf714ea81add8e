/** The result of one examination: what was examined, its state, and advice. */

export interface Finding {
  readonly name: string;
  /** `failed` means that the service cannot do its work in this state. */
  readonly state: 'ok' | 'warning' | 'failed';
  readonly says: string;
  /** null if there is nothing to do. */
  readonly advice: string | null;
}

const MARKS = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' } as const;

export function ok(name: string, says: string): Finding {
  return { name, state: 'ok', says, advice: null };
}

export function warning(name: string, says: string, advice: string): Finding {
  return { name, state: 'warning', says, advice };
}

export function failed(name: string, says: string, advice: string): Finding {
  return { name, state: 'failed', says, advice };
}

/** Runs an examination and returns its findings. If it throws, returns a single failed finding. */
export async function examined(
  name: string,
  examine: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await examine();
  } catch (error) {
    const advice =
      'The request was refused. See the other findings, and check the rights of its user.';
    return [failed(name, `could not be examined: ${formatReason(error)}`, advice)];
  }
}

/** Returns the message of the error and of its cause. */
export function formatReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

export function isHealthy(findings: readonly Finding[]): boolean {
  return findings.every(({ state }) => state !== 'failed');
}

/** Formats one line per finding, with its advice below, and a summary. */
export function formatFindings(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ name }) => name.length));
  const lines = findings.flatMap(({ name, state, says, advice }) => [
    `${MARKS[state]}  ${name.padEnd(width)}  ${says}`,
    ...(advice === null ? [] : [`${' '.repeat(width + 11)}→ ${advice}`]),
  ]);
  const count = findings.filter(({ state }) => state === 'failed').length;
  const sum = count === 0 ? 'No problems were found.' : `${count} to fix.`;
  return `${[...lines, '', sum].join('\n')}\n`;
}

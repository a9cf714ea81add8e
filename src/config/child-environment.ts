/**
 * The environment as a whole, for child processes and for finding programs: PATH, HOME and the
 * like. Settings of Keepwatch are read through settings.ts only.
 */

/** A copy of this process's environment with the given names set on top. */
export function childEnvironment(
  overrides: Readonly<Record<string, string>> = {},
): NodeJS.ProcessEnv {
  return { ...process.env, ...overrides };
}

/** The axis of response times: a round top, four equal round steps, and one unit. Pure. */

const STEPS = 4;
/** The steps that count as round, before a power of ten. */
const ROUND = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8] as const;
const SECOND_MS = 1_000;

interface Axis {
  /** At least the largest value. */
  readonly topMs: number;
  /** Five whole numbers of milliseconds from 0 to the top, equally spaced. */
  readonly ticks: readonly number[];
  /** Formats a tick. All ticks have the same unit. */
  readonly format: (ms: number) => string;
}

/** Builds the axis for the values in milliseconds. null means that nothing was measured. */
export function buildAxis(values: readonly (number | null)[]): Axis {
  const step = findStep(values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0));
  const topMs = STEPS * step;
  return {
    topMs,
    ticks: Array.from({ length: STEPS + 1 }, (_, index) => index * step),
    format: topMs < SECOND_MS ? (ms) => `${ms} ms` : (ms) => `${ms / SECOND_MS} s`,
  };
}

/** Returns the smallest round step that is a whole number of milliseconds and reaches `most` in four steps. */
function findStep(most: number): number {
  for (let power = 1; ; power *= 10) {
    const step = ROUND.map((round) => round * power).find(
      (candidate) => Number.isInteger(candidate) && candidate * STEPS >= most,
    );
    if (step !== undefined) return step;
  }
}

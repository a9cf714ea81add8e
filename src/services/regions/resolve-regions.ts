/** The regions that a body means: those it names, or the default when it names none. */
import type { FieldProblem } from '../../platform/errors';
import type { Dependencies } from '../ports/dependencies';
import { defaultRegions, knownRegions } from './regions';

export interface ResolvedRegions {
  readonly names: readonly string[];
  readonly known: readonly string[];
}

type Needs = Pick<Dependencies, 'stores' | 'clock' | 'configuredRegions'>;

export async function resolveRegions(
  needs: Needs,
  named: readonly string[] | null,
): Promise<ResolvedRegions> {
  if (named === null) {
    const names = await defaultRegions(needs);
    return { names, known: names };
  }
  return { names: named, known: await knownRegions(needs) };
}

/** One problem for each name that no region has, at `regions[i]`; stored names stay good. */
export function unknownRegionProblems(
  { names, known }: ResolvedRegions,
  stored: readonly string[] = [],
): readonly FieldProblem[] {
  return names.flatMap((name, index) =>
    known.includes(name) || stored.includes(name)
      ? []
      : [
          {
            path: `regions[${index}]`,
            code: 'unknown_region',
            message: `names no region; known are ${known.join(', ')}`,
          },
        ],
  );
}

/** Problems of a form by the path of their field, the same paths that /v1 answers with. Pure. */

export interface FieldProblem {
  readonly path: string;
  readonly message: string;
}

export type Problems = readonly FieldProblem[];

/** What is wrong with the field itself; empty text means nothing, as inputs want it. */
export function problemAt(problems: Problems, path: string): string | undefined {
  return problems.find((problem) => problem.path === path)?.message;
}

/** Whether the field or anything inside it has a problem. */
export function hasProblemUnder(problems: Problems, path: string): boolean {
  return problems.some(
    (problem) =>
      problem.path === path ||
      problem.path.startsWith(`${path}.`) ||
      problem.path.startsWith(`${path}[`),
  );
}

/** Problems inside a field, with paths as seen from it. */
export function problemsUnder(problems: Problems, path: string): Problems {
  return problems
    .filter(({ path: at }) => at.startsWith(`${path}.`) || at.startsWith(`${path}[`))
    .map(({ path: at, message }) => ({
      path: at.slice(path.length).replace(/^\./, ''),
      message,
    }));
}

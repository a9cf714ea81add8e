/** Problems of a form by the path of their field. The paths are those of /v1. */

export interface FieldProblem {
  readonly path: string;
  readonly message: string;
  /** The variable that the field refers to, if nothing defines it. */
  readonly variable?: string | undefined;
}

export type Problems = readonly FieldProblem[];

/** Returns the sentence below an input. undefined if there is none. */
export function problemAt(problems: Problems, path: string): string | undefined {
  return formatSentence(problems.find((problem) => problem.path === path));
}

interface FieldMarks {
  readonly error: string | undefined;
  /** The path by which the summary of problems finds the input. */
  readonly 'data-path': string;
}

/** Returns the props that connect an input to the field at the path. */
export function fieldAt(problems: Problems, path: string): FieldMarks {
  return { error: problemAt(problems, path), 'data-path': path };
}

/** Returns the props for an input that also shows problems inside the field, like a list of tags. */
export function fieldWithin(problems: Problems, path: string): FieldMarks {
  const found = problems.find(({ path: at }) => isWithin(at, path));
  return { error: formatSentence(found), 'data-path': path };
}

/**
 * Returns the props for an input whose text has several fields, like a JSON schema. The message below the input names
 * the first faulty field.
 */
export function fieldWithPaths(problems: Problems, path: string): FieldMarks {
  const [inner] = problemsUnder(problems, path);
  const error = inner === undefined ? problemAt(problems, path) : `${inner.path} ${inner.message}`;
  return { error, 'data-path': path };
}

/** Advice for an empty field, by the end of its path. */
const EMPTY: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\.)name$/, 'Enter a name.'],
  [/(?:^|\.)url$/, 'Enter a URL.'],
  [/(?:)/, 'This field is required.'],
];

/**
 * Returns the problem as a full sentence. Messages like `must be a number` usually follow a label, so the first letter
 * is capitalized here.
 */
function formatSentence(problem: FieldProblem | undefined): string | undefined {
  if (problem === undefined) return undefined;
  const { path, message } = problem;
  if (message === 'must not be empty') return EMPTY.find(([end]) => end.test(path))?.[1];
  if (message === 'is not a valid URL') return 'Enter a full URL, like https://example.com/.';
  return message.charAt(0).toUpperCase() + message.slice(1);
}

/** True if the field or anything inside it has a problem. */
export function hasProblemUnder(problems: Problems, path: string): boolean {
  return problems.some((problem) => isWithin(problem.path, path));
}

function isWithin(at: string, path: string): boolean {
  return at === path || at.startsWith(`${path}.`) || at.startsWith(`${path}[`);
}

/** Returns the problems inside a field, with paths relative to the field. */
export function problemsUnder(problems: Problems, path: string): Problems {
  return problems
    .filter(({ path: at }) => at.startsWith(`${path}.`) || at.startsWith(`${path}[`))
    .map(({ path: at, message }) => ({
      path: at.slice(path.length).replace(/^\./, ''),
      message,
    }));
}

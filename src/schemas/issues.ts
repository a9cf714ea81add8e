/** Reports all problems of a body at once, each with the path of its field and an error code. Never throws. */
import { z } from 'zod';
import { findPatternsProblem } from '../domain/assertions/pattern-size';
import { buildPlainMessage, FIELD_BREAK } from './plain-message';

/** One problem, with the path of its field, such as `steps[1].assertions[0].operator`. */
export interface ShapeProblem {
  readonly path: string;
  readonly code: string;
  readonly message: string;
  /** The variable that the field refers to, if nothing defines it. */
  readonly variable?: string;
}

export type Validated<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problems: readonly ShapeProblem[] };

/** A use of a variable that the definition does not define: the path of the field, and the name of the variable. */
export interface OpenVariable {
  readonly path: string;
  readonly name: string;
}

export interface OpenReferences {
  readonly variables: readonly OpenVariable[];
  /** The names in `{{secret:name}}` and `{{$totp:name}}`, without duplicates. */
  readonly secrets: readonly string[];
}

/**
 * A schema with rules that involve several fields. The rules read the body before validation, so that they work even if
 * single fields are invalid.
 */
export interface CheckedShape<Shape extends z.ZodType> {
  readonly shape: Shape;
  readonly findProblems: (body: unknown) => readonly ShapeProblem[];
  /** Adds facts about the unvalidated body to the valid body. */
  readonly finish?: (value: z.output<Shape>, body: unknown) => z.output<Shape>;
  /** Returns the references that the schema does not refuse. If absent, the schema refuses unknown variables. */
  readonly readReferences?: (body: unknown) => OpenReferences;
  /** The total size limit of the patterns in a body. If absent, the limit of one object applies. */
  readonly patternsSizeMax?: number;
}

type Path = readonly PropertyKey[];

/** Adds a problem with its own code from inside a refinement. */
export function report(
  context: z.core.$RefinementCtx,
  path: Path,
  problem: Omit<ShapeProblem, 'path'>,
): void {
  context.addIssue({
    code: 'custom',
    path: [...path],
    message: problem.message,
    params: { code: problem.code },
  });
}

/**
 * Returns the value with every default filled in, or all problems of the body at once. If the patterns together are too
 * large, this is the only problem.
 */
export function validate<Shape extends z.ZodType>(
  checked: Shape | CheckedShape<Shape>,
  body: unknown,
): Validated<z.output<Shape>> {
  const isPlain = checked instanceof z.ZodType;
  const excess = findPatternsProblem(body, isPlain ? undefined : checked.patternsSizeMax);
  if (excess !== null)
    return { ok: false, problems: [{ path: '', code: 'out_of_bounds', message: excess }] };
  const across = [...findForbiddenText(body, []), ...(isPlain ? [] : checked.findProblems(body))];
  if (isPlain) return parse(checked, body, across);
  const parsed = parse(checked.shape, body, across);
  if (!parsed.ok || checked.finish === undefined) return parsed;
  return { ok: true, value: checked.finish(parsed.value, body) };
}

/** Matches text that may be forbidden. In decoded UTF-8, a lone surrogate can only come from an escape. */
const MAY_BE_FORBIDDEN = /\\u|__proto__/;

/** A parsed body, and the JSON text from which it was parsed. */
export interface ReadJson {
  readonly body: unknown;
  readonly json: string;
}

/** Like `validate`, but does not check patterns. Use it only for bodies whose patterns are never executed. */
export function validateJson<Shape extends z.ZodType>(
  shape: Shape,
  { body, json }: ReadJson,
): Validated<z.output<Shape>> {
  return parse(shape, body, MAY_BE_FORBIDDEN.test(json) ? findForbiddenText(body, []) : []);
}

function parse<Shape extends z.ZodType>(
  shape: Shape,
  body: unknown,
  across: readonly ShapeProblem[],
): Validated<z.output<Shape>> {
  const parsed = shape.safeParse(body, { error: buildPlainMessage });
  if (parsed.success && across.length === 0) return { ok: true, value: parsed.data };
  const single = parsed.success ? [] : parsed.error.issues.flatMap(toProblems);
  return { ok: false, problems: [...single, ...across] };
}

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Finds text that cannot be stored. JavaScript objects would lose a field `__proto__`, and a lone surrogate cannot be
 * encoded as UTF-8.
 */
function findForbiddenText(value: unknown, path: Path): ShapeProblem[] {
  if (typeof value === 'string') {
    const message = 'must not contain half of a character (a lone surrogate)';
    const isWhole = !LONE_SURROGATE.test(value);
    return isWhole ? [] : [{ path: formatPath(path), code: 'invalid_value', message }];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, child]) => {
    const at = [...path, Array.isArray(value) ? Number(name) : name];
    if (name !== '__proto__' && !LONE_SURROGATE.test(name)) return findForbiddenText(child, at);
    const message = 'must not be used as a name';
    return [{ path: formatPath(at), code: 'invalid_value', message }];
  });
}

function toProblems(issue: z.core.$ZodIssue): ShapeProblem[] {
  if (issue.code === 'unrecognized_keys') {
    const messages = issue.message.split(FIELD_BREAK);
    return issue.keys.map((key, index) => ({
      path: formatPath([...issue.path, key]),
      code: 'unknown_field',
      message: messages[index] ?? issue.message,
    }));
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) return unionProblems(issue);
  const code = issue.code === 'custom' ? customCode(issue.params) : chooseCode(issue);
  return [{ path: formatPath(issue.path), code, message: issue.message }];
}

/**
 * Returns the problems of the union's alternative that has the right type, or of the closest alternative. If none is
 * close, returns one problem of the whole union.
 */
function unionProblems(issue: z.core.$ZodIssueInvalidUnion): ShapeProblem[] {
  const ofType = issue.errors.filter((problems) => !problems.some(isOtherType));
  const [closest] =
    ofType.length === 1
      ? ofType
      : [...issue.errors].sort((a, b) => measureDepth(b) - measureDepth(a) || a.length - b.length);
  if (closest === undefined || (measureDepth(closest) === 0 && ofType.length !== 1)) {
    return [{ path: formatPath(issue.path), code: 'invalid_value', message: issue.message }];
  }
  return closest.flatMap((inner) => toProblems({ ...inner, path: [...issue.path, ...inner.path] }));
}

function isOtherType({ code, path }: z.core.$ZodIssue): boolean {
  return code === 'invalid_type' && path.length === 0;
}

function measureDepth(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length));
}

function customCode(params: Record<string, unknown> | undefined): string {
  const code = params?.['code'];
  return typeof code === 'string' ? code : 'invalid_value';
}

function chooseCode(issue: z.core.$ZodIssue): string {
  if (issue.message === 'is required') return 'required';
  if (issue.code === 'invalid_type') return 'wrong_type';
  if (issue.code === 'too_small' || issue.code === 'too_big') return 'out_of_bounds';
  return 'invalid_value';
}

/** Formats a path: `['steps', 1, 'name']` → `steps[1].name`. The path of the whole body is empty. */
export function formatPath(path: Path): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
}

/**
 * Options of a definition: numbers and switches. Limits and defaults come from the API's schema. An empty number means
 * the default.
 */
import { z } from 'zod';
import type { Problems } from '../form/problems/problems';

export type OptionFields = Readonly<Record<string, z.ZodType>>;

export type Values = Readonly<Record<string, unknown>>;

type Held<Field extends z.ZodType> =
  NonNullable<z.output<Field>> extends number ? number | null : boolean;

export type OptionDraft<Fields extends OptionFields> = {
  readonly [Name in keyof Fields]: Held<Fields[Name]>;
};

export interface OptionText {
  readonly label: string;
  readonly description?: string;
  /** The text in an empty number field. If absent, the default of the schema is shown. */
  readonly placeholder?: string;
  /** True means that the number is a duration in seconds, which is typed in any unit. */
  readonly isDuration?: boolean;
}

export type OptionTexts<Fields extends OptionFields> = Readonly<Record<keyof Fields, OptionText>>;

export interface OptionFacts {
  readonly type: 'number' | 'boolean';
  readonly min: number;
  readonly max: number;
  /** The default value. null if there is none. */
  readonly fallback: number | boolean | null;
}

/** Reads limits and default of the option from its schema. */
export function readOptionFacts(field: z.ZodType): OptionFacts {
  const value: unknown = field.safeParse(undefined).data;
  const fallback = typeof value === 'number' || typeof value === 'boolean' ? value : null;
  const inner = innermost(field);
  if (inner instanceof z.ZodBoolean) return { type: 'boolean', min: 0, max: 1, fallback };
  const bounds = inner instanceof z.ZodNumber ? inner : null;
  return {
    type: 'number',
    min: bounds?.minValue ?? 0,
    max: bounds?.maxValue ?? Number.MAX_SAFE_INTEGER,
    fallback,
  };
}

function innermost(field: z.core.$ZodType): z.core.$ZodType {
  const isWrapped =
    field instanceof z.ZodDefault ||
    field instanceof z.ZodNullable ||
    field instanceof z.ZodOptional;
  return isWrapped ? innermost(field.unwrap()) : field;
}

/** Reads the options of the body. Values of an unexpected type are treated as absent. */
export function readOptions<Fields extends OptionFields>(
  fields: Fields,
  body: Values,
): OptionDraft<Fields> {
  const entries = Object.entries(fields).map(([name, field]) => {
    const { type, fallback } = readOptionFacts(field);
    const given = body[name];
    if (typeof given === type) return [name, given] as const;
    return [name, type === 'boolean' ? fallback === true : null] as const;
  });
  return asDraft<Fields>(Object.fromEntries(entries));
}

/** The cast is safe because each entry has the type of its field. Numbers may also be null. */
function asDraft<Fields extends OptionFields>(options: Values): OptionDraft<Fields> {
  return options as OptionDraft<Fields>;
}

/** Returns the options for the body, without defaults. */
export function optionsBody<Fields extends OptionFields>(
  fields: Fields,
  draft: OptionDraft<Fields>,
): Values {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const value = draft[name];
      return value === null || value === readOptionFacts(field).fallback
        ? []
        : [[name, value] as const];
    }),
  );
}

export interface OptionInputsProps<Fields extends OptionFields> {
  readonly fields: Fields;
  readonly texts: OptionTexts<Fields>;
  readonly value: OptionDraft<Fields>;
  readonly onChange: (patch: Partial<OptionDraft<Fields>>) => void;
  readonly problems: Problems;
  /** The prefix of the options in the body: empty, or like `steps[0].`. */
  readonly prefix?: string;
}

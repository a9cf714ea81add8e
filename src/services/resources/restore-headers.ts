/**
 * Restores masked headers in a changed definition. A mask means the stored value of the same header in the step with
 * the same name.
 */
import type { NamedValue } from '../../contracts/definition';
import type { NetworkCheck } from '../../contracts/kinds';
import { HEADER_MASK } from '../../domain/secrets/sensitive-headers';
import type { FieldProblem } from '../../platform/errors';
import { refuseProblems } from '../lists/field-problems';

interface Sending {
  readonly name: string;
  readonly headers?: readonly NamedValue[];
  /** Settings of a check that is not HTTP. Some types have headers in their settings. */
  readonly settings?: NetworkCheck['settings'];
}

/** A definition with steps. A monitor has a single step, which needs no name. */
export interface Stepped {
  readonly step?: Sending | null;
  readonly steps?: readonly Sending[];
}

/** A stored resource, or the fields of a new one. */
interface Definition extends Stepped {
  readonly variables: readonly unknown[];
}

/**
 * Replaces masked values by the stored values. If no value is stored for a mask, throws `validation_failed` with its
 * path.
 */
export function restoreMaskedHeaders<Fields extends Definition>(
  stored: Definition,
  fields: Fields,
): Fields {
  refuseProblems(findMaskedHeaders(stored, fields));
  const kept = <Step extends Sending>(step: Step): Step => {
    const keep = (headers: readonly NamedValue[]): readonly NamedValue[] =>
      headers.map((header) => keptHeader(stored, step, header));
    const { headers, settings } = step;
    if (headers !== undefined) return { ...step, headers: keep(headers) };
    if (settings === undefined || !('headers' in settings)) return step;
    return { ...step, settings: { ...settings, headers: keep(settings.headers) } };
  };
  const { step, steps } = fields;
  return {
    ...fields,
    ...(step == null ? {} : { step: kept(step) }),
    ...(steps === undefined ? {} : { steps: steps.map(kept) }),
  };
}

/** Returns a problem for each masked value without a stored value. */
export function findMaskedHeaders(
  stored: Stepped | null,
  { step, steps = [] }: Stepped,
): readonly FieldProblem[] {
  const located = steps.map((each, index) => ({ at: `steps[${index}].headers`, each }));
  if (step != null) located.push({ at: 'headers', each: step });
  return located.flatMap(({ at, each }) =>
    headersIn(each)
      .filter((header) => keptHeader(stored, each, header).value === HEADER_MASK)
      .map(({ name }) => ({
        path: `${at}.${name}`,
        code: 'invalid_value',
        message: 'is masked, and no value is stored for it; give the value',
      })),
  );
}

function headersIn(step: Sending | undefined): readonly NamedValue[] {
  const { headers, settings } = step ?? {};
  if (headers !== undefined) return headers;
  return settings !== undefined && 'headers' in settings ? settings.headers : [];
}

function keptHeader(stored: Stepped | null, step: Sending, header: NamedValue): NamedValue {
  if (header.value !== HEADER_MASK) return header;
  const before = stored?.step ?? stored?.steps?.find(({ name }) => name === step.name);
  const name = header.name.toLowerCase();
  const value = headersIn(before).find((each) => each.name.toLowerCase() === name)?.value;
  return { ...header, value: value ?? header.value };
}

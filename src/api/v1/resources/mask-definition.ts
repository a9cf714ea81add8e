/**
 * Masks sensitive headers of definitions for principals without write scope. When a client sends a mask back,
 * `restoreMaskedHeaders` restores the stored value.
 */
import { isRecord } from '../../../contracts/json';
import { HEADER_MASK, isSensitiveHeader } from '../../../domain/secrets/sensitive-headers';
import { readRecord } from '../../../schemas/loose';
import { hasScope, type Principal } from '../../../services/accounts/principal';

/** Masks the definition. Call it before computing the ETag: an ETag of unmasked values would leak them. */
export function maskDefinition<Shown extends object>(
  principal: Principal,
  definition: Shown,
): Shown {
  return hasScope(principal, 'write') ? definition : masked(definition);
}

/** Masks each definition of a list like `maskDefinition`. */
export function maskDefinitions<Shown extends object>(
  principal: Principal,
  definitions: readonly Shown[],
): readonly Shown[] {
  return definitions.map((definition) => maskDefinition(principal, definition));
}

function masked<Shown extends object>(definition: Shown): Shown {
  const { headers, steps, set } = readRecord(definition);
  return {
    ...definition,
    ...(headers === undefined ? {} : { headers: maskedHeaders(readRecord(headers)) }),
    // In a profile, the values are in `set`.
    ...(isRecord(set) ? { set: masked(set) } : {}),
    ...(Array.isArray(steps) ? { steps: steps.map((step) => masked(readRecord(step))) } : {}),
  };
}

function maskedHeaders(headers: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const isHidden = typeof value === 'string' && isSensitiveHeader(name, value);
      return [name, isHidden ? HEADER_MASK : value];
    }),
  );
}

/** Shows next to a field whether its value comes from the profile or overrides the profile. */
import { Anchor, Text } from '@mantine/core';
import { createContext, useContext } from 'react';
import { listFieldNames, splitName } from '../../../domain/definitions/layers';
import { readNamed } from './layered-draft';
import type { Layering } from './use-layers';

/** The profile of the form. null outside of a form with a profile. */
export const LayeringContext = createContext<Layering | null>(null);

const ANY = { inheritable: { has: () => true } };

interface OriginNoteProps {
  /** The name of the field in a body. */
  readonly field: string;
}

/** Shows where the value of a field comes from. Renders nothing if the profile does not set the field. */
export function OriginNote({ field }: OriginNoteProps) {
  const layering = useContext(LayeringContext);
  if (layering === null || layering.chosen === null) return null;
  const { chosen, set, own, inherit } = layering;
  if (set[field] === undefined) return null;
  const names = listFieldNames({ [field]: set[field] }, ANY);
  const replaced = own.filter(
    (name) => splitName(name).field === field && readNamed(set, name) !== undefined,
  );
  const inherited = names.filter((name) => !replaced.includes(name));
  return (
    <>
      {inherited.length > 0 && (
        <Text size="xs" c="dimmed" mt={4}>
          {formatNames(inherited)}from profile {chosen}
        </Text>
      )}
      {replaced.length > 0 && (
        <Text size="xs" c="dimmed" mt={4}>
          {formatNames(replaced)}own value.{' '}
          <Anchor
            component="button"
            type="button"
            size="xs"
            onClick={() => inherit(field)}
            aria-label={`Use the value of profile ${chosen} for ${field}`}
          >
            Use the value of profile {chosen}
          </Anchor>
        </Text>
      )}
    </>
  );
}

/**
 * Returns the names of the entries as a prefix, like `x-team: `. Empty for a whole field, whose label already names it.
 */
function formatNames(names: readonly string[]): string {
  const entries = names.flatMap((name) => splitName(name).entry ?? []);
  return entries.length === 0 ? '' : `${entries.join(', ')}: `;
}

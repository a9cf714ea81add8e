/** The definition of a monitor as YAML. Loads the YAML library. */
import { stringify } from 'yaml';
import type { Monitor } from '../../../shared/data/api-types';
import { DefinitionText } from '../../../shared/tabs/definition-text';
import { readDefinition } from '../form/definition';

export function ConfigurationTab({ monitor }: { readonly monitor: Monitor }) {
  return <DefinitionText of={monitor} yaml={stringify(readDefinition(monitor))} />;
}

/** A saved definition as YAML, to be read and copied, with its version. */
import { Group, Text } from '@mantine/core';
import type { Monitor } from '../data/api-types';
import { AbsoluteTime } from '../text/time';
import { CopyTextButton } from '../ui/copy-text-button';
import { ScrollBox } from '../ui/scroll-box';
import classes from './tabs.module.css';

interface DefinitionTextProps {
  readonly of: Pick<Monitor, 'version' | 'createdAt' | 'updatedAt'>;
  readonly yaml: string;
}

export function DefinitionText({ of, yaml }: DefinitionTextProps) {
  return (
    <>
      <Group justify="space-between" mb="sm">
        <Text size="sm">
          Version {of.version}, since <AbsoluteTime at={of.updatedAt} />. Created{' '}
          <AbsoluteTime at={of.createdAt} />.
        </Text>
        <CopyTextButton text={yaml} />
      </Group>
      <ScrollBox label="Definition">
        <pre className={classes['definition']}>{yaml}</pre>
      </ScrollBox>
    </>
  );
}

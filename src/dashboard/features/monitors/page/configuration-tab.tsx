/** The definition of a monitor as YAML, to be read and copied. Brings the YAML library. */
import { Group, Text } from '@mantine/core';
import { stringify } from 'yaml';
import type { Monitor } from '../../../shared/data/api-types';
import { AbsoluteTime } from '../../../shared/text/time';
import { CopyTextButton } from '../../../shared/ui/copy-text-button';
import { ScrollBox } from '../../../shared/ui/scroll-box';
import { definitionOf } from '../form/definition';
import classes from '../monitors.module.css';

export function ConfigurationTab({ monitor }: { readonly monitor: Monitor }) {
  const text = stringify(definitionOf(monitor));
  return (
    <>
      <Group justify="space-between" mb="sm">
        <Text size="sm">
          Version {monitor.version}, since <AbsoluteTime at={monitor.updatedAt} />. Created{' '}
          <AbsoluteTime at={monitor.createdAt} />.
        </Text>
        <CopyTextButton text={text} />
      </Group>
      <ScrollBox label="Definition">
        <pre className={classes['definition']}>{text}</pre>
      </ScrollBox>
    </>
  );
}

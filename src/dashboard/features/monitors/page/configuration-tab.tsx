/** The definition of a monitor as YAML, to be read and copied. Brings the YAML library. */
import { Button, CopyButton, Group, Text } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { stringify } from 'yaml';
import type { Monitor } from '../../../shared/data/api-types';
import { AbsoluteTime } from '../../../shared/text/time';
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
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button
              size="xs"
              variant="default"
              onClick={copy}
              leftSection={
                copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />
              }
            >
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </Group>
      <ScrollBox label="Definition">
        <pre className={classes['definition']}>{text}</pre>
      </ScrollBox>
    </>
  );
}

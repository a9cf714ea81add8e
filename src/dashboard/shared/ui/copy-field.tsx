/** A text with a copy button. Long lines scroll, so that no word breaks. */
import { ActionIcon, Code, CopyButton, Group, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { ScrollBox } from './scroll-box';

interface CopyFieldProps {
  /** The name of the text, like "API key". */
  readonly label: string;
  readonly value: string;
}

export function CopyField({ label, value }: CopyFieldProps) {
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {label}
      </Text>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <div style={{ flex: 1, minWidth: 0 }}>
          <ScrollBox label={label}>
            <Code
              block
              w="max-content"
              miw="100%"
              bd="1px solid var(--mantine-color-default-border)"
            >
              {value}
            </Code>
          </ScrollBox>
        </div>
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <Tooltip label={copied ? 'Copied' : 'Copy'} withinPortal={false}>
              <ActionIcon
                variant="default"
                size="lg"
                onClick={copy}
                aria-label={copied ? `${label} copied` : `Copy ${label}`}
              >
                {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
      </Group>
    </div>
  );
}

/** A button that copies a text. */
import { Button, type ButtonProps, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ComponentType } from 'react';

interface CopyTextButtonProps {
  readonly text: string;
  readonly label?: string;
  /** The label after the text was copied. */
  readonly copiedLabel?: string;
  readonly Icon?: ComponentType<{ readonly size: number }>;
  readonly size?: ButtonProps['size'];
}

export function CopyTextButton({
  text,
  label = 'Copy',
  copiedLabel = 'Copied',
  Icon = IconCopy,
  size = 'xs',
}: CopyTextButtonProps) {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => {
        const Shown = copied ? IconCheck : Icon;
        return (
          <Button
            size={size}
            variant="default"
            onClick={copy}
            leftSection={<Shown size={14} aria-hidden />}
          >
            {copied ? copiedLabel : label}
          </Button>
        );
      }}
    </CopyButton>
  );
}

import { Button, Group, Text } from '@mantine/core';
import { moved, SPAN_MIN_MS, type Span } from './zoom';

interface ZoomButtonsProps {
  readonly span: Span;
  readonly isZoomed: boolean;
  /** Called with null to go back to the window. */
  readonly onZoom: (span: Span | null) => void;
}

const NAMES = ['Earlier', 'Later', 'Zoom in', 'Zoom out'] as const;

export function ZoomButtons({ span, isZoomed, onZoom }: ZoomButtonsProps) {
  const nowMs = Date.now();
  const isSmallest = span.toMs - span.fromMs <= SPAN_MIN_MS;
  const isDisabled = { Earlier: false, Later: !isZoomed, 'Zoom in': isSmallest, 'Zoom out': false };
  return (
    <Group gap="xs" mt="sm" role="group" aria-label="Zoom">
      {NAMES.map((name) => (
        <Button
          key={name}
          size="compact-xs"
          variant="default"
          disabled={isDisabled[name]}
          onClick={() => onZoom(moved(span, name, nowMs))}
        >
          {name}
        </Button>
      ))}
      {isZoomed ? (
        <Button size="compact-xs" variant="default" onClick={() => onZoom(null)}>
          Reset zoom
        </Button>
      ) : (
        <Text size="xs" c="dimmed" visibleFrom="sm">
          or drag over the chart
        </Text>
      )}
    </Group>
  );
}

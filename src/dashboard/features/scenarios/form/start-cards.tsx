/** The ways to start a scenario: from an example, by an import, or empty. */
import { Button, Card, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { IconFileImport, IconTerminal2 } from '@tabler/icons-react';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import { STEPS_MAX } from '../../../../contracts/definition';
import { loadWhenReached } from '../../../shared/loading/load-when-reached';
import { Heading } from '../../../shared/ui/heading';
import classes from '../builder/builder.module.css';
import { BUILDER_TEXT } from '../builder/builder-strings';
import { CurlImportDialog } from '../curl/curl-dialogs';
import { type Draft, type DraftStep, emptyDraft } from '../draft/draft';
import { withImported } from '../draft/draft-changes';
import { EXAMPLES } from './examples';

const ImportDialog = lazy(
  loadWhenReached(async () => ({
    default: (await import('../import/import-dialog')).ImportDialog,
  })),
);

interface StartCardsProps {
  /** Starts from an example with this URL of the service. If the URL is empty, the example keeps its own URL. */
  readonly onExample: (id: string, baseUrl: string) => void;
  readonly onImport: (draft: Draft) => void;
  readonly onEmpty: () => void;
}

export function StartCards({ onExample, onImport, onEmpty }: StartCardsProps) {
  return (
    <div className={classes['start']}>
      <ExampleCard onExample={onExample} />
      <ImportCard onImport={onImport} />
      <Card withBorder>
        <Heading>Start empty</Heading>
        <Text size="sm" c="dimmed" my="sm">
          One empty step. Fill it in, and add more steps as you need them.
        </Text>
        <Button variant="default" onClick={onEmpty} mt="auto">
          Start empty
        </Button>
      </Card>
    </div>
  );
}

function ExampleCard({ onExample }: Pick<StartCardsProps, 'onExample'>) {
  const [id, setId] = useState(EXAMPLES[0].id);
  const [baseUrl, setBaseUrl] = useState('');
  const start = (event: FormEvent): void => {
    event.preventDefault();
    onExample(id, baseUrl);
  };
  return (
    <Card withBorder component="form" onSubmit={start}>
      <Heading>Start from an example</Heading>
      <Stack my="sm">
        <Radio.Group value={id} onChange={setId} aria-label="Example">
          <Stack gap="xs">
            {EXAMPLES.map((example) => (
              <Radio
                key={example.id}
                value={example.id}
                label={example.label}
                description={example.text}
              />
            ))}
          </Stack>
        </Radio.Group>
        <TextInput
          label="URL of your service"
          type="url"
          placeholder="https://shop.example.com"
          value={baseUrl}
          onChange={({ currentTarget }) => setBaseUrl(currentTarget.value)}
        />
      </Stack>
      <Button type="submit" mt="auto">
        Use the example
      </Button>
    </Card>
  );
}

function ImportCard({ onImport }: Pick<StartCardsProps, 'onImport'>) {
  const [open, setOpen] = useState<'curl' | 'file' | null>(null);
  const close = (): void => setOpen(null);
  const take = (
    steps: readonly DraftStep[],
    variables: Readonly<Record<string, string>> = {},
  ): void => onImport(withImported(emptyDraft(), steps, variables));
  return (
    <Card withBorder>
      <Heading>Import</Heading>
      <Text size="sm" c="dimmed" my="sm">
        Take the requests from a HAR recording of your browser, an OpenAPI document or a Postman
        collection, or start with one curl command.
      </Text>
      <Group mt="auto" grow preventGrowOverflow={false}>
        <Button
          variant="default"
          leftSection={<IconFileImport size={16} aria-hidden />}
          onClick={() => setOpen('file')}
        >
          {BUILDER_TEXT.importFile}
        </Button>
        <Button
          variant="default"
          leftSection={<IconTerminal2 size={16} aria-hidden />}
          onClick={() => setOpen('curl')}
        >
          {BUILDER_TEXT.addCurl}
        </Button>
      </Group>
      {open === 'curl' && (
        <CurlImportDialog name="Step 1" onImport={(step) => take([step])} onClose={close} />
      )}
      {open === 'file' && (
        <Suspense>
          <ImportDialog room={STEPS_MAX} onImport={take} onClose={close} />
        </Suspense>
      )}
    </Card>
  );
}

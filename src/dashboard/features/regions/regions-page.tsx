/** The regions and their probes. Operators of the installation add regions and manage keys. */
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { NewProbeKey, Page, ProbeKey, Region } from '../../shared/data/api-types';
import { useChange, useRead } from '../../shared/data/queries';
import { useCan, useSession } from '../../shared/data/session';
import { FormDialog } from '../../shared/form/form-dialog';
import { PageLoading } from '../../shared/loading/page-loading';
import { Unread } from '../../shared/loading/unread';
import { faultAt } from '../../shared/text/faults';
import { CopyField } from '../../shared/ui/copy-field';
import { EmptyState } from '../../shared/ui/empty-state';
import { PageHead } from '../../shared/ui/page-head';
import { ShownOnce } from '../../shared/ui/shown-once';
import { StartProbe } from '../../shared/ui/start-probe';
import { joinRegions } from './region-entries';
import { RegionSection } from './region-section';
import { TEXT } from './strings';

const READ_AGAIN_MS = 20_000;
const POLLED = { refetchInterval: READ_AGAIN_MS };

/** A new key, which is shown only once. */
interface Made {
  readonly key: NewProbeKey;
  /** True means that the new key replaces the key of a running probe. */
  readonly isRotated: boolean;
}

export function RegionsPage() {
  const isOperator = useIsOperator();
  const [made, setMade] = useState<Made | null>(null);
  /** The region for which the form adds a probe. Empty for a new region. null if no form is open. */
  const [addingTo, setAddingTo] = useState<string | null>(null);
  const regions = useRead<Page<Region>>('/v1/regions?include=backlog,load', POLLED);
  const keys = useRead<Page<ProbeKey>>('/v1/probe-keys?limit=500', {
    ...POLLED,
    enabled: isOperator,
  });
  const isRead = regions.data !== undefined && (!isOperator || keys.data !== undefined);
  const entries = isRead ? joinRegions(regions.data?.data ?? [], keys.data?.data ?? []) : [];
  const close = (key: NewProbeKey | null): void => {
    setAddingTo(null);
    if (key !== null) setMade({ key, isRotated: false });
  };
  return (
    <>
      <PageHead
        title="Regions"
        about={<Text c="dimmed">{isOperator ? TEXT.about : TEXT.aboutReadOnly}</Text>}
      >
        {isOperator && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAddingTo('')}>
            {TEXT.addRegion}
          </Button>
        )}
      </PageHead>
      {made !== null && <MadeKey made={made} onDone={() => setMade(null)} />}
      <Unread
        of={{ data: isRead ? entries : undefined, error: regions.error ?? keys.error }}
        shape={<PageLoading isBelowHead />}
      />
      {isRead && entries.length === 0 && (
        <EmptyState
          title="No regions yet"
          text="A region appears here as soon as its first probe runs."
        />
      )}
      <Stack gap="md" mt={{ base: 'xs', sm: 0 }}>
        {entries.map((entry) => (
          <RegionSection
            key={entry.id}
            entry={entry}
            actions={
              isOperator
                ? {
                    addProbe: () => setAddingTo(entry.id),
                    onRotated: (key) => setMade({ key, isRotated: true }),
                  }
                : null
            }
          />
        ))}
      </Stack>
      {addingTo !== null && <ProbeKeyForm region={addingTo} onClose={close} />}
    </>
  );
}

/** True if the user may read and change probe keys. Only admins of the account that runs the installation may. */
function useIsOperator(): boolean {
  const isAdmin = useCan('admin');
  return useSession().runsInstallation && isAdmin;
}

interface MadeKeyProps {
  readonly made: Made;
  readonly onDone: () => void;
}

function MadeKey({ made: { key: made, isRotated }, onDone }: MadeKeyProps) {
  const { name, region, key } = made;
  return (
    <ShownOnce
      title={`The key of probe “${name}” in ${region}`}
      about={
        isRotated
          ? 'Copy it now. You won’t be able to see it again. Set it at the probe, restart the probe, then revoke the old key.'
          : 'Copy it now. You won’t be able to see it again. The commands contain it.'
      }
      onDone={onDone}
    >
      <CopyField label="Probe key" value={key} />
      {!isRotated && <StartProbe probeKey={key} />}
    </ShownOnce>
  );
}

interface ProbeKeyFormProps {
  /** Empty for a new region. */
  readonly region: string;
  /** Called with the created key; null when the form was cancelled. */
  readonly onClose: (key: NewProbeKey | null) => void;
}

/** Creates a probe key, for a new region or for another probe of a region. */
function ProbeKeyForm({ region: given, onClose }: ProbeKeyFormProps) {
  const [region, setRegion] = useState(given);
  const [name, setName] = useState('');
  const { mutate, isPending, error } = useChange<NewProbeKey>(['/v1/probe-keys']);
  const save = (): void => {
    const body = { region, name };
    mutate({ method: 'POST', path: '/v1/probe-keys', body }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title={given === '' ? TEXT.addRegion : `${TEXT.addProbe} to ${given}`}
      problem={error}
      action={TEXT.create}
      isPending={isPending}
      onSubmit={save}
      onClose={() => onClose(null)}
    >
      <Text size="sm">You get a key for one probe, and the command that starts this probe.</Text>
      {given === '' && (
        <TextInput
          label="Region"
          description="A short name, like eu-north."
          required
          data-autofocus
          maxLength={32}
          value={region}
          onChange={({ currentTarget }) => setRegion(currentTarget.value)}
          error={faultAt(error, 'region')}
        />
      )}
      <TextInput
        label="Name of the probe"
        description="Where it runs, for example “rack 4”."
        required
        {...(given === '' ? {} : { 'data-autofocus': true })}
        maxLength={100}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        error={faultAt(error, 'name')}
      />
    </FormDialog>
  );
}

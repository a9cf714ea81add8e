/** The probe keys, by region. A new key is shown only once. */
import { useState } from 'react';
import type { NewProbeKey, ProbeKey } from '../../../shared/data/api-types';
import { CopyField } from '../../../shared/ui/copy-field';
import { StartProbe } from '../../../shared/ui/start-probe';
import { SettingsList } from '../settings-list';
import { ShownOnce } from '../shown-once';
import { EncryptionKeys } from './encryption-keys';
import { ProbeKeyForm } from './probe-key-form';
import { ProbeKeyTable } from './probe-key-table';
import { TEXT } from './strings';

/** A key that was just created. */
interface Made {
  readonly key: NewProbeKey;
  /** True if it replaces the key of a probe that is already running. */
  readonly isRotated: boolean;
}

export function ProbeKeysSection() {
  const [isAdding, setIsAdding] = useState(false);
  const [made, setMade] = useState<Made | null>(null);
  const close = (key: NewProbeKey | null): void => {
    setIsAdding(false);
    if (key !== null) setMade({ key, isRotated: false });
  };
  return (
    <>
      {made !== null && <MadeKey made={made} onDone={() => setMade(null)} />}
      <SettingsList<ProbeKey>
        path="/v1/probe-keys"
        text={TEXT}
        mayAdd="admin"
        onAdd={() => setIsAdding(true)}
      >
        {(keys) => (
          <ProbeKeyTable keys={keys} onRotated={(key) => setMade({ key, isRotated: true })} />
        )}
      </SettingsList>
      <EncryptionKeys />
      {isAdding && <ProbeKeyForm onClose={close} />}
    </>
  );
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
          : 'Copy it now. You won’t be able to see it again.'
      }
      onDone={onDone}
    >
      <CopyField label="Probe key" value={key} />
      {!isRotated && <StartProbe probeKey={key} />}
    </ShownOnce>
  );
}

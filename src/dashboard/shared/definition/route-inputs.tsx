/** The inputs for proxy, IP version and HTTP version. */
import { Select, SimpleGrid, TextInput } from '@mantine/core';
import { fieldAt, type Problems } from '../form/problems/problems';
import { OriginNote } from './origin-note';
import { type RouteDraft, readHttpVersion, readIpFamily } from './request-draft';

interface RouteInputsProps {
  readonly value: RouteDraft;
  readonly onChange: (patch: Partial<RouteDraft>) => void;
  readonly problems: Problems;
  /** The prefix of the field names, like `steps[1].`; empty for none. */
  readonly prefix: string;
  /** The text that is shown for a field that is not set. */
  readonly otherwise: string;
}

const UNSAID = '';
const FAMILIES = [
  { value: 'any', label: 'IPv4 or IPv6' },
  { value: '4', label: 'IPv4 only' },
  { value: '6', label: 'IPv6 only' },
];
const VERSIONS = [
  { value: 'auto', label: 'HTTP/2 or HTTP/1.1' },
  { value: '1.1', label: 'HTTP/1.1 only' },
  { value: '2', label: 'HTTP/2 only' },
];

export function RouteInputs({ value, onChange, problems, prefix, otherwise }: RouteInputsProps) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <div>
        <TextInput
          label="Proxy"
          description="By its name in KEEPWATCH_PROXIES."
          placeholder={otherwise}
          value={value.proxy}
          onChange={({ currentTarget }) => onChange({ proxy: currentTarget.value })}
          {...fieldAt(problems, `${prefix}proxy`)}
          spellCheck={false}
        />
        {prefix === '' && <OriginNote field="proxy" />}
      </div>
      <div>
        <Select
          label="IP version"
          description="By which the target is reached."
          data={[{ value: UNSAID, label: otherwise }, ...FAMILIES]}
          value={value.ipFamily ?? UNSAID}
          onChange={(chosen) => onChange({ ipFamily: readIpFamily(chosen) })}
          {...fieldAt(problems, `${prefix}ipFamily`)}
          allowDeselect={false}
        />
        {prefix === '' && <OriginNote field="ipFamily" />}
      </div>
      <div>
        <Select
          label="HTTP version"
          description="If both are allowed, the server chooses."
          data={[{ value: UNSAID, label: otherwise }, ...VERSIONS]}
          value={value.httpVersion ?? UNSAID}
          onChange={(chosen) => onChange({ httpVersion: readHttpVersion(chosen) })}
          {...fieldAt(problems, `${prefix}httpVersion`)}
          allowDeselect={false}
        />
        {prefix === '' && <OriginNote field="httpVersion" />}
      </div>
    </SimpleGrid>
  );
}

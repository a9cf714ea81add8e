/** Variables with their values, or names of secrets, one line each. */
import { Text } from '@mantine/core';
import classes from './values.module.css';

interface ValuesProps {
  readonly variables: Readonly<Record<string, string>>;
  readonly secrets?: Readonly<Record<string, string>>;
}

export function Values({ variables, secrets = {} }: ValuesProps) {
  const lines = [
    ...Object.entries(variables).map(([name, value]) => [`{{${name}}}`, value] as const),
    ...Object.entries(secrets).map(
      ([name, secret]) => [`{{secret:${name}}}`, `secret ${secret}`] as const,
    ),
  ];
  if (lines.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No variables yet
      </Text>
    );
  return (
    <dl className={classes['values']}>
      {lines.map(([reference, value]) => (
        <div key={reference} className={classes['value']}>
          <dt>{reference}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

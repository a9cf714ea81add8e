/** Creates gauges and registers them immediately. */
import { Gauge, type Registry } from 'prom-client';

export type MakeGauge = <Label extends string = never>(
  name: string,
  help: string,
  labelNames?: readonly Label[],
) => Gauge<Label>;

export function createGaugeMaker(registry: Registry): MakeGauge {
  return (name, help, labelNames = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
}

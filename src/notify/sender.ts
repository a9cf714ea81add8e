/** What every channel is: one try to hand one alert to one place. */
import type { AlertAddress, AlertMessage, ChannelType, DeliveryOutcome } from '../contracts/alerts';

export interface Delivery<Address extends AlertAddress = AlertAddress> {
  /** The same for every try, so that receivers can tell a repetition. */
  readonly id: string;
  readonly alert: AlertMessage;
  readonly address: Address;
}

/** Never throws for what a receiver or the network does. */
export type Sender<Type extends ChannelType> = (
  delivery: Delivery<Extract<AlertAddress, { readonly type: Type }>>,
) => Promise<DeliveryOutcome>;

/** One sender per type of channel; the compiler names one that is missing. */
export type Senders = { readonly [Type in ChannelType]: Sender<Type> };

/** Hands the delivery to the sender of its type. */
export function send(senders: Senders, delivery: Delivery): Promise<DeliveryOutcome> {
  const { address, ...rest } = delivery;
  switch (address.type) {
    case 'email':
      return senders.email({ ...rest, address });
    case 'slack':
      return senders.slack({ ...rest, address });
    case 'webhook':
      return senders.webhook({ ...rest, address });
  }
}

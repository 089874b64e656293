import { Type } from 'typebox';
import { Amount, Count, closed, may, orNull, Text, Time } from './parts.ts';

/** Where money came from and went. */
const Figure = Type.Number({ minimum: 0 });
const Behaviour = Type.Object(
  {
    ...{ chain: Text, source: Text, complete: Type.Boolean(), sent: Count, received: Count },
    ...{ uniqueTo: Count, uniqueFrom: Count, gapSent: Figure, gapReceived: Figure },
    ...{ minSent: Figure, avgSent: Figure, maxSent: Figure },
    ...{ minReceived: Figure, avgReceived: Figure, maxReceived: Figure },
  },
  closed,
);
const Signed = Type.String({ pattern: '^-?[0-9]{1,78}$' });
const Flow = Type.Object(
  {
    ...{ of: Text, way: Type.Enum(['in', 'out']), usd: Amount, native: Amount, others: Count },
    cut: may(Type.Literal(true)),
    parties: Type.Array(
      Type.Object({ address: Text, usd: Amount, native: Amount, transfers: Count, last: Time }, closed),
    ),
  },
  closed,
);
const Deployer = Type.Object(
  { address: Text, tx: orNull(Text), block: orNull(Text), shown: Type.Boolean() },
  closed,
);
const First = Type.Object({ address: Text, tx: Text, block: Text }, closed);
const TransferHistory = Type.Object(
  {
    ...{ chain: Text, source: Text, fromBlock: orNull(Amount), toBlock: orNull(Amount) },
    ...{ cutOff: orNull(Text), fault: orNull(Text), hops: Count, flows: Type.Array(Flow) },
    ...{ first: orNull(First), nativeDust: Amount, behaviour: may(Behaviour) },
    ...{ deployer: may(Deployer), partial: may(Type.Literal(true)) },
    native: may(Type.Object({ net: Signed, sent: Count }, closed)),
    nets: orNull(Type.Array(Type.Object({ token: Text, net: Signed }, closed))),
    poisoned: may(
      Type.Array(
        Type.Object({ of: Text, addresses: Type.Array(Text), unproven: may(Type.Literal(true)) }, closed),
      ),
    ),
    moreDusted: may(Count),
  },
  closed,
);
export const Transfers = Type.Object(
  {
    histories: Type.Array(TransferHistory),
    listed: Type.Array(Type.Object({ key: Text, list: Text, since: may(Time) }, closed)),
    labels: Type.Array(Type.Object({ key: Text, label: Text, list: may(Text) }, closed)),
    labelLists: may(
      Type.Array(Type.Object({ name: Text, asOf: orNull(Time), excuses: Type.Boolean() }, closed)),
    ),
  },
  closed,
);
const TailTransfer = Type.Object(
  { from: Text, to: Text, token: orNull(Text), amount: Amount, usd: Amount, block: Amount },
  closed,
);
export const Tail = Type.Object(
  {
    ...{ fromBlock: Amount, toBlock: Amount, transfers: Type.Array(TailTransfer) },
    unreadNative: may(Type.Object({ fromBlock: Amount, toBlock: Amount }, closed)),
    balances: Type.Array(Type.Object({ token: Text, held: Amount }, closed)),
  },
  closed,
);

import { adverse, type Ground } from '../../panel/scorecard.ts';
import { decodeCall, intendedApproval, intendedRecipient } from '../../transaction/call-data.ts';
import { KNOWN_CONTRACTS } from '../../transaction/known-contracts.ts';
import type { WalletCommon } from '../wallet-evidence.ts';

/**
 * How many characters wallets show at each end of an address. Somebody who computes an address that has the same eight
 * has worked for it: one in four thousand million has them by chance.
 */
const SHOWN = 4;

interface Named {
  readonly address: string;
  readonly what: string;
}

/**
 * The adversary's grounds on addresses that are made to be taken for others: the address itself for a contract that many
 * trust, and whoever a transaction pays, calls or gives power to, for the address that was asked about. No list names such
 * an address, and its state shows nothing.
 */
export function imitationGrounds(common: WalletCommon): Ground[] {
  if (common.addressType !== 'evm') return [];
  const trusted = [
    ...[...KNOWN_CONTRACTS].map(([address, { name }]) => ({ address, what: name })),
    ...(common.contracts ?? []).map((address) => ({ address, what: 'a contract of this service' })),
    ...(common.tokens ?? []).map(({ token, name }) => ({ address: token, what: name })),
  ];
  const subject = { address: common.address.toLowerCase(), what: 'the address that was asked about' };
  const others = namedIn(common);
  return [
    adverse('it is shown as a contract that many trust is, and is another', drawnAlike([subject], trusted)),
    adverse(
      'the transaction names an address that is shown as another one is',
      drawnAlike(others, [subject, ...trusted]),
    ),
  ];
}

/** Whom the data of the transaction names. */
function namedIn({ transaction: tx }: WalletCommon): Named[] {
  if (tx === undefined) return [];
  const call = decodeCall(tx.data);
  const named = [
    { address: tx.to, what: 'what it calls' },
    { address: intendedRecipient(call), what: 'whom it pays' },
    { address: intendedApproval(tx, call)?.spender, what: 'whom it gives power to' },
  ];
  return named.flatMap(({ address, what }) => (address == null ? [] : [{ address, what }]));
}

function drawnAlike(named: readonly Named[], models: readonly Named[]): string[] {
  return named.flatMap(({ address, what }) =>
    models
      .filter((model) => model.address !== address && shown(model.address) === shown(address))
      .map((model) => `${what}, ${address}, is no ${model.what}: that is ${model.address}`),
  );
}

function shown(address: string): string {
  return `${address.slice(2, 2 + SHOWN)}…${address.slice(-SHOWN)}`;
}

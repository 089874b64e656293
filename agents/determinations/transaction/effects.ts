import type { Approval, Asset, AssetChange, Effects, OwnerChange } from './transaction-evidence.ts';
import { addressIn, numberIn, numbersAt, topic, wordAt } from './words.ts';

/** A log of a simulated transaction, lower case. */
export interface EffectLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

const T = {
  transfer: topic('Transfer(address,address,uint256)'),
  single: topic('TransferSingle(address,address,address,uint256,uint256)'),
  batch: topic('TransferBatch(address,address,address,uint256[],uint256[])'),
  deposit: topic('Deposit(address,uint256)'),
  withdrawal: topic('Withdrawal(address,uint256)'),
  approval: topic('Approval(address,address,uint256)'),
  approvalForAll: topic('ApprovalForAll(address,address,bool)'),
  permit2: topic('Approval(address,address,address,uint160,uint48)'),
  permit2Signed: topic('Permit(address,address,address,uint160,uint48,uint48)'),
} as const;

const NOBODY = addressIn('0');

/** Events that tell that somebody else decides, and where each names the one before and the one after. */
const OWNERSHIP: ReadonlyMap<string, readonly [event: string, from: number | null, to: number | null]> =
  new Map(
    (
      [
        ['OwnershipTransferred(address,address)', 0, 1],
        ['OwnershipTransferStarted(address,address)', 0, 1],
        ['AdminChanged(address,address)', 0, 1],
        ['Upgraded(address)', null, 0],
        ['BeaconUpgraded(address)', null, 0],
        ['RoleGranted(bytes32,address,address)', null, 1],
        ['AddedOwner(address)', null, 0],
        ['RemovedOwner(address)', 0, null],
        ['ChangedThreshold(uint256)', null, null],
        ['EnabledModule(address)', null, 0],
        ['ChangedGuard(address)', null, 0],
        ['ChangedFallbackHandler(address)', null, 0],
        ['ChangedMasterCopy(address)', null, 0],
        ['NewOwner(address,address)', 0, 1],
        ['OwnerChanged(address,address)', 0, 1],
        ['GovernanceTransferred(address,address)', 0, 1],
        ['DiamondCut((address,uint8,bytes4[])[],address,bytes)', null, null],
      ] as const
    ).map(([signature, from, to]) => [topic(signature), [signature.split('(')[0]!, from, to] as const]),
  );

/**
 * What the logs of a transaction say that it does: gains and losses of every party, powers given, and owners changed.
 * @param native the address that stands for the native currency in the logs
 */
export function effectsOf(logs: readonly EffectLog[], native: string): Effects {
  const sums = new Map<string, { party: string; asset: Asset; delta: bigint }>();
  const add = (party: string, asset: Asset, delta: bigint): void => {
    if (party === NOBODY) return;
    const key = `${party} ${asset.kind} ${asset.token} ${asset.tokenId}`;
    const before = sums.get(key)?.delta ?? 0n;
    sums.set(key, { party, asset, delta: before + delta });
  };
  const moves = logs.flatMap((log) => movesIn(log, native));
  for (const { from, to, asset, amount } of moves) {
    add(from, asset, -amount);
    add(to, asset, amount);
  }
  const changes = [...sums.values()].filter(({ delta }) => delta !== 0n);
  return {
    changes: changes.map(
      ({ party, asset, delta }): AssetChange => ({ party, asset, delta: `${delta}`, before: null }),
    ),
    approvals: lastOf(logs.flatMap(approvalsIn)),
    owners: logs.flatMap(ownersIn),
  };
}

interface Move {
  readonly from: string;
  readonly to: string;
  readonly asset: Asset;
  readonly amount: bigint;
}

const assetOf = (kind: Asset['kind'], token: string | null, id: bigint | null): Asset => ({
  ...{ kind, token, tokenId: id === null ? null : `${id}` },
  ...{ symbol: null, decimals: null },
});

function movesIn({ address, topics, data }: EffectLog, native: string): Move[] {
  const [first, ...named] = topics;
  const bare = data.slice(2);
  const party = (i: number): string => addressIn(named[i] ?? '0');
  if (first === T.transfer && named.length === 2) {
    const asset = address === native ? assetOf('native', null, null) : assetOf('erc20', address, null);
    return [{ from: party(0), to: party(1), asset, amount: numberIn(wordAt(bare, 0)) }];
  }
  if (first === T.transfer && named.length === 3) {
    const asset = assetOf('erc721', address, numberIn(named[2]!));
    return [{ from: party(0), to: party(1), asset, amount: 1n }];
  }
  if (first === T.single && named.length === 3) {
    const asset = assetOf('erc1155', address, numberIn(wordAt(bare, 0)));
    return [{ from: party(1), to: party(2), asset, amount: numberIn(wordAt(bare, 1)) }];
  }
  if (first === T.batch && named.length === 3) {
    const amounts = numbersAt(bare, 1);
    return numbersAt(bare, 0).map((id, i) => ({
      ...{ from: party(1), to: party(2) },
      ...{ asset: assetOf('erc1155', address, id), amount: amounts[i] ?? 0n },
    }));
  }
  // Wrapped native currency tells no transfer of what it wraps.
  if ((first === T.deposit || first === T.withdrawal) && named.length === 1) {
    const asset = assetOf('erc20', address, null);
    const sides = first === T.deposit ? [NOBODY, party(0)] : [party(0), NOBODY];
    return [{ from: sides[0]!, to: sides[1]!, asset, amount: numberIn(wordAt(bare, 0)) }];
  }
  return [];
}

function approvalsIn({ address, topics, data }: EffectLog): Approval[] {
  const [first, ...named] = topics;
  const [owner, second, third] = named.map(addressIn);
  const amount = numberIn(wordAt(data.slice(2), 0));
  const given = { owner: owner!, token: address, tokenId: null };
  if (first === T.approval && named.length === 2)
    return [{ ...given, spender: second!, via: 'allowance', amount: `${amount}` }];
  if (first === T.approval && named.length === 3) {
    const tokenId = `${numberIn(named[2]!)}`;
    return [{ ...given, spender: second!, via: 'token', tokenId, amount: second === NOBODY ? '0' : '1' }];
  }
  if (first === T.approvalForAll && named.length === 2)
    return [{ ...given, spender: second!, via: 'operator', amount: amount === 0n ? '0' : '1' }];
  if ((first === T.permit2 || first === T.permit2Signed) && named.length === 3)
    return [{ ...given, token: second!, spender: third!, via: 'permit2', amount: `${amount}` }];
  return [];
}

/** What stands at the end counts. */
function lastOf(approvals: readonly Approval[]): Approval[] {
  const last = new Map(approvals.map((a) => [`${a.owner} ${a.spender} ${a.via} ${a.token} ${a.tokenId}`, a]));
  return [...last.values()];
}

function ownersIn({ address, topics, data }: EffectLog): OwnerChange[] {
  const known = OWNERSHIP.get(topics[0] ?? '');
  if (known === undefined) return [];
  const [event, from, to] = known;
  // Indexed arguments come first in the topics; older releases of the same contracts index none.
  const words = [...topics.slice(1), ...(data.slice(2).match(/.{64}/g) ?? [])];
  const named = (i: number | null): string | null =>
    i === null || words[i] === undefined ? null : addressIn(words[i]);
  const change = { contract: address, event, from: named(from), to: named(to) };
  return [change];
}

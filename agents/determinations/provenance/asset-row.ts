import {
  type AssetInput,
  assetKey,
  normaliseAsset,
  parseAssetKey,
  SERIAL_KINDS,
  type SerialKind,
  spelledAsset,
} from '../../assets.ts';
import { chainOf } from '../lineage/token-contract.ts';

type Fields = Readonly<Record<string, string>>;

/** The key of a row of stolen or recalled goods. @throws Error saying what is wrong with the row */
export function assetRowKey(fields: Fields): string {
  const text = fields.key ?? fields.asset;
  if (text !== undefined && /^(?:eip155|serial):/.test(text)) {
    const asset = parseAssetKey(text, 'key');
    if (asset.kind === 'token') chainOf(String(asset.chainId), 'the chain of the key');
    return assetKey(asset);
  }
  if (fields.contract !== undefined || fields.tokenid !== undefined) {
    const { contract, tokenid: tokenId } = fields;
    return assetKey(normaliseAsset({ chainId: chainOfRow(fields), contract, tokenId }));
  }
  const serial = fields.vin ?? fields.imei ?? fields.serial ?? text;
  const kind = fields.vin !== undefined ? 'vin' : fields.imei !== undefined ? 'imei' : fields.serialkind;
  if (kind !== undefined && !(SERIAL_KINDS as readonly string[]).includes(kind)) {
    throw new Error(`serialKind must be one of ${SERIAL_KINDS.join(', ')}`);
  }
  const input: AssetInput = {
    serial: serial ?? '',
    serialKind: kind as SerialKind | undefined,
    maker: fields.maker,
  };
  // A list is not refused for a serial whose kind is not certain: it stands under the kind that says least.
  return assetKey(spelledAsset(input).asset);
}

/**
 * A list is never read as one of the service's own chain because it names none: its tokens would be found nowhere, and the
 * list would still say "not listed". Beside `chainId`, `chain` may be any name, as long as it is no other chain's.
 */
function chainOfRow({ chainid, chain = '' }: Fields): number {
  const named = /^eip155:(.*)$/.exec(chain)?.[1];
  const id = chainOf(chainid ?? named, 'chainId, or eip155: in chain,');
  if (named !== undefined && named !== String(id))
    throw new Error('chainId and chain are not the same chain');
  return id;
}

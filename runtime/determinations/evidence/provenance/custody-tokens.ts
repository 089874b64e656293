import type { Asset } from '../../../../agents/assets.ts';
import type { TokenAsset } from '../../../../agents/certificates/certificates.ts';
import { certificatesEver } from '../../../../chain/clients/certificates.ts';
import { nameTokenHeld } from '../../../../chain/clients/name-tokens.ts';
import type { ChainReader, Place } from '../../../../chain/rpc/reader.ts';
import { caip2, type EvidenceDeps } from '../../deps.ts';
import { certificateAsset, isCertificate, type Lot, nameTokensFor } from '../lots.ts';

/** A serial that was certified more often than this is not walked. */
const MAX_LIVES = 20;

/**
 * The tokens through whose hands a thing went, or why they are not known: the very token that is asked about, unless it is
 * a certificate; of a name, that of its provider; otherwise every certificate that its serial ever
 * had. That a name is known for a token takes nothing from what the token went through.
 * @throws ReaderError
 */
export async function custodyTokens(
  deps: EvidenceDeps,
  reader: ChainReader,
  { subject, lot, block }: { readonly subject: Asset; readonly lot: Lot; readonly block: Place },
): Promise<TokenAsset[] | string> {
  if (subject.kind === 'token' && (lot.serial === null || !isCertificate(deps, subject))) return [subject];
  if (subject.kind === 'serial') {
    const { configured, offered } = nameTokensFor(deps, lot);
    if (configured !== null) return [configured];
    const token = await nameTokenHeld(reader, offered, block);
    if (token !== null) return [token];
  }
  const deployment = deps.deployments.get(reader.chainId);
  if (deployment === undefined) return `no certificates are known on ${caip2(reader.chainId)}`;
  const lives = await certificatesEver(reader, deployment, lot.key, block);
  if (lives.length > MAX_LIVES) return `it was certified more than ${MAX_LIVES} times`;
  return lives.map((tokenId) => certificateAsset({ deployment }, tokenId));
}

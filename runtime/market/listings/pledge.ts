import { type Asset, type AssetInput, assetKey } from '../../../agents/assets.ts';
import type { TokenAsset } from '../../../agents/certificates/certificates.ts';
import { AppError, badField, Refusal } from '../../../agents/errors.ts';
import { type Address, lowerAddress, sameAddress } from '../../../agents/ids.ts';
import { pledgeReleaser } from '../../../agents/market/pledge-release.ts';
import { readTime } from '../../../agents/times.ts';
import { readAssetOwner } from '../../../chain/clients/assets.ts';
import { certificateOf } from '../../../chain/clients/certificates.ts';
import { type AgentRow, agentByAccount } from '../../../store/agent/agents.ts';
import { standingListingOf } from '../../../store/market/listings.ts';
import { insertPledge, type PledgeRow, releasePledge } from '../../../store/market/pledges.ts';
import { readLive } from '../../agent/public.ts';
import { takeDaily } from '../../daily-budget.ts';
import { certificateAsset, type Lot, lotOf, overChain } from '../../determinations/public.ts';
import type { LastCall, Services } from '../../services.ts';
import { isProof } from './proof.ts';
import { wellFormedAsset } from './well-formed-asset.ts';

export interface PledgeRequest {
  readonly wallet?: string;
  readonly asset: AssetInput;
  readonly listingRef: string;
  readonly lender?: string;
  readonly until?: string;
}

/** A pledge as the body of the request states it. */
export interface PledgeTerms {
  readonly wallet: Address | null;
  readonly asset: Asset;
  readonly listingRef: string;
  readonly lender: string | null;
  readonly until: Date | null;
}

/** @throws AppError bad-request naming the field */
export function readPledge(request: PledgeRequest, now: Date): PledgeTerms {
  const listingRef = request.listingRef.trim();
  if (listingRef === '')
    throw badField('listingRef', 'must name the listing or loan the asset is pledged to');
  return {
    wallet: request.wallet === undefined ? null : lowerAddress(request.wallet),
    asset: wellFormedAsset(request.asset),
    listingRef,
    lender: request.lender?.trim() || null,
    until: request.until === undefined ? null : readUntil(request.until, now),
  };
}

function readUntil(text: string, now: Date): Date {
  const until = readTime(text, 'until');
  if (until.getTime() <= now.getTime()) throw badField('until', 'must lie in the future');
  return until;
}

/**
 * Records that an asset is pledged, so that a second pledge or listing of it collides. Control is proved on chain: the
 * wallet holds the token, or owns the agent whose account holds it. An operator may leave the wallet out; the present
 * holder is then recorded. A serial with a certificate is proved by the certificate. A serial without one cannot be
 * proved on any chain, so that only an operator may pledge it.
 * @throws AppError not-listed (control not proved), double-pledge, disputed, bad-request, unavailable; rate-limited with
 *   `retryAfter` seconds when the wallet's pledges of a day are used up
 */
export async function pledgeAsset(
  services: Services,
  terms: PledgeTerms,
  by: 'owner' | 'operator',
  lastCall: LastCall,
): Promise<PledgeRow> {
  const lot = await lotOf(services.evidence, terms.asset);
  const { wallet, proven, held = [] } = await provenWallet(services, { ...terms, lot }, by);
  const giveBack = by === 'owner' ? await takePledge(services, wallet, held) : null;
  const now = services.now();
  const record = services.db.transaction().execute(async (trx) => {
    const pledge = await insertPledge(trx, {
      id: services.newId('plg'),
      assetKey: lot.key,
      listingRef: terms.listingRef,
      wallet,
      lender: terms.lender,
      until: terms.until,
      source: by,
      proven,
      now,
    });
    lastCall();
    return pledge;
  });
  return await record.catch(async (error: unknown) => {
    if (error instanceof Refusal) await giveBack?.();
    throw error;
  });
}

/** A pledge costs its wallet nothing, and stands in the way of whatever is asked about its thing. @throws AppError rate-limited */
async function takePledge(
  services: Services,
  wallet: Address,
  held: readonly string[],
): Promise<() => Promise<void>> {
  const limit = services.config.pledgesADay;
  const says = `A wallet makes ${limit} pledges a day`;
  return await takeDaily(services, { purpose: 'pledge', subjects: [wallet, ...held], limit, says });
}

/** @throws AppError not-found, conflict (it ended already, or it ends with its listing) */
export async function endPledge(services: Services, pledgeId: string, lastCall: LastCall): Promise<void> {
  await services.db.transaction().execute(async (trx) => {
    if (!(await releasePledge(trx, pledgeId, services.now()))) {
      throw new AppError('conflict', `The pledge "${pledgeId}" has ended already.`);
    }
    lastCall();
  });
}

async function provenWallet(
  services: Services,
  { wallet, asset, lot }: PledgeTerms & { lot: Lot },
  by: 'owner' | 'operator',
): Promise<{ wallet: Address; proven: boolean; held?: readonly string[] }> {
  if (asset.kind === 'serial' && by === 'operator') {
    if (wallet === null) throw badField('wallet', 'is required for a serial');
    return { wallet, proven: true };
  }
  const token = asset.kind === 'token' ? asset : await certificateFor(services, lot.key);
  const key = assetKey(token);
  const chain = services.chains.get(token.chainId);
  if (!chain) {
    throw new AppError(
      'not-listed',
      `${key} is on a chain the service does not read: control cannot be proved.`,
    );
  }
  const holder = await overChain(token.chainId, async () => {
    const { number } = await chain.readers.viem.head();
    return await readAssetOwner(chain.readers.viem, token.contract, BigInt(token.tokenId), number);
  });
  if (holder === null) throw new AppError('not-listed', `${key} is with nobody: there is nothing to pledge.`);
  const agent = await agentByAccount(services.db, lowerAddress(holder));
  if (agent !== null) await refuseSold(services.db, agent, key);
  const proven = isProof(services, token);
  if (wallet === null || sameAddress(holder, wallet)) return { wallet: lowerAddress(holder), proven };
  if (agent !== null && sameAddress((await readLive(services, agent)).chain.owner, wallet)) {
    // An agent may be handed to ever new wallets, with what it holds.
    return { wallet, proven, held: [`agent ${agent.token_id}`] };
  }
  throw new AppError('not-listed', `${key} is with ${holder}, and ${wallet} does not own that.`);
}

/**
 * What an agent holds goes with it to whoever buys the agent: it cannot be pledged meanwhile, behind a buyer who has looked.
 * @throws AppError conflict
 */
async function refuseSold(
  db: Services['db'],
  { handle, chain_id: chainId, contract, token_id: tokenId }: AgentRow,
  key: string,
): Promise<void> {
  const own = assetKey({
    kind: 'token',
    chainId,
    contract: lowerAddress(contract),
    tokenId: tokenId.toString(),
  });
  const listing = await standingListingOf(db, own);
  if (listing === null) return;
  throw new AppError(
    'conflict',
    `${key} is in the account of the agent "${handle}", which is for sale (${listing.listing_ref}) and takes it along: withdraw that listing, or move the token out first.`,
  );
}

/** The certificate that stands for a serial on chain. @throws AppError not-listed when the serial has none */
async function certificateFor({ home }: Services, serial: string): Promise<TokenAsset> {
  const { live } = await overChain(home.chainId, async () => {
    const { number } = await home.readers.viem.head();
    return await certificateOf(home.readers.viem, home.deployment, serial, number);
  });
  if (live !== null) return certificateAsset(home, live);
  throw new AppError(
    'not-listed',
    `${serial} is a serial without a certificate: no chain proves who holds it, an operator must pledge it.`,
  );
}

/**
 * The wallet that must sign a release: the lender where the pledge names one, or else the wallet that pledged. Where the
 * lender is no wallet, the operator releases for him.
 * @throws AppError not-owner for any other wallet
 */
export function releaserOf(
  pledge: Pick<PledgeRow, 'id' | 'wallet' | 'lender'>,
  wallet: string | undefined,
): Address {
  const { lender } = pledge;
  const by = pledgeReleaser(lender);
  const releaser = by === 'operator' ? null : by === 'lender' ? lender : pledge.wallet;
  if (releaser !== null && (wallet === undefined || sameAddress(wallet, releaser)))
    return lowerAddress(releaser);
  const who = releaser ?? `the operator, for ${lender}`;
  throw new AppError('not-owner', `The pledge "${pledge.id}" is released by ${who}, and by nobody else.`);
}

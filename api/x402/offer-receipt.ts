import type { PaymentRequirements } from '@x402/core/types';
import { createJWSOfferReceiptIssuer, OFFER_RECEIPT } from '@x402/extensions/offer-receipt';
import type { VerdictKey } from '../../runtime/records/portable/verdict-key.ts';
import type { Receipt } from '../../store/payments/payments.ts';

export { OFFER_RECEIPT };

/**
 * Signs what a call costs before it is paid, and that it was paid (x402's extension `offer-receipt`). The rest of the
 * service knows this alone, whatever the form of the signatures.
 */
export interface OfferSigner {
  /** The extension of a challenge. @param url the resource that is paid for */
  offers(url: string, accepts: readonly PaymentRequirements[]): Promise<object>;
  /** The receipt of a settled payment, with a signed one among its extensions. */
  receipt(url: string, receipt: Receipt): Promise<Receipt>;
}

interface Deps {
  readonly key: VerdictKey;
  readonly baseUrl: string;
  readonly now: () => Date;
}

/** An offer is given out again for a minute of the five for which it is good, because many ask for one price. */
const KEPT_MS = 60_000;
const MOST_KEPT = 500;
/** A longer address is signed anew each time: whoever makes one up makes up hundreds, and asks for none again. */
const LONGEST_KEPT = 2_000;

/** The name of the service as a DID, by the host of its address (did:web). */
export function didOf(baseUrl: string): string {
  return `did:web:${encodeURIComponent(new URL(baseUrl).host)}`;
}

/** Signs by JWS with the key of portable verdicts, under the service's DID. */
export function offerSigner({ key, baseUrl, now }: Deps): OfferSigner {
  const kid = `${didOf(baseUrl)}#${key.kid}`;
  const sign = async (payload: Uint8Array): Promise<string> => key.sign(payload);
  const issuer = createJWSOfferReceiptIssuer(kid, { kid, sign, format: 'jws', algorithm: 'ES256' });
  const kept = new Map<string, { readonly until: number; readonly offers: Promise<object> }>();

  async function make(url: string, accepts: readonly PaymentRequirements[]): Promise<object> {
    const offers = await Promise.all(
      accepts.map(({ scheme, network, asset, payTo, amount, maxTimeoutSeconds }, acceptIndex) =>
        issuer.issueOffer(url, {
          ...{ acceptIndex, scheme, network, asset, payTo, amount },
          offerValiditySeconds: maxTimeoutSeconds,
        }),
      ),
    );
    return { info: { offers } };
  }

  return {
    async offers(url, accepts) {
      if (url.length > LONGEST_KEPT) return await make(url, accepts);
      const present = now().getTime();
      const name = `${url} ${accepts.map(({ network, amount }) => `${network} ${amount}`).join()}`;
      const before = kept.get(name);
      if (before !== undefined && before.until > present) return await before.offers;
      // What came first ends first.
      for (const [ended, { until }] of kept) {
        if (until > present && kept.size < MOST_KEPT) break;
        kept.delete(ended);
      }
      kept.delete(name);
      const offers = make(url, accepts);
      kept.set(name, { until: present + KEPT_MS, offers });
      return await offers;
    },
    async receipt(url, receipt) {
      const { success, payer, network } = receipt as { success?: boolean; payer?: string; network: string };
      if (success !== true || payer === undefined) return receipt;
      // The chain names the transaction to whoever has the payer; the receipt need not.
      const signed = await issuer.issueReceipt(url, payer, network);
      return { ...receipt, extensions: { [OFFER_RECEIPT]: { info: { receipt: signed } } } };
    },
  };
}

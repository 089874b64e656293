/**
 * Every operation of the interface: made from the schemas of the routes by `npm run wire`. Do not edit.
 */

export type Problem = {
  /** the page that documents this code */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** names this one occurrence; carries the request id */
  readonly instance: string;
  readonly code: 'bad-request' | 'address-missing' | 'address-malformed' | 'unknown-category' | 'no-facts' | 'webhook-signature-invalid' | 'signature-required' | 'signature-invalid' | 'signature-used' | 'signature-expired' | 'payment-required' | 'payment-invalid' | 'settlement-failed' | 'not-owner' | 'operator-key-invalid' | 'not-found' | 'agent-not-active' | 'double-pledge' | 'not-listed' | 'disputed' | 'conflict' | 'too-large' | 'mandate-refused' | 'too-hard' | 'mandate-exceeded' | 'relay-budget' | 'rate-limited' | 'internal' | 'timeout' | 'gas-budget' | 'unavailable';
  readonly requestId: string;
  readonly errors?: readonly {
    readonly path: string;
    readonly message: string;
  }[];
  readonly [name: string]: unknown;
};

export type SignRequest = {
  /** EIP-4361 text: sign exactly this with EIP-191 personal_sign */
  readonly message: string;
  readonly nonce: string;
  /** ISO 8601, UTC */
  readonly expiresAt: string;
  /** 0x and 40 hex digits */
  readonly wallet: string;
  readonly chainId: number;
  /** what is signed, in a sentence or two for people: the statement of the text, or, where that is the line which a contract checks, what its resources repeat as `urn:words:` */
  readonly says: string;
  /** where the text goes on chain and the body holds what must not: `urn:sha256:` names the hash of this salt, as the text it is, with the raw body after it, and only whoever has the salt can try a body against it */
  readonly salt?: string;
};

export type Mandate = {
  readonly side: 'buy' | 'sell' | 'both';
  readonly currency: 'USDC' | 'USD';
  /** decimal dollars, at most six decimals */
  readonly cap_per_deal?: string;
  /** decimal dollars, at most six decimals */
  readonly cap_per_day?: string;
  /** decimal dollars, at most six decimals */
  readonly cap_per_week?: string;
  /** decimal dollars, at most six decimals */
  readonly cap_per_month?: string;
  /** decimal dollars, at most six decimals */
  readonly cap_total?: string;
  readonly max_deals_total?: number;
  readonly max_deals_per_day?: number;
  /** decimal dollars, at most six decimals */
  readonly min_price?: string;
  readonly max_pct_of_market?: string;
  readonly max_pct_of_face?: string;
  readonly require_clean?: readonly string[];
  readonly categories_allow?: readonly ('tokenized-debt-and-finance' | 'liquidation-and-surplus' | 'travel-and-perishables' | 'music-and-video-rights' | 'digital-products' | 'real-world-assets')[];
  readonly categories_deny?: readonly ('tokenized-debt-and-finance' | 'liquidation-and-surplus' | 'travel-and-perishables' | 'music-and-video-rights' | 'digital-products' | 'real-world-assets')[];
  readonly chains_allow?: readonly string[];
  readonly chains_deny?: readonly string[];
  readonly counterparties_allow?: readonly string[];
  readonly counterparties_deny?: readonly string[];
  /** decimal dollars, at most six decimals */
  readonly approval_above?: string;
  /** what it causes that one could not be judged */
  readonly on_inconclusive?: {
    readonly 'shill-collusion'?: 'stop' | 'ask' | 'proceed';
    readonly provenance?: 'stop' | 'ask' | 'proceed';
    readonly 'price-intelligence'?: 'stop' | 'ask' | 'proceed';
  };
  readonly not_before?: string;
  readonly expires_at: string;
};

export interface Operations {
  home: {
    path: undefined;
    query: {
      readonly address?: string;
    } | undefined;
    body: undefined;
    answer: {
      readonly name: string;
      readonly links: { readonly [name: string]: string };
    };
  };
  health: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      /** down and leaving come with 503; leaving: it has been told to end, and serves until then */
      readonly status: 'ok' | 'degraded' | 'down' | 'leaving';
      readonly version: string;
      readonly uptimeSeconds: number;
      readonly checks: {
        readonly database: {
          readonly status: 'ok' | 'degraded' | 'down';
          readonly detail?: string;
          readonly latencyMs: number;
          readonly [name: string]: unknown;
        };
        readonly queue: {
          readonly status: 'ok' | 'degraded' | 'down';
          readonly detail?: string;
          readonly latencyMs: number;
          readonly [name: string]: unknown;
        };
        readonly chains: { readonly [name: string]: {
          readonly status: 'ok' | 'degraded' | 'down';
          readonly detail?: string;
          readonly latencyMs: number;
          readonly [name: string]: unknown;
        } };
        readonly facilitator: {
          readonly status: 'ok' | 'degraded' | 'down';
          readonly detail?: string;
          readonly latencyMs: number;
          readonly [name: string]: unknown;
        };
        readonly registers?: {
          readonly status: 'ok' | 'degraded' | 'down';
          readonly detail?: string;
          readonly latencyMs: number;
          readonly [name: string]: unknown;
        };
        readonly payments?: {
          readonly status: 'ok' | 'degraded' | 'down';
          readonly detail?: string;
          readonly latencyMs: number;
          readonly [name: string]: unknown;
        };
      };
    };
  };
  pricing: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      readonly currency: string;
      readonly version: string;
      readonly testnet: boolean;
      readonly items: readonly ({
        readonly id: string;
        readonly name: string;
        readonly unit: string;
        /** US dollars, at most six decimals */
        readonly amountUsd: number;
        /** US dollars, at most six decimals */
        readonly listedUsd: number;
        /** false: what a provider asks for such a name, the reference of an ask; nobody is charged it here */
        readonly charged: boolean;
        /** a goods category */
        readonly category?: 'tokenized-debt-and-finance' | 'liquidation-and-surplus' | 'travel-and-perishables' | 'music-and-video-rights' | 'digital-products' | 'real-world-assets';
        /** US dollars, at most six decimals */
        readonly minUsd?: number;
        /** US dollars, at most six decimals */
        readonly maxUsd?: number;
        readonly basisPoints?: number;
      })[];
    };
  };
  quote: {
    path: undefined;
    query: {
      readonly category?: 'tokenized-debt-and-finance' | 'liquidation-and-surplus' | 'travel-and-perishables' | 'music-and-video-rights' | 'digital-products' | 'real-world-assets';
      readonly priceUsd?: string;
      readonly tier?: 'wallet' | 'tier2' | 'tier3';
      readonly wallet?: string;
      readonly name?: string;
    } | undefined;
    body: undefined;
    answer: {
      readonly lines: readonly ({
        readonly id: string;
        readonly name: string;
        /** US dollars, at most six decimals */
        readonly amountUsd: number;
        readonly paidBy: 'caller' | 'seller' | 'buyer' | 'membership';
        readonly note?: string;
      })[];
      readonly membership: ({
        readonly kind: 'individual' | 'institutional';
        /** ISO 8601, UTC */
        readonly until: string;
      }) | null;
      /** what each who pays a line pays in all; sums of different payers are nobody’s to pay */
      readonly totals: readonly ({
        readonly paidBy: 'caller' | 'seller' | 'buyer' | 'membership';
        /** US dollars, at most six decimals */
        readonly amountUsd: number;
      })[];
      /** what the caller is charged for the determination quoted: the total of `caller`, 0 under a membership */
      readonly totalUsd: number;
      readonly sellerNetsUsd: number | null;
      readonly buyerPaysUsd: number | null;
    };
  };
  safeHandshakeDetermination: {
    path: undefined;
    query: {
      readonly address?: string;
      readonly chainId?: number;
      readonly transactionUsd?: number | string;
      readonly depth?: '1-of-1' | '2-of-2' | 'superconsensus';
    } | undefined;
    body: undefined;
    answer: {
      readonly verdict: 'CLEAN' | 'FLAGGED';
      readonly address: string;
      readonly addressType: 'evm' | 'solana';
      readonly chainId: number | null;
      readonly confidence: number;
      readonly confidenceBasis: 'uncalibrated';
      readonly probabilities?: readonly {
        readonly check: string;
        readonly chain: string;
        readonly of: string;
        readonly probability: number;
        /** known outcomes that it was fitted to */
        readonly labels: number;
      }[];
      readonly reasons: readonly string[];
      readonly checks: readonly string[];
      /** the determination, and the checks as `determination/check`, that could not be judged */
      readonly inconclusive: readonly string[];
      readonly coverage: {
        readonly lists: readonly ({
          readonly name: string;
          readonly asOf: string | null;
          readonly ageDays: number | null;
          readonly rows: number;
          readonly root: string | null;
          readonly synthetic: boolean;
        })[];
        readonly chains: readonly ({
          /** CAIP-2, or `solana` */
          readonly chain: string;
          readonly block: string | null;
          /** by every reader that was asked */
          readonly read: boolean;
          /** `resolved`: it is known which code runs, and who may change it where a slot says so */
          readonly code: 'none' | 'resolved' | 'unresolved' | 'unread';
          /** checks that must run before it may be CLEAN */
          readonly required: readonly string[];
        })[];
        /** how far those it dealt or traded transfers with were followed */
        readonly hops: number;
        /** addresses behind it that were looked up, too */
        readonly principals: number;
        readonly history: {
          /** deals on this platform */
          readonly dealsDays: number;
          readonly transfers: string | null;
        };
        readonly notLookedAt: readonly string[];
        /** the same in a sentence, to be read after “CLEAN, as far as:” */
        readonly asFarAs: string;
      };
      readonly simulation?: {
        readonly chainId: number;
        readonly block: string | null;
        readonly blockHash: string | null;
        /** who simulated it: the clients, and the hosts they asked */
        readonly node: string;
        /** lower case */
        readonly from: string;
        /** no sender was named: an address that nobody has */
        readonly assumedSender: boolean;
        readonly outcome: 'success' | 'reverted' | 'not-simulated';
        readonly reason: string | null;
        readonly call: {
          readonly selector: string | null;
          readonly name: string | null;
          readonly args: readonly {
            readonly name: string;
            readonly value: string;
          }[];
        };
        readonly approvals: readonly ({
          /** lower case */
          readonly owner: string;
          /** lower case */
          readonly spender: string;
          readonly via: 'allowance' | 'permit2' | 'token' | 'operator';
          /** lower case */
          readonly token: string;
          readonly tokenId: string | null;
          /** decimal; 0: taken back */
          readonly amount: string;
          readonly unlimited: boolean;
        })[];
        readonly ownerChanges: readonly ({
          /** lower case */
          readonly contract: string;
          readonly event: string;
          readonly from: string | null;
          readonly to: string | null;
        })[];
        /** the same transaction under changed conditions */
        readonly conditions: readonly ({
          readonly condition: 'execution' | 'later' | 'much-later' | 'richer' | 'other-origin';
          readonly outcome: 'same' | 'differs' | 'reverted' | 'not-simulated';
          readonly worse: readonly string[];
        })[];
      };
      readonly assetChanges?: readonly ({
        /** lower case */
        readonly party: string;
        /** `counterparty`: the address that is determined on; `target`: what the transaction calls */
        readonly role: 'sender' | 'counterparty' | 'target' | 'other';
        readonly asset: {
          readonly kind: 'native' | 'erc20' | 'erc721' | 'erc1155';
          readonly token: string | null;
          readonly tokenId: string | null;
          readonly symbol: string | null;
          readonly decimals: number | null;
        };
        /** decimal, with its sign, in the smallest unit */
        readonly delta: string;
        readonly before: string | null;
      })[];
      readonly origin?: {
        /** lower case, punycode */
        readonly host: string;
        readonly verdict: 'CLEAN' | 'FLAGGED' | 'INCONCLUSIVE';
        /** a sentence for each check that did not pass */
        readonly reasons: readonly string[];
        readonly checks: readonly ({
          readonly id: string;
          readonly outcome: 'PASS' | 'FLAG' | 'INCONCLUSIVE';
          readonly detail: string;
        })[];
        readonly lists: readonly ({
          readonly name: string;
          readonly asOf: string | null;
          /** names */
          readonly size: number;
          readonly root: string | null;
          /** made up, for demonstration or tests */
          readonly synthetic: boolean;
        })[];
      };
      readonly evidence: { readonly [name: string]: unknown };
      readonly recorded: {
        readonly filed: boolean;
        readonly [name: string]: unknown;
      };
      readonly [name: string]: unknown;
    };
  };
  safeHandshakeTransaction: {
    path: undefined;
    query: undefined;
    body: {
      /** EVM address, or Solana base58; without it: `address-missing` */
      readonly address?: string;
      /** the chain the determination is about. Of one that the service does not read (`/health` lists what it reads) the answer is never CLEAN; the 402 says so */
      readonly chainId?: number;
      /** US dollars, zero or more, at most six decimals: the price is one percent of it, at least one cent */
      readonly transactionUsd?: number | string;
      readonly depth?: '1-of-1' | '2-of-2' | 'superconsensus';
      /** what the asker is to send: simulated at the pinned block of `chainId`, and kept in the record */
      readonly transaction?: {
        /** 0x and 40 hex digits */
        readonly to: string;
        /** call data */
        readonly data?: string;
        /** wei, decimal */
        readonly value?: string;
        /** who would send it. Left out, it is simulated for an address that nobody has, and the answer is never CLEAN */
        readonly from?: string;
      };
      /** the site that asks for it, a URL or a host; the record keeps the host alone */
      readonly origin?: string;
    };
    answer: {
      readonly verdict: 'CLEAN' | 'FLAGGED';
      readonly address: string;
      readonly addressType: 'evm' | 'solana';
      readonly chainId: number | null;
      readonly confidence: number;
      readonly confidenceBasis: 'uncalibrated';
      readonly probabilities?: readonly {
        readonly check: string;
        readonly chain: string;
        readonly of: string;
        readonly probability: number;
        /** known outcomes that it was fitted to */
        readonly labels: number;
      }[];
      readonly reasons: readonly string[];
      readonly checks: readonly string[];
      /** the determination, and the checks as `determination/check`, that could not be judged */
      readonly inconclusive: readonly string[];
      readonly coverage: {
        readonly lists: readonly ({
          readonly name: string;
          readonly asOf: string | null;
          readonly ageDays: number | null;
          readonly rows: number;
          readonly root: string | null;
          readonly synthetic: boolean;
        })[];
        readonly chains: readonly ({
          /** CAIP-2, or `solana` */
          readonly chain: string;
          readonly block: string | null;
          /** by every reader that was asked */
          readonly read: boolean;
          /** `resolved`: it is known which code runs, and who may change it where a slot says so */
          readonly code: 'none' | 'resolved' | 'unresolved' | 'unread';
          /** checks that must run before it may be CLEAN */
          readonly required: readonly string[];
        })[];
        /** how far those it dealt or traded transfers with were followed */
        readonly hops: number;
        /** addresses behind it that were looked up, too */
        readonly principals: number;
        readonly history: {
          /** deals on this platform */
          readonly dealsDays: number;
          readonly transfers: string | null;
        };
        readonly notLookedAt: readonly string[];
        /** the same in a sentence, to be read after “CLEAN, as far as:” */
        readonly asFarAs: string;
      };
      readonly simulation?: {
        readonly chainId: number;
        readonly block: string | null;
        readonly blockHash: string | null;
        /** who simulated it: the clients, and the hosts they asked */
        readonly node: string;
        /** lower case */
        readonly from: string;
        /** no sender was named: an address that nobody has */
        readonly assumedSender: boolean;
        readonly outcome: 'success' | 'reverted' | 'not-simulated';
        readonly reason: string | null;
        readonly call: {
          readonly selector: string | null;
          readonly name: string | null;
          readonly args: readonly {
            readonly name: string;
            readonly value: string;
          }[];
        };
        readonly approvals: readonly ({
          /** lower case */
          readonly owner: string;
          /** lower case */
          readonly spender: string;
          readonly via: 'allowance' | 'permit2' | 'token' | 'operator';
          /** lower case */
          readonly token: string;
          readonly tokenId: string | null;
          /** decimal; 0: taken back */
          readonly amount: string;
          readonly unlimited: boolean;
        })[];
        readonly ownerChanges: readonly ({
          /** lower case */
          readonly contract: string;
          readonly event: string;
          readonly from: string | null;
          readonly to: string | null;
        })[];
        /** the same transaction under changed conditions */
        readonly conditions: readonly ({
          readonly condition: 'execution' | 'later' | 'much-later' | 'richer' | 'other-origin';
          readonly outcome: 'same' | 'differs' | 'reverted' | 'not-simulated';
          readonly worse: readonly string[];
        })[];
      };
      readonly assetChanges?: readonly ({
        /** lower case */
        readonly party: string;
        /** `counterparty`: the address that is determined on; `target`: what the transaction calls */
        readonly role: 'sender' | 'counterparty' | 'target' | 'other';
        readonly asset: {
          readonly kind: 'native' | 'erc20' | 'erc721' | 'erc1155';
          readonly token: string | null;
          readonly tokenId: string | null;
          readonly symbol: string | null;
          readonly decimals: number | null;
        };
        /** decimal, with its sign, in the smallest unit */
        readonly delta: string;
        readonly before: string | null;
      })[];
      readonly origin?: {
        /** lower case, punycode */
        readonly host: string;
        readonly verdict: 'CLEAN' | 'FLAGGED' | 'INCONCLUSIVE';
        /** a sentence for each check that did not pass */
        readonly reasons: readonly string[];
        readonly checks: readonly ({
          readonly id: string;
          readonly outcome: 'PASS' | 'FLAG' | 'INCONCLUSIVE';
          readonly detail: string;
        })[];
        readonly lists: readonly ({
          readonly name: string;
          readonly asOf: string | null;
          /** names */
          readonly size: number;
          readonly root: string | null;
          /** made up, for demonstration or tests */
          readonly synthetic: boolean;
        })[];
      };
      readonly evidence: { readonly [name: string]: unknown };
      readonly recorded: {
        readonly filed: boolean;
        readonly [name: string]: unknown;
      };
      readonly [name: string]: unknown;
    };
  };
  'tier2-tokenized-debt-and-finance': {
    path: undefined;
    query: undefined;
    body: {
      /** with seller: shill bidding and collusion */
      readonly lotRef?: string;
      /** address or handle */
      readonly seller?: string;
      /** the listing of the asset, if it has one: double pledge runs on `asset` alone as well */
      readonly listingRef?: string;
      /** contract with tokenId, or a serial */
      readonly asset?: {
        /** of the contract; 1002 when left out */
        readonly chainId?: number;
        /** 0x and 40 hex digits */
        readonly contract?: string;
        readonly tokenId?: string;
        readonly serial?: string;
        readonly serialKind?: 'vin' | 'imei' | 'isbn' | 'isrc' | 'gtin' | 'name' | 'generic';
        /** who made it, of a serial that no standard knows */
        readonly maker?: string;
      };
      /** an agent handle: 3 to 32 of a-z, 0-9 and hyphen */
      readonly handle?: string;
      /** the deal as the agent would sign it */
      readonly proposal?: {
        readonly side: 'buy' | 'sell';
        /** contract with tokenId, or a serial */
        readonly asset?: {
          /** of the contract; 1002 when left out */
          readonly chainId?: number;
          /** 0x and 40 hex digits */
          readonly contract?: string;
          readonly tokenId?: string;
          readonly serial?: string;
          readonly serialKind?: 'vin' | 'imei' | 'isbn' | 'isrc' | 'gtin' | 'name' | 'generic';
          /** who made it, of a serial that no standard knows */
          readonly maker?: string;
        };
        readonly listingRef?: string;
        /** a goods category */
        readonly category: 'tokenized-debt-and-finance' | 'liquidation-and-surplus' | 'travel-and-perishables' | 'music-and-video-rights' | 'digital-products' | 'real-world-assets';
        /** US dollars, zero or more, at most six decimals */
        readonly priceUsd: number | string;
        readonly counterparty?: string;
        readonly chainId?: number;
      };
      /** US dollars, zero or more, at most six decimals */
      readonly priceUsd?: number | string;
      /** what its price is judged by: make, model, year, mileage, condition, title; edition, royaltyShare; term, rate, faceValue with faceValueSource */
      readonly attributes?: { readonly [name: string]: string | number };
      /** contract with tokenId, or a serial */
      readonly subject?: {
        /** of the contract; 1002 when left out */
        readonly chainId?: number;
        /** 0x and 40 hex digits */
        readonly contract?: string;
        readonly tokenId?: string;
        readonly serial?: string;
        readonly serialKind?: 'vin' | 'imei' | 'isbn' | 'isrc' | 'gtin' | 'name' | 'generic';
        /** who made it, of a serial that no standard knows */
        readonly maker?: string;
      };
      readonly depth?: '1-of-1' | '2-of-2' | 'superconsensus';
    };
    answer: {
      readonly tier: 'tier2' | 'tier3';
      /** a goods category */
      readonly category: 'tokenized-debt-and-finance' | 'liquidation-and-surplus' | 'travel-and-perishables' | 'music-and-video-rights' | 'digital-products' | 'real-world-assets';
      readonly priceUsd?: number;
      readonly verdict: 'CLEAN' | 'FLAGGED';
      readonly flagged: readonly string[];
      readonly inconclusive: readonly string[];
      readonly determinations: readonly ({
        readonly id: string;
        readonly verdict: 'CLEAN' | 'FLAGGED' | 'INCONCLUSIVE';
        readonly confidence: number;
        readonly confidenceBasis: 'uncalibrated';
        readonly coverage?: {
          readonly lists: readonly ({
            readonly name: string;
            readonly asOf: string | null;
            readonly ageDays: number | null;
            readonly rows: number;
            readonly root: string | null;
            readonly synthetic: boolean;
          })[];
          readonly chains: readonly ({
            /** CAIP-2, or `solana` */
            readonly chain: string;
            readonly block: string | null;
            /** by every reader that was asked */
            readonly read: boolean;
            /** `resolved`: it is known which code runs, and who may change it where a slot says so */
            readonly code: 'none' | 'resolved' | 'unresolved' | 'unread';
            /** checks that must run before it may be CLEAN */
            readonly required: readonly string[];
          })[];
          /** how far those it dealt or traded transfers with were followed */
          readonly hops: number;
          /** addresses behind it that were looked up, too */
          readonly principals: number;
          readonly history: {
            /** deals on this platform */
            readonly dealsDays: number;
            readonly transfers: string | null;
          };
          readonly notLookedAt: readonly string[];
          /** the same in a sentence, to be read after “CLEAN, as far as:” */
          readonly asFarAs: string;
        };
        readonly [name: string]: unknown;
      })[];
      readonly determinationsRun: readonly string[];
      readonly determinationsNotRun: readonly string[];
      readonly note?: string;
      readonly recorded: {
        readonly filed: boolean;
        readonly [name: string]: unknown;
      };
      readonly [name: string]: unknown;
    };
  };
  'tier2-liquidation-and-surplus': Operations['tier2-tokenized-debt-and-finance'];
  'tier2-travel-and-perishables': Operations['tier2-tokenized-debt-and-finance'];
  'tier2-music-and-video-rights': Operations['tier2-tokenized-debt-and-finance'];
  'tier2-digital-products': Operations['tier2-tokenized-debt-and-finance'];
  'tier2-real-world-assets': Operations['tier2-tokenized-debt-and-finance'];
  'tier3-tokenized-debt-and-finance': Operations['tier2-tokenized-debt-and-finance'];
  'tier3-liquidation-and-surplus': Operations['tier2-tokenized-debt-and-finance'];
  'tier3-travel-and-perishables': Operations['tier2-tokenized-debt-and-finance'];
  'tier3-music-and-video-rights': Operations['tier2-tokenized-debt-and-finance'];
  'tier3-digital-products': Operations['tier2-tokenized-debt-and-finance'];
  'tier3-real-world-assets': Operations['tier2-tokenized-debt-and-finance'];
  checkOrigin: {
    path: undefined;
    query: {
      readonly url: string;
    };
    body: undefined;
    answer: {
      /** lower case, punycode */
      readonly host: string;
      readonly verdict: 'CLEAN' | 'FLAGGED' | 'INCONCLUSIVE';
      /** a sentence for each check that did not pass */
      readonly reasons: readonly string[];
      readonly checks: readonly ({
        readonly id: string;
        readonly outcome: 'PASS' | 'FLAG' | 'INCONCLUSIVE';
        readonly detail: string;
      })[];
      readonly lists: readonly ({
        readonly name: string;
        readonly asOf: string | null;
        /** names */
        readonly size: number;
        readonly root: string | null;
        /** made up, for demonstration or tests */
        readonly synthetic: boolean;
      })[];
    };
  };
  paymentManifest: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      readonly x402Version: 2;
      readonly version: '2026-09-03';
      readonly testnet: true;
      readonly live: false;
      readonly payTo: string;
      readonly resources: readonly ({
        readonly method: 'GET' | 'POST';
        readonly path: string;
        readonly operationId: string;
        readonly intent: 'charge';
        readonly paymentMethod: 'x402';
        readonly scheme: 'exact';
        readonly unit: 'call';
        /** US dollars, at most six decimals */
        readonly priceUsd: number;
        readonly accepts: readonly { readonly [name: string]: unknown }[];
        readonly extensions: { readonly [name: string]: unknown };
      })[];
    };
  };
  paymentManifestJson: Operations['paymentManifest'];
  catalogue: {
    path: undefined;
    query: {
      readonly category?: 'tokenized-debt-and-finance' | 'liquidation-and-surplus' | 'travel-and-perishables' | 'music-and-video-rights' | 'digital-products' | 'real-world-assets';
      readonly chain?: string;
      readonly maxUsd?: string;
      readonly negotiable?: boolean;
      readonly q?: string;
      readonly limit?: number;
      readonly offset?: number;
      readonly cursor?: string;
    } | undefined;
    body: undefined;
    answer: {
      readonly items: readonly ({
        readonly listingRef: string;
        /** 0x and 40 hex digits */
        readonly seller: string;
        readonly contract: string | null;
        readonly tokenId: string | null;
        /** CAIP-19 (`eip155:1002/erc721:0xabc…/17`) or `serial:{kind}:{normalised}` */
        readonly lot: string;
        readonly description: string;
        /** US dollars, at most six decimals */
        readonly askUsd: number;
        readonly negotiable: boolean;
        /** a goods category */
        readonly category: 'tokenized-debt-and-finance' | 'liquidation-and-surplus' | 'travel-and-perishables' | 'music-and-video-rights' | 'digital-products' | 'real-world-assets';
        readonly chain: string | null;
        readonly featured: boolean;
        /** whether the chain shows that it is the seller’s to sell; a proof displaces a claim */
        readonly control: 'proven' | 'seller\'s claim, unproven';
        /** ISO 8601, UTC */
        readonly listedAt: string;
      })[];
      readonly limit: number;
      readonly offset: number;
      readonly hasMore: boolean;
      /** given where more rows follow: the `cursor` of the next page */
      readonly next?: string;
    };
  };
  orders: {
    path: undefined;
    query: {
      readonly category?: 'tokenized-debt-and-finance' | 'liquidation-and-surplus' | 'travel-and-perishables' | 'music-and-video-rights' | 'digital-products' | 'real-world-assets';
      readonly chain?: string;
      readonly lot?: string;
      readonly limit?: number;
      readonly offset?: number;
      readonly cursor?: string;
    } | undefined;
    body: undefined;
    answer: {
      readonly items: readonly ({
        /** CAIP-19 (`eip155:1002/erc721:0xabc…/17`) or `serial:{kind}:{normalised}` */
        readonly lot: string;
        /** a goods category */
        readonly category: 'tokenized-debt-and-finance' | 'liquidation-and-surplus' | 'travel-and-perishables' | 'music-and-video-rights' | 'digital-products' | 'real-world-assets';
        /** a chain by CAIP-2, such as eip155:1002 */
        readonly chain: string;
        /** US dollars, at most six decimals */
        readonly priceToBeatUsd: number;
        /** ISO 8601, UTC */
        readonly updatedAt: string;
      })[];
      readonly limit: number;
      readonly offset: number;
      readonly hasMore: boolean;
      /** given where more rows follow: the `cursor` of the next page */
      readonly next?: string;
    };
  };
  matches: {
    path: undefined;
    query: {
      readonly category?: 'tokenized-debt-and-finance' | 'liquidation-and-surplus' | 'travel-and-perishables' | 'music-and-video-rights' | 'digital-products' | 'real-world-assets';
      readonly chain?: string;
      readonly lot?: string;
      readonly limit?: number;
      readonly offset?: number;
      readonly cursor?: string;
    } | undefined;
    body: undefined;
    answer: {
      readonly items: readonly ({
        readonly matchId: string;
        /** CAIP-19 (`eip155:1002/erc721:0xabc…/17`) or `serial:{kind}:{normalised}` */
        readonly lot: string;
        /** a goods category */
        readonly category: 'tokenized-debt-and-finance' | 'liquidation-and-surplus' | 'travel-and-perishables' | 'music-and-video-rights' | 'digital-products' | 'real-world-assets';
        /** a chain by CAIP-2, such as eip155:1002 */
        readonly chain: string;
        /** `stopped`: it came to nothing, and shows no clearing price */
        readonly state: 'settling' | 'settled' | 'stopped';
        /** US dollars, at most six decimals */
        readonly clearingPriceUsd?: number;
        /** ISO 8601, UTC */
        readonly matchedAt: string;
        /** ISO 8601, UTC */
        readonly settledAt?: string;
        /** 32 bytes, hex */
        readonly tx?: string;
      })[];
      readonly limit: number;
      readonly offset: number;
      readonly hasMore: boolean;
      /** given where more rows follow: the `cursor` of the next page */
      readonly next?: string;
    };
  };
  'close-calls': {
    path: undefined;
    query: {
      readonly category?: 'tokenized-debt-and-finance' | 'liquidation-and-surplus' | 'travel-and-perishables' | 'music-and-video-rights' | 'digital-products' | 'real-world-assets';
      readonly chain?: string;
      readonly lot?: string;
      readonly limit?: number;
      readonly offset?: number;
      readonly cursor?: string;
    } | undefined;
    body: undefined;
    answer: {
      readonly items: readonly ({
        readonly closeCallId: string;
        /** CAIP-19 (`eip155:1002/erc721:0xabc…/17`) or `serial:{kind}:{normalised}` */
        readonly lot: string;
        /** a goods category */
        readonly category: 'tokenized-debt-and-finance' | 'liquidation-and-surplus' | 'travel-and-perishables' | 'music-and-video-rights' | 'digital-products' | 'real-world-assets';
        /** a chain by CAIP-2, such as eip155:1002 */
        readonly chain: string;
        /** ISO 8601, UTC */
        readonly hour: string;
      })[];
      readonly limit: number;
      readonly offset: number;
      readonly hasMore: boolean;
      /** given where more rows follow: the `cursor` of the next page */
      readonly next?: string;
    };
  };
  lot: {
    path: {
      readonly listingRef: string;
    };
    query: {
      readonly handle?: string;
    } | undefined;
    body: undefined;
    answer: {
      readonly listingRef: string;
      /** 0x and 40 hex digits */
      readonly seller: string;
      readonly contract: string | null;
      readonly tokenId: string | null;
      /** CAIP-19 (`eip155:1002/erc721:0xabc…/17`) or `serial:{kind}:{normalised}` */
      readonly lot: string;
      readonly description: string;
      /** US dollars, at most six decimals */
      readonly askUsd: number;
      readonly negotiable: boolean;
      /** a goods category */
      readonly category: 'tokenized-debt-and-finance' | 'liquidation-and-surplus' | 'travel-and-perishables' | 'music-and-video-rights' | 'digital-products' | 'real-world-assets';
      readonly chain: string | null;
      readonly featured: boolean;
      /** whether the chain shows that it is the seller’s to sell; a proof displaces a claim */
      readonly control: 'proven' | 'seller\'s claim, unproven';
      /** ISO 8601, UTC */
      readonly listedAt: string;
      /** what its price is judged by: make, model, year, mileage, condition, title; edition, royaltyShare; term, rate, faceValue with faceValueSource */
      readonly attributes?: { readonly [name: string]: string | number };
      /** determinations that could not be judged for this lot as things stand, by the lists and sales that are known; what the chain or the other side will show is not foreseen */
      readonly willNotBeJudged: readonly ('wallet' | 'shill-collusion' | 'double-pledge' | 'provenance' | 'mandate-compliance' | 'price-intelligence')[];
      /** what a deal then does under the choices of the agent's owner; null where nothing is missing, or no agent is named */
      readonly yourSettingsThen: ('stop' | 'ask' | 'proceed') | null;
      /** disputes of the thing's certificates that are not decided for good: those on which the operator acted, those of whom it was issued to or sold in a deal, and of others' the oldest, at most 5 of each */
      readonly openDisputes: readonly {
        readonly disputeId: string;
        /** of the certificate: GET /certificates/{tokenId} has the dispute in full */
        readonly tokenId: string;
        /** 0x and 40 hex digits */
        readonly wallet: string;
        /** ISO 8601, UTC */
        readonly filedAt: string;
      }[];
    };
  };
  'agents-directory': {
    path: undefined;
    query: {
      readonly tier?: 'AGENT' | 'EXECUTOR';
      readonly status?: 'minting' | 'active' | 'paused' | 'suspended' | 'retired';
      readonly category?: 'tokenized-debt-and-finance' | 'liquidation-and-surplus' | 'travel-and-perishables' | 'music-and-video-rights' | 'digital-products' | 'real-world-assets';
      readonly owner?: string;
      readonly limit?: number;
      readonly offset?: number;
      readonly cursor?: string;
    } | undefined;
    body: undefined;
    answer: {
      readonly items: readonly ({
        /** an agent handle: 3 to 32 of a-z, 0-9 and hyphen */
        readonly handle: string;
        readonly tier: 'AGENT' | 'EXECUTOR';
        readonly depth: ('1-of-1' | '2-of-2' | 'superconsensus') | null;
        readonly status: 'minting' | 'active' | 'paused' | 'suspended' | 'retired';
        /** 0x and 40 hex digits */
        readonly owner: string;
        /** 0x and 40 hex digits */
        readonly account: string;
        readonly chainId: number;
        /** 0x and 40 hex digits */
        readonly contract: string;
        readonly tokenId: string;
        /** what the mandate allows; empty means any */
        readonly categories: readonly ('tokenized-debt-and-finance' | 'liquidation-and-surplus' | 'travel-and-perishables' | 'music-and-video-rights' | 'digital-products' | 'real-world-assets')[];
        /** ISO 8601, UTC */
        readonly since: string;
      })[];
      readonly limit: number;
      readonly offset: number;
      readonly hasMore: boolean;
      /** given where more rows follow: the `cursor` of the next page */
      readonly next?: string;
    };
  };
  agent: {
    path: {
      readonly handle: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      /** an agent handle: 3 to 32 of a-z, 0-9 and hyphen */
      readonly handle: string;
      readonly tier: 'AGENT' | 'EXECUTOR';
      readonly depth: ('1-of-1' | '2-of-2' | 'superconsensus') | null;
      readonly status: 'minting' | 'active' | 'paused' | 'suspended' | 'retired';
      /** 0x and 40 hex digits */
      readonly owner: string;
      /** 0x and 40 hex digits */
      readonly account: string;
      readonly chainId: number;
      /** 0x and 40 hex digits */
      readonly contract: string;
      readonly tokenId: string;
      /** what the mandate allows; empty means any */
      readonly categories: readonly ('tokenized-debt-and-finance' | 'liquidation-and-surplus' | 'travel-and-perishables' | 'music-and-video-rights' | 'digital-products' | 'real-world-assets')[];
      /** ISO 8601, UTC */
      readonly since: string;
      readonly displayName?: string;
      readonly about?: string;
      /** what keeps it from trading; absent while nothing does */
      readonly heldBy?: readonly ('owner' | 'owner-on-chain' | 'guardian' | 'mandate-end' | 'new-owner' | 'operator')[];
      readonly mandate: {
        readonly text: string;
        readonly structured: { readonly [name: string]: unknown };
        /** 32 bytes, hex */
        readonly hash: string;
        readonly version: number;
      };
      readonly caps: ({
        readonly asOfBlock: string;
        readonly remaining: readonly ({
          /** 0x and 40 hex digits */
          readonly token: string;
          readonly perDealUsd: number | null;
          readonly perDayUsd: number | null;
          readonly perWeekUsd: number | null;
          readonly perMonthUsd: number | null;
          readonly totalUsd: number | null;
          /** what the account holds, whatever it has promised */
          readonly balanceUsd: number;
          /** the most that one payment may be now: no more than the caps leave, and no more than the account holds. What is in flight is not counted: its owner alone sees that */
          readonly spendableUsd: number | null;
        })[];
      }) | {
        /** why the chain could not be read */
        readonly unavailable: string;
      };
      readonly issued: {
        /** 32 bytes, hex */
        readonly mintTx: string;
        /** 32 bytes, hex */
        readonly accountTx: string;
        readonly mandateHashOnChain: string | null;
        readonly orders: number;
        readonly matches: number;
      };
    };
  };
  'agent-activity': {
    path: {
      readonly handle: string;
    };
    query: {
      readonly limit?: number;
      readonly offset?: number;
      readonly cursor?: string;
    } | undefined;
    body: undefined;
    answer: {
      readonly items: readonly ({
        readonly recordId: string;
        readonly kind: 'agent-purchase' | 'deal-settled' | 'determination' | 'mandate-changed' | 'transferred' | 'order-refused' | 'flag-decision' | 'dispute-decision';
        readonly state: 'inscribing' | 'inscribed' | 'anchored';
        /** ISO 8601, UTC */
        readonly at: string;
        readonly subject: string;
        /** 32 bytes, hex */
        readonly hash: string;
        readonly summary: string;
        readonly ledger?: {
          readonly chainId: number;
          /** 0x and 40 hex digits */
          readonly contract: string;
          /** 32 bytes, hex */
          readonly tx: string;
          readonly batch: string;
        };
        /** why its verdict no longer counts; left out where it counts, and in an event */
        readonly withdrawn?: 'retracted' | 'overturned';
        readonly recordUrl: string;
      })[];
      readonly limit: number;
      readonly offset: number;
      readonly hasMore: boolean;
      /** given where more rows follow: the `cursor` of the next page */
      readonly next?: string;
    };
  };
  'agent-fund': {
    path: {
      readonly handle: string;
    };
    query: {
      readonly amountUsd: number | string;
    };
    body: undefined;
    answer: {
      /** an agent handle: 3 to 32 of a-z, 0-9 and hyphen */
      readonly handle: string;
      /** where it is sent */
      readonly chainId: number;
      /** who must send it: the owner, read from the chain now; null: any wallet that has the money */
      readonly from: string | null;
      /** 0x and 40 hex digits */
      readonly to: string;
      /** wei, decimal */
      readonly value: string;
      /** hex */
      readonly data: string;
      /** what it does, in a sentence for people */
      readonly says: string;
    };
  };
  'agent-withdraw': Operations['agent-fund'];
  'agent-deposit': {
    path: {
      readonly handle: string;
    };
    query: {
      readonly contract: string;
      readonly tokenId: string;
    };
    body: undefined;
    answer: {
      /** an agent handle: 3 to 32 of a-z, 0-9 and hyphen */
      readonly handle: string;
      /** where it is sent */
      readonly chainId: number;
      /** who must send it: the owner, read from the chain now; null: any wallet that has the money */
      readonly from: string | null;
      /** 0x and 40 hex digits */
      readonly to: string;
      /** wei, decimal */
      readonly value: string;
      /** hex */
      readonly data: string;
      /** what it does, in a sentence for people */
      readonly says: string;
    };
  };
  'agent-approve': Operations['agent-deposit'];
  'agent-metadata': {
    path: {
      readonly chainId: string;
      readonly tokenId: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      readonly type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1';
      /** the owner's words: escape them */
      readonly name: string;
      /** the owner's words: escape them */
      readonly description: string;
      readonly image: string;
      readonly external_url: string;
      readonly services: readonly {
        readonly name: string;
        readonly endpoint: string;
      }[];
      readonly x402Support: boolean;
      /** false also when the chain cannot be read */
      readonly active: boolean;
      readonly registrations: readonly {
        readonly agentId: number;
        /** CAIP-10 of the collection */
        readonly agentRegistry: string;
      }[];
      readonly supportedTrust: readonly string[];
      readonly attributes: readonly ({
        readonly trait_type: string;
        readonly value: string | number | ('AGENT' | 'EXECUTOR');
        readonly display_type?: 'number' | 'date';
      })[];
    };
  };
  'agent-registrations': {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      readonly registrations: readonly {
        readonly agentId: number;
        /** CAIP-10 of the collection */
        readonly agentRegistry: string;
      }[];
    };
  };
  record: {
    path: {
      readonly recordId: string;
    };
    query: {
      readonly audience?: string;
    } | undefined;
    body: undefined;
    answer: {
      readonly recordId: string;
      readonly state: 'inscribing' | 'inscribed' | 'anchored';
      readonly record: { readonly [name: string]: unknown };
      /** 32 bytes, hex */
      readonly hash: string;
      readonly signature: {
        /** 0x and 40 hex digits */
        readonly signer: string;
        readonly value: string;
        readonly typedData: { readonly [name: string]: unknown };
      };
      readonly evidence: { readonly [name: string]: unknown } | null;
      /** why the evidence that the record was made of is not served */
      readonly withheld?: string;
      readonly proof: {
        /** 32 bytes, hex */
        readonly leaf: string;
        readonly index: number;
        readonly siblings: readonly string[];
        /** 32 bytes, hex */
        readonly root: string;
        readonly size: number;
      } | null;
      readonly ledger: {
        readonly chainId: number;
        /** 0x and 40 hex digits */
        readonly contract: string;
        /** 32 bytes, hex */
        readonly tx: string;
        readonly batch: string;
      } | null;
      readonly appeal: {
        readonly recordId: string;
        readonly recordUrl: string;
        /** ISO 8601, UTC */
        readonly filedAt: string;
      } | null;
      readonly appealOf: {
        readonly recordId: string;
        readonly recordUrl: string;
        /** ISO 8601, UTC */
        readonly filedAt: string;
      } | null;
      /** the record was taken back, and why: it counts against nobody */
      readonly retracted?: {
        readonly reason: string;
        /** ISO 8601, UTC */
        readonly at: string;
      };
      /** true: the appeal against it, or one against its record, overturned it, and it counts against nobody; else left out */
      readonly overturned?: boolean;
      /** what turned out, as parties and the operator say: it judges nobody */
      readonly outcomes?: readonly ({
        /** `operator`, or the wallet of a party that signed it */
        readonly by: string;
        readonly outcome: 'honest' | 'fraudulent';
        /** what the fraud was; it is held against the determination that looks for it alone */
        readonly kind?: 'counterparty' | 'shill-bidding' | 'pledged-twice' | 'stolen-or-forged' | 'outside-mandate' | 'false-price';
        /** hashes and URLs */
        readonly evidence: readonly string[];
        /** ISO 8601, UTC */
        readonly filedAt: string;
      })[];
      readonly recordUrl: string;
      readonly spec: string;
    };
  };
  jwks: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      readonly keys: readonly {
        readonly kty: 'EC';
        readonly crv: 'P-256';
        readonly x: string;
        readonly y: string;
        /** the JWK thumbprint (RFC 7638) */
        readonly kid: string;
        readonly alg: 'ES256';
        readonly use: 'sig';
      }[];
    };
  };
  did: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      readonly id: string;
      readonly verificationMethod: readonly {
        readonly id: string;
        readonly type: 'JsonWebKey';
        readonly controller: string;
        readonly publicKeyJwk: {
          readonly kty: 'EC';
          readonly crv: 'P-256';
          readonly x: string;
          readonly y: string;
          /** the JWK thumbprint (RFC 7638) */
          readonly kid: string;
          readonly alg: 'ES256';
          readonly use: 'sig';
        };
      }[];
      readonly assertionMethod: readonly string[];
    };
  };
  'jwt-vc-issuer': {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      readonly issuer: string;
      readonly jwks_uri: string;
    };
  };
  'verdict-type': {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      readonly vct: string;
      readonly name: string;
      readonly description: string;
    };
  };
  'record-appeal': {
    path: {
      readonly recordId: string;
    };
    query: undefined;
    body: {
      /** 0x and 40 hex digits */
      readonly wallet: string;
      /** your words, published; they decide nothing */
      readonly grounds?: string;
    };
    answer: ({
      /** the record of the appeal */
      readonly recordId: string;
      readonly recordUrl: string;
      /** the record appealed against, which stays as it is */
      readonly appealOf: string;
      readonly verdict: 'CLEAN' | 'FLAGGED';
      readonly before: 'CLEAN' | 'FLAGGED';
      /** the first record is no longer held against its subject, by this appeal or one against its record */
      readonly overturned: boolean;
      /** ISO 8601, UTC */
      readonly filedAt: string;
    }) | ({
      readonly disputeId: string;
      /** the record of the first decision, which stays as it is */
      readonly appealOf: string;
      /** appealed: the operator decides again */
      readonly state: 'appealed' | 'upheld' | 'rejected';
      /** ISO 8601, UTC */
      readonly filedAt: string;
    });
  };
  'record-outcome': {
    path: {
      readonly recordId: string;
    };
    query: undefined;
    body: {
      /** 0x and 40 hex digits */
      readonly wallet?: string;
      readonly outcome: 'honest' | 'fraudulent';
      /** what the fraud was; it is held against the determination that looks for it alone */
      readonly kind?: 'counterparty' | 'shill-bidding' | 'pledged-twice' | 'stolen-or-forged' | 'outside-mandate' | 'false-price';
      /** hashes (0x and 64 hex digits) and http(s) URLs, published */
      readonly evidence?: readonly string[];
    };
    answer: ({
      /** `operator`, or the wallet of a party that signed it */
      readonly by: string;
      readonly outcome: 'honest' | 'fraudulent';
      /** what the fraud was; it is held against the determination that looks for it alone */
      readonly kind?: 'counterparty' | 'shill-bidding' | 'pledged-twice' | 'stolen-or-forged' | 'outside-mandate' | 'false-price';
      /** hashes and URLs */
      readonly evidence: readonly string[];
      /** ISO 8601, UTC */
      readonly filedAt: string;
    });
  };
  verdicts: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      /** a rate of fewer records than this is null */
      readonly tooFewBelow: number;
      readonly items: readonly ({
        readonly determination: 'wallet' | 'shill-collusion' | 'double-pledge' | 'provenance' | 'mandate-compliance' | 'price-intelligence';
        readonly verdict: 'CLEAN' | 'FLAGGED' | 'INCONCLUSIVE';
        /** who says what turned out */
        readonly by: 'operator' | 'parties';
        readonly honest: number;
        readonly fraudulent: number;
        /** records of which signers say both; they make no rate */
        readonly contested: number;
        /** of CLEAN the fraudulent, of FLAGGED the honest; null: too few to tell, or INCONCLUSIVE, which accuses nobody */
        readonly wrongPercent: number | null;
      })[];
    };
  };
  'agents-pause': {
    path: undefined;
    query: undefined;
    body: {
      /** 0x and 40 hex digits */
      readonly wallet: string;
    };
    answer: {
      /** 0x and 40 hex digits */
      readonly wallet: string;
      readonly paused: readonly string[];
      /** agents that were not paused, and why */
      readonly refused: readonly {
        /** an agent handle: 3 to 32 of a-z, 0-9 and hyphen */
        readonly handle: string;
        readonly reason: string;
      }[];
    };
  };
  'read-session': {
    path: undefined;
    query: undefined;
    body: {
      /** 0x and 40 hex digits */
      readonly wallet: string;
    };
    answer: {
      /** for `Authorization: ReadSession <token>` of a GET */
      readonly token: string;
      /** ISO 8601, UTC */
      readonly expiresAt: string;
    };
  };
  'agent-checkout': {
    path: undefined;
    query: undefined;
    body: {
      /** 0x and 40 hex digits */
      readonly owner: string;
      readonly handle: string;
      readonly mandate: string;
      readonly tier: 'AGENT' | 'EXECUTOR';
      readonly depth?: '1-of-1' | '2-of-2' | 'superconsensus';
      /** `card` when left out; `usdc`: by x402 on eip155:84532, answered 402 first */
      readonly pay?: 'card' | 'usdc';
      /** what the mandate counts from now counts from then, within the last hour; now when left out */
      readonly readAt?: string;
    };
    answer: {
      readonly checkoutId: string;
      readonly status: 'awaiting-payment' | 'paid';
      /** US dollars, at most six decimals */
      readonly amountUsd: number;
      readonly checkoutUrl?: string;
      readonly mandate: Mandate;
      /** the mandate has no cap by day, week, month or in total; it is taken as it was written */
      readonly openEnded?: {
        /** what a stolen session key could spend */
        readonly warning: string;
        /** a sentence that bounds it: add it to the mandate and send it again */
        readonly offer: string;
      };
      /** neither the mandate nor `POST /settings` says what happens when price, provenance or bidding could not be judged; the mandate is taken as it was written */
      readonly openChoice?: {
        readonly question: string;
        /** a sentence for each answer: add one to the mandate and send it again */
        readonly offers: readonly string[];
      };
      /** ISO 8601, UTC */
      readonly expiresAt: string;
    };
  };
  'agent-checkout-state': {
    path: {
      readonly checkoutId: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      readonly status: 'awaiting-payment' | 'paid' | 'minting' | 'minted' | 'failed' | 'expired';
      /** an agent handle: 3 to 32 of a-z, 0-9 and hyphen */
      readonly agent?: string;
      readonly agentUrl?: string;
      /** of one that failed: why its payment bought nothing */
      readonly reason?: string;
      /** of one that failed: the money is back, refunded by the card processor or by a dispute that its payer won; USDC is returned by hand, which is not seen here */
      readonly refunded?: boolean;
    };
  };
  'membership-checkout': {
    path: undefined;
    query: undefined;
    body: {
      /** 0x and 40 hex digits */
      readonly wallet: string;
      readonly kind: 'individual' | 'institutional';
    };
    answer: {
      readonly checkoutId: string;
      readonly status: 'awaiting-payment';
      /** US dollars, at most six decimals */
      readonly amountUsd: number;
      readonly checkoutUrl: string;
      /** ISO 8601, UTC */
      readonly expiresAt: string;
    };
  };
  'listing-checkout': {
    path: undefined;
    query: undefined;
    body: {
      readonly listingRef: string;
      readonly featured: boolean;
    };
    answer: {
      readonly checkoutId: string;
      readonly status: 'awaiting-payment';
      /** US dollars, at most six decimals */
      readonly amountUsd: number;
      readonly checkoutUrl: string;
      /** ISO 8601, UTC */
      readonly expiresAt: string;
    };
  };
  'membership-checkout-state': {
    path: {
      readonly checkoutId: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      readonly status: 'awaiting-payment' | 'paid' | 'failed' | 'expired';
      /** what was paid for rests: the money was taken back, or is in dispute */
      readonly suspended: boolean;
      /** of one that failed: why its payment bought nothing */
      readonly reason?: string;
      /** of one that failed: the money is back, refunded by the card processor or by a dispute that its payer won; USDC is returned by hand, which is not seen here */
      readonly refunded?: boolean;
    };
  };
  'listing-checkout-state': Operations['membership-checkout-state'];
  'membership-wallets': {
    path: undefined;
    query: undefined;
    body: {
      /** 0x and 40 hex digits */
      readonly wallet: string;
      readonly add?: readonly string[];
      readonly remove?: readonly string[];
    };
    answer: {
      /** 0x and 40 hex digits */
      readonly wallet: string;
      /** ISO 8601, UTC */
      readonly until: string;
      readonly wallets: readonly string[];
      readonly limit: number;
    };
  };
  'card-webhook': {
    path: undefined;
    query: undefined;
    body: { readonly [name: string]: unknown };
    answer: {
      readonly received: true;
    };
  };
  'webhook-subscribe': {
    path: undefined;
    query: undefined;
    body: {
      /** 0x and 40 hex digits */
      readonly wallet: string;
      readonly url: string;
      /** what to be told; empty: everything */
      readonly events?: readonly ('deal.matched' | 'deal.awaiting-owner' | 'deal.settled' | 'deal.stopped' | 'deal.failed' | 'agent.status')[];
    };
    answer: {
      readonly subscriptionId: string;
      /** 0x and 40 hex digits */
      readonly wallet: string;
      readonly url: string;
      /** what to be told; empty: everything */
      readonly events: readonly ('deal.matched' | 'deal.awaiting-owner' | 'deal.settled' | 'deal.stopped' | 'deal.failed' | 'agent.status')[];
      readonly status: 'active' | 'disabled';
      /** since when nothing has been taken there */
      readonly failingSince: string | null;
      /** why it is disabled */
      readonly reason: string | null;
      /** ISO 8601, UTC */
      readonly createdAt: string;
      /** whsec_…; shown this once */
      readonly secret: string;
    };
  };
  'webhook-subscriptions': {
    path: undefined;
    query: {
      readonly wallet: string;
      readonly limit?: number;
      readonly offset?: number;
    };
    body: undefined;
    answer: {
      readonly items: readonly ({
        readonly subscriptionId: string;
        /** 0x and 40 hex digits */
        readonly wallet: string;
        readonly url: string;
        /** what to be told; empty: everything */
        readonly events: readonly ('deal.matched' | 'deal.awaiting-owner' | 'deal.settled' | 'deal.stopped' | 'deal.failed' | 'agent.status')[];
        readonly status: 'active' | 'disabled';
        /** since when nothing has been taken there */
        readonly failingSince: string | null;
        /** why it is disabled */
        readonly reason: string | null;
        /** ISO 8601, UTC */
        readonly createdAt: string;
      })[];
      readonly limit: number;
      readonly offset: number;
      readonly hasMore: boolean;
    };
  };
  'webhook-deliveries': {
    path: {
      readonly subscriptionId: string;
    };
    query: {
      readonly limit?: number;
      readonly offset?: number;
      readonly cursor?: string;
    } | undefined;
    body: undefined;
    answer: {
      readonly items: readonly ({
        /** as the message carries it: the same with every attempt */
        readonly webhookId: string;
        readonly kind: string;
        /** failed: given up after its tries */
        readonly status: 'pending' | 'delivered' | 'failed';
        readonly attempts: number;
        /** HTTP status of the last attempt */
        readonly answered: number | null;
        readonly error: string | null;
        /** ISO 8601, UTC */
        readonly createdAt: string;
        /** null once nothing more is tried */
        readonly nextAttemptAt: string | null;
      })[];
      readonly limit: number;
      readonly offset: number;
      readonly hasMore: boolean;
      /** given where more rows follow: the `cursor` of the next page */
      readonly next?: string;
    };
  };
  'webhook-unsubscribe': {
    path: {
      readonly subscriptionId: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      readonly subscriptionId: string;
      readonly ended: true;
    };
  };
  'agent-list-asset': {
    path: {
      readonly handle: string;
    };
    query: undefined;
    body: {
      /** contract with tokenId, or a serial */
      readonly asset: {
        /** of the contract; 1002 when left out */
        readonly chainId?: number;
        /** 0x and 40 hex digits */
        readonly contract?: string;
        readonly tokenId?: string;
        readonly serial?: string;
        readonly serialKind?: 'vin' | 'imei' | 'isbn' | 'isrc' | 'gtin' | 'name' | 'generic';
        /** who made it, of a serial that no standard knows */
        readonly maker?: string;
      };
      readonly description: string;
      /** what its price is judged by: make, model, year, mileage, condition, title; edition, royaltyShare; term, rate, faceValue with faceValueSource */
      readonly attributes?: { readonly [name: string]: string | number };
      /** US dollars, more than nothing, at most two decimals */
      readonly askUsd: number | string;
      readonly negotiable: boolean;
      /** US dollars, more than nothing, at most two decimals */
      readonly floorUsd?: number | string;
      /** a goods category */
      readonly category: 'tokenized-debt-and-finance' | 'liquidation-and-surplus' | 'travel-and-perishables' | 'music-and-video-rights' | 'digital-products' | 'real-world-assets';
      readonly gate: 'deposit' | 'owner-signed';
    };
    answer: {
      readonly listingRef: string;
      /** `unpaid`: it does not show before its fee is paid by POST /listing/checkout; it ends after a day */
      readonly status: 'live' | 'unpaid';
      /** US dollars, at most six decimals */
      readonly feeUsd: number;
      readonly certificate?: {
        /** 0x and 40 hex digits */
        readonly contract: string;
        readonly tokenId: string;
        /** CAIP-19 (`eip155:1002/erc721:0xabc…/17`) or `serial:{kind}:{normalised}` */
        readonly serial: string;
        /** what the certificate does not prove */
        readonly limit: string;
        readonly url: string;
      };
    };
  };
  order: {
    path: undefined;
    query: undefined;
    body: {
      /** an agent handle: 3 to 32 of a-z, 0-9 and hyphen */
      readonly handle: string;
      readonly side: 'buy' | 'sell';
      /** contract with tokenId, or a serial */
      readonly asset?: {
        /** of the contract; 1002 when left out */
        readonly chainId?: number;
        /** 0x and 40 hex digits */
        readonly contract?: string;
        readonly tokenId?: string;
        readonly serial?: string;
        readonly serialKind?: 'vin' | 'imei' | 'isbn' | 'isrc' | 'gtin' | 'name' | 'generic';
        /** who made it, of a serial that no standard knows */
        readonly maker?: string;
      };
      readonly listingRef?: string;
      /** a goods category */
      readonly category: 'tokenized-debt-and-finance' | 'liquidation-and-surplus' | 'travel-and-perishables' | 'music-and-video-rights' | 'digital-products' | 'real-world-assets';
      /** US dollars, more than nothing, at most two decimals */
      readonly limitUsd: number | string;
      /** US dollars, more than nothing, at most two decimals */
      readonly openingBidUsd?: number | string;
      /** at most 90 days ahead; left out, a buy order ends after seven days, and a sell order when the one ends that it replaces */
      readonly expiresAt?: string;
    };
    answer: {
      readonly orderId: string;
      readonly status: 'resting' | 'matched' | 'unfunded';
      /** where the order is unfunded: what the account must have for it */
      readonly needUsd?: number;
      /** where the order is unfunded: what the account has, less what is in flight */
      readonly haveUsd?: number;
      /** US dollars, at most six decimals */
      readonly priceToBeatUsd: number;
      /** ISO 8601, UTC */
      readonly expiresAt: string;
      readonly match?: {
        readonly matchId: string;
        readonly dealId: string;
        /** US dollars, at most six decimals */
        readonly clearingPriceUsd: number;
      };
      /** determinations that could not be judged for this lot as things stand, by the lists and sales that are known; what the chain or the other side will show is not foreseen */
      readonly willNotBeJudged: readonly ('wallet' | 'shill-collusion' | 'double-pledge' | 'provenance' | 'mandate-compliance' | 'price-intelligence')[];
      /** what a deal then does under the choices of the agent's owner; null where nothing is missing, or no agent is named */
      readonly yourSettingsThen: ('stop' | 'ask' | 'proceed') | null;
      /** disputes of the thing's certificates that are not decided for good: those on which the operator acted, those of whom it was issued to or sold in a deal, and of others' the oldest, at most 5 of each */
      readonly openDisputes: readonly {
        readonly disputeId: string;
        /** of the certificate: GET /certificates/{tokenId} has the dispute in full */
        readonly tokenId: string;
        /** 0x and 40 hex digits */
        readonly wallet: string;
        /** ISO 8601, UTC */
        readonly filedAt: string;
      }[];
    };
  };
  'order-cancel': {
    path: {
      readonly orderId: string;
    };
    query: undefined;
    body: {
      /** an agent handle: 3 to 32 of a-z, 0-9 and hyphen */
      readonly handle: string;
    };
    answer: {
      readonly orderId: string;
      readonly status: 'cancelled';
    };
  };
  'agent-orders': {
    path: {
      readonly handle: string;
    };
    query: {
      readonly limit?: number;
      readonly offset?: number;
      readonly cursor?: string;
      readonly owner?: string;
    } | undefined;
    body: undefined;
    answer: {
      readonly items: readonly ({
        readonly orderId: string;
        readonly side: 'buy' | 'sell';
        /** CAIP-19 (`eip155:1002/erc721:0xabc…/17`) or `serial:{kind}:{normalised}` */
        readonly lot: string;
        /** the seller's words for the lot */
        readonly description?: string;
        readonly listingRef: string;
        /** a goods category */
        readonly category: 'tokenized-debt-and-finance' | 'liquidation-and-surplus' | 'travel-and-perishables' | 'music-and-video-rights' | 'digital-products' | 'real-world-assets';
        /** US dollars, at most six decimals */
        readonly limitUsd: number;
        readonly openingBidUsd: number | null;
        readonly status: 'resting' | 'unfunded' | 'matched' | 'filled' | 'cancelled' | 'expired' | 'unwound';
        /** where the order is unfunded: what the account must have for it */
        readonly needUsd?: number;
        /** where the order is unfunded: what the account has, less what is in flight */
        readonly haveUsd?: number;
        /** ISO 8601, UTC */
        readonly createdAt: string;
        /** ISO 8601, UTC */
        readonly expiresAt: string;
        /** when it left the book; null while it rests or is unfunded, and where it never rested */
        readonly leftAt: string | null;
      })[];
      readonly limit: number;
      readonly offset: number;
      readonly hasMore: boolean;
      /** given where more rows follow: the `cursor` of the next page */
      readonly next?: string;
      readonly funds?: {
        readonly asOfBlock: string;
        /** US dollars, at most six decimals */
        readonly balanceUsd: number;
        /** limits of its resting buys and prices of its deals under way */
        readonly inFlightUsd: number;
        /** what one more purchase may cost: by its caps, and by its money */
        readonly spendableUsd: number;
      };
    };
  };
  settings: {
    path: undefined;
    query: undefined;
    body: {
      /** 0x and 40 hex digits */
      readonly wallet: string;
      /** what a determination that is FLAGGED causes */
      readonly onFlagged?: 'stop' | 'ask';
      /** what it causes that shill-collusion, provenance, price-intelligence could not be judged; for no other determination can it be chosen */
      readonly onInconclusive?: 'stop' | 'ask' | 'proceed';
    };
    answer: {
      /** 0x and 40 hex digits */
      readonly wallet: string;
      /** what a determination that is FLAGGED causes */
      readonly onFlagged: 'stop' | 'ask';
      /** what it causes that shill-collusion, provenance, price-intelligence could not be judged; for no other determination can it be chosen */
      readonly onInconclusive: 'stop' | 'ask' | 'proceed';
      /** which of the two the owner chose; the other follows */
      readonly chosen: readonly ('onFlagged' | 'onInconclusive')[];
    };
  };
  'settings-read': {
    path: {
      readonly wallet: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      /** 0x and 40 hex digits */
      readonly wallet: string;
      /** what a determination that is FLAGGED causes */
      readonly onFlagged: 'stop' | 'ask';
      /** what it causes that shill-collusion, provenance, price-intelligence could not be judged; for no other determination can it be chosen */
      readonly onInconclusive: 'stop' | 'ask' | 'proceed';
      /** which of the two the owner chose; the other follows */
      readonly chosen: readonly ('onFlagged' | 'onInconclusive')[];
    };
  };
  'deal-decision': {
    path: {
      readonly dealId: string;
    };
    query: undefined;
    body: {
      /** an agent handle: 3 to 32 of a-z, 0-9 and hyphen */
      readonly handle: string;
      readonly decision: 'proceed' | 'stop';
    };
    answer: {
      readonly dealId: string;
      readonly decision: 'proceed' | 'stop';
    };
  };
  'agent-deals': {
    path: {
      readonly handle: string;
    };
    query: {
      readonly limit?: number;
      readonly offset?: number;
      readonly cursor?: string;
      readonly owner?: string;
    } | undefined;
    body: undefined;
    answer: {
      readonly items: readonly ({
        readonly dealId: string;
        readonly matchId: string;
        /** CAIP-19 (`eip155:1002/erc721:0xabc…/17`) or `serial:{kind}:{normalised}` */
        readonly lot: string;
        /** the seller's words for the lot */
        readonly description: string;
        readonly role: 'buyer' | 'seller';
        /** US dollars, at most six decimals */
        readonly priceUsd: number;
        /** of both sides together: only the sale of a name has a fee on each */
        readonly feeUsd: number;
        /** what the buyer pays, with its fee */
        readonly paysUsd: number;
        /** what the seller gets, after its fee */
        readonly getsUsd: number;
        readonly state: string;
        readonly deadline: string | null;
        /** whether it waits for this agent's owner; another may wait for the other side's */
        readonly waitsForYou: boolean;
        readonly findings: readonly { readonly [name: string]: unknown }[];
        /** of a deal that waits: disputes of the thing's certificates that are not decided for good, as of now */
        readonly openDisputes: readonly {
          readonly disputeId: string;
          /** of the certificate: GET /certificates/{tokenId} has the dispute in full */
          readonly tokenId: string;
          /** 0x and 40 hex digits */
          readonly wallet: string;
          /** ISO 8601, UTC */
          readonly filedAt: string;
        }[];
        readonly reason: string | null;
        readonly tx: string | null;
        /** ISO 8601, UTC */
        readonly updatedAt: string;
      })[];
      readonly limit: number;
      readonly offset: number;
      readonly hasMore: boolean;
      /** given where more rows follow: the `cursor` of the next page */
      readonly next?: string;
    };
  };
  'deal-decisions': {
    path: undefined;
    query: undefined;
    body: {
      /** 0x and 40 hex digits */
      readonly wallet: string;
      readonly decision: 'proceed' | 'stop';
      readonly deals: readonly {
        readonly dealId: string;
        /** an agent handle: 3 to 32 of a-z, 0-9 and hyphen */
        readonly handle: string;
      }[];
    };
    answer: {
      readonly decision: 'proceed' | 'stop';
      /** deals on which the decision counts */
      readonly decided: readonly string[];
      /** deals on which it does not, and why */
      readonly refused: readonly {
        readonly dealId: string;
        readonly reason: string;
      }[];
    };
  };
  'agent-log': {
    path: {
      readonly handle: string;
    };
    query: {
      readonly limit?: number;
      readonly offset?: number;
      readonly cursor?: string;
      readonly owner?: string;
    } | undefined;
    body: undefined;
    answer: {
      readonly items: readonly ({
        /** ISO 8601, UTC */
        readonly at: string;
        readonly action: 'rest' | 'reprice' | 'cancel' | 'expire' | 'leave';
        readonly lot: string | null;
        readonly listingRef: string | null;
        readonly orderId: string | null;
        /** in plain words */
        readonly says: string;
        /** dollars and counts as text, by name */
        readonly figures: { readonly [name: string]: string };
      })[];
      readonly limit: number;
      readonly offset: number;
      readonly hasMore: boolean;
      /** given where more rows follow: the `cursor` of the next page */
      readonly next?: string;
    };
  };
  'agent-mandate': {
    path: {
      readonly handle: string;
    };
    query: undefined;
    body: {
      /** in plain language */
      readonly mandate: string;
    };
    answer: {
      readonly version: number;
      /** as it will be enforced */
      readonly mandate: { readonly [name: string]: unknown };
      /** the mandate has no cap by day, week, month or in total; it is taken as it was written */
      readonly openEnded?: {
        /** what a stolen session key could spend */
        readonly warning: string;
        /** a sentence that bounds it: add it to the mandate and send it again */
        readonly offer: string;
      };
      /** neither the mandate nor `POST /settings` says what happens when price, provenance or bidding could not be judged; the mandate is taken as it was written */
      readonly openChoice?: {
        readonly question: string;
        /** a sentence for each answer: add one to the mandate and send it again */
        readonly offers: readonly string[];
      };
      /** EIP-712: what the contract checks */
      readonly typedData: {
        readonly domain: { readonly [name: string]: unknown };
        readonly types: { readonly [name: string]: readonly {
          readonly name: string;
          readonly type: string;
        }[] };
        readonly primaryType: string;
        readonly message: { readonly [name: string]: unknown };
      };
      /** grants the session key for as long as the mandate runs; required of a new owner, whose agent has no key */
      readonly keyTypedData?: {
        readonly domain: { readonly [name: string]: unknown };
        readonly types: { readonly [name: string]: readonly {
          readonly name: string;
          readonly type: string;
        }[] };
        readonly primaryType: string;
        readonly message: { readonly [name: string]: unknown };
      };
      /** ISO 8601, UTC */
      readonly expiresAt: string;
      /** where the signatures go */
      readonly confirm: string;
    };
  };
  'agent-mandate-confirm': {
    path: {
      readonly handle: string;
      readonly version: number;
    };
    query: undefined;
    body: {
      /** over the typed data (EIP-712); of a contract wallet as ERC-1271 takes it */
      readonly signature: string;
      /** over the typed data (EIP-712); of a contract wallet as ERC-1271 takes it */
      readonly keySignature?: string;
    };
    answer: {
      readonly actId: string;
      readonly kind: 'mandate' | 'pause' | 'resume' | 'rotate' | 'retire';
      /** of the mandate it proposes */
      readonly version: number | null;
      /** signed: on its way to the chain; done: the chain has it */
      readonly status: 'proposed' | 'signed' | 'done' | 'failed' | 'replaced';
      readonly reason: string | null;
      /** null too where the chain held to it already */
      readonly tx: string | null;
      /** ISO 8601, UTC */
      readonly signBy: string;
      /** ISO 8601, UTC */
      readonly updatedAt: string;
    };
  };
  'agent-session': {
    path: {
      readonly handle: string;
    };
    query: undefined;
    body: {
      readonly action: 'pause' | 'resume' | 'rotate' | 'retire';
    };
    answer: {
      /** an agent handle: 3 to 32 of a-z, 0-9 and hyphen */
      readonly handle: string;
      readonly action: 'pause' | 'resume' | 'rotate' | 'retire';
      /** sign it to have the chain hold to it too; null while something signed before is on its way there */
      readonly typedData: {
        readonly domain: { readonly [name: string]: unknown };
        readonly types: { readonly [name: string]: readonly {
          readonly name: string;
          readonly type: string;
        }[] };
        readonly primaryType: string;
        readonly message: { readonly [name: string]: unknown };
      } | null;
      readonly expiresAt: string | null;
      /** where the signature goes */
      readonly confirm: string;
    };
  };
  'agent-session-confirm': {
    path: {
      readonly handle: string;
    };
    query: undefined;
    body: {
      /** over the typed data (EIP-712); of a contract wallet as ERC-1271 takes it */
      readonly signature: string;
    };
    answer: {
      readonly actId: string;
      readonly kind: 'mandate' | 'pause' | 'resume' | 'rotate' | 'retire';
      /** of the mandate it proposes */
      readonly version: number | null;
      /** signed: on its way to the chain; done: the chain has it */
      readonly status: 'proposed' | 'signed' | 'done' | 'failed' | 'replaced';
      readonly reason: string | null;
      /** null too where the chain held to it already */
      readonly tx: string | null;
      /** ISO 8601, UTC */
      readonly signBy: string;
      /** ISO 8601, UTC */
      readonly updatedAt: string;
    };
  };
  'agent-acts': {
    path: {
      readonly handle: string;
    };
    query: {
      readonly limit?: number;
      readonly offset?: number;
      readonly cursor?: string;
      readonly owner?: string;
    } | undefined;
    body: undefined;
    answer: {
      readonly items: readonly ({
        readonly actId: string;
        readonly kind: 'mandate' | 'pause' | 'resume' | 'rotate' | 'retire';
        /** of the mandate it proposes */
        readonly version: number | null;
        /** signed: on its way to the chain; done: the chain has it */
        readonly status: 'proposed' | 'signed' | 'done' | 'failed' | 'replaced';
        readonly reason: string | null;
        /** null too where the chain held to it already */
        readonly tx: string | null;
        /** ISO 8601, UTC */
        readonly signBy: string;
        /** ISO 8601, UTC */
        readonly updatedAt: string;
      })[];
      readonly limit: number;
      readonly offset: number;
      readonly hasMore: boolean;
      /** given where more rows follow: the `cursor` of the next page */
      readonly next?: string;
    };
  };
  'agent-profile': {
    path: {
      readonly handle: string;
    };
    query: undefined;
    body: {
      /** null or empty: none */
      readonly displayName?: string | null;
      /** null or empty: none */
      readonly about?: string | null;
      readonly depth?: '1-of-1' | '2-of-2' | 'superconsensus';
    };
    answer: {
      /** an agent handle: 3 to 32 of a-z, 0-9 and hyphen */
      readonly handle: string;
      readonly displayName: string | null;
      readonly about: string | null;
      readonly depth: ('1-of-1' | '2-of-2' | 'superconsensus') | null;
    };
  };
  'domains-price': {
    path: undefined;
    query: {
      readonly name: string;
      readonly source: 'provider-a' | 'provider-b';
    };
    body: undefined;
    answer: {
      readonly name: string;
      readonly tld: string;
      /** whose price */
      readonly source: 'provider-a' | 'provider-b';
      /** US dollars, at most six decimals */
      readonly priceUsd: number;
      /** the row of /pricing that it was read from */
      readonly rule: string;
    };
  };
  'domains-policy': {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      readonly normalisation: string;
      readonly providers: {
        readonly 'provider-a': {
          readonly names: string;
          readonly tlds: readonly {
            readonly tld: string;
            /** US dollars, at most six decimals */
            readonly priceUsd: number;
            readonly rule: string;
          }[];
          /** US dollars, at most six decimals */
          readonly otherTldsUsd: number;
        };
        readonly 'provider-b': {
          readonly names: string;
          /** US dollars, at most six decimals */
          readonly secondLevelUsd: number;
          /** US dollars, at most six decimals */
          readonly topLevelUsd: number;
          /** US dollars, at most six decimals */
          readonly reservedUsd: number;
          readonly reservedTlds: readonly string[];
        };
      };
      readonly fees: {
        readonly id: string;
        readonly basisPointsEachSide: number;
        readonly rounding: string;
        readonly example: {
          /** US dollars, at most six decimals */
          readonly askUsd: number;
          /** US dollars, at most six decimals */
          readonly sellerNetsUsd: number;
          /** US dollars, at most six decimals */
          readonly buyerPaysUsd: number;
        };
      };
      readonly buyNow: string;
      readonly auctions: {
        readonly opening: string;
        readonly reserve: string;
        readonly leastDurationSeconds: number;
        readonly mostDurationSeconds: number;
        /** US dollars, at most six decimals */
        readonly tickUsd: number;
        readonly dutch: {
          readonly price: string;
          readonly winner: string;
        };
        readonly ascending: {
          readonly incrementBasisPoints: number;
          readonly price: string;
          readonly windowSeconds: number;
          readonly extensionSeconds: number;
          readonly extension: string;
          readonly winner: string;
          readonly goesOn: string;
          readonly unsettled: string;
        };
        readonly binding: string;
        readonly atTheEnd: string;
        readonly money: string;
        readonly limits: string;
      };
      readonly control: string;
    };
  };
  'domains-listings': {
    path: undefined;
    query: {
      readonly name?: string;
      readonly tld?: string;
      readonly format?: 'buy-now' | 'dutch' | 'ascending';
      readonly limit?: number;
      readonly offset?: number;
      readonly cursor?: string;
    } | undefined;
    body: undefined;
    answer: {
      readonly items: readonly ({
        readonly name: string;
        /** US dollars, at most six decimals */
        readonly askUsd: number;
        readonly format: 'buy-now' | 'dutch' | 'ascending';
        /** US dollars, at most six decimals */
        readonly openingBidUsd?: number;
        /** US dollars, at most six decimals */
        readonly priceToBeatUsd?: number;
        /** US dollars, at most six decimals */
        readonly reserveUsd?: number;
        /** ISO 8601, UTC */
        readonly startsAt?: string;
        /** ISO 8601, UTC */
        readonly endsAt?: string;
        readonly listingRef: string;
        /** 0x and 40 hex digits */
        readonly seller: string;
        /** whether the chain shows that it is the seller’s to sell; a proof displaces a claim */
        readonly control: 'proven' | 'seller\'s claim, unproven';
        /** ISO 8601, UTC */
        readonly listedAt: string;
      })[];
      readonly limit: number;
      readonly offset: number;
      readonly hasMore: boolean;
      /** given where more rows follow: the `cursor` of the next page */
      readonly next?: string;
    };
  };
  'domains-list': {
    path: undefined;
    query: undefined;
    body: {
      /** an agent handle: 3 to 32 of a-z, 0-9 and hyphen */
      readonly handle: string;
      /** a name, in any spelling that ENSIP-15 reads */
      readonly name: string;
      /** US dollars, more than nothing, at most two decimals */
      readonly askUsd: number | string;
      /** `deposit` when left out */
      readonly gate?: 'deposit' | 'owner-signed';
    };
    answer: {
      readonly listingRef: string;
      /** `unpaid`: it does not show before its fee is paid by POST /listing/checkout; it ends after a day */
      readonly status: 'live' | 'unpaid';
      /** US dollars, at most six decimals */
      readonly feeUsd: number;
      readonly name: string;
      /** US dollars, at most six decimals */
      readonly askUsd: number;
      /** what stands for the name on chain, and settles */
      readonly token: {
        /** 0x and 40 hex digits */
        readonly contract: string;
        readonly tokenId: string;
      };
      /** of a name without a token of its provider */
      readonly certificate?: {
        /** what the certificate does not prove */
        readonly limit: string;
        readonly url: string;
      };
    };
  };
  names: Operations['domains-listings'];
  'domains-auction': {
    path: {
      readonly name: string;
    };
    query: undefined;
    body: {
      /** an agent handle: 3 to 32 of a-z, 0-9 and hyphen */
      readonly handle: string;
      readonly format: 'dutch' | 'ascending';
      /** US dollars, at most two decimals, at least half of the ask at which the name is listed */
      readonly reserveUsd: number | string;
      /** US dollars, more than nothing, at most two decimals */
      readonly startUsd?: number | string;
      readonly durationSeconds: number;
    };
    answer: {
      readonly auctionId: string;
      readonly name: string;
      readonly format: 'dutch' | 'ascending';
      /** US dollars, at most six decimals */
      readonly openingBidUsd: number;
      /** US dollars, at most six decimals */
      readonly reserveUsd: number;
      /** ISO 8601, UTC */
      readonly startsAt: string;
      /** ISO 8601, UTC */
      readonly endsAt: string;
    };
  };
  'domains-bid': {
    path: {
      readonly name: string;
    };
    query: undefined;
    body: {
      /** an agent handle: 3 to 32 of a-z, 0-9 and hyphen */
      readonly handle: string;
      /** US dollars, more than nothing, at most two decimals */
      readonly bidUsd: number | string;
    };
    answer: {
      readonly bidId: string;
      readonly status: 'leading' | 'outbid' | 'won';
      /** US dollars, at most six decimals */
      readonly priceToBeatUsd: number;
      /** ISO 8601, UTC */
      readonly endsAt: string;
      readonly match?: {
        readonly matchId: string;
        readonly dealId: string;
        /** US dollars, at most six decimals */
        readonly clearingPriceUsd: number;
      };
    };
  };
  'domains-buy': {
    path: {
      readonly name: string;
    };
    query: undefined;
    body: {
      /** an agent handle: 3 to 32 of a-z, 0-9 and hyphen */
      readonly handle: string;
      /** US dollars, more than nothing, at most two decimals */
      readonly priceUsd: number | string;
    };
    answer: {
      readonly orderId: string;
      readonly status: 'matched';
      readonly match: {
        readonly matchId: string;
        readonly dealId: string;
        /** US dollars, at most six decimals */
        readonly clearingPriceUsd: number;
      };
    };
  };
  certificate: {
    path: {
      readonly tokenId: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      readonly name: string;
      readonly description: string;
      /** an SVG picture, as a data URI */
      readonly image: string;
      readonly external_url: string;
      readonly attributes: readonly {
        readonly trait_type: string;
        readonly value: string;
      }[];
      readonly tokenId: string;
      /** 0x and 40 hex digits */
      readonly contract: string;
      readonly chainId: number;
      /** CAIP-19 (`eip155:1002/erc721:0xabc…/17`) or `serial:{kind}:{normalised}` */
      readonly serial: string;
      readonly serialKind: 'vin' | 'imei' | 'isbn' | 'isrc' | 'gtin' | 'name' | 'generic';
      /** the serial itself */
      readonly number: string;
      /** void: an issuer found it wrong; it stays with its holder, and settles no more */
      readonly state: 'live' | 'void' | 'retired';
      /** what the certificate does not prove */
      readonly limit: string;
      readonly holder: string | null;
      /** who signs for it: the holder, or the owner of the agent whose account holds it */
      readonly controller: string | null;
      /** the agent whose account holds it */
      readonly handle: string | null;
      readonly listingRef: string | null;
      readonly asOfBlock: string;
      /** newest first */
      readonly history: readonly ({
        readonly kind: 'issued' | 'transferred' | 'voided' | 'retired';
        readonly from: string | null;
        readonly to: string | null;
        readonly reason: string | null;
        readonly block: string;
        /** 32 bytes, hex */
        readonly tx: string;
      })[];
      /** false where the issue lies further back than was looked */
      readonly historyComplete: boolean;
      /** those on which the operator acted, then the newest; at most 50 */
      readonly disputes: readonly ({
        /** such as dsp_… */
        readonly disputeId: string;
        /** disclosed: it stops nothing; held: by the operator, for 72 hours at most; appealed: to be decided a second time */
        readonly state: 'disclosed' | 'held' | 'upheld' | 'rejected' | 'appealed';
        /** 0x and 40 hex digits */
        readonly wallet: string;
        readonly grounds: string;
        readonly evidence: readonly string[];
        /** ISO 8601, UTC */
        readonly filedAt: string;
        /** ISO 8601, UTC */
        readonly replyUntil: string;
        readonly reply: {
          readonly text: string;
          /** 0x and 40 hex digits */
          readonly wallet: string;
          /** ISO 8601, UTC */
          readonly repliedAt: string;
        } | null;
        /** why the operator held it, once */
        readonly cause: string | null;
        readonly heldUntil: string | null;
        readonly decision: ({
          readonly decision: 'upheld' | 'rejected';
          readonly reason: string;
          /** ISO 8601, UTC */
          readonly decidedAt: string;
          /** null for the moment before it is filed */
          readonly recordUrl: string | null;
        }) | null;
        readonly appealUntil: string | null;
        readonly appeal: ({
          /** 0x and 40 hex digits */
          readonly wallet: string;
          readonly grounds: string | null;
          /** ISO 8601, UTC */
          readonly appealedAt: string;
        }) | null;
        readonly secondDecision: ({
          readonly decision: 'upheld' | 'rejected';
          readonly reason: string;
          /** ISO 8601, UTC */
          readonly decidedAt: string;
          /** null for the moment before it is filed */
          readonly recordUrl: string | null;
        }) | null;
      })[];
    };
  };
  'certificate-transfer': {
    path: {
      readonly tokenId: string;
    };
    query: undefined;
    body: {
      /** 0x and 40 hex digits */
      readonly to: string;
    };
    answer: {
      readonly tokenId: string;
      /** 0x and 40 hex digits */
      readonly to: string;
      readonly typedData: {
        readonly domain: {
          readonly name: string;
          readonly version: string;
          readonly chainId: number;
          /** 0x and 40 hex digits */
          readonly verifyingContract: string;
        };
        readonly types: {
          readonly Transfer: readonly {
            readonly name: string;
            readonly type: string;
          }[];
        };
        readonly primaryType: 'Transfer';
        readonly message: {
          readonly tokenId: string;
          /** 0x and 40 hex digits */
          readonly from: string;
          /** 0x and 40 hex digits */
          readonly to: string;
          readonly nonce: string;
          readonly deadline: string;
        };
      };
      /** ISO 8601, UTC */
      readonly expiresAt: string;
      /** where the signature goes */
      readonly confirm: string;
    };
  };
  'certificate-transfer-confirm': {
    path: {
      readonly tokenId: string;
    };
    query: undefined;
    body: {
      /** EIP-712 */
      readonly signature: string;
    };
    answer: {
      readonly tokenId: string;
      /** 0x and 40 hex digits */
      readonly from: string;
      /** 0x and 40 hex digits */
      readonly to: string;
      /** 32 bytes, hex */
      readonly tx: string;
      readonly recordUrl: string;
    };
  };
  'certificate-dispute': {
    path: {
      readonly tokenId: string;
    };
    query: undefined;
    body: {
      /** 0x and 40 hex digits */
      readonly wallet: string;
      /** your words, published */
      readonly grounds: string;
      /** hashes (0x and 64 hex digits) and http(s) URLs, published */
      readonly evidence: readonly string[];
    };
    answer: {
      /** such as dsp_… */
      readonly disputeId: string;
      /** disclosed: it stops nothing; held: by the operator, for 72 hours at most; appealed: to be decided a second time */
      readonly state: 'disclosed' | 'held' | 'upheld' | 'rejected' | 'appealed';
      /** 0x and 40 hex digits */
      readonly wallet: string;
      readonly grounds: string;
      readonly evidence: readonly string[];
      /** ISO 8601, UTC */
      readonly filedAt: string;
      /** ISO 8601, UTC */
      readonly replyUntil: string;
      readonly reply: {
        readonly text: string;
        /** 0x and 40 hex digits */
        readonly wallet: string;
        /** ISO 8601, UTC */
        readonly repliedAt: string;
      } | null;
      /** why the operator held it, once */
      readonly cause: string | null;
      readonly heldUntil: string | null;
      readonly decision: ({
        readonly decision: 'upheld' | 'rejected';
        readonly reason: string;
        /** ISO 8601, UTC */
        readonly decidedAt: string;
        /** null for the moment before it is filed */
        readonly recordUrl: string | null;
      }) | null;
      readonly appealUntil: string | null;
      readonly appeal: ({
        /** 0x and 40 hex digits */
        readonly wallet: string;
        readonly grounds: string | null;
        /** ISO 8601, UTC */
        readonly appealedAt: string;
      }) | null;
      readonly secondDecision: ({
        readonly decision: 'upheld' | 'rejected';
        readonly reason: string;
        /** ISO 8601, UTC */
        readonly decidedAt: string;
        /** null for the moment before it is filed */
        readonly recordUrl: string | null;
      }) | null;
    };
  };
  'certificate-dispute-reply': {
    path: {
      readonly tokenId: string;
      readonly disputeId: string;
    };
    query: undefined;
    body: {
      /** your words, published */
      readonly reply: string;
    };
    answer: {
      /** such as dsp_… */
      readonly disputeId: string;
      /** disclosed: it stops nothing; held: by the operator, for 72 hours at most; appealed: to be decided a second time */
      readonly state: 'disclosed' | 'held' | 'upheld' | 'rejected' | 'appealed';
      /** 0x and 40 hex digits */
      readonly wallet: string;
      readonly grounds: string;
      readonly evidence: readonly string[];
      /** ISO 8601, UTC */
      readonly filedAt: string;
      /** ISO 8601, UTC */
      readonly replyUntil: string;
      readonly reply: {
        readonly text: string;
        /** 0x and 40 hex digits */
        readonly wallet: string;
        /** ISO 8601, UTC */
        readonly repliedAt: string;
      } | null;
      /** why the operator held it, once */
      readonly cause: string | null;
      readonly heldUntil: string | null;
      readonly decision: ({
        readonly decision: 'upheld' | 'rejected';
        readonly reason: string;
        /** ISO 8601, UTC */
        readonly decidedAt: string;
        /** null for the moment before it is filed */
        readonly recordUrl: string | null;
      }) | null;
      readonly appealUntil: string | null;
      readonly appeal: ({
        /** 0x and 40 hex digits */
        readonly wallet: string;
        readonly grounds: string | null;
        /** ISO 8601, UTC */
        readonly appealedAt: string;
      }) | null;
      readonly secondDecision: ({
        readonly decision: 'upheld' | 'rejected';
        readonly reason: string;
        /** ISO 8601, UTC */
        readonly decidedAt: string;
        /** null for the moment before it is filed */
        readonly recordUrl: string | null;
      }) | null;
    };
  };
  pledge: {
    path: undefined;
    query: undefined;
    body: {
      /** 0x and 40 hex digits */
      readonly wallet?: string;
      /** contract with tokenId, or a serial */
      readonly asset: {
        /** of the contract; 1002 when left out */
        readonly chainId?: number;
        /** 0x and 40 hex digits */
        readonly contract?: string;
        readonly tokenId?: string;
        readonly serial?: string;
        readonly serialKind?: 'vin' | 'imei' | 'isbn' | 'isrc' | 'gtin' | 'name' | 'generic';
        /** who made it, of a serial that no standard knows */
        readonly maker?: string;
      };
      /** the listing or the loan that it is pledged to, such as loan-2027-14 */
      readonly listingRef: string;
      /** a wallet, which alone may release it; by any other name, the operator may */
      readonly lender?: string;
      /** when the debt is due, ISO 8601; it ends nothing */
      readonly until?: string;
    };
    answer: {
      readonly pledgeId: string;
      /** CAIP-19 (`eip155:1002/erc721:0xabc…/17`) or `serial:{kind}:{normalised}` */
      readonly asset: string;
      readonly listingRef: string;
      /** 0x and 40 hex digits */
      readonly wallet: string;
      readonly until: string | null;
    };
  };
  'pledge-release': {
    path: {
      readonly pledgeId: string;
    };
    query: undefined;
    body: {
      /** 0x and 40 hex digits */
      readonly wallet?: string;
    } | null;
    answer: {
      readonly pledgeId: string;
      readonly status: 'released';
    };
  };
  importRegister: {
    path: {
      readonly name: 'sanctions' | 'known-scam' | 'labels' | 'stolen' | 'recalled' | 'comparables' | 'phishing-domains' | 'known-domains' | 'listed-code' | 'known-code' | 'token-contracts';
    };
    query: {
      readonly source?: string;
      readonly publishedAt?: string;
      readonly completeAsOf?: string;
      readonly minimum?: number;
      readonly largestShrink?: number;
      readonly acceptShrunk?: boolean;
      readonly synthetic?: boolean;
      readonly mode?: 'add' | 'replace';
    } | undefined;
    body: undefined;
    answer: {
      readonly register: 'sanctions' | 'known-scam' | 'labels' | 'stolen' | 'recalled' | 'comparables' | 'phishing-domains' | 'known-domains' | 'listed-code' | 'known-code' | 'token-contracts';
      readonly source: string;
      /** null: this import says no date */
      readonly asOf: string | null;
      /** rows read */
      readonly rows: number;
      /** rows this list holds now */
      readonly total: number;
      /** whether what this list does not name counts as not listed; absent of a register that only adds what it names */
      readonly usable?: boolean;
      /** why it is not usable */
      readonly why?: string;
    };
  };
  listSnapshot: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: {
      readonly snapshot: {
        readonly version: 1;
        /** ISO 8601, UTC */
        readonly issuedAt: string;
        /** ISO 8601, UTC: afterwards it says of nobody that they are not listed */
        readonly expiresAt: string;
        readonly lists: readonly ({
          /** register and list */
          readonly list: string;
          readonly holds: 'addresses' | 'hosts';
          /** null: it only adds what it names */
          readonly asOf: string | null;
          readonly maxAgeDays: number;
          readonly rows: number;
          /** made up, for demonstration or tests */
          readonly synthetic: boolean;
          /** base64: sorted, each entry by the first eight bytes of the SHA-256 of its lower-case spelling */
          readonly entries: string;
        })[];
      };
      /** keccak-256 of the canonical JSON (RFC 8785) of `snapshot` */
      readonly hash: string;
      readonly signature: {
        /** 0x and 40 hex digits */
        readonly signer: string;
        /** EIP-712: domain SafeHandshakeLists, version 1; ListSnapshot of hash, issuedAt, expiresAt */
        readonly value: string;
      };
    };
  };
  facilitatorSupported: {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: { readonly [name: string]: unknown };
  };
  'facilitator-verify': {
    path: undefined;
    query: undefined;
    body: {
      readonly x402Version: 2;
      readonly paymentPayload: {
        readonly x402Version: 2;
        readonly accepted: {
          readonly scheme: string;
          readonly network: string;
          readonly asset: string;
          readonly amount: string;
          readonly payTo: string;
          readonly maxTimeoutSeconds: number;
          readonly extra?: { readonly [name: string]: unknown };
          readonly [name: string]: unknown;
        };
        readonly payload: { readonly [name: string]: unknown };
        readonly [name: string]: unknown;
      };
      readonly paymentRequirements: {
        readonly scheme: string;
        readonly network: string;
        readonly asset: string;
        readonly amount: string;
        readonly payTo: string;
        readonly maxTimeoutSeconds: number;
        readonly extra?: { readonly [name: string]: unknown };
        readonly [name: string]: unknown;
      };
      readonly [name: string]: unknown;
    };
    answer: { readonly [name: string]: unknown };
  };
  'facilitator-settle': Operations['facilitator-verify'];
  mcp: {
    path: undefined;
    query: undefined;
    body: { readonly [name: string]: unknown };
    answer: { readonly [name: string]: unknown };
  };
  errorDocument: {
    path: {
      readonly code: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      readonly code: 'bad-request' | 'address-missing' | 'address-malformed' | 'unknown-category' | 'no-facts' | 'webhook-signature-invalid' | 'signature-required' | 'signature-invalid' | 'signature-used' | 'signature-expired' | 'payment-required' | 'payment-invalid' | 'settlement-failed' | 'not-owner' | 'operator-key-invalid' | 'not-found' | 'agent-not-active' | 'double-pledge' | 'not-listed' | 'disputed' | 'conflict' | 'too-large' | 'mandate-refused' | 'too-hard' | 'mandate-exceeded' | 'relay-budget' | 'rate-limited' | 'internal' | 'timeout' | 'gas-budget' | 'unavailable';
      readonly status: number;
      /** statuses that the code has in cases of their own */
      readonly also: readonly {
        readonly status: number;
        readonly when: string;
      }[];
      readonly title: string;
      /** whether the same request may succeed later */
      readonly retry: boolean;
      readonly remedy: string;
    };
  };
  verificationRecordSpec: Operations['facilitatorSupported'];
  openapi: Operations['facilitatorSupported'];
}

/** The method and the path of an operation, and the names that its query takes. */
export type Place = readonly [
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  query?: readonly string[],
];

export const OPERATIONS: { readonly [K in keyof Operations]: Place } = {
  home: ['GET', '/', ['address']],
  health: ['GET', '/health'],
  pricing: ['GET', '/pricing'],
  quote: ['GET', '/quote', ['category', 'priceUsd', 'tier', 'wallet', 'name']],
  safeHandshakeDetermination: ['GET', '/determination', ['address', 'chainId', 'transactionUsd', 'depth']],
  safeHandshakeTransaction: ['POST', '/determination'],
  'tier2-tokenized-debt-and-finance': ['POST', '/determinations/tier2/tokenized-debt-and-finance'],
  'tier2-liquidation-and-surplus': ['POST', '/determinations/tier2/liquidation-and-surplus'],
  'tier2-travel-and-perishables': ['POST', '/determinations/tier2/travel-and-perishables'],
  'tier2-music-and-video-rights': ['POST', '/determinations/tier2/music-and-video-rights'],
  'tier2-digital-products': ['POST', '/determinations/tier2/digital-products'],
  'tier2-real-world-assets': ['POST', '/determinations/tier2/real-world-assets'],
  'tier3-tokenized-debt-and-finance': ['POST', '/determinations/tier3/tokenized-debt-and-finance'],
  'tier3-liquidation-and-surplus': ['POST', '/determinations/tier3/liquidation-and-surplus'],
  'tier3-travel-and-perishables': ['POST', '/determinations/tier3/travel-and-perishables'],
  'tier3-music-and-video-rights': ['POST', '/determinations/tier3/music-and-video-rights'],
  'tier3-digital-products': ['POST', '/determinations/tier3/digital-products'],
  'tier3-real-world-assets': ['POST', '/determinations/tier3/real-world-assets'],
  checkOrigin: ['GET', '/origin', ['url']],
  paymentManifest: ['GET', '/.well-known/x402'],
  paymentManifestJson: ['GET', '/.well-known/x402.json'],
  catalogue: ['GET', '/catalogue', ['category', 'chain', 'maxUsd', 'negotiable', 'q', 'limit', 'offset', 'cursor']],
  orders: ['GET', '/orders', ['category', 'chain', 'lot', 'limit', 'offset', 'cursor']],
  matches: ['GET', '/matches', ['category', 'chain', 'lot', 'limit', 'offset', 'cursor']],
  'close-calls': ['GET', '/close-calls', ['category', 'chain', 'lot', 'limit', 'offset', 'cursor']],
  lot: ['GET', '/lots/{listingRef}', ['handle']],
  'agents-directory': ['GET', '/agents/directory', ['tier', 'status', 'category', 'owner', 'limit', 'offset', 'cursor']],
  agent: ['GET', '/agent/{handle}'],
  'agent-activity': ['GET', '/agent/{handle}/activity', ['limit', 'offset', 'cursor']],
  'agent-fund': ['GET', '/agent/{handle}/transactions/fund', ['amountUsd']],
  'agent-withdraw': ['GET', '/agent/{handle}/transactions/withdraw', ['amountUsd']],
  'agent-deposit': ['GET', '/agent/{handle}/transactions/deposit', ['contract', 'tokenId']],
  'agent-approve': ['GET', '/agent/{handle}/transactions/approve', ['contract', 'tokenId']],
  'agent-metadata': ['GET', '/metadata/{chainId}/{tokenId}'],
  'agent-registrations': ['GET', '/.well-known/agent-registration.json'],
  record: ['GET', '/records/{recordId}', ['audience']],
  jwks: ['GET', '/.well-known/jwks.json'],
  did: ['GET', '/.well-known/did.json'],
  'jwt-vc-issuer': ['GET', '/.well-known/jwt-vc-issuer'],
  'verdict-type': ['GET', '/credentials/verification-record'],
  'record-appeal': ['POST', '/records/{recordId}/appeal'],
  'record-outcome': ['POST', '/records/{recordId}/outcome'],
  verdicts: ['GET', '/verdicts'],
  'agents-pause': ['POST', '/agents/pause'],
  'read-session': ['POST', '/read-sessions'],
  'agent-checkout': ['POST', '/agent/checkout'],
  'agent-checkout-state': ['GET', '/agent/checkout/{checkoutId}'],
  'membership-checkout': ['POST', '/membership/checkout'],
  'listing-checkout': ['POST', '/listing/checkout'],
  'membership-checkout-state': ['GET', '/membership/checkout/{checkoutId}'],
  'listing-checkout-state': ['GET', '/listing/checkout/{checkoutId}'],
  'membership-wallets': ['POST', '/membership/wallets'],
  'card-webhook': ['POST', '/webhooks/card'],
  'webhook-subscribe': ['POST', '/webhooks/subscriptions'],
  'webhook-subscriptions': ['GET', '/webhooks/subscriptions', ['wallet', 'limit', 'offset']],
  'webhook-deliveries': ['GET', '/webhooks/subscriptions/{subscriptionId}/deliveries', ['limit', 'offset', 'cursor']],
  'webhook-unsubscribe': ['DELETE', '/webhooks/subscriptions/{subscriptionId}'],
  'agent-list-asset': ['POST', '/agent/{handle}/assets'],
  order: ['POST', '/order'],
  'order-cancel': ['POST', '/order/{orderId}/cancel'],
  'agent-orders': ['GET', '/agent/{handle}/orders', ['limit', 'offset', 'cursor', 'owner']],
  settings: ['POST', '/settings'],
  'settings-read': ['GET', '/settings/{wallet}'],
  'deal-decision': ['POST', '/deals/{dealId}/decision'],
  'agent-deals': ['GET', '/agent/{handle}/deals', ['limit', 'offset', 'cursor', 'owner']],
  'deal-decisions': ['POST', '/deals/decisions'],
  'agent-log': ['GET', '/agent/{handle}/log', ['limit', 'offset', 'cursor', 'owner']],
  'agent-mandate': ['POST', '/agent/{handle}/mandate'],
  'agent-mandate-confirm': ['POST', '/agent/{handle}/mandate/{version}/confirm'],
  'agent-session': ['POST', '/agent/{handle}/session'],
  'agent-session-confirm': ['POST', '/agent/{handle}/session/confirm'],
  'agent-acts': ['GET', '/agent/{handle}/acts', ['limit', 'offset', 'cursor', 'owner']],
  'agent-profile': ['POST', '/agent/{handle}/profile'],
  'domains-price': ['GET', '/domains/price', ['name', 'source']],
  'domains-policy': ['GET', '/domains/policy'],
  'domains-listings': ['GET', '/domains/listings', ['name', 'tld', 'format', 'limit', 'offset', 'cursor']],
  'domains-list': ['POST', '/domains/listings'],
  names: ['GET', '/names', ['name', 'tld', 'format', 'limit', 'offset', 'cursor']],
  'domains-auction': ['POST', '/domains/{name}/auction'],
  'domains-bid': ['POST', '/domains/{name}/bids'],
  'domains-buy': ['POST', '/domains/{name}/buy'],
  certificate: ['GET', '/certificates/{tokenId}'],
  'certificate-transfer': ['POST', '/certificates/{tokenId}/transfer'],
  'certificate-transfer-confirm': ['POST', '/certificates/{tokenId}/transfer/confirm'],
  'certificate-dispute': ['POST', '/certificates/{tokenId}/dispute'],
  'certificate-dispute-reply': ['POST', '/certificates/{tokenId}/dispute/{disputeId}/reply'],
  pledge: ['POST', '/pledge'],
  'pledge-release': ['POST', '/pledge/{pledgeId}/release'],
  importRegister: ['POST', '/register/{name}', ['source', 'publishedAt', 'completeAsOf', 'minimum', 'largestShrink', 'acceptShrunk', 'synthetic', 'mode']],
  listSnapshot: ['GET', '/origin/lists'],
  facilitatorSupported: ['GET', '/facilitator/supported'],
  'facilitator-verify': ['POST', '/facilitator/verify'],
  'facilitator-settle': ['POST', '/facilitator/settle'],
  mcp: ['POST', '/mcp'],
  errorDocument: ['GET', '/errors/{code}'],
  verificationRecordSpec: ['GET', '/specs/verification-record/2026-09-06.1'],
  openapi: ['GET', '/openapi.json'],
};

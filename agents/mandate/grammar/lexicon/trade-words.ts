import type { WordTable } from './word-table.ts';

/** Words about trading, counterparties, approval and checks. */
export const TRADE_WORDS: WordTable = {
  'VERB buy': `buy, buying, purchase, purchasing, acquire, acquires, acquiring, bid, bidding, place bids, place a bid, placing bids, make bids, procure, procuring, obtain, pay, pays, paying, pay for, pick up, snap up, collect, source, shop for, buy up, stock up, get, make purchases, making purchases, acquisition of, purchase of, purchases of, buys, place offers, make offers, hunt for, scoop up, win, grab, grab me, grab us, grab some, grab me some, buy some, buy me some, get some, get me some, purchase some, get me, get us, buy me, buy us, fetch, fetch me, all i want is, all i want are`,
  'VERB spend': `spend, spending, invest, investing, invests, spends, commit, deploy, allocate, put, committing, deploying, spent, expenditure, spend money`,
  'VERB sell': `sell, sell some, sells, selling, list, list for sale, lists, listing for sale, offload, offloading, dispose, dispose of, disposing of, liquidate, liquidating, unload, auction, auction off, resell, sell off, sell on, part with, put up for sale, offer for sale, sale of, sales of, selling off, vend, market for sale, find buyers for, sell down`,
  'VERB both': `trade, trading, trades in, deal in, dealing in, trade in, make a market in`,
  'DEAL sell': `sale, sales`,
  'DEAL buy': `acquisitions, acquisition, purchases, bids`,
  'DEAL deal': `deal, deals, transaction, transactions, tx, txn, txs, txns, trades, order, orders, payments, payment made, dealing, deal with, transact, transact with, trade with, trading with, do business, do business with, dealing with, interact, interact with, work only with, business, engage, engage with, dealings`,
  'DEAL item': `pair, pairs, copy, copies, item, items, lot, lots, unit, units, piece, pieces, object, objects, listing, listings, booking, bookings`,
  ITEM: `course, courses, meal, meals, part, parts, case, cases, box, boxes, crate, crates, bottle, bottles, bundle, bundles, batch, batches, cask, casks, barrel, barrels, bag, bags, carton, cartons, parcel, parcels, seat, seats, title, titles, design, designs, voucher, vouchers, room, rooms, key, keys, file, files, load, loads`,
  BOTHWAYS: `both ways, in both directions, both directions`,
  ONCE: `once, one time, one off`,
  TWICE: `twice, two times`,
  COUNT: `number of deals, deal count, number of purchases, number of transactions, max deals, maximum deals, max number of deals, maximum number of deals, max purchases, maximum purchases, max number of purchases, maximum number of purchases, max transactions, maximum transactions, maximum number of transactions, deal limit count, deals limit, number of trades, max trades, maximum number of trades, purchase count`,
  CHAINWORD: `chain, chains, network, networks, blockchain, blockchains, mainnet, l1, l2, rails`,
  PARTYWORD: `seller, sellers, buyer, buyers, wallet, wallets, counterparty, counterparties, party, parties, address, addresses, account, accounts, vendor, vendors, trader, traders, people, merchant, merchants, other side, dealer, dealers, supplier, suppliers, trading partner, trading partners, partner, partners`,
  REQUIRE: `require, requires, required, requiring, insist on, demand, need, needs, needed, necessary, mandatory, run, demands, compulsory, required checks, provided, provided that, as long as, so long as, on condition that, subject to, checks, conditional on, only if, only when, only after, only where, only once, on condition of, requirement, needed first, want, require that`,
  PASS: `check out clean, checks out clean, checked out clean, checking out clean, pass, passes, passed, passing, clean, clear, clears, cleared, come back clean, comes back clean, came back clean, comes out clean, come out clean, is clean, are clean, clean result, clean result from, clean result on, clean result in, successful, succeeds, satisfies, satisfy, comes up clean, come up clean, say clean, says clean, reads clean, clean verdict, clean bill of health, get through, got through, comply with, positive, verified, a clean, a clean result, a clean result from, a clean result in, a clean result on, a clean verdict, a clean verdict from, in good standing with, have passed, has passed, clean according to, deemed clean, judged clean, marked clean`,
  FAIL: `fail, fails, failed, failing, flagged, flags, flag, flagged by, red flag, suspicious, flunk, not clean, not pass, not passed, doesn't pass, don't pass, do not pass, does not pass, did not pass, didn't pass, have not passed, has not passed, haven't passed, hasn't passed, isn't clean, aren't clean, caught by, rejected by, turned down by, dirty, unclean, comes back flagged, come back flagged, marked by, tripped by, trips, flagged in, flagged under, not cleared, not cleared by`,
  ASK: `ask, ask me, check with, check with me, consult, consult me, confirm with, confirm with me, clear with, clear with me, clear it with me, clear it, come to me, come back to me, run past me, run it by me, run it past me, run by me, check in with me, ask for, ask first, asking, asking me, seek, seeking, obtain my, request, requesting, first ask, first ask me, checking with me, consulting me, get back to me, hold for, wait for, waits for, needs my, need my, requires my, require my, require my explicit, confirm, refer to me, escalate to me, send to me, double check with me, ping me, call me, talk to me, ask before, get me to approve, have me approve, let me approve, let me sign off, let me confirm, without first asking me, refer it to me, escalate, await, awaits, have my, has my`,
  ME: `me, i, mine, owner, myself, personally, manual, manually, explicit, explicitly, prior, human, written, express, personal, beforehand, first, in advance, upfront, up front, owner approval`,
  APPROVAL: `approval, approvals, approve, approves, approved, approved by me, sign off, signoff, sign-offs, sign it off, ok, okay, go ahead, consent, confirmation, permission from me, confirmed by me, blessing, say so, green light, yes, authorise it, signature, thumbs up, agreement, say yes, agree, agreed by me, authorisation from me, confirm it, consult with me, my permission, my authorisation, authorised by me, signed off by me, go-ahead, all clear, approved by owner`,
  WITHOUT: `without, without first, without my, unless you have my, unless it has my, unless, without getting, without having, without asking, without asking me, without checking with me, without consulting me, without asking me first, without my prior, unless you ask me, unless you ask, unless you ask me first, before asking, before asking me, before i, without me, before checking with me, until i approve, until i say yes`,
};

/** The determinations that a mandate may require, by their names in `require_clean`, with the words that people use. */
export const CHECK_WORDS: Readonly<Record<string, string>> = {
  wallet: 'wallet, wallet risk, wallet safety, counterparty wallet',
  'shill-collusion':
    'shill, shill bidding, shill-bidding, collusion, shill and collusion, shill bidding and collusion, shill collusion, shill-collusion, wash trading, wash-trading, bid collusion',
  'double-pledge': 'double pledge, double-pledge, double pledging, pledge, pledges, duplicate pledge',
  provenance:
    'provenance, stolen goods, stolen-goods, provenance and stolen goods, stolen goods and provenance, stolen property, theft, stolen item, chain of custody',
  'price-intelligence': 'price, price intelligence, price-intelligence, pricing',
  'mandate-compliance': 'mandate, compliance, mandate compliance, mandate-compliance',
};

import type { WordTable } from './word-table.ts';

/** Words that join, negate and restrict, and the small list of words that carry no meaning of their own. */
export const LINK_WORDS: WordTable = {
  // Dropped wherever they stand. Nothing here may limit, widen, date or condition anything.
  FILL: `the, this, these, those, my, your, our, its, their, please, kindly, agent, agents, bot, my agent, you, we, may, can, should, shall,
    will, would, must, is, are, be, been, being, it, for sale, side, action, that, which, who, whose, whom, them, they, there, strictly, always, simply, both, either, also,
    absolutely, mandate, authority, authorization, permission, has, have, has to, have to, needs to, need to, is to, are to, i want you to, i want the agent to, i would like you to,
    i want my agent to, i would like the agent to, i want it to, i'd like you to, i'd like the agent to, i'd like my agent to, i would like my agent to,
    i authorise you to, i authorise the agent to, i authorise my agent to, i authorise this agent to, i hereby authorise you to, i hereby authorise the agent to,
    i hereby authorise my agent to, i allow the agent to, i allow you to, i permit the agent to, i permit you to, i allow my agent to,
    is authorised to, are authorised to, you are authorised to, is allowed to, are allowed to, is permitted to, are permitted to,
    is free to, you are free to, has authority to, has permission to, is empowered to, is instructed to, is here to,
    authorised to, allowed to, permitted to, basis, inclusive, hi, hello, thanks, thank you, on my behalf, for me, for us,
    on our behalf, you may, it may, make sure to, be sure to, as follows, remember to, go ahead and,
    at any time, ever, at all, at all times, under any circumstances, in any circumstances, whatsoever, period`,
  MINUS: `minus, negative`,
  SEP: `and, but, plus, as well as, and also, yet, while, with the following, however, additionally, furthermore, moreover, besides, i.e, namely, in addition`,
  ART: `a, an`,
  PREP: `of, in, on, for, to, at, with, from, by, into, onto, via, through, as, using, use, towards, worth`,
  OR: `or, nor, or else, or alternatively, alternatively`,
  NEG: `not, no, never, don't, do not, cannot, can't, won't, doesn't, does not, mustn't, shouldn't, may not, must not, under no circumstances, in no case, on no account, none, nothing, neither, no one, not any, no longer, not ever, isn't, aren't, not to, and never, but never, but not, but no, and not, and no, nor any`,
  DENY: `avoid, avoiding, skip, exclude, refuse, reject, block, ban, stay away from, steer clear of, keep away from, leave out, leave alone, blocklist, blacklist, decline, do not touch, don't touch, never touch, no dealings, boycott, shun, stay off, keep off, keep out of, stay out of, stay clear of, keep clear of, forget about`,
  EXCEPT: `except, except for, excepting, excluding, other than, apart from, aside from, save for, with the exception of, bar, barring, all but, excl, but exclude, but excluding, but avoid, but avoiding, and avoid, with no`,
  OFF: `off limits, excluded, forbidden, prohibited, banned, blocked, out of bounds, not allowed, not permitted, is out, are out, a no go, is off limits, are off limits, is excluded, are excluded, is not allowed, are not allowed, is forbidden, are forbidden, denied, are not permitted, is not permitted, disallowed, is off the table, are off the table, off the table, out of scope, is banned, are banned, is prohibited, are prohibited, not wanted, blacklisted, blocklisted`,
  ALLOWED: `allowed, permitted, approved list, whitelist, whitelisted, allowlist, allowlisted, trusted, allowable, eligible, acceptable, accepted`,
  ONLY: `only, just, only use, use only, using only, solely, exclusively, nothing but, nothing except, nothing other than, nothing else than, stick to, stick with, sticking to, stay on, keep to, stay with, restricted to, limited only to, restrict yourself to, limit yourself to, restrict to, nowhere else, and nothing else, no others, and no other, none but, none other than, no one but, nowhere but, confined to, confine yourself to, purely, restrict deals to, restrict purchases to, and only, but only, and nowhere else, and no one else, alone`,
  ANY: `anything, everything, any goods, any good, all goods, any category, all categories, any categories, every category, any item, any items, all items, any kind of goods, all kinds of goods, any type of goods, any product, any products, all products, any asset, any assets, all assets, goods of any kind, goods of any category, all sorts of goods, any lots, any lot, all lots, any chain, any network, all chains, every chain, all networks, any seller, any buyer, any counterparty, any wallet, anyone, everyone, anybody, everybody, anywhere, any other category, any lots at all`,
  GEN: `goods, stuff, things, thing, products, product, inventory, stock, merchandise, offers, offerings, assets, asset, category, categories, sector, holdings, positions, opportunities`,
  MODIFIER: `graded, vintage, classic, used, second hand, secondhand, pre owned, preowned, luxury, rare, fine, tokenised, physical, mixed, assorted, various, wholesale, bulk, all kinds of, all sorts of`,
  HEDGE: `a few hundred, few hundred, several hundred, some hundred, a couple hundred, a couple of hundred, couple hundred, a few thousand, few thousand, several thousand, a couple thousand, a couple of thousand, couple thousand, a few hundred thousand, a few million, several million, some thousand, tens of thousands of, a handful of, a handful, maybe, perhaps, possibly, probably, around, roughly, approximately, approx, ca, circa, about, some, several, few, a few, a couple, a couple of, couple of, couple, hundreds, hundreds of, thousands, thousands of, dozens, ish, or so, or thereabouts, give or take, more or less, nearly, almost, somewhere, ideally, preferably, hopefully, typically, usually, normally, mostly, generally, as a guide, roughly speaking, ballpark, in the region of, in the neighbourhood of, in the range of, in the order of, on average, average, averaging, try, try to, try not to, aim for, target, ideally not, if possible, where possible`,
  COND: `if, when, whenever, depending, depending on, it depends, looks good, look good, bargain, bargains, higher, more, flexible, be flexible, stretch, extra, go higher, go above that, exceptionally, in exceptional cases, exceptional cases, exceptions, otherwise, as needed, as necessary, if needed, if necessary, at your discretion, use your judgement, use your judgment, good price, good value, special cases`,
};

import { formatUsd, parseUsd } from '../../agents/money.ts';
import type { OwnAgent } from './dashboard-page.ts';
import { earnedUsd, spentUsd } from './earnings.ts';
import { isSettled } from './own-view.ts';

const COLUMNS = [
  'settled_at',
  'agent',
  'role',
  'deal',
  'lot',
  'description',
  'price_usd',
  'fee_usd',
  'net_usd',
  'transaction',
] as const;

/**
 * The settled deals of a wallet's agents as a table for other programs (RFC 4180), the newest first. `fee_usd` is
 * this side's own, `net_usd` what the account gained; what a purchase cost is below zero.
 */
export function dealsCsv(agents: readonly OwnAgent[]): string {
  const rows = agents
    .flatMap(({ handle, deals }) => deals.filter(isSettled).map((deal) => ({ handle, deal })))
    .sort((a, b) => b.deal.updatedAt.localeCompare(a.deal.updatedAt))
    .map(({ handle, deal }) => {
      const net = micro(earnedUsd(deal)) - micro(spentUsd(deal));
      // The price lies between what the buyer pays and what the seller gets.
      const price = micro(deal.priceUsd);
      const fee = deal.role === 'seller' ? price - net : -net - price;
      return [
        ...[deal.updatedAt, handle, deal.role, deal.dealId, deal.lot, deal.description ?? ''].map(cell),
        ...[price, fee, net].map(formatUsd),
        cell(deal.tx ?? ''),
      ];
    });
  return `${[COLUMNS, ...rows].map((row) => row.join(',')).join('\r\n')}\r\n`;
}

const micro = (usd: number): bigint => parseUsd(usd, 'usd');

/** Quoted where it must be. A spreadsheet would run what begins like a formula, so that is kept as text. */
function cell(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

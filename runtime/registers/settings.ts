import { REGISTERS, type Register } from '../../agents/determinations/provenance/register-row.ts';

export const LIST_FORMATS = [
  'ofac-sdn',
  'scamsniffer',
  'eth-labels',
  'eth-phishing-detect',
  'scamsniffer-domains',
  'plain',
  'csv',
  'jsonl',
] as const;
export type ListFormat = (typeof LIST_FORMATS)[number];

/** A published list that is fetched again and again. */
export interface ListSource {
  readonly register: Register;
  /** The list's name in its register, as records name it. */
  readonly name: string;
  readonly format: ListFormat;
  /** Never published: it may carry a key. */
  readonly url: string;
  /** Fewer rows are not the list that this source is known to be. Left out: by register. */
  readonly minimum?: number;
  /** Percent of its rows that it may have lost since the last time. Left out: 50. */
  readonly largestShrink?: number;
}

export interface RegisterSettings {
  readonly sources: readonly ListSource[];
  readonly refreshSeconds: number;
  /** Registers of goods that others keep, by URL template. */
  readonly lookups: readonly { readonly register: 'stolen' | 'recalled'; readonly template: string }[];
  readonly lookupsPerMinute: number;
}

interface Given {
  readonly sources: string | null;
  readonly refreshSeconds: number;
  readonly stolenUrl: string | null;
  readonly recalledUrl: string | null;
  readonly lookupsPerMinute: number;
}

type Wrong = (name: string, remedy: string) => Error;

/** @param wrong makes the error for a setting, by its name and what would be right */
export function readRegisterSettings(given: Given, wrong: Wrong): RegisterSettings {
  const sources = (given.sources ?? '')
    .split(/\s+/)
    .filter((part) => part !== '')
    .map((part) => readSource(part, wrong));
  const names = sources.map((s) => `${s.register}/${s.name}`);
  if (new Set(names).size < names.length)
    throw wrong('REGISTER_SOURCES', 'it must name each list of a register once');
  return {
    sources,
    refreshSeconds: given.refreshSeconds,
    lookups: [
      ...readTemplate('stolen', 'STOLEN_LOOKUP_URL', given.stolenUrl, wrong),
      ...readTemplate('recalled', 'RECALLED_LOOKUP_URL', given.recalledUrl, wrong),
    ],
    lookupsPerMinute: given.lookupsPerMinute,
  };
}

const OF_DOMAINS: ReadonlySet<string> = new Set(['phishing-domains', 'known-domains']);
const LISTS_DOMAINS: ReadonlySet<string> = new Set(['eth-phishing-detect', 'scamsniffer-domains']);

/**
 * A list by its name, such as `sanctions/ofac`, and its format.
 * @returns null where there is no such register or format, or where the one does not go with the other
 */
export function listNamed(list: string, format: string): Omit<ListSource, 'url'> | null {
  const [, register, name] = /^([a-z-]+)\/([A-Za-z0-9][A-Za-z0-9._:-]{0,99})$/.exec(list) ?? [];
  const known =
    (REGISTERS as readonly (string | undefined)[]).includes(register) &&
    (LIST_FORMATS as readonly string[]).includes(format) &&
    (format !== 'ofac-sdn' || register === 'sanctions') &&
    (format === 'scamsniffer' || format === 'eth-labels' ? register === 'known-scam' : true) &&
    (!LISTS_DOMAINS.has(format) || OF_DOMAINS.has(register ?? '')) &&
    (format !== 'plain' ||
      register === 'known-scam' ||
      register === 'sanctions' ||
      OF_DOMAINS.has(register ?? ''));
  if (!known || name === undefined) return null;
  return { register: register as Register, name, format: format as ListFormat };
}

function readSource(part: string, wrong: Wrong): ListSource {
  const [, list = '', format = '', url = ''] = /^([^=]+)=([a-z-]+)\+(https?:\/\/.+)$/.exec(part) ?? [];
  const source = listNamed(list, format);
  if (source === null || !URL.canParse(url)) {
    throw wrong(
      'REGISTER_SOURCES',
      `it must be such as sanctions/ofac=ofac-sdn+https://… known-scam/scamsniffer=scamsniffer+https://…, the formats ${LIST_FORMATS.join(', ')}, parted by spaces`,
    );
  }
  const declared = new URLSearchParams(new URL(url).hash.slice(1));
  const number = (name: string, most: number): number | undefined => {
    const text = declared.get(name);
    if (text === null) return undefined;
    if (!/^\d{1,9}$/.test(text) || Number(text) > most)
      throw wrong('REGISTER_SOURCES', `${name} must be a whole number up to ${most}`);
    return Number(text);
  };
  if ([...declared.keys()].some((name) => name !== 'minimum' && name !== 'shrink'))
    throw wrong(
      'REGISTER_SOURCES',
      'behind # a list declares minimum=<rows> and shrink=<percent>, and nothing else',
    );
  const [minimum, largestShrink] = [number('minimum', 999_999_999), number('shrink', 100)];
  return {
    ...source,
    url: url.split('#', 1)[0] as string,
    ...(minimum === undefined ? {} : { minimum }),
    ...(largestShrink === undefined ? {} : { largestShrink }),
  };
}

function readTemplate(
  register: 'stolen' | 'recalled',
  setting: string,
  template: string | null,
  wrong: Wrong,
): RegisterSettings['lookups'] {
  if (template === null) return [];
  const filled = template.replaceAll(/\{(?:kind|serial|key)\}/g, 'x');
  if (!/\{(?:serial|key)\}/.test(template) || !/^https?:\/\//.test(filled) || !URL.canParse(filled))
    throw wrong(setting, 'it must be a URL that holds {serial} or {key}, and may hold {kind}');
  return [{ register, template }];
}

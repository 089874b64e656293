import { MAX_MICRO, MICRO_PER_USD, type Micro } from '../../money.ts';
import type { Token } from './tokens.ts';

/** A number read from the tokens: its value in millionths, and how many tokens it took. */
export interface NumberReading {
  readonly micro: Micro;
  readonly length: number;
  /** The number's text, when it cannot be used. */
  readonly unreadable?: string;
}

const ONES: ReadonlyMap<string, bigint> = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
    .split(' ')
    .map((word, value) => [word, BigInt(value)] as const),
);
const TENS: ReadonlyMap<string, bigint> = new Map(
  'twenty thirty forty fifty sixty seventy eighty ninety'
    .split(' ')
    .map((word, i) => [word, BigInt(i + 2) * 10n] as const),
);
const SCALES: ReadonlyMap<string, bigint> = new Map(
  Object.entries({
    thousand: 1_000n,
    grand: 1_000n,
    k: 1_000n,
    '~k': 1_000n,
    lakh: 100_000n,
    lakhs: 100_000n,
    lac: 100_000n,
    lacs: 100_000n,
    million: 1_000_000n,
    mn: 1_000_000n,
    mio: 1_000_000n,
    '~m': 1_000_000n,
    '~mn': 1_000_000n,
    '~mm': 1_000_000n,
    crore: 10_000_000n,
    crores: 10_000_000n,
    billion: 1_000_000_000n,
    '~bn': 1_000_000_000n,
    '~b': 1_000_000_000n,
  }),
);

/** Reads a number at `at`, in digits ("1,500.50", "1.5k", "2 million") or in words ("two thousand five hundred"). */
export function readNumber(tokens: readonly Token[], at: number): NumberReading | null {
  const first = tokens[at];
  if (first === undefined) return null;
  const scale = SCALES.get(tokens[at + 2]?.key ?? '');
  if (first.key === 'half' && tokens[at + 1]?.key === 'a' && scale !== undefined)
    return { micro: (scale * MICRO_PER_USD) / 2n, length: 3 };
  if (first.key === 'half' && tokens[at + 1]?.key === 'a' && tokens[at + 2]?.key === 'dozen')
    return { micro: 6n * MICRO_PER_USD, length: 3 };
  if (first.key === 'a' && tokens[at + 1]?.key === 'dozen') return { micro: 12n * MICRO_PER_USD, length: 2 };
  if (first.kind === 'number') return digits(tokens, at);
  return words(tokens, at);
}

function digits(tokens: readonly Token[], at: number): NumberReading {
  const text = tokens[at]!.text;
  let length = 1;
  const second = tokens[at + 1];
  // "10 000" may be ten thousand, or two numbers with a lost separator.
  if (second?.kind === 'number') return { micro: 0n, length: 2, unreadable: `${text} ${second.text}` };
  let scale = 1n;
  const next = second?.key ?? '';
  if (next === 'hundred') {
    scale = 100n;
    length++;
  } else if (SCALES.get(next) !== undefined) {
    scale = SCALES.get(next)!;
    length++;
  }
  const whole = text.replaceAll(',', '').split('.')[0]!;
  const fraction = text.split('.')[1] ?? '';
  const written = tokens
    .slice(at, at + length)
    .map((t) => t.text)
    .join(second?.tight ? '' : ' ');
  // "1.500" is one and a half in London and fifteen hundred in Berlin.
  if (fraction.length === 3 && whole !== '0' && !text.includes(',') && scale === 1n)
    return { micro: 0n, length, unreadable: written };
  const scaled = BigInt(whole + fraction.padEnd(12, '0').slice(0, 12)) * scale;
  if (fraction.length > 12 || scaled % 1_000_000n !== 0n) return { micro: 0n, length, unreadable: written };
  const micro = scaled / 1_000_000n;
  return { micro, length, ...(micro > MAX_MICRO ? { unreadable: written } : {}) };
}

function words(tokens: readonly Token[], at: number): NumberReading | null {
  let i = at;
  let total = 0n;
  let group: bigint | null = null;
  let last = MICRO_PER_USD * MICRO_PER_USD;
  let previous: 'ones' | 'tens' | 'hundred' | null = null;
  const article =
    tokens[i]?.key === 'a' &&
    /^(?:hundred|thousand|lakh|lac|million|crore|billion)$/.test(tokens[i + 1]?.key ?? '');
  if (article) {
    group = 1n;
    i++;
  }
  for (; i < tokens.length; i++) {
    const token = tokens[i]!;
    const key: string = token.kind === 'word' ? token.key : '';
    if (
      ONES.get(key) !== undefined &&
      (previous === null || previous === 'hundred' || (previous === 'tens' && ONES.get(key)! < 10n))
    ) {
      group = (group ?? 0n) + ONES.get(key)!;
      previous = 'ones';
    } else if (TENS.get(key) !== undefined && (previous === null || previous === 'hundred')) {
      group = (group ?? 0n) + TENS.get(key)!;
      previous = 'tens';
    } else if (key === 'hundred' && group !== null && group > 0n && group < 100n && previous !== 'hundred') {
      group *= 100n;
      previous = 'hundred';
    } else if (SCALES.get(key) !== undefined && key.length > 2 && group !== null && SCALES.get(key)! < last) {
      last = SCALES.get(key)!;
      total += group * last;
      group = null;
      previous = null;
    } else if (
      key === 'and' &&
      (previous === 'hundred' || (total > 0n && group === null)) &&
      (small(tokens, i + 1) || scaled(tokens, i + 1, tokens[at - 1]?.key ?? ''))
    ) {
    } else break;
  }
  if (i === at || (group === null && total === 0n)) return null;
  const micro = (total + (group ?? 0n)) * MICRO_PER_USD;
  const unreadable = tokens
    .slice(at, i)
    .map((t) => t.text)
    .join(' ');
  return { micro, length: i - at, ...(micro > MAX_MICRO ? { unreadable } : {}) };
}

/** "one hundred and fifty", but not "five hundred and two thousand", which may be two amounts. */
function small(tokens: readonly Token[], at: number): boolean {
  const key = tokens[at]?.key ?? '';
  if (ONES.get(key) === undefined && TENS.get(key) === undefined) return false;
  const after = [tokens[at + 1]?.key ?? '', tokens[at + 2]?.key ?? ''];
  return !after.some((k) => k === 'hundred' || SCALES.get(k) !== undefined);
}

/**
 * "One hundred and twenty thousand" is one number, where it is not the end of a range: "between one hundred and twenty
 * thousand". Below ten, "five hundred and two thousand", it may be two.
 */
function scaled(tokens: readonly Token[], at: number, before: string): boolean {
  const key = tokens[at]?.key ?? '';
  if (['between', 'from', 'either', 'both'].includes(before)) return false;
  const ten = TENS.has(key);
  if (!ten && (ONES.get(key) ?? 0n) < 10n) return false;
  const next = tokens[at + 1]?.key ?? '';
  const scale = ten && ONES.has(next) ? (tokens[at + 2]?.key ?? '') : next;
  return SCALES.has(scale) && scale.length > 2;
}

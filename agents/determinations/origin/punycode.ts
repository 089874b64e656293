const [BASE, T_MIN, T_MAX, SKEW, DAMP, BIAS, FIRST] = [36, 1, 26, 38, 700, 72, 128] as const;

/**
 * The Unicode form of one label of a domain name (RFC 3492). A label that is no valid punycode stays as it is.
 * @param label lower case, with `xn--` where it is encoded
 */
export function unicodeLabel(label: string): string {
  if (!label.startsWith('xn--')) return label;
  return decoded(label.slice(4)) ?? label;
}

function decoded(text: string): string | null {
  const dash = text.lastIndexOf('-');
  const points = [...text.slice(0, Math.max(dash, 0))].map((c) => c.charCodeAt(0));
  let [code, index, bias] = [FIRST as number, 0, BIAS as number];
  for (let at = dash < 0 ? 0 : dash + 1; at < text.length; ) {
    const before = index;
    for (let [weight, k] = [1, BASE as number]; ; k += BASE) {
      const digit = digitOf(text.charCodeAt(at++));
      if (digit === null) return null;
      index += digit * weight;
      const limit = k <= bias ? T_MIN : k >= bias + T_MAX ? T_MAX : k - bias;
      if (digit < limit) break;
      weight *= BASE - limit;
    }
    bias = adapted(index - before, points.length + 1, before === 0);
    code += Math.floor(index / (points.length + 1));
    index %= points.length + 1;
    if (code > 0x10ffff) return null;
    points.splice(index++, 0, code);
  }
  return String.fromCodePoint(...points);
}

function digitOf(code: number): number | null {
  if (code >= 0x30 && code <= 0x39) return code - 0x30 + 26;
  if (code >= 0x61 && code <= 0x7a) return code - 0x61;
  return null;
}

function adapted(delta: number, count: number, first: boolean): number {
  let rest = first ? Math.floor(delta / DAMP) : delta >> 1;
  rest += Math.floor(rest / count);
  let k = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) >> 1; k += BASE) rest = Math.floor(rest / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
}

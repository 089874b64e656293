import type { Steps } from '../grammar/steps.ts';
import type { Question } from '../terms/schema.ts';

interface Language {
  /** Words that no English mandate has, in lower case; for a script of its own, none. */
  readonly words: readonly string[];
  /** The answer: mandates are read in English, with an example. */
  readonly answer: string;
}

const EXAMPLE = '“Buy digital products, at most 100 USDC per deal, until 31 March 2030.”';

/** Common words of each language, and the words of mandates. Words that are English, too, are left out. */
const LATIN: Readonly<Record<string, Language>> = {
  de: {
    words: words(
      'und der das ein eine einen für bis pro mit nicht nur höchstens maximal bitte kaufe kaufen kauf verkaufe verkaufen insgesamt über unter auf von zum zur ich du mein meine nie niemals geschäft stück tag woche monat gültig ablauf waren produkte märz januar februar juni juli oktober dezember mai ende jeweils mehr als keine kein darf',
    ),
    answer: `Mandate werden nur auf Englisch gelesen; können Sie es so schreiben: ${EXAMPLE}?`,
  },
  fr: {
    words: words(
      'et le la les des du un une pour jusqu jusqu’au jusqu’à avec pas plus moins au aux par sur ne que achète acheter achetez vends vendre merci plaît maximum transaction chaque jour semaine mois produits billets numériques janvier février mars avril mai juin juillet août septembre octobre novembre décembre mon ma mes je vous tu d’acheter jamais dépenser',
    ),
    answer: `Les mandats ne sont lus qu’en anglais ; pouvez-vous l’écrire ainsi : ${EXAMPLE} ?`,
  },
  es: {
    words: words(
      'y el los las un una para hasta por con no más menos de del en compra comprar compre vende vender favor máximo operación cada día semana mes productos entradas digitales enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre mi mis como mucho nunca gasta gastar',
    ),
    answer: `Los mandatos solo se leen en inglés; ¿puede escribirlo así: ${EXAMPLE}?`,
  },
  it: {
    words: words(
      'e il lo gli le un una per fino al con non più meno di del della compra comprare acquista acquistare vendi vendere favore massimo operazione ogni giorno settimana mese prodotti biglietti digitali gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre mio miei mai spendi spendere ciascuno affare',
    ),
    answer: `I mandati si leggono solo in inglese; può scriverlo così: ${EXAMPLE}?`,
  },
  pt: {
    words: words(
      'e os as um uma para até por com não mais menos de do da no na compre comprar compra venda vender favor máximo negócio transação cada dia semana mês produtos bilhetes ingressos digitais janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro meu minha nunca gaste gastar',
    ),
    answer: `Os mandatos só são lidos em inglês; pode escrevê-lo assim: ${EXAMPLE}?`,
  },
  nl: {
    words: words(
      'en de het een voor tot met niet alleen hoogstens maximaal koop kopen verkoop verkopen alstublieft graag per transactie deal dag week maand producten kaartjes digitale januari februari maart april mei juni juli augustus september oktober november december mijn ik nooit uitgeven stuk totaal',
    ),
    answer: `Mandaten worden alleen in het Engels gelezen; kunt u het zo schrijven: ${EXAMPLE}?`,
  },
  pl: {
    words: words(
      'i w na do za z nie tylko maksymalnie najwyżej kupuj kupować kup sprzedaj sprzedawaj proszę transakcję dzień tydzień miesiąc produkty bilety cyfrowe stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia mój roku nigdy łącznie',
    ),
    answer: `Mandaty są czytane tylko po angielsku; czy możesz napisać to tak: ${EXAMPLE}?`,
  },
  tr: {
    words: words(
      've bir için kadar ile değil yalnızca sadece en fazla satın al sat lütfen işlem başına gün hafta ay ürünler ürünleri dijital ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık tarihine toplam asla',
    ),
    answer: `Yetkiler yalnızca İngilizce okunur; şöyle yazabilir misiniz: ${EXAMPLE}?`,
  },
  sv: {
    words: words(
      'och att det en ett för till med inte bara högst köp köpa sälj sälja snälla per affär dag vecka månad produkter biljetter digitala januari februari mars juni juli augusti oktober december min mina aldrig totalt styck',
    ),
    answer: `Mandat läses bara på engelska; kan du skriva det så här: ${EXAMPLE}?`,
  },
  da: {
    words: words(
      'og at det en et for til med ikke kun højst maksimalt køb købe sælg sælge venligst per pr handel dag uge måned produkter billetter digitale indtil senest januar februar marts april maj juni juli august oktober december min mine aldrig i alt stykket hver den',
    ),
    answer: `Mandater læses kun på engelsk; kan du skrive det sådan: ${EXAMPLE}?`,
  },
  cs: {
    words: words(
      'v na za z ne jen pouze maximálně nejvýše nejvíce kupuj kupovat kup koupit prodej prodávat prosím obchod obchodu den denně týden týdně měsíc měsíčně produkty vstupenky digitální ledna února března dubna května června července srpna září října listopadu prosince můj moje roku nikdy celkem kus kusu každý',
    ),
    answer: `Mandáty se čtou jen v angličtině; můžete to napsat takto: ${EXAMPLE}?`,
  },
  fi: {
    words: words(
      'ja vain ei enintään korkeintaan osta ostaa myy myydä kiitos kauppa kauppaa kohden päivä päivässä viikko viikossa kuukausi kuukaudessa tuotteita lippuja digitaalisia asti saakka mennessä tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta minun yhteensä koskaan kappale kappaleelta älä per jopa',
    ),
    answer: `Valtuudet luetaan vain englanniksi; voitko kirjoittaa sen näin: ${EXAMPLE}?`,
  },
  hu: {
    words: words(
      'és az egy csak ne nem legfeljebb maximum vegyél vásárolj venni vásárolni adj el eladni kérem kérlek ügyletenként tranzakciónként naponta hetente havonta hét hónap termékeket termék jegyet jegyeket digitális január február március április május június július augusztus szeptember október november december végéig összesen soha darab darabonként dollárért dollárnál többet mint',
    ),
    answer: `A megbízásokat csak angolul olvassuk; le tudná írni így: ${EXAMPLE}?`,
  },
  no: {
    words: words(
      'og å det en et til med ikke kun høyst maks kjøp kjøpe selg selge vennligst per handel dag uke måned produkter billetter digitale inntil senest januar februar mars april mai juni juli august oktober desember min mine mitt aldri totalt stykket hver den noe',
    ),
    answer: `Mandater leses bare på engelsk; kan du skrive det slik: ${EXAMPLE}?`,
  },
  hr: {
    words: words(
      'i u na za s sa ne samo najviše maksimalno kupi kupuj kupovati prodaj prodavati molim po transakciji poslu dan dnevno tjedan tjedno mjesec mjesečno proizvode proizvodi ulaznice digitalne do siječnja veljače ožujka travnja svibnja lipnja srpnja kolovoza rujna listopada studenoga prosinca moj moje nikad ukupno komad svaki',
    ),
    answer: `Mandati se čitaju samo na engleskom; možete li to napisati ovako: ${EXAMPLE}?`,
  },
  sk: {
    words: words(
      'v na za z nie len iba maximálne najviac kupuj kupovať kúp kúpiť predaj predávať prosím obchod obchodu deň denne týždeň týždenne mesiac mesačne produkty vstupenky digitálne do januára februára marca apríla mája júna júla augusta septembra októbra novembra decembra môj moje roku nikdy celkom kus kusu každý',
    ),
    answer: `Mandáty sa čítajú len v angličtine; môžete to napísať takto: ${EXAMPLE}?`,
  },
  ro: {
    words: words(
      'și si la de pe cu nu doar numai cel mult maxim maximum cumpără cumpara cumpărați cumpere vinde vindeți rog tranzacție zi săptămână lună produse bilete digitale până pana ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie meu mea niciodată total fiecare pentru în',
    ),
    answer: `Mandatele se citesc numai în engleză; îl puteți scrie astfel: ${EXAMPLE}?`,
  },
  vi: {
    words: words(
      'và hãy mua bán vui lòng không chỉ tối đa nhiều nhất mỗi giao dịch ngày tuần tháng năm sản phẩm kỹ thuật số vé đến hết cho của tôi tổng cộng với giá trên dưới bao giờ các',
    ),
    answer: `Ủy nhiệm chỉ được đọc bằng tiếng Anh; bạn có thể viết như sau không: ${EXAMPLE}?`,
  },
  id: {
    words: words(
      'dan beli belilah membeli jual juallah menjual tolong mohon tidak jangan hanya paling banyak maksimal maksimum setiap per transaksi hari minggu bulan produk tiket digital sampai hingga januari februari maret april mei juni juli agustus september oktober november desember saya pernah total dengan untuk harga',
    ),
    answer: `Mandat hanya dibaca dalam bahasa Inggris; dapatkah Anda menulisnya begini: ${EXAMPLE}?`,
  },
};

const SCRIPTS: readonly (readonly [script: RegExp, answer: string])[] = [
  [
    /[\p{Script=Hiragana}\p{Script=Katakana}]/gu,
    `委任状は英語でのみ読み取られます。${EXAMPLE} のように書いていただけますか？`,
  ],
  [/\p{Script=Hangul}/gu, `위임장은 영어로만 읽습니다. ${EXAMPLE} 처럼 적어 주시겠습니까?`],
  [/\p{Script=Han}/gu, `授权书只能用英文读取，可以这样写吗：${EXAMPLE}？`],
  [/[іїєґІЇЄҐ]/gu, `Мандати читаються лише англійською; чи можете ви написати так: ${EXAMPLE}?`],
  [/\p{Script=Cyrillic}/gu, `Мандаты читаются только на английском; можете ли вы написать так: ${EXAMPLE}?`],
  [/\p{Script=Arabic}/gu, `تُقرأ التفويضات بالإنجليزية فقط؛ هل يمكنك كتابتها هكذا: ${EXAMPLE}؟`],
  [/\p{Script=Devanagari}/gu, `अधिदेश केवल अंग्रेज़ी में पढ़े जाते हैं; क्या आप इसे ऐसे लिख सकते हैं: ${EXAMPLE}?`],
  [/\p{Script=Greek}/gu, `Οι εντολές διαβάζονται μόνο στα αγγλικά· μπορείτε να το γράψετε έτσι: ${EXAMPLE};`],
  [/\p{Script=Hebrew}/gu, `ההרשאות נקראות באנגלית בלבד; האם תוכל לכתוב כך: ${EXAMPLE}?`],
  [/\p{Script=Thai}/gu, `ระบบอ่านเฉพาะภาษาอังกฤษเท่านั้น คุณเขียนแบบนี้ได้ไหม: ${EXAMPLE}?`],
];

function words(text: string): readonly string[] {
  return text.split(' ');
}

/** Words that an English mandate has at least one of. */
const ENGLISH = new Set(
  words(
    'the and buy sell up most than deal until only never each from with by for is are all no per spend cap',
  ),
);

/**
 * A text in another language, with the answer in that language, or null. It is no reading: such a text is always refused,
 * because a half-understood limit is worse than none.
 */
export function otherLanguage(text: string, steps: Steps): Question | null {
  steps.take(4 * text.length);
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  // Letters of another alphabet in an English text are look-alikes: the screening says so.
  if (letters - latin > latin) {
    const found = SCRIPTS.find(([script]) => (text.match(script)?.length ?? 0) > 0);
    return found === undefined ? null : { reason: 'NOT_UNDERSTOOD', question: found[1] };
  }
  const said = text.toLowerCase().match(/(?<![\p{L}\d])\p{L}+(?:[’'](?=\p{L})\p{L}+)?/gu) ?? [];
  const english = said.filter((word) => ENGLISH.has(word)).length;
  const [best] = Object.values(LATIN)
    .map(({ words: known, answer }) => {
      const own = new Set(known);
      return { answer, hits: said.filter((word) => own.has(word.replaceAll("'", '’'))).length };
    })
    .sort((a, b) => b.hits - a.hits);
  if (best === undefined || best.hits < 2 * english || 4 * best.hits < said.length) return null;
  // A few words tell where most of them are of one language, and none is of an English mandate.
  if (best.hits < 4 && (best.hits < 3 || english > 0 || 2 * best.hits < said.length)) return null;
  return { reason: 'NOT_UNDERSTOOD', question: best.answer };
}

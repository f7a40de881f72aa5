/** Short marks for components that are not populated, also next to a value as in `10k DNP`. */
const ABBREVIATION = /(^|[\s_/|,;:(["[-])(DNP|DNF|DNI|DNM)([\s_/|,;:)"\]-]|$)/
const ENGLISH =
  /^(do not|don'?t|not to be|not) ?(be )?(populated?|fit(ted)?|placed?|install(ed)?|mount(ed)?|stuff(ed)?|assembled?|load(ed)?|solder(ed)?)$/
const ENGLISH_WITHIN = /\bdo not (populate|fit|place|install|mount|stuff|assemble|load|solder)\b/i

const parseWords = (words: string): ReadonlySet<string> => new Set(words.split(/,\s+/))

const OTHER_LANGUAGES =
  parseWords(`dnp, dnf, dni, dnm, unpopulated, no pop, nopop, no fit, nofit, no stuff, nostuff, no load, noload, no mount,
  excluded from bom, nicht bestücken, nicht bestückt, unbestückt, nicht bestuecken, nicht bestueckt, nicht montieren,
  ne pas monter, non monté, ne pas placer, ne pas câbler, non câblé, ne pas souder,
  no montar, no montado, no poblar, no colocar, no soldar, non montare, non montato, non popolare, da non montare,
  não montar, não montado, não popular, niet plaatsen, niet monteren, niet geplaatst, niet bestukken,
  nie montować, nie montowane, nie montowany, nie obsadzać, niemontowane,
  neosazovat, neosazeno, neosazené, neosazuje se, nemontovat,
  不贴, 不装, 不焊, 不贴装, 空贴, 不安装, 不焊接, 不上件, 不贴片, не устанавливать, не монтировать, не ставить, не запаивать`)

/** Whether the text of a cell marks its row as not populated, alone or next to a value. */
function isNotPopulatedText(cell: string): boolean {
  const text = cell.trim()
  const words = text
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .replace(/[.!]$/, '')
  return ABBREVIATION.test(text) || ENGLISH.test(words) || ENGLISH_WITHIN.test(text) || OTHER_LANGUAGES.has(words)
}

const NO =
  parseWords(`0, no, n, false, f, -, ~, off, none, nein, falsch, non, faux, falso, não, nao, nee, onwaar, nie, fałsz, ne, nepravda,
  否, 不, нет, ложь, nej, nem`)
const POPULATED =
  parseWords(`populate, populated, fitted, fit, place, placed, mounted, mount, installed, install, include, included,
  bestückt, bestücken, monté, monter, montado, montar, montato, montare, geplaatst, montowane, osazeno, 贴装`)

/**
 * Whether a row is not populated.
 * @param mark the cell of a column that marks rows as not populated: any text does, unless it means "no" or "populated"
 * @param fitted the cell of a column with the opposite meaning: a "no" marks the row as not populated
 * @param texts the cells of all other columns, except those that name the component
 */
export function isNotPopulated(mark: string | null, fitted: string | null, texts: readonly (string | null)[]): boolean {
  const [markText, fittedText] = [mark, fitted].map((cell) => cell?.trim().toLowerCase() ?? '') as [string, string]
  if (markText && !NO.has(markText) && !POPULATED.has(markText)) return true
  if (NO.has(fittedText) && fittedText !== '~') return true
  return [fitted, ...texts].some((text) => text !== null && isNotPopulatedText(text))
}

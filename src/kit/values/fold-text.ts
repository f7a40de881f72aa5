/** An SQL expression of a text as it is compared in searches. The function is made by a migration. */
export const folded = (sql: string): string => `fold_text((${sql})::text)`

/**
 * A text as it is compared in searches: µ, μ and u are one, both signs of ohm, × and x, letters composed or not, full-width forms. Capitals
 * stay. The same as `fold_text` of the database.
 */
export const foldText = (text: string): string => text.normalize('NFKC').replaceAll('μ', 'u').replaceAll('×', 'x')

/** What means something in a regular expression. */
const SIGNS = /[\\^$.*+?()[\]{}|]/

/** A regular expression for folded texts. A sign that folds to one that means something there, such as a full-width bracket, stays. */
export const foldRegularExpression = (expression: string): string =>
  [...expression.normalize('NFC')]
    .map((sign) => {
      const other = foldText(sign)
      return SIGNS.test(other) ? sign : other
    })
    .join('')
    .normalize('NFC')
